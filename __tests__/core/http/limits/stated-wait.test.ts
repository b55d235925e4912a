/** Waits as APIs state them, in headers and bodies, and that no request is sent before one is over. */

import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { findBodyWait, readStatedWait } from "../../../../src/core/http/limits/stated-wait.js";
import { splitOptions } from "../../../support/seams.js";

/** 2026-03-01T12:00:00Z, which is 1772366400 in epoch seconds. */
const startMs = Date.UTC(2026, 2, 1, 12);

/** Header sets of APIs, bodies of others, and the seconds that each asks to wait. */
const sets: readonly [
  what: string,
  seconds: number,
  headers: Record<string, string>,
  body?: unknown,
][] = [
  ["delay-seconds (RFC 9110, 10.2.3)", 37, { "Retry-After": "37" }],
  ["a fraction (Shopify)", 3, { "Retry-After": "2.1" }],
  ["IMF-fixdate (RFC 9110, 5.6.7)", 37, { "Retry-After": "Sun, 01 Mar 2026 12:00:37 GMT" }],
  ["RFC 850 (RFC 9110, 5.6.7)", 37, { "Retry-After": "Sunday, 01-Mar-26 12:00:37 GMT" }],
  ["asctime (RFC 9110, 5.6.7)", 37, { "Retry-After": "Sun Mar  1 12:00:37 2026" }],
  ["a numeric zone (RFC 5322)", 37, { "Retry-After": "Sun, 01 Mar 2026 12:00:37 +0000" }],
  ["JavaScript's date (lemlist)", 37, { "Retry-After": "Sun Mar 01 2026 13:00:37 GMT+0100 (CET)" }],
  ["RFC 3339", 37, { "Retry-After": "2026-03-01T12:00:37Z" }],
  ["ISO 8601 with a zone without colon", 37, { "Retry-After": "2026-03-01T13:00:37+0100" }],
  ["epoch seconds", 37, { "Retry-After": "1772366437" }],
  ["epoch milliseconds", 37, { "Retry-After": "1772366437000" }],
  ["a duration of Go", 72, { "Retry-After": "1m12s" }],
  ["a duration of protobuf", 37, { "Retry-After": "37s" }],
  ["milliseconds as a duration", 1, { "Retry-After": "250ms" }],
  ["a duration of ISO 8601", 72, { "Retry-After": "PT1M12S" }],
  ["retry-after-ms (OpenAI, Azure)", 38, { "retry-after-ms": "37250" }],
  ["x-ms-retry-after-ms (Cosmos DB)", 37, { "x-ms-retry-after-ms": "37000" }],
  ["X-Retry-After", 37, { "X-Retry-After": "37" }],
  ["X-RateLimit-Retry-After", 37, { "X-RateLimit-Retry-After": "37" }],
  ["the longer of two", 37, { "Retry-After": "1", "retry-after-ms": "36001" }],
  ["retry_after (Discord)", 38, {}, { message: "You are being rate limited.", retry_after: 37.5 }],
  ["parameters.retry_after (Telegram)", 37, {}, { ok: false, parameters: { retry_after: 37 } }],
  ["retryAfter", 37, {}, { error: { retryAfter: "37" } }],
  ["retryAfterMs", 37, {}, { error: { retryAfterMs: 37_000 } }],
  ["retry_after_seconds", 37, {}, { retry_after_seconds: 37 }],
  [
    "google.rpc.RetryInfo",
    37,
    {},
    {
      error: {
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37s" }],
      },
    },
  ],
];

/** An API that refuses until the wait is over, and a clock that only sleeping moves. */
function open(status: number, headers: Record<string, string>, body: unknown, retries: number) {
  let nowMs = startMs;
  const sentMs: number[] = [];
  const clock = { now: () => nowMs };
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const transport = () => {
    sentMs.push(nowMs - startMs);
    const isFirst = sentMs.length === 1;
    return isFirst ? { status, headers, body: JSON.stringify(body) } : { body: { ok: true } };
  };
  const limits = { retries, maxWaitMs: 120_000, timeoutMs: 600_000 };
  const [options, seams] = splitOptions({ transport, clock, sleep });
  const api = { baseUrl: "https://api.shop.example", limits };
  const client = createSourceClient({ name: "Shop", api }, options, seams as never);
  const call = async () => JSON.parse((await client.call({ method: "GET", path: "/a" })).content);
  return { call, sentMs };
}

describe.each([429, 503])("a wait that a %i states", (status) => {
  it.each(sets)(
    "as %s is %i s: the retry waits as long",
    async (_what, seconds, headers, body = {}) => {
      const { call, sentMs } = open(status, headers, body, 2);
      expect(await call()).toMatchObject({ status: 200, data: { ok: true } });
      expect(sentMs).toEqual([0, seconds * 1_000]);
    },
  );

  it.each(sets)(
    "as %s is %i s: the next call waits as long",
    async (_what, seconds, headers, body = {}) => {
      const { call, sentMs } = open(status, headers, body, 0);
      expect((await call()).error.retryAfterSeconds).toBe(seconds);
      const { error, status: none } = await call();
      expect([none, error.retryAfterSeconds]).toEqual([undefined, seconds]);
      expect(sentMs).toHaveLength(1);
    },
  );
});

it.each(["Fri, 31 Dec 2099 23:59:59 GMT", "31622401", "99999999999999", "PT10000H"])(
  "holds the calls after it where it is longer than the longest: Retry-After: %s",
  async (text) => {
    const { call, sentMs } = open(429, { "Retry-After": text }, {}, 2);
    expect((await call()).error.retryAfterSeconds).toBe(31_622_400);
    expect(await call()).toMatchObject({ error: { category: "rate_limited" } });
    expect(sentMs).toEqual([0]);
  },
);

describe("readStatedWait", () => {
  it.each([
    "",
    "soon",
    "-1",
    "6 minutes",
    "1h-5m",
    "P",
    "PT",
    "1e3",
    "0x10",
    "2026-03-01T12:00:37",
  ])("reads no wait from %p", (text) =>
    expect(readStatedWait("retry-after", text, startMs)).toBeUndefined(),
  );

  it("takes the unit of a bare number from the name", () => {
    const names = ["retry-after", "retry-after-ms", "retryAfterMs", "retry_after_milliseconds"];
    expect(names.map((name) => readStatedWait(name, 5_000, startMs))).toEqual([5_000, 5, 5, 5]);
  });
});

describe("findBodyWait", () => {
  it.each([
    [{ retryAfterPolicy: 5 }],
    [{ retry_after: "later" }],
    [{ retryDelay: "37s" }],
    [{ retry_after: -3 }],
    [["retry_after", 37]],
  ])("finds none in %j", (document) => {
    expect(findBodyWait(document, startMs)).toBeUndefined();
  });

  it("looks no deeper than five levels", () => {
    const document = { a: { b: { c: { d: { e: { f: { retry_after: 37 } } } } } } };
    expect(findBodyWait(document, startMs)).toBeUndefined();
  });
});
