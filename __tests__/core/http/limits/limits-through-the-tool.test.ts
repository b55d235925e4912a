import { describe, expect, it } from "@jest/globals";
import { createApiSourceTool } from "langchain-api-sources";
import { type Respond, sendJson, startHttpServer } from "../../../support/http-server.js";
import type { TestOptions } from "../../../support/seams.js";
import { startShopTool } from "../../../support/shop-tool.js";

/** The seconds that are left do not depend on how fast a call is. */
const stopped = { now: () => Date.UTC(2026, 2, 1, 12) };

async function openTool(respond: Respond, limits: object = {}, options: TestOptions = {}) {
  const settings = { authType: "bearer", limits: { retries: 0, ...limits } };
  const credentials = { shop: { token: "token-of-ada" } };
  const { server, ask } = await startShopTool(respond, settings, { credentials, ...options });
  return { server, call: (path: string, wait?: number) => ask({ method: "GET", path, wait }) };
}

describe("an answer that speaks of waiting", () => {
  it.each([
    ["a 429 with Retry-After", 429, { "retry-after": "82800" }, "rate_limited"],
    [
      "a 429 with OpenAI's reset",
      429,
      { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "23h0m0s" },
      "rate_limited",
    ],
    ["a 503 with Retry-After", 503, { "retry-after": "82800" }, "server_error"],
    ["a 403 with a wait of another spelling", 403, { x_retry_after: "82800" }, "rate_limited"],
  ])(
    "in the head of %s is kept to, for ten times maxWaitMs",
    async (_, status, headers, category) => {
      const respond: Respond = (_request, response) => sendJson(response, {}, status, headers);
      const { call, server } = await openTool(respond, { maxWaitMs: 10_000 }, { clock: stopped });
      await call("/orders");
      const { error, ...rest } = await call("/orders/7");
      expect(server.requests).toHaveLength(1);
      expect(rest.status).toBeUndefined();
      expect(error).toMatchObject({ category, retryAfterSeconds: 100 });
      expect(error?.hint).toContain("100 seconds");
      await call("/products");
      expect(server.requests).toHaveLength(2);
    },
  );

  it("is waited for by a call with `wait`, also when it is known already, and `waited` has the seconds", async () => {
    let nowMs = Date.UTC(2026, 2, 1, 12);
    const clock = { now: () => nowMs };
    const sleep = async (ms: number) => {
      nowMs += ms;
    };
    let isFree = false;
    const { call, server } = await openTool(
      (_request, response) => {
        if (isFree) return sendJson(response, { ok: true });
        isFree = server.requests.length > 1;
        sendJson(response, {}, 429, { "Retry-After": "30" });
      },
      { maxWaitMs: 10_000, retries: 1 },
      { clock, sleep },
    );
    expect((await call("/orders")).error?.category).toBe("rate_limited");
    expect((await call("/orders", 20)).error?.hint).toContain("`wait`: 30");
    expect(server.requests).toHaveLength(1);
    expect(await call("/orders", 90)).toMatchObject({
      status: 200,
      waited: { ms: 60_000, requests: 2, why: "the API's rate limit, 30 s; 429, Retry-After 30" },
    });
    expect(server.requests).toHaveLength(3);
  });
});

it("a wait that only the body of a 429 states is not reported as a header", async () => {
  const { call, server } = await openTool(
    (_request, response) => {
      const isFirst = server.requests.length === 1;
      sendJson(response, { retry_after: 7 }, isFirst ? 429 : 200);
    },
    { maxWaitMs: 60_000, retries: 1 },
    { sleep: async () => {} },
  );
  expect((await call("/orders")).waited?.why).toBe("429, told to wait 7 s");
});

describe("rateLimitHeaders", () => {
  it("names the headers of a quota that is kept to", async () => {
    const { call, server } = await openTool(
      (_request, response) => sendJson(response, {}, 200, { "x-calls-left": "0", "x-end": "60" }),
      { rateLimitHeaders: { remaining: "X-Calls-Left", reset: "X-End" } },
      { clock: stopped },
    );
    expect(await call("/orders")).toMatchObject({
      rateLimit: { remaining: 0, resetInSeconds: 60 },
    });
    expect(await call("/orders")).toMatchObject({
      error: { category: "rate_limited", retryAfterSeconds: 60 },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("requestsPerMinute", () => {
  const ok: Respond = (_request, response) => sendJson(response, {});

  it("refuses with its own words alone, without a word about a connection", async () => {
    const { call } = await openTool(ok, { requestsPerMinute: 1, maxWaitMs: 0 });
    await call("/a");
    const { error } = await call("/a");
    expect(error).not.toHaveProperty("details");
    expect(error?.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(error?.message).toBe(
      "shop: the quota of 1 request in 60 s is used up. No request was sent.",
    );
  });

  it.each<["credential" | "source", number]>([
    ["credential", 2],
    ["source", 1],
  ])(
    "with quotaScope %s is in Redis under %p keys, the same in every process, without the credential",
    async (quotaScope, count) => {
      const keys: string[] = [];
      const redis = {
        isReady: true,
        eval: (_script: string, { keys: given }: { keys: string[] }) => {
          keys.push(...given);
          return Promise.resolve([1, 60_000]);
        },
      };
      const server = await startHttpServer(ok);
      const limits = { requestsPerMinute: 9, quotaScope };
      const api = { baseUrl: server.url, authType: "basic", limits } as const;
      for (const user of ["ada", "bob", "ada"]) {
        const credentials = { shop: { username: user, password: "correct horse" } };
        const tool = await createApiSourceTool({ name: "Shop", api }, { credentials, redis });
        await tool.invoke({ method: "GET", path: "/a" });
      }
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(count);
      expect(keys.join()).not.toMatch(/ada|bob|horse/);
      for (const key of keys)
        expect(key).toMatch(
          /^langchain-api-sources:requests:shop@http:\/\/127\.0\.0\.1:\d+(#[\w-]{20})?$/,
        );
    },
  );
});
