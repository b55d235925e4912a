import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { httpMethods } from "../../../src/core/record/api-source.js";
import {
  answerWith,
  type RawServer,
  type RecordedRequest,
  startRawServer,
} from "../../support/raw-server.js";
import {
  createTestLimiter,
  createTestTransport,
  type TestCall,
  type TestTransport,
} from "../../support/test-transport.js";

type Act = (socket: Socket) => void;

let api: RawServer;
let transport: TestTransport;

/** Acts out one step per request of a path (or of any), and answers 200 after the last. */
async function script(
  steps: readonly Act[],
  options: Parameters<typeof createTestTransport>[1] = {},
  isByPath = true,
): Promise<void> {
  api = await startRawServer(({ target }, socket) => {
    const sent = isByPath ? sentTo(target) : api.requests;
    (steps[sent.length - 1] ?? status(200))(socket);
  });
  transport = createTestTransport(api.url, options);
}

const sentTo = (path: string): RecordedRequest[] =>
  api.requests.filter(({ target }) => target === path);
const countDistinct = (requests: readonly RecordedRequest[]): number =>
  new Set(requests.map(({ head, body }) => `${head}${body}`)).size;

const status =
  (code: number, headers: Record<string, string> = {}): Act =>
  (socket) =>
    answerWith(socket, code, "{}", headers);
const reset: Act = (socket) => socket.resetAndDestroy();

const body = Buffer.from('{"a":1}');
const headers = { "Content-Type": "application/json" };

describe("a request that failed", () => {
  it.each<[string, Act]>([
    ["429", status(429)],
    ["502", status(502)],
    ["503", status(503)],
    ["504", status(504)],
    ["a reset", reset],
  ])("with %s is sent again only when that repeats nothing, byte for byte", async (_name, act) => {
    await script([act, act]);
    for (const method of httpMethods) {
      const path = `/${method}`;
      await transport
        .send({ method, path, ...(method === "GET" ? {} : { body, headers }) })
        .catch(() => {});
      const attempts = method === "POST" || method === "PATCH" ? 1 : 3;
      expect([method, sentTo(path).length]).toEqual([method, attempts]);
      expect(countDistinct(sentTo(path))).toBe(1);
      expect(transport.waits.splice(0)).toEqual([300, 550].slice(0, attempts - 1));
    }
    const keyed = { ...headers, "Idempotency-Key": "k-1" };
    await transport.send(
      { method: "POST", path: "/key", body, headers: keyed },
      { idempotent: true },
    );
    expect([sentTo("/key").length, countDistinct(sentTo("/key"))]).toEqual([3, 1]);
    // A GET that may change something, such as a GraphQL mutation in its URL.
    await transport.send({ path: "/mutation" }, { getMayChange: true }).catch(() => {});
    expect(sentTo("/mutation")).toHaveLength(1);
  });

  it.each([429, 503])("with %i keeps its status where its body does not end", async (code) => {
    const stall: Act = (socket) =>
      socket.write(`HTTP/1.1 ${code} X\r\nContent-Length: 9\r\n\r\n{"a":`);
    await script([stall], { timeoutMs: 300 });
    const exchange = await transport.send({ path: "/x" });
    expect(exchange).toMatchObject({ status: code, failure: { kind: "timeout", status: code } });
  });

  it.each<[string, Act]>([
    ["garbage", (socket) => socket.write("garbage\r\n\r\n")],
    ["a body over the cap", (socket) => answerWith(socket, 200, Buffer.alloc(200))],
    ["500", status(500)],
    ["409", status(409)],
    ["a short body", (socket) => socket.end("HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nabc")],
    ["broken gzip", (socket) => answerWith(socket, 200, "\x1f{}", { "Content-Encoding": "gzip" })],
    [
      "101",
      (socket) => socket.write("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ],
  ])("with %s is not sent again, whatever the method", async (name, act) => {
    // Nothing comes after a 101.
    const timeoutMs = name === "101" ? 1_000 : 30_000;
    await script([act, act], { limits: { maxBytes: 100 }, timeoutMs });
    for (const method of httpMethods)
      await transport.send({ method, path: `/${method}` }).catch(() => {});
    expect(api.requests.map(({ method }) => method)).toEqual([...httpMethods]);
  });

  it.each([
    // Of a transport of the application's nobody knows what it sent before.
    ...["ECONNREFUSED", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"].map(
      (code) => [code, 3, 1] as const,
    ),
    ...["ECONNRESET", "EPIPE", "ETIMEDOUT"].map((code) => [code, 3, 1] as const),
    ...[
      "ENOTFOUND",
      "HPE_INVALID_CONSTANT",
      "CERT_HAS_EXPIRED",
      "EPROTO",
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ].map((code) => [code, 1, 1] as const),
  ])("with %s is sent %d times as a GET and %d as a POST", async (code, get, post) => {
    await script([]);
    transport = createTestTransport(api.url, {
      transport: () => {
        throw Object.assign(new Error("x"), { code });
      },
    });
    expect((await transport.fail({})).attempts).toBe(get);
    expect(await transport.fail({ method: "POST" })).toMatchObject({ code, attempts: post });
  });

  it.each(["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED"])(
    "with %s after its connection was made is not sent again as a POST",
    async (code) => {
      const sockets: Socket[] = [];
      const note = (message: unknown): void => {
        sockets.push((message as { readonly socket: Socket }).socket);
      };
      const lose: Act = () => {
        for (const socket of sockets) socket.destroy(Object.assign(new Error("x"), { code }));
      };
      await script([lose]);
      subscribe("net.client.socket", note);
      try {
        const error = await transport.fail({ method: "POST", body, headers });
        expect(error).toMatchObject({ code, attempts: 1 });
        expect(api.requests).toHaveLength(1);
      } finally {
        unsubscribe("net.client.socket", note);
      }
    },
  );

  it("is not tried again where the credential could not be put on it, whatever the code", async () => {
    await script([]);
    const authenticate = async () =>
      Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" }));
    expect(await transport.fail({}, { authenticate })).toMatchObject({
      phase: "sign",
      attempts: 0,
    });
    expect(transport.waits).toEqual([]);
  });

  it("is given up after `retries`, with the last answer and its body", async () => {
    await script([status(503), status(503), status(503), status(503)]);
    const exchange = await transport.send({});
    expect(exchange).toMatchObject({ status: 503, attempts: 3 });
    expect(Buffer.from(exchange.body).toString()).toBe("{}");
    transport = createTestTransport(api.url, { limits: { retries: 0 } });
    expect(await transport.send({ path: "/y" })).toMatchObject({ status: 503, attempts: 1 });
  });

  it("is counted over all hops of a redirect", async () => {
    const acts = [
      status(503),
      status(302, { Location: "/y" }),
      status(503),
      status(503),
      status(503),
    ];
    await script(acts, {}, false);
    expect(await transport.send({})).toMatchObject({ status: 503, attempts: 4 });
  });

  it("reports how far the last attempt came, and the number of attempts", async () => {
    await script([reset, reset, reset]);
    const facts = { kind: "connection", attempts: 3 };
    expect(await transport.fail({})).toMatchObject({
      ...facts,
      code: "ECONNRESET",
      phase: "first_byte",
    });
    await api.close();
    const post = await transport.fail({ method: "POST" });
    expect(post).toMatchObject({ ...facts, code: "ECONNREFUSED", phase: "connect" });
    transport = createTestTransport(`http://api.localhost:${api.port}`, {
      // As late as the system's own.
      lookup: (_host, _options, done) =>
        setImmediate(done, null, [{ address: "127.0.0.1", family: 4 }]),
    });
    expect(await transport.fail({})).toMatchObject({
      ...facts,
      code: "ECONNREFUSED",
      phase: "connect",
    });
    transport = createTestTransport("http://api.example.com", {
      lookup: (_host, _options, done) =>
        setImmediate(done, Object.assign(new Error("x"), { code: "EAI_AGAIN" }), ""),
    });
    const unsent = { ...facts, code: "EAI_AGAIN", phase: "dns" };
    expect(await transport.fail({})).toMatchObject(unsent);
    // Nothing was sent: a write is tried again too.
    expect(await transport.fail({ method: "POST" })).toMatchObject(unsent);
  });

  it("copes with a server that closes idle connections at the worst moment", async () => {
    await script([
      (socket) => {
        answerWith(socket, 200, "{}");
        setImmediate(() => socket.destroy());
      },
    ]);
    await transport.send({});
    expect(await transport.send({})).toMatchObject({ status: 200 });
    expect(await transport.send({ method: "POST" })).toMatchObject({ status: 200, attempts: 1 });
  });
});

describe("the server's hint", () => {
  const methods = ["GET", "POST"] as const;

  it.each<[string, string, number[]]>([
    ["is waited for", "7", [7_000]],
    ["of nothing does not hammer it", "0", [1_000]],
    ["over maxWaitMs is not waited for", "11", []],
    ["of eleven days is not waited for", "999999", []],
  ])("%s", async (_name, hint, waits) => {
    await script([status(429, { "Retry-After": hint })], { timeoutMs: 30_000 });
    for (const method of methods) {
      const exchange = await transport.send({ method, path: `/${method}` });
      expect(transport.waits.splice(0)).toEqual(waits);
      expect(exchange).toMatchObject(
        waits.length === 0 ? { status: 429, attempts: 1 } : { status: 200, attempts: 2 },
      );
    }
  });

  it("that overflows is not waited for, and no leave to repeat a write", async () => {
    await script([status(429, { "Retry-After": "3000000000" })]);
    for (const method of methods) {
      await transport.send({ method, path: `/${method}` });
      expect(transport.waits.splice(0)).toEqual([]);
    }
  });

  it("is not waited for past the deadline", async () => {
    await script([status(503, { "Retry-After": "5" })]);
    expect(await transport.send({}, { timeoutMs: 4_000 })).toMatchObject({ status: 503 });
    expect(transport.waits).toEqual([]);
  });

  it.each<[string, Act]>([
    ["a 503", status(503, { "Retry-After": "1" })],
    [
      "a 429 that names a reset",
      status(429, { "X-RateLimit-Reset": "1", "X-RateLimit-Remaining": "0" }),
    ],
    ["a 429 whose hint can't be read", status(429, { "Retry-After": "soon" })],
  ])("of %s has no write sent again", async (_name, act) => {
    await script([act]);
    for (const method of ["POST", "PATCH"] as const) {
      expect(await transport.send({ method, path: `/${method}`, body, headers })).toMatchObject({
        attempts: 1,
      });
    }
  });

  it("of a 429 has a write sent again as often as `retries` allows, byte for byte", async () => {
    const later = status(429, { "Retry-After": "1" });
    await script([later, later, later]);
    const exchange = await transport.send({ method: "POST", body, headers });
    expect(exchange).toMatchObject({ status: 429, attempts: 3 });
    expect(countDistinct(api.requests)).toBe(1);
    expect(transport.waits).toEqual([1_000, 1_000]);
  });
});

describe("each attempt", () => {
  it("waits for its turn, and is not made when that is refused", async () => {
    await script([status(503), status(503)]);
    const own = await transport.refuse({ url: "http://other.example/" });
    const given: unknown[] = [];
    const take: NonNullable<TestCall["rateLimit"]>["limiter"]["take"] = async (key, wait) => {
      if (given.push([key, wait.signal?.aborted, wait.maxWaitMs]) === 2) throw own;
    };
    expect(await transport.refuse({}, { rateLimit: { key: "k", limiter: { take } } })).toBe(own);
    expect(given).toEqual([
      ["k", false, 10_000],
      ["k", false, 10_000],
    ]);
    expect(api.requests).toHaveLength(1);
  });

  it("is not made when the call ended during a sleep that knows no signal", async () => {
    const abort = new AbortController();
    const limiter = createTestLimiter();
    let slept: Promise<void> | undefined;
    const sleep = (): Promise<void> => {
      abort.abort();
      slept = new Promise((resolve) => setImmediate(resolve));
      return slept;
    };
    await script([status(503)], { sleep });
    await expect(transport.send({}, { signal: abort.signal, ...limiter })).rejects.toBeDefined();
    await slept;
    // axios-retry goes on in turns of its own.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([limiter.turns(), api.requests.length]).toEqual([1, 1]);
  });

  it("is not waited for when its caller cancels while its turn never comes", async () => {
    const abort = new AbortController();
    const take = () => new Promise<void>(() => setTimeout(() => abort.abort(), 20));
    const rateLimit = { key: "k", limiter: { take } };
    await script([]);
    await expect(transport.send({}, { signal: abort.signal, rateLimit })).rejects.toMatchObject({
      failure: { kind: "cancelled" },
    });
    expect(api.requests).toHaveLength(0);
  });

  it("carries the credential once", async () => {
    await script([status(503), status(503)]);
    const authenticate: TestCall["authenticate"] = (config) => {
      config.url = `${config.url}?calls=1`;
      config.headers.set("Authorization", "Bearer x", true);
      return config;
    };
    await transport.send({}, { authenticate });
    const sent = api.requests.map(({ target, headers: given }) => [target, given.authorization]);
    expect(sent).toEqual([1, 2, 3].map(() => ["/x?calls=1", "Bearer x"]));
  });
});
