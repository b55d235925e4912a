import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Credential } from "../../src/credentials/credential.js";
import type { ErrorCategory } from "../../src/errors.js";
import { type SourceAnswer, type TestedSource, testSource } from "./support/call-source.js";
import { startHttpbin } from "./support/httpbin.js";
import { makeSecret } from "./support/make-secret.js";
import type { RunningServer } from "./support/start-server.js";

const token = makeSecret();
const wrong = makeSecret();
const basic = Buffer.from(`reader:${token}`).toString("base64");

let server: RunningServer;
beforeAll(async () => {
  server = await startHttpbin();
});
afterAll(() => server.stop());

function open(authType: string, credential: Credential, limits: object = {}): TestedSource {
  const api = { baseUrl: server.url, authType, limits: { retries: 0, ...limits } };
  return testSource({ name: "Bin", api }, { credentials: { bin: credential } }, [token, wrong, basic]);
}

const get = (path: string, limits?: object): Promise<SourceAnswer> =>
  open("bearer", { token }, limits).call({ method: "GET", path });

interface Echo {
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly args: unknown;
}

describe("httpbin", () => {
  it("is given the token, and gives it back to nobody", async () => {
    const answer = await get("/bearer");
    expect(answer).toMatchObject({ status: 200, data: { authenticated: true, token: "[REDACTED]" } });
  });

  it("takes the right password and refuses a wrong one", async () => {
    const path = `/basic-auth/reader/${token}`;
    const right = await open("basic", { username: "reader", password: token }).call({ method: "GET", path });
    expect(right).toMatchObject({ status: 200, data: { authenticated: true, user: "reader" } });
    expect(right.artifact.request).toBe("GET /basic-auth/reader/[REDACTED]");
    const refused = await open("basic", { username: "reader", password: wrong }).call({
      method: "GET",
      path: "/basic-auth/reader/other",
    });
    expect(refused).toMatchObject({ status: 401, error: { category: "unauthorized", retryable: false } });
    expect(refused.error?.hint).toContain("BIN_USERNAME and BIN_PASSWORD");
  });

  it("says that it asks for another scheme than the record's", async () => {
    const answer = await get("/basic-auth/reader/other");
    expect(answer.error?.hint).toContain('"authType": "basic"');
  });

  it.each<[method: string, path: string]>([
    ["POST", "/post"],
    ["PUT", "/put"],
    ["PATCH", "/patch"],
    ["DELETE", "/delete"],
  ])("receives what is written by %s", async (method, path) => {
    const body = { name: "Bücher & Co", price: 19.9, tags: ["a", "b"] };
    const answer = await open("bearer", { token }).call({
      method,
      path,
      body,
      query: [{ name: "note", value: "a b&c" }],
    });
    const { json, args, headers } = answer.data as Echo;
    expect({ status: answer.status, json, args }).toEqual({
      status: 200,
      json: body,
      args: { note: "a b&c" },
    });
    expect(headers).toMatchObject({ Authorization: "Bearer [REDACTED]", "Content-Type": "application/json" });
  });

  it.each<[status: number, category: ErrorCategory, retryable: boolean]>([
    [400, "bad_request", false],
    [401, "unauthorized", false],
    [402, "forbidden", false],
    [403, "forbidden", false],
    [404, "not_found", false],
    [405, "method_not_allowed", false],
    [406, "bad_request", false],
    [409, "conflict", false],
    [410, "not_found", false],
    [422, "validation", false],
    [429, "rate_limited", true],
    [500, "server_error", true],
    [502, "server_error", true],
    [503, "server_error", true],
  ])("answers %d as %s", async (status, category, retryable) => {
    const answer = await get(`/status/${status}`);
    expect(answer).toMatchObject({
      status,
      error: { category, retryable },
      artifact: { status, attempts: 1 },
    });
    expect(answer.error?.message).not.toBe("");
    expect(answer.error?.hint).not.toBe("");
  });

  it("tells the methods that a path takes", async () => {
    const answer = await open("bearer", { token }).call({ method: "PATCH", path: "/get", body: {} });
    expect(answer).toMatchObject({ status: 405, error: { hint: expect.stringContaining("GET") } });
  });

  it("says nothing more than the status of an empty success", async () => {
    expect((await get("/status/204")).content).toBe('{"status":204}');
  });

  it.each([
    ["/gzip", "gzipped"],
    ["/deflate", "deflated"],
    ["/brotli", "brotli"],
  ])("reads %s", async (path, flag) => {
    expect((await get(path)).data).toMatchObject({ [flag]: true });
  });

  it.each([
    ["/redirect/3", 4],
    ["/relative-redirect/2", 3],
    ["/absolute-redirect/2", 3],
  ])("follows %s with the credential, %d requests", async (path, attempts) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, artifact: { attempts } });
    expect((answer.data as Echo).headers).toMatchObject({ Authorization: "Bearer [REDACTED]" });
  });

  it("follows no redirect to another host, and none of a write", async () => {
    const away = await get("/redirect-to?url=https%3A%2F%2Fapi.example%2Fv2");
    expect(away).toMatchObject({ status: 302, error: { category: "refused_by_policy", retryable: false } });
    expect(away.error?.message).toContain("https://api.example/v2");
    const write = await open("bearer", { token }).call({
      method: "POST",
      path: "/redirect-to?url=%2Fpost&status_code=307",
      body: { a: 1 },
    });
    expect(write).toMatchObject({
      status: 307,
      error: { category: "refused_by_policy", retryable: false, details: { redirect: { reason: "write" } } },
      artifact: { attempts: 1 },
    });
  });

  it("reads a slow body in time, and tells the phase in which time ran out", async () => {
    expect((await get("/drip?numbytes=5&duration=0.3&delay=0")).artifact.bytes).toBe(5);
    const limits = { timeoutMs: 1_000 };
    expect(await get("/drip?numbytes=10&duration=10&delay=0", limits)).toMatchObject({
      status: 200,
      error: { category: "timeout", details: { phase: "body" } },
      partial: { bytes: expect.any(Number) },
    });
    expect(await get("/delay/5", limits)).toMatchObject({
      error: { category: "timeout", retryable: true, details: { phase: "first_byte" } },
    });
  });

  it("reads XML, several JSON documents, plain text and bytes", async () => {
    expect((await get("/xml")).data).toMatchObject({ slideshow: { "@author": "Yours Truly" } });
    expect((await get("/stream/3")).data).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }]);
    expect(await get("/robots.txt")).toMatchObject({
      contentType: "text/plain",
      data: expect.stringContaining("/deny"),
    });
    expect((await get("/image/png")).data).toMatchObject({ type: "image/png", bytes: 8090 });
  });

  it("shows a limit when a fifth or less of it is left", async () => {
    const headers = (remaining: number): string =>
      `/response-headers?X-RateLimit-Limit=60&X-RateLimit-Remaining=${remaining}&X-RateLimit-Reset=90`;
    expect((await get(headers(12))).rateLimit).toEqual({ limit: 60, remaining: 12, resetInSeconds: 90 });
    const plenty = await get(headers(13));
    expect(plenty.rateLimit).toBeUndefined();
    expect(plenty.artifact.rateLimit).toEqual({ limit: 60, remaining: 13, resetInSeconds: 90 });
  });

  it("takes an agent through a read, a write, an error and a wrong password", async () => {
    const [read, written, failed] = await open("bearer", { token }).runAgent([
      { method: "GET", path: "/get", query: "a=1", select: "args" },
      { method: "POST", path: "/post", body: '{"from":"agent"}', select: "json" },
      { method: "GET", path: "/status/503" },
    ]);
    expect([read?.data, written?.data]).toEqual([{ a: "1" }, { from: "agent" }]);
    expect(failed?.error?.category).toBe("server_error");
    const [refused] = await open("basic", { username: "reader", password: wrong }).runAgent([
      { method: "GET", path: "/basic-auth/reader/other" },
    ]);
    expect(refused?.error?.category).toBe("unauthorized");
  });
});
