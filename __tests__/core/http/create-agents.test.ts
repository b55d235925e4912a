import http from "node:http";
import https from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import net, { type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "@jest/globals";
import { explainFailure } from "../../../src/core/failure/explain-failure.js";
import { createAgents } from "../../../src/core/http/create-agents.js";
import { makeCertificates } from "../../support/make-certificates.js";
import { startRawServer } from "../../support/raw-server.js";
import { endWithTests } from "../../support/started-servers.js";
import { canary, createTestTransport, type TestTransport } from "../../support/test-transport.js";

/** @param options - `to`: where every tunnel ends, in place of the host that was asked for. `status`: the answer to CONNECT. `tls`: of an https proxy. */
async function startProxy(
  options: {
    readonly to?: number;
    readonly status?: number;
    readonly tls?: { readonly cert: string; readonly key: string };
  } = {},
) {
  const { to, status = 200 } = options;
  /** One line for each request: `CONNECT host:port` or `GET http://…`; and all headers of each, as JSON text. */
  const [requests, headers]: [string[], string[]] = [[], []];
  const sockets = new Set<Socket>();
  /** The client certificate of each TLS connection, by its name. */
  const shown: (string | undefined)[] = [];
  const ask = { requestCert: true, rejectUnauthorized: false };
  const server =
    options.tls === undefined
      ? http.createServer()
      : https.createServer({ ...options.tls, ...ask });
  server.on("secureConnection", (socket: TLSSocket) => {
    const name: unknown = socket.getPeerCertificate().subject?.CN;
    shown.push(typeof name === "string" ? name : undefined);
  });
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  server.on("connection", track);
  server.on("connect", (request: http.IncomingMessage, socket: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    headers.push(JSON.stringify(request.headers));
    socket.on("error", () => {});
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const target = net.connect(to ?? Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    track(target);
    socket.on("close", () => target.destroy());
  });
  server.on("request", (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(JSON.stringify(request.headers));
    response.setHeader("Content-Type", "application/json");
    response.end('{"by":"proxy"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return endWithTests({
    port: (server.address() as AddressInfo).port,
    requests,
    headers,
    shown,
    close,
  });
}

interface Seen {
  readonly authorization: string | undefined;
  readonly client: string | string[] | undefined;
  readonly connection: number;
}

const certificates = makeCertificates();
const seen: Seen[] = [];
/** The number of each connection, from 0. */
const numbers = new WeakMap<object, number>();
let connections = 0;
const api = https.createServer(
  { ...certificates.server, ca: certificates.ca, requestCert: true, rejectUnauthorized: false },
  (request, response) => {
    const socket = request.socket as TLSSocket;
    seen.push({
      authorization: request.headers["authorization"] as string | undefined,
      client: socket.getPeerCertificate().subject?.CN,
      connection: numbers.get(socket) ?? -1,
    });
    response.end("{}");
  },
);
api.on("secureConnection", (socket) => {
  numbers.set(socket, connections);
  connections += 1;
});
await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
const apiUrl = `https://127.0.0.1:${(api.address() as AddressInfo).port}`;
endWithTests({
  requests: seen,
  close: () => {
    api.closeAllConnections();
    return new Promise((resolve) => api.close(() => resolve()));
  },
});

const authenticate: NonNullable<Parameters<TestTransport["send"]>[1]>["authenticate"] = (
  config,
) => {
  config.headers.set("Authorization", canary, true);
  return config;
};

describe("TLS", () => {
  it("refuses a certificate of an unknown authority, and explains how to trust it", async () => {
    const failure = await createTestTransport(apiUrl, {}).fail({});
    expect(failure).toMatchObject({
      kind: "connection",
      code: "SELF_SIGNED_CERT_IN_CHAIN",
      phase: "tls",
      attempts: 1,
    });
    expect(explainFailure(failure, "https://api.example.com").hint).toContain("network.ca");
    expect(seen).toEqual([]);
  });

  it("checks the host name", async () => {
    const url = apiUrl.replace("127.0.0.1", "other.localhost");
    const lookup: LookupFunction = (_host, _options, done) => done(null, "127.0.0.1", 4);
    const error = await createTestTransport(url, { network: { ca: certificates.ca }, lookup }).fail(
      {},
    );
    expect(error).toMatchObject({ kind: "connection", code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });

  // Node reads NODE_TLS_REJECT_UNAUTHORIZED for every connection that does not say it.
  it.each([
    ["https://api.example.com", undefined],
    ["https://api.example.com", "http://127.0.0.1:1"],
    ["https://api.example.com", "https://127.0.0.1:1"],
    ["http://api.example.com", "https://127.0.0.1:1"],
  ])(
    "verifies certificates, whatever the environment contains (%s by proxy %s)",
    (baseUrl, proxy) => {
      for (const tls of [{}, { ca: certificates.ca }]) {
        const network = { allowLocalAddresses: false, ...tls, ...(proxy ? { proxy } : {}) };
        const agents = createAgents({ baseUrl, network });
        for (const { agent } of [agents.shared, agents.single]) {
          expect(agent).toBeInstanceOf(https.Agent);
          expect(agent).toMatchObject({ options: { rejectUnauthorized: true } });
        }
        agents.close();
      }
    },
  );

  it("trusts the record's authority, shows the client certificate, and is used again", async () => {
    const { ca, client } = certificates;
    const transport = createTestTransport(apiUrl, { network: { ca, ...client } });
    for (const _ of [1, 2]) expect(await transport.send({})).toMatchObject({ status: 200 });
    expect(seen).toMatchObject([{ client: "Test Client" }, { client: "Test Client" }]);
    expect(seen[0]?.connection).toBe(seen[1]?.connection);
  });

  it.each([
    ["ca that is a path", { ca: "/etc/ssl/ca.pem" }, /network\.ca holds no certificate/],
    ["ca without a certificate", { ca: "-----BEGIN PRIVATE KEY-----" }, /holds no certificate/],
    [
      "a broken ca",
      { ca: "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----" },
      /can't be used/,
    ],
  ])("%s is an error when the transport is created", (_name, network, message) => {
    expect(() => createTestTransport("https://api.example.com", { network })).toThrow(
      expect.objectContaining({
        category: "not_configured",
        message: expect.stringMatching(message),
      }),
    );
  });

  it("shows nothing of a key that can't be used", () => {
    const network = { cert: certificates.client.cert, key: certificates.server.key };
    expect(() => createTestTransport("https://api.example.com", { network })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/\(ERR_OSSL_X509_KEY_VALUES_MISMATCH\)\.$/),
      }),
    );
  });
});

describe("a proxy", () => {
  it("carries https in a tunnel and sees neither the credential nor the path", async () => {
    const proxy = await startProxy();
    const network = { ca: certificates.ca, proxy: `http://127.0.0.1:${proxy.port}` };
    const transport = createTestTransport(apiUrl, { network });
    await transport.send({ path: "/secret-path" }, { authenticate });
    await transport.send({ path: "/secret-path" }, { authenticate });
    expect(proxy.requests).toEqual([`CONNECT ${new URL(apiUrl).host}`]);
    expect(proxy.headers.join()).not.toContain(canary);
    expect(seen.map(({ authorization }) => authorization)).toEqual([canary, canary]);
  });

  it("is spoken to by TLS when it is an https proxy, and gets no client certificate", async () => {
    const { ca, client, server } = certificates;
    const proxy = await startProxy({ tls: server });
    const network = { ca, ...client, proxy: `https://127.0.0.1:${proxy.port}` };
    await createTestTransport(apiUrl, { network }).send({});
    expect(proxy.requests).toHaveLength(1);
    expect(seen).toMatchObject([{ client: "Test Client" }]);
    const forwarded = await createTestTransport("http://api.example.com/v1", { network }).send({});
    expect(Buffer.from(forwarded.body).toString()).toBe('{"by":"proxy"}');
    expect(proxy.shown).toEqual([undefined, undefined]);
  });

  it("is checked by its own name, not by the API's", async () => {
    const { ca, server } = certificates;
    const proxy = await startProxy({ tls: server, to: Number(new URL(apiUrl).port) });
    const network = { ca, proxy: `https://127.0.0.1:${proxy.port}` };
    const error = await createTestTransport("https://other.example", { network }).fail({});
    expect(proxy.requests).toEqual(["CONNECT other.example:443"]);
    expect(error).toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID", phase: "tls" });
    expect(seen).toEqual([]);
  });

  it("resolves the API's name itself, and signs in with the credentials of its URL", async () => {
    const proxy = await startProxy({ to: Number(new URL(apiUrl).port) });
    const network = { ca: certificates.ca, proxy: `http://us%20er:p%40ss@127.0.0.1:${proxy.port}` };
    await createTestTransport("https://api.test/v1", { network }).send({});
    expect(proxy.requests).toEqual(["CONNECT api.test:443"]);
    expect(JSON.parse(proxy.headers[0] ?? "")).toMatchObject({
      host: "api.test:443",
      "proxy-authorization": `Basic ${Buffer.from("us er:p@ss").toString("base64")}`,
    });
  });

  it.each([407, 403, 302])("that answers %d is not taken for the API", async (status) => {
    const proxy = await startProxy({ status });
    const network = { ca: certificates.ca, proxy: `http://user:${canary}@127.0.0.1:${proxy.port}` };
    const error = await createTestTransport(apiUrl, { network }).fail({});
    expect(error).toMatchObject({ kind: "proxy_refused", given: status, phase: "connect" });
    expect(seen).toEqual([]);
  });

  it("that speaks through the tunnel before we do is left", async () => {
    const proxy = await startRawServer((_request, socket) =>
      socket.write("HTTP/1.1 200 OK\r\n\r\nearly"),
    );
    const failure = await createTestTransport(apiUrl, {
      network: { ca: certificates.ca, proxy: proxy.url },
    }).fail({});
    expect(failure).toMatchObject({ kind: "proxy_refused", given: 200, phase: "connect" });
  });

  it.each(["https", "http"])("that is not there is named in the error, for %s", async (scheme) => {
    const proxy = await startProxy();
    await proxy.close();
    const network = { ca: certificates.ca, proxy: `http://127.0.0.1:${proxy.port}` };
    const url = apiUrl.replace(/^https/, scheme);
    const error = await createTestTransport(url, { network, limits: { retries: 0 } }).fail({});
    expect(error).toMatchObject({ kind: "proxy_unreachable", code: "ECONNREFUSED" });
  });

  it("of the environment is ignored", async () => {
    const proxy = await startProxy();
    const plain = await startRawServer();
    const names = [
      "HTTP_PROXY",
      "http_proxy",
      "HTTPS_PROXY",
      "https_proxy",
      "ALL_PROXY",
      "all_proxy",
    ];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env["NODE_USE_ENV_PROXY"] = "1";
    try {
      await createTestTransport(plain.url, {}).send({});
      await createTestTransport(apiUrl, { network: { ca: certificates.ca } }).send({});
    } finally {
      for (const name of [...names, "NODE_USE_ENV_PROXY"]) delete process.env[name];
    }
    expect(proxy.requests).toEqual([]);
    expect(plain.requests).toHaveLength(1);
  });
});
