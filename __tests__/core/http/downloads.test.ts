import https from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "@jest/globals";
import type { ResponseHeaders } from "../../../src/core/http/limits/rate-limit.js";
import { findDownload } from "../../../src/core/request/resolve-redirect.js";
import { makeCertificates } from "../../support/make-certificates.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";
import { endWithTests } from "../../support/started-servers.js";
import { createTestTransport } from "../../support/test-transport.js";

const certificates = makeCertificates();

/** An https server with the client certificates it was shown. */
async function startHttps(location?: string) {
  const { server: own, ca } = certificates;
  const clients: unknown[] = [];
  const options = { ...own, ca, requestCert: true, rejectUnauthorized: false };
  const server = https.createServer(options, (request, response) => {
    clients.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
    if (location !== undefined) response.writeHead(302, { Location: location });
    response.end("bytes");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return endWithTests({ port: (server.address() as AddressInfo).port, requests: clients, close });
}

describe("a redirected download", () => {
  it("shows no client certificate, and trusts the record's authority", async () => {
    const storage = await startHttps();
    const api = await startHttps(`https://localhost:${storage.port}/a.bin`);
    const network = { ca: certificates.ca, ...certificates.client };
    const transport = createTestTransport(`https://127.0.0.1:${api.port}`, { network });
    const locations: unknown[] = [];
    const onHead = (headers: ResponseHeaders) => locations.push(headers["location"] ?? "none");
    const exchange = await transport.send({}, { downloadHosts: ["localhost"], onHead });
    expect(exchange).toMatchObject({ status: 200, isDownload: true, attempts: 2 });
    // What the other host sets is not the API's.
    expect(locations).toEqual([`https://localhost:${storage.port}/a.bin`]);
    expect([api.requests, storage.requests]).toEqual([["Test Client"], [undefined]]);
  });

  it("is judged as any redirect at the API's own origin", async () => {
    const api = await startRawServer((_request, socket) =>
      answerWith(socket, 302, "", { Location: "/admin" }),
    );
    const transport = createTestTransport(`http://localhost:${api.port}/v1`);
    const { refusal } = await transport.send({}, { downloadHosts: ["localhost"] });
    expect(refusal).toMatchObject({ reason: "outside_base_path" });
    expect(api.requests).toHaveLength(1);
  });

  it("is not followed from https to http", async () => {
    const storage = await startRawServer();
    const api = await startHttps(`http://localhost:${storage.port}/a.bin`);
    const network = { ca: certificates.ca };
    const transport = createTestTransport(`https://127.0.0.1:${api.port}`, { network });
    const { refusal } = await transport.send({}, { downloadHosts: ["localhost"] });
    expect(refusal).toMatchObject({ reason: "download_not_encrypted" });
    expect(storage.connections.opened).toBe(0);
  });
});

describe("the address of a host for downloads", () => {
  /** The storage is at 127.0.0.1, whatever the resolver says of its name; it is asked for the name only. */
  async function start(...addresses: string[]) {
    const storage = await startRawServer();
    const location = `http://files.storage.example:${storage.port}/a.bin`;
    const api = await startRawServer((_request, socket) =>
      answerWith(socket, 302, "", { Location: location }),
    );
    const lookup: LookupFunction = (_host, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    const network = { allowLocalAddresses: true };
    const transport = createTestTransport(api.url, { lookup, network, limits: { retries: 0 } });
    return { transport, storage };
  }

  it.each([
    ...["10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "127.0.0.1", "169.254.169.254"],
    ...["fc00::1", "fd12::1", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"],
  ])("is refused under a wildcard when it is %s, whatever else the record has", async (address) => {
    const { transport, storage } = await start("8.8.8.8", address);
    const error = await transport.refuse({}, { downloadHosts: ["*.storage.example"] });
    expect(error).toMatchObject({ category: "refused_by_policy", code: "ERR_LOCAL_ADDRESS" });
    expect(error.hint).toContain("network.downloadHosts");
    expect(storage.connections.opened).toBe(0);
  });

  it("may be a private one where the host is named", async () => {
    const { transport, storage } = await start("127.0.0.1");
    const hosts = ["*.storage.example", "files.storage.example"];
    expect(await transport.send({}, { downloadHosts: hosts })).toMatchObject({ status: 200 });
    expect(storage.requests.map(({ head }) => head.split("\r\n"))).toEqual([
      [
        "GET /a.bin HTTP/1.1",
        "Accept: */*",
        `Host: files.storage.example:${storage.port}`,
        "Connection: close",
      ],
    ]);
  });
});

describe("a pattern of network.downloadHosts", () => {
  const base = "https://api.example.com";

  it.each([
    ["files.example", "https://files.example/a?b#c", true],
    ["files.example", "https://FILES.example:8443/a", true],
    ["Files.Example:443", "https://files.example/a", true],
    ["files.example:443", "https://files.example:8443/a", false],
    ["files.example", "https://files.example.evil.example/a", false],
    ["files.example", "https://a.files.example/a", false],
    ["files.example", "https://files.example@evil.example/", false],
    ["files.example", "https://evil.example\\@files.example/", false],
    ["files.example", "https://u:p@files.example/", false],
    ["files.example", "ftp://files.example/", false],
    ["*.files.example", "https://a.b.files.example/a", true],
    ["*.files.example", "https://files.example/a", false],
    ["*.files.example", "https://evilfiles.example/a", false],
  ])("%s and %s: %p", (host, url, fits) => {
    expect(typeof findDownload([host], url, base) === "object").toBe(fits);
  });
});
