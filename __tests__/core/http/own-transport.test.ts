import { describe, expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  type CallRequest,
  createSourceClient,
  type TransportAnswer,
  type TransportRequest,
} from "langchain-api-sources";

type Answer = TransportAnswer | Response | Error;

/** A client whose requests are answered in turn. */
function answerBy(answers: readonly Answer[], api: Record<string, unknown> = {}) {
  const sent: TransportRequest[] = [];
  const waits: number[] = [];
  const options = {
    credentials: { shop: { token: "0-secret-token" } },
    transport: (request: TransportRequest) => {
      const answer = answers[Math.min(sent.push(request), answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer ?? {};
    },
  };
  const record: ApiSourceRecord = {
    name: "Shop",
    api: {
      baseUrl: "https://api.shop.example/v1",
      authType: "bearer",
      testEndpoint: "/me",
      ...api,
    },
  };
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  return { sent, waits, record, options, client: createSourceClient(record, options, { sleep }) };
}

const read = async (client: ReturnType<typeof answerBy>["client"], request: CallRequest) =>
  JSON.parse((await client.call(request)).content);

describe("transport", () => {
  it("is given what would go to the wire: method, URL, headers, credential, body", async () => {
    const { client, sent } = answerBy([{ status: 201, body: { id: 7 } }]);
    expect(
      await read(client, {
        method: "post",
        path: "/orders",
        query: { a: "b c" },
        body: { sku: "é" },
      }),
    ).toEqual({
      status: 201,
      data: { id: 7 },
    });
    const [{ signal, ...request } = { signal: undefined }] = sent;
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(request).toMatchObject({
      method: "POST",
      url: "https://api.shop.example/v1/orders?a=b%20c",
      headers: {
        authorization: "Bearer 0-secret-token",
        "content-type": "application/json",
        accept: expect.any(String),
      },
      body: '{"sku":"é"}',
    });
  });

  it.each<[string, Answer, unknown]>([
    ["an object", { body: { a: 1 } }, { status: 200, data: { a: 1 } }],
    ["a JSON text", { body: '{"a":19.90}' }, { status: 200, data: { a: 19.9 } }],
    [
      "a text",
      { headers: { "Content-Type": "text/plain" }, body: "hi" },
      { data: "hi", contentType: "text/plain" },
    ],
    [
      "bytes",
      { headers: { "content-type": "application/json" }, body: Buffer.from("[1]") },
      { data: [1] },
    ],
    [
      "a Response",
      Response.json({ a: 1 }, { status: 202, headers: { etag: "1" } }),
      { status: 202, headers: { etag: "1" } },
    ],
    [
      "a header that is a number",
      { status: 429, headers: { "Retry-After": 900 } },
      { status: 429, error: { retryAfterSeconds: 900 } },
    ],
  ])("may answer with %s", async (_what, answer, expected) => {
    expect(await read(answerBy([answer]).client, { path: "/x" })).toMatchObject(Object(expected));
  });

  it("has its headers redacted", async () => {
    const headers = { etag: "0-secret-token", "content-type": "image/png; a=0-secret-token" };
    const outcome = await answerBy([{ headers, body: "x" }]).client.fetchBytes({ path: "/x" });
    expect(outcome.headers).toEqual({ etag: "[REDACTED]" });
    expect(JSON.stringify(outcome)).not.toContain("secret");
  });

  it("has its answers retried, followed and refused as those of the network are", async () => {
    const retried = answerBy([{ status: 503, headers: { "Retry-After": "2" } }, { body: 1 }]);
    expect(await read(retried.client, { path: "/x" })).toMatchObject({
      status: 200,
      waited: { ms: 2_000, requests: 2 },
    });
    expect(retried.waits).toEqual([2_000]);
    const moved = answerBy([{ status: 302, headers: { location: "/v1/y" } }, { body: 1 }]);
    expect(await read(moved.client, { path: "/x" })).toMatchObject({ status: 200 });
    expect(moved.sent.map(({ url }) => url)).toEqual([
      "https://api.shop.example/v1/x",
      "https://api.shop.example/v1/y",
    ]);
    const away = answerBy([{ status: 302, headers: { location: "https://evil.example/" } }]);
    expect((await read(away.client, { path: "/x" })).error.category).toBe("refused_by_policy");
    expect(away.sent).toHaveLength(1);
    const large = answerBy([{ body: "x".repeat(2_000) }], { limits: { maxBytes: 1_000 } });
    expect(await read(large.client, { path: "/x" })).toMatchObject({ partial: { bytes: 1_000 } });
  });

  it.each<[string, Error, string]>([
    ["a code of Node", Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "network"],
    [
      "what fetch throws",
      new TypeError("x", { cause: Object.assign(new Error("y"), { code: "ENOTFOUND" }) }),
      "dns",
    ],
  ])("may fail with %s, which is a connection that failed", async (_what, thrown, category) => {
    const answer = await read(answerBy([thrown]).client, { path: "/x" });
    expect(answer.error).toMatchObject({ category });
    expect(JSON.stringify(answer)).not.toContain("0-secret-token");
  });

  it("that fails with anything else is answered internal_error, without its message", async () => {
    const answer = await read(answerBy([new Error("0-secret-token")]).client, { path: "/x" });
    expect(answer.error).toMatchObject({ category: "not_configured", code: "internal_error" });
    expect(JSON.stringify(answer)).not.toContain("0-secret-token");
  });

  it("is stopped by the deadline of the call", async () => {
    const { record, options } = answerBy([]);
    const client = createSourceClient(
      { ...record, api: { ...record.api, limits: { timeoutMs: 30, retries: 0 } } },
      { ...options, transport: () => new Promise<never>(() => {}) },
    );
    expect((await read(client, { path: "/x" })).error.category).toBe("timeout");
  });
});

describe("the client", () => {
  it("reads what it kept, without a request", async () => {
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `Row ${id}` }));
    const { client, sent } = answerBy([{ body: rows }]);
    const { shortened } = await read(client, { path: "/rows" });
    const { ok, content } = await client.read(shortened.id, { select: "length(@)" });
    expect([ok, JSON.parse(content)]).toEqual([true, { status: 200, data: 3_000 }]);
    expect(
      JSON.parse((await client.read(shortened.id, {}, { threadId: "other" })).content).error
        .category,
    ).toBe("not_found");
    expect(sent).toHaveLength(1);
  });

  it("fetches bytes as they are, with type and name", async () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
    const headers = {
      "content-type": "image/png",
      "content-disposition": 'attachment; filename="a.png"',
    };
    const { client } = answerBy([{ headers, body: bytes }]);
    const outcome = await client.fetchBytes({ path: "/a.png" });
    expect(outcome).toMatchObject({
      ok: true,
      status: 200,
      contentType: "image/png",
      headers: { "content-disposition": "a.png" },
    });
    expect(Buffer.compare(Buffer.from(outcome.bytes ?? []), Buffer.from(bytes))).toBe(0);
    expect(outcome.artifact).toMatchObject({ source: "shop", request: "GET /a.png", bytes: 512 });
  });

  it("describes what it fetched, and what it could not fetch", async () => {
    const fetch = (answer: Answer) =>
      answerBy([answer], { limits: { maxBytes: 1_000 } }).client.fetchBytes({ path: "/x" });
    const missing = { ok: false, status: 404, error: { category: "not_found" } };
    expect(await fetch({ status: 404, body: { message: "no" } })).toMatchObject(missing);
    const large = { ok: false, status: 200, error: { category: "too_large" } };
    expect(await fetch({ body: "x".repeat(2_000) })).toMatchObject(large);
    const secret = Buffer.from("\x89 0-secret-token \xff", "latin1");
    const bytes = Uint8Array.from(Buffer.from("\x89 [REDACTED] \xff", "latin1"));
    expect(await fetch({ body: secret })).toMatchObject({ ok: true, bytes });
  });

  it.each([{ path: "/../x" }, { path: "/x", select: "a" }, { path: "/x", pages: 2 }])(
    "fetches nothing for %j",
    async (request) => {
      const { client, sent } = answerBy([{ body: "x" }]);
      expect(await client.fetchBytes(request)).toMatchObject({
        ok: false,
        error: { category: expect.stringMatching(/refused|invalid/) },
      });
      expect(sent).toEqual([]);
    },
  );
});
