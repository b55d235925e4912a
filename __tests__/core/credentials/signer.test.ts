import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import type {
  CallRequest,
  ClientOptions,
  RequestSigner,
  RequestToSign,
} from "langchain-api-sources";
import { createSourceClient } from "langchain-api-sources";
import {
  type HttpServer,
  type ReceivedRequest,
  type Respond,
  sendJson,
  startHttpServer,
} from "../../support/http-server.js";
import { noSleep } from "../../support/seams.js";

const key = "hmac-k3y-9QzXw7";
let server: HttpServer;

const hash = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");
const write = (method: string, target: string, sha256: string): string =>
  createHmac("sha256", key).update([method, target, sha256].join("\n")).digest("base64");

/** What was signed, in order, and the signatures that must be in no answer. */
function createSigner(): RequestSigner & {
  readonly seen: RequestToSign[];
  readonly canaries: string[];
} {
  const seen: RequestToSign[] = [];
  const canaries: string[] = [];
  return {
    seen,
    canaries,
    sign(request) {
      seen.push(request);
      const { pathname, search } = new URL(request.url);
      const signature = write(request.method, `${pathname}${search}`, request.bodySha256);
      canaries.push(signature);
      return { headers: { "X-Signature": signature, "X-Date": "20261122T103000Z" } };
    },
  };
}

/** Answers 401 unless what arrived is what was signed. */
const check =
  (respond: Respond): Respond =>
  (request, response) => {
    const expected = write(request.method, request.url, hash(request.bytes));
    if (request.headers["x-signature"] === expected) respond(request, response);
    else sendJson(response, { message: "bad signature", sent: request.headers }, 401);
  };
const echo: Respond = (request, response) =>
  sendJson(response, { headers: request.headers, url: request.url });

async function open(
  respond: Respond,
  { credential, api = {}, ...options }: ClientOptions & { credential: unknown; api?: object },
) {
  server = await startHttpServer(respond);
  const record = {
    name: "Shop",
    api: { baseUrl: `${server.url}/v1`, testEndpoint: "/me", ...api },
  };
  const lines: unknown[] = [];
  const log = (...all: unknown[]): void => void lines.push(all);
  const all = {
    credentials: { shop: credential as RequestSigner },
    logger: { debug: log, info: log, warn: log, error: log },
    ...options,
  };
  const client = createSourceClient(record, all, { sleep: noSleep });
  const call = async (input: CallRequest, context?: object) => {
    const { content, artifact } = await client.call({ method: "GET", ...input }, context);
    return { answer: JSON.parse(content), all: content + JSON.stringify([artifact, lines]) };
  };
  return { record, options: all, call };
}

describe("a credential that signs", () => {
  it.each([
    ["no authType", {}],
    ["bearer", { authType: "bearer" }],
  ])("takes the place of what authType does: %s", async (_name, api) => {
    const { call } = await open(check(echo), { credential: createSigner(), api });
    const { answer } = await call({ path: "/a", query: { q: "ü b" } });
    expect(answer.data.headers).toMatchObject({
      "x-signature": "[REDACTED]",
      "x-date": "20261122T103000Z",
    });
    expect(answer.data.headers.authorization).toBeUndefined();
    expect(answer.data.url).toBe("/v1/a?q=%C3%BC%20b");
  });

  it("is refused where `expiredWhen` of a record without authType is true of a 200", async () => {
    const { call } = await open((_request, response) => sendJson(response, { code: 7 }), {
      credential: createSigner(),
      api: { expiredWhen: "code == `7`" },
    });
    const { answer } = await call({ path: "/a" });
    expect(answer).toMatchObject({ status: 200, error: { category: "unauthorized" } });
    expect(answer.error.hint).toContain("did not accept what `sign`");
  });

  it("receives the bytes, their hash, every header and the URL as they are sent", async () => {
    const own = createSigner();
    const { call } = await open(check(echo), {
      credential: own,
      api: { headers: { "X-App": "1" } },
    });
    await call({ method: "POST", path: "/a?x=1", body: { name: "Zoë" } });
    const [request] = server.requests;
    const body = Buffer.from('{"name":"Zoë"}');
    expect(own.seen).toEqual([
      {
        method: "POST",
        url: `${server.url}/v1/a?x=1`,
        headers: expect.objectContaining({ "x-app": "1", "content-type": "application/json" }),
        body: expect.any(Uint8Array),
        bodySha256: hash(body),
      },
    ]);
    expect(Buffer.from(own.seen[0]?.body ?? [])).toEqual(body);
    const { host: _, connection: __, "content-length": ___, ...sent } = { ...request?.headers };
    expect(sent).toEqual({
      ...own.seen[0]?.headers,
      "x-signature": own.canaries[0],
      "x-date": "20261122T103000Z",
    });
  });

  it("signs each attempt anew: retries, redirects below the base URL, pages and polls", async () => {
    const own = createSigner();
    let failures = 1;
    let polls = 0;
    const respond: Respond = (request, response) => {
      const { pathname, searchParams } = new URL(request.url, server.url);
      if (pathname === "/v1/busy" && failures-- > 0) sendJson(response, {}, 503);
      else if (pathname === "/v1/old") sendJson(response, {}, 302, { location: "/v1/new" });
      else if (pathname === "/v1/list") {
        const page = Number(searchParams.get("page") ?? 1);
        sendJson(response, {
          rows: [{ id: page }],
          ...(page < 3 ? { next: `/v1/list?page=${page + 1}` } : {}),
        });
      } else if (pathname === "/v1/job")
        sendJson(response, { status: ++polls < 3 ? "running" : "done" });
      else echo(request, response);
    };
    const { call } = await open(check(respond), { credential: own });
    const count = async (input: CallRequest): Promise<number> => {
      own.seen.length = 0;
      const { answer } = await call(input);
      expect(answer.error).toBeUndefined();
      expect(new Set(own.canaries).size).toBeGreaterThan(0);
      return own.seen.length;
    };
    expect(await count({ path: "/busy" })).toBe(2);
    expect(await count({ path: "/old" })).toBe(2);
    expect(await count({ path: "/list", pages: 5 })).toBe(3);
    expect(await count({ path: "/job", wait: 45 })).toBe(3);
  });

  it("adds parameters behind those that were signed, and again where a redirect repeats them", async () => {
    const sign = ({ url }: RequestToSign) => ({
      query: { sig: `${hash(`${key}${new URL(url).pathname}`)}+=`, ts: "1764 000000" },
    });
    const { call } = await open(
      (request, response) => {
        const { pathname, searchParams } = new URL(request.url, server.url);
        // A server may spell what it repeats in another way.
        const location = request.url
          .replace("/a?", "/a/?")
          .replace("%2B", "%2b")
          .replace("%20", "+");
        if (searchParams.getAll("sig").join() !== `${hash(`${key}${pathname}`)}+=`)
          sendJson(response, {}, 401);
        else if (pathname === "/v1/a") sendJson(response, {}, 308, { location });
        else sendJson(response, { url: request.url });
      },
      { credential: { sign } },
    );
    const { answer, all } = await call({ path: "/a?b=1" });
    expect(answer.data).toEqual({ url: "/v1/a/?b=1&sig=[REDACTED]&ts=[REDACTED]" });
    expect(all).not.toContain(hash(`${key}/v1/a`));
  });

  it.each<[string, unknown, RegExp]>([
    ["a string", "sig-value-of-a-canary", /it is not \{ headers\?, query\? \}/],
    ["a number", { headers: { "x-sig": 17 } }, /"headers.x-sig" is not a string/],
    [
      "a line break",
      { headers: { "x-sig": "sig-value-of-a-canary\r\nX: 1" } },
      /the header "x-sig" contains a character/,
    ],
    ["a name that is none", { headers: { "x sig": "1" } }, /"x sig" is not the name of a header/],
    [
      "another host",
      { headers: { Host: "sig-value-of-a-canary" } },
      /the header "Host" belongs to the connection/,
    ],
    [
      "a parameter that is there",
      { query: { q: "sig-value-of-a-canary" } },
      /has the parameter "q" already/,
    ],
    ["half a character", { query: { sig: "\ud800" } }, /no URL can carry the parameter "sig"/],
  ])("is a clear error when it returns %s", async (_name, returned, problem) => {
    const { call } = await open(echo, { credential: { sign: () => returned } });
    const { answer, all } = await call({ path: "/a?q=1" });
    expect(answer.error).toMatchObject({ category: "not_configured", code: "malformed_signature" });
    expect(answer.error.message).toMatch(problem);
    expect(all).not.toContain("sig-value");
    expect(server.requests).toHaveLength(0);
  });

  it("is an answer when it throws, with the reason in the log", async () => {
    const sign = () => {
      throw new RangeError("no key in the vault");
    };
    const { call } = await open(echo, { credential: { sign } });
    const { answer, all } = await call({ method: "POST", path: "/a", body: {} });
    expect(answer.error).toMatchObject({
      category: "not_configured",
      code: "signing_failed",
      message:
        "The application's `sign` of the credential failed for shop (RangeError); its message is not shown.",
    });
    expect(all).toContain("no key in the vault");
    expect(server.requests).toHaveLength(0);
  });

  it("is an answer within the deadline when it hangs, and nothing is sent late", async () => {
    let finish = (_value: object): void => {};
    const late = new Promise<object>((resolve) => {
      finish = resolve;
    });
    let signal: AbortSignal | undefined;
    const sign = (_request: RequestToSign, context: { signal?: AbortSignal }) => {
      signal = context.signal;
      return late;
    };
    const { call } = await open(echo, {
      credential: { sign },
      api: { limits: { timeoutMs: 400 } },
    });
    const { answer } = await call({ path: "/a" });
    expect(answer.error).toMatchObject({
      category: "timeout",
      details: { phase: "sign", attempts: 0 },
    });
    expect(answer.error.message).toContain(
      "the application's `sign` did not sign the request within 0.4 s.",
    );
    expect(signal?.aborted).toBe(true);
    finish({ headers: { "x-signature": "late" } });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.requests).toHaveLength(0);
  });
});

describe("what a signature gives away", () => {
  const token = "c2Vzc2lvbi10b2tlbi1vZi1hLWNhbmFyeQ==";
  const hex = "5d41402abc4b2a76b9719d911017c592aa";
  const jwt = "eyJhbGciOiJFUzI1NiJ9.eyJodG0iOiJHRVQifQ.c2lnbmF0dXJl";
  const sign = ({ bodySha256 }: RequestToSign) => ({
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE01/20261122/eu/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256, Signature=${hex}`,
      "x-amz-content-sha256": bodySha256,
      "x-amz-date": "20261122T103000Z",
      "x-amz-security-token": token,
      "x-time": "1764000000123",
      "x-http-date": "Sun, 22 Nov 2026 10:30:00 GMT",
      dpop: jwt,
    },
    query: { sig: "q+/Zb8 x=y", v: "2" },
  });

  it("is in no output, in whatever form the API repeats it; dates, numbers and hashes of bodies stay", async () => {
    const repeat: Respond = ({ headers, url }, response) =>
      sendJson(response, {
        hex,
        token,
        jwt,
        url,
        all: headers,
        base64: Buffer.from(`x ${token} ${hex}`).toString("base64"),
      });
    const { call } = await open(repeat, { credential: { sign } });
    const { answer, all } = await call({ path: "/a" });
    for (const canary of [
      hex,
      token,
      jwt,
      "q+/Zb8 x=y",
      "q%2B%2FZb8%20x%3Dy",
      Buffer.from(token).toString("base64").slice(4, 30),
    ])
      expect(all).not.toContain(canary);
    expect(answer.data.all).toMatchObject({
      "x-amz-date": "20261122T103000Z",
      "x-time": "1764000000123",
      "x-http-date": "Sun, 22 Nov 2026 10:30:00 GMT",
      "x-amz-content-sha256": hash(""),
    });
    expect(answer.data.url).toBe("/v1/a?sig=[REDACTED]&v=2");
  });

  it("is in no output of a later call either, nor in an error, a header or a redirect of the API", async () => {
    const last: string[] = [];
    const repeat: Respond = (request: ReceivedRequest, response) => {
      const own = String(request.headers["x-signature"]);
      const { pathname } = new URL(request.url, server.url);
      const [before = own] = last.splice(0, 1, own);
      if (pathname === "/v1/error")
        sendJson(response, { message: `bad ${own}, before ${before}` }, 400);
      else if (pathname === "/v1/away")
        sendJson(response, {}, 302, {
          location: `https://other.example/${encodeURIComponent(own)}`,
        });
      else if (pathname === "/v1/header")
        sendJson(response, { before }, 200, { etag: `"${own}"`, "x-request-id": own });
      else sendJson(response, { before });
    };
    const own = createSigner();
    const { call } = await open(repeat, { credential: own });
    for (const path of ["/a", "/b", "/error", "/away", "/header", "/c"]) {
      const { all } = await call({ path });
      for (const canary of own.canaries) {
        expect(all).not.toContain(canary);
        expect(all).not.toContain(encodeURIComponent(canary));
      }
    }
    expect(own.canaries).toHaveLength(6);
  });
});
