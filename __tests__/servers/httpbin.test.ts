import { afterAll, describe, expect, it } from "@jest/globals";
import type { ErrorCategory } from "langchain-api-sources";
import { type SourceAnswer, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/secrets.js";
import { startHttpbin } from "./support/servers.js";

const token = makeSecret();

const server = await startHttpbin();
afterAll(() => server.stop());

function send(method: string, path: string, more: object = {}, limits: object = {}): Promise<SourceAnswer> {
  const api = { baseUrl: server.url, authType: "bearer", limits: { retries: 0, ...limits } };
  const source = testSource({ name: "Bin", api }, { credentials: { bin: { token } } }, [token]);
  return source.call({ method, path, ...more });
}

const get = (path: string, limits?: object): Promise<SourceAnswer> => send("GET", path, {}, limits);

interface Echo {
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly args: unknown;
}

describe("httpbin", () => {
  it("is given the token, and gives it to no one", async () => {
    const answer = await get("/bearer");
    expect(answer).toMatchObject({ status: 200, data: { authenticated: true, token: "[REDACTED]" } });
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("receives what is written by %s", async (method) => {
    const body = { name: "Bücher & Co", price: 19.9, tags: ["a", "b"] };
    const query = [{ name: "note", value: "a b&c" }];
    const { status, data } = await send(method, `/${method.toLowerCase()}`, { body, query });
    const { json, args, headers } = data as Echo;
    expect({ status, json, args }).toEqual({ status: 200, json: body, args: { note: "a b&c" } });
    expect(headers).toMatchObject({ Authorization: "Bearer [REDACTED]", "Content-Type": "application/json" });
  });

  it.each<[status: number, category: ErrorCategory, retryable: boolean]>([
    [400, "bad_request", false],
    [402, "forbidden", false],
    [406, "bad_request", false],
    [409, "conflict", false],
    [410, "not_found", false],
    [422, "validation", false],
    [429, "rate_limited", true],
    [503, "server_error", true],
  ])("answers %d as %s", async (status, category, retryable) => {
    const { error, artifact } = await get(`/status/${status}`);
    expect(error).toMatchObject({ category, retryable });
    expect(artifact).toMatchObject({ status, attempts: 1 });
    expect([error?.message, error?.hint]).not.toContain("");
  });

  it("reports the methods that a path takes", async () => {
    const answer = await send("PATCH", "/get", { body: {} });
    expect(answer).toMatchObject({ status: 405, error: { hint: expect.stringContaining("GET") } });
  });

  it("reports nothing more than the status of an empty success", async () => {
    expect((await get("/status/204")).content).toBe('{"status":204}');
  });

  it.each(["gzip", "deflate", "brotli"])("reads %s", async (encoding) => {
    const flag = { gzip: "gzipped", deflate: "deflated" }[encoding] ?? encoding;
    expect((await get(`/${encoding}`)).data).toMatchObject({ [flag]: true });
  });

  it.each([
    ["/relative-redirect/2", 3],
    ["/absolute-redirect/2", 3],
  ])("follows %s with the credential, %d requests", async (path, attempts) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, artifact: { attempts } });
    expect((answer.data as Echo).headers).toMatchObject({ Authorization: "Bearer [REDACTED]" });
  });

  it("is answered 303 to a write, whose result is read by GET", async () => {
    const answer = await send("POST", "/redirect-to?url=%2Fget%3Fa%3D1&status_code=303", { body: { x: 1 } });
    expect(answer).toMatchObject({ status: 200, data: { args: { a: "1" } }, artifact: { attempts: 2 } });
    expect(answer.error).toBeUndefined();
  });

  it("repeats a GET until its condition is true", async () => {
    const answer = await send("GET", "/uuid", { until: "starts_with(uuid, '0') || uuid", wait: 5 });
    expect(answer).toMatchObject({ status: 200, data: { uuid: expect.any(String) } });
    const never = await send("GET", "/uuid", { until: "uuid == 'none'", wait: 3 });
    expect(never).toMatchObject({ status: 200, next: { path: "/uuid", wait: 3 }, job: { polls: 2 } });
  });

  it("sends a slow but steady body, which is read to its end", async () => {
    const path = "/drip?numbytes=13&duration=13&delay=0";
    expect((await get(path)).artifact).toMatchObject({ status: 200, bytes: 13 });
  }, 25_000);

  it("follows no redirect to another host, and none of a write", async () => {
    const away = await get("/redirect-to?url=https%3A%2F%2Fapi.example%2Fv2");
    expect(away).toMatchObject({ status: 302, error: { category: "refused_by_policy", retryable: false } });
    expect(away.error?.message).toContain("https://api.example/v2");
    const path = "/redirect-to?url=%2Fpost&status_code=307";
    const write = await send("POST", path, { body: { a: 1 } });
    expect(write).toMatchObject({ status: 307, artifact: { attempts: 1 } });
    const details = { redirect: { reason: "write" } };
    expect(write.error).toMatchObject({ category: "refused_by_policy", retryable: false, details });
  });

  it("reads a slow body in time, and reports the phase in which time ran out", async () => {
    expect((await get("/drip?numbytes=5&duration=0.3&delay=0")).artifact.bytes).toBe(5);
    const limits = { timeoutMs: 1_000 };
    const slow = await get("/drip?numbytes=10&duration=10&delay=0", limits);
    expect(slow).toMatchObject({ status: 200, partial: { bytes: expect.any(Number) } });
    expect(slow.error).toMatchObject({ category: "timeout", details: { phase: "body" } });
    const { error } = await get("/delay/5", limits);
    expect(error).toMatchObject({ category: "timeout", retryable: true, details: { phase: "first_byte" } });
  });

  it("reads XML, several JSON documents, plain text and bytes", async () => {
    expect((await get("/xml")).data).toMatchObject({ slideshow: { "@author": "Yours Truly" } });
    expect((await get("/stream/3")).data).toMatchObject([{ id: 0 }, { id: 1 }, { id: 2 }]);
    const robots = { contentType: "text/plain", data: expect.stringContaining("/deny") };
    expect(await get("/robots.txt")).toMatchObject(robots);
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
});
