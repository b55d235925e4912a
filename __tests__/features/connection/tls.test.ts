import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type ConnectionReport, defineSource, testConnection } from "langchain-api-sources";
import type { SourceNetwork } from "../../../src/core/record/api-source.js";
import {
  type BadCertificates,
  type KeyedCertificate,
  makeBadCertificates,
} from "../../support/make-certificates.js";

let certificates: BadCertificates;
let server: Server | net.Server | undefined;
const token = "sk-canary-4f9a1c7be20d";
let received: string[] = [];

beforeAll(() => {
  certificates = makeBadCertificates();
});

afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  received = [];
});

async function listen(created: Server | net.Server): Promise<number> {
  server = created;
  await new Promise<void>((resolve) => created.listen(0, "127.0.0.1", resolve));
  return (created.address() as AddressInfo).port;
}

async function serve(keyed: KeyedCertificate, options: object = {}): Promise<number> {
  return await listen(
    createServer({ ...keyed, ...options }, (request, response) => {
      received.push(request.headers.authorization ?? "none");
      response.writeHead(request.headers.authorization === undefined ? 401 : 200, {
        connection: "close",
      });
      response.end();
    }),
  );
}

async function test(
  baseUrl: string,
  network: Partial<SourceNetwork> = {},
  timeoutMs = 5_000,
): Promise<ConnectionReport> {
  const record = defineSource({
    name: "Shop",
    api: { baseUrl, testEndpoint: "/user", authType: "bearer", network, limits: { timeoutMs } },
  });
  return await testConnection(record, { credentials: { shop: { token } } });
}

describe("testConnection over TLS", () => {
  it("trusts an authority that the record names", async () => {
    const port = await serve(certificates.good);
    const report = await test(`https://localhost:${port}`, { ca: certificates.ca });
    expect(report).toMatchObject({ verdict: "ok", credentialVerified: true });
  });

  it.each([
    ["expired", /has expired/, /clock/],
    ["notYetValid", /handshake with localhost:\d+ failed \(CERT_NOT_YET_VALID\)/, /clock/],
    ["wrongHost", /is not for localhost/, /api\.baseUrl/],
    ["selfSigned", /not trusted here: it is self-signed/, /api\.network\.ca/],
  ] as const)(
    "tells a certificate that is %s, and sends it nothing",
    async (kind, message, fix) => {
      const port = await serve(certificates[kind]);
      const report = await test(`https://localhost:${port}`, { ca: certificates.ca });
      expect(report).toMatchObject({ ok: false, verdict: "tls" });
      expect(report.message).toMatch(message);
      expect(report.fix).toMatch(fix);
      expect(received).toEqual([]);
    },
  );

  it.each([false, true])(
    "finds out that a port expects HTTPS, without the credential, whether its certificate is trusted or not: %p",
    async (isTrusted) => {
      const port = await serve(certificates.good);
      const report = await test(
        `http://localhost:${port}/v1`,
        isTrusted ? { ca: certificates.ca } : {},
      );
      const value = `https://localhost:${port}/v1`;
      expect(report).toMatchObject({ verdict: "tls", changes: [{ field: "api.baseUrl", value }] });
      expect(received).toEqual(isTrusted ? ["none"] : []);
    },
  );

  it("reports a port that closes on both as unreachable", async () => {
    const port = await listen(
      net.createServer((socket) => socket.on("data", () => socket.destroy())),
    );
    const report = await test(`http://localhost:${port}`);
    expect(report).toMatchObject({
      verdict: "unreachable",
      fix: expect.stringContaining("expects https://"),
    });
  });

  it.each(["TLSv1.2", "TLSv1.3"] as const)(
    "tells a client certificate that is asked for in %s",
    async (maxVersion) => {
      const port = await serve(certificates.good, {
        requestCert: true,
        rejectUnauthorized: true,
        maxVersion,
        ca: certificates.ca,
      });
      const report = await test(`https://localhost:${port}`, { ca: certificates.ca });
      expect(report).toMatchObject({
        verdict: "tls",
        fix: expect.stringContaining("api.network.cert"),
      });
    },
  );

  it("recognizes a handshake that never ends", async () => {
    const sockets = new Set<net.Socket>();
    const port = await listen(net.createServer((socket) => sockets.add(socket)));
    // Long enough to look up the name and to connect on a loaded machine.
    const report = await test(`https://localhost:${port}`, {}, 1_000);
    for (const socket of sockets) socket.destroy();
    expect(report).toMatchObject({
      verdict: "timeout",
      message: expect.stringContaining("the TLS handshake did not end"),
    });
  });
});
