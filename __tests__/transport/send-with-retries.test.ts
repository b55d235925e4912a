import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { httpMethods } from "../../src/source/api-source.js";
import { answerWith, type RawServer, type RecordedRequest, startRawServer } from "../support/raw-server.js";
import { createTestTransport, type TestTransport } from "../support/test-transport.js";

type Act = (socket: Socket, request: RecordedRequest) => void;

let api: RawServer;
let transport: TestTransport;

afterEach(async () => {
  transport.close();
  await api.close();
});

/** Acts out one step per request, and answers 200 after the last. */
async function script(
  steps: readonly Act[],
  options: Parameters<typeof createTestTransport>[1] = {},
): Promise<void> {
  api = await startRawServer((request, socket) => {
    socket.setNoDelay(true);
    (steps[api.requests.length - 1] ?? status(200))(socket, request);
  });
  transport = createTestTransport(api.url, options);
}

const status =
  (code: number, headers: Record<string, string> = {}): Act =>
  (socket) =>
    answerWith(socket, code, "{}", headers);
const reset: Act = (socket) => socket.resetAndDestroy();
const garbage: Act = (socket) => socket.write("garbage\r\n\r\n");
const tooBig: Act = (socket) => answerWith(socket, 200, Buffer.alloc(200));

const body = Buffer.from('{"a":1}');
const headers = { "Content-Type": "application/json" };

describe("sendWithRetries", () => {
  const faults: [string, Act][] = [
    ["429", status(429)],
    ["502", status(502)],
    ["503", status(503)],
    ["504", status(504)],
    ["a reset", reset],
  ];

  it.each(faults.flatMap(([name, act]) => httpMethods.map((method) => [name, method, act] as const)))(
    "after %s sends a %s again only when that repeats nothing",
    async (_name, method, act) => {
      await script([act, act]);
      await transport.send({ method, ...(method === "GET" ? {} : { body, headers }) }).catch(() => {});
      const attempts = method === "POST" || method === "PATCH" ? 1 : 3;
      expect(api.requests).toHaveLength(attempts);
      expect(transport.waits).toEqual([300, 550].slice(0, attempts - 1));
      const [first] = api.requests;
      for (const request of api.requests)
        expect([request.head, request.body]).toEqual([first?.head, first?.body]);
    },
  );

  it.each(faults)(
    "after %s sends a POST with an idempotency key again, byte for byte",
    async (_name, act) => {
      await script([act]);
      const exchange = await transport.send(
        { method: "POST", body, headers: { ...headers, "Idempotency-Key": "k-1" } },
        { idempotent: true },
      );
      expect(exchange).toMatchObject({ status: 200, attempts: 2 });
      expect(new Set(api.requests.map(({ head }) => head)).size).toBe(1);
      expect(api.requests.map((request) => request.body.toString())).toEqual(['{"a":1}', '{"a":1}']);
    },
  );

  it.each<[string, Act]>([
    ["garbage", garbage],
    ["a body over the cap", tooBig],
    ["500", status(500)],
    ["408", status(408)],
    ["409", status(409)],
    ["a short body", (socket) => socket.end("HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nabc")],
    ["broken gzip", status(200, { "Content-Encoding": "gzip" })],
    ["101", (socket) => socket.write("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")],
  ])("after %s sends nothing again, whatever the method", async (_name, act) => {
    await script([act, act, act, act, act], { limits: { maxBytes: 100 } });
    for (const method of httpMethods) await transport.send({ method }).catch(() => {});
    expect(api.requests.map(({ method }) => method)).toEqual([...httpMethods]);
  });

  it("gives up after `retries` and returns the last answer with its body", async () => {
    await script([status(503), status(503), status(503), status(503)]);
    const exchange = await transport.send({});
    expect(exchange).toMatchObject({ status: 503, attempts: 3 });
    expect(Buffer.from(exchange.body).toString()).toBe("{}");
    expect(api.requests).toHaveLength(3);
  });

  it("sends once with `retries` at 0", async () => {
    await script([status(503)], { limits: { retries: 0 } });
    expect(await transport.send({})).toMatchObject({ status: 503, attempts: 1 });
  });

  it("counts retries over all hops of a redirect", async () => {
    await script([status(503), status(302, { Location: "/y" }), status(503), status(503), status(503)]);
    expect(await transport.send({})).toMatchObject({ status: 503, attempts: 4 });
  });

  it("tells how far the last attempt came, and how many there were", async () => {
    await script([reset, reset, reset]);
    expect(await transport.fail({})).toMatchObject({
      kind: "connection",
      code: "ECONNRESET",
      phase: "first_byte",
      attempts: 3,
      repeatable: true,
    });
  });

  it("connects again for a POST when the connection was refused", async () => {
    await script([]);
    await api.close();
    const error = await transport.fail({ method: "POST" });
    expect(error).toMatchObject({
      code: "ECONNREFUSED",
      phase: "connect",
      attempts: 3,
    });
  });

  it("tells a refused connection from a name that was not found", async () => {
    await script([]);
    await api.close();
    transport = createTestTransport(`http://api.localhost:${api.port}`, {
      // As late as the system's own.
      lookup: (_host, _options, done) => setImmediate(done, null, [{ address: "127.0.0.1", family: 4 }]),
    });
    expect(await transport.fail({})).toMatchObject({ code: "ECONNREFUSED", phase: "connect" });
    transport = createTestTransport("http://api.example.com", {
      lookup: (_host, _options, done) => done(Object.assign(new Error("x"), { code: "EAI_AGAIN" }), ""),
    });
    expect(await transport.fail({})).toMatchObject({
      code: "EAI_AGAIN",
      phase: "dns",
      attempts: 3,
    });
  });

  it("survives a server that closes idle connections at the worst moment", async () => {
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

  describe("with the server's hint", () => {
    it.each([
      ["waits as long as the server asks", "7", [7_000]],
      ["does not hammer when the server asks for nothing", "0", [100]],
      ["does not wait longer than maxWaitMs", "11", []],
      ["does not wait for eleven days", "999999", []],
    ])("%s", async (_name, hint, waits) => {
      for (const method of httpMethods) {
        await script([status(429, { "Retry-After": hint })], { timeoutMs: 30_000 });
        const exchange = await transport.send({ method });
        expect(transport.waits).toEqual(waits);
        expect(exchange).toMatchObject(
          waits.length === 0 ? { status: 429, attempts: 1 } : { status: 200, attempts: 2 },
        );
        expect(exchange.headers["retry-after"]).toBe(waits.length === 0 ? hint : undefined);
        transport.close();
        await api.close();
      }
    });

    it("does not take an overflow for a millisecond, nor for leave to repeat a write", async () => {
      for (const method of ["GET", "POST"] as const) {
        await script([status(429, { "Retry-After": "3000000000" })]);
        await transport.send({ method });
        expect(transport.waits).toEqual(method === "GET" ? [300] : []);
        transport.close();
        await api.close();
      }
    });

    it("does not wait past the deadline", async () => {
      await script([status(503, { "Retry-After": "5" })]);
      expect(await transport.send({}, { timeoutMs: 4_000 })).toMatchObject({ status: 503 });
      expect(transport.waits).toEqual([]);
    });

    it.each<[string, Act]>([
      ["a 503", status(503, { "Retry-After": "1" })],
      ["a 502", status(502, { "Retry-After": "1" })],
      [
        "a 429 that names a reset only",
        status(429, { "X-RateLimit-Reset": "1", "X-RateLimit-Remaining": "0" }),
      ],
      ["a 429 whose hint can't be read", status(429, { "Retry-After": "soon" })],
    ])("sends no write again after %s", async (_name, act) => {
      for (const method of ["POST", "PATCH"] as const) {
        await script([act]);
        expect(await transport.send({ method, body, headers })).toMatchObject({ attempts: 1 });
        transport.close();
        await api.close();
      }
    });

    it("sends a write again after 429 as often as `retries` allows, byte for byte", async () => {
      const later = status(429, { "Retry-After": "1" });
      await script([later, later, later]);
      expect(await transport.send({ method: "POST", body, headers })).toMatchObject({
        status: 429,
        attempts: 3,
      });
      expect(new Set(api.requests.map((request) => `${request.head}${request.body}`)).size).toBe(1);
      expect(transport.waits).toEqual([1_000, 1_000]);
    });
  });

  it("keeps the pace before each attempt, and stops when that refuses", async () => {
    await script([status(503), status(503)]);
    const own = await transport.refuse({ url: "http://other.example/" });
    let turns = 0;
    const error = await transport.refuse(
      {},
      {
        pace: {
          key: "k",
          limiter: {
            take: async (key, { signal, maxWaitMs }) => {
              turns += 1;
              expect([key, signal?.aborted, maxWaitMs]).toEqual(["k", false, 10_000]);
              if (turns === 2) throw own;
            },
          },
        },
      },
    );
    expect(turns).toBe(2);
    expect(error).toMatchObject({ message: own.message, details: { attempts: 1 } });
    expect(api.requests).toHaveLength(1);
  });

  it("puts the credential on each attempt once", async () => {
    await script([status(503), status(503)]);
    await transport.send(
      {},
      {
        authenticate: (config) => {
          const url = new URL(config.url ?? "");
          url.searchParams.append("calls", "1");
          config.url = url.href;
          config.headers.set("Authorization", "Bearer x", true);
          return config;
        },
      },
    );
    expect(api.requests.map(({ headers: sent }) => sent.authorization)).toEqual([
      "Bearer x",
      "Bearer x",
      "Bearer x",
    ]);
    expect(api.requests.map(({ target }) => target)).toEqual(["/x?calls=1", "/x?calls=1", "/x?calls=1"]);
  });
});
