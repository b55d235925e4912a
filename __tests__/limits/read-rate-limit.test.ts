import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ExactNumber } from "../../src/json/exact-number.js";
import { maxWaitSeconds } from "../../src/limits/parse-reset.js";
import type { RateLimit, ResponseHeaders } from "../../src/limits/rate-limit.js";
import { type RateLimitInput, readRateLimit } from "../../src/limits/read-rate-limit.js";
import { headerSets, setsNowMs } from "../support/rate-limit-header-sets.js";

describe("readRateLimit over documented header sets", () => {
  it("has at least 60 of them, each with its source", () => {
    expect(headerSets.length).toBeGreaterThanOrEqual(60);
    expect(headerSets.every(({ source }) => URL.canParse(source))).toBe(true);
  });

  it.each(headerSets)("reads $api", ({ status, headers, body, bodyText, expected }) => {
    const read = readRateLimit({
      status,
      headers,
      nowMs: setsNowMs,
      ...(body === undefined ? {} : { body }),
      ...(bodyText === undefined ? {} : { bodyText }),
    });
    expect(read).toEqual(expected);
  });
});

describe("readRateLimit", () => {
  const read = (
    headers: ResponseHeaders,
    { status = 429, ...rest }: Partial<Omit<RateLimitInput, "headers" | "nowMs">> = {},
  ): RateLimit | undefined => readRateLimit({ status, headers, nowMs: setsNowMs, ...rest });

  it.each([
    ["120", 120],
    ["2.0", 2],
    ["1.5", 2],
    [" 1 ", 1],
    ["0", 0],
    ["1772366430", 30],
    ["1772366430000", 30],
    ["30s", 30],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30],
    ["Sunday, 01-Mar-26 12:00:30 GMT", 30],
    ["Sun Mar  1 12:00:30 2026", 30],
    ["2026-03-01T12:00:30Z", 30],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
  ])("takes Retry-After: %p as %p seconds", (value, retryAfterSeconds) => {
    expect(read({ "retry-after": value })).toEqual({ retryAfterSeconds });
  });

  it.each([
    "-5",
    "abc",
    "",
    "Infinity",
    "0x2",
    "1e-1",
    "1e99",
    "3000000000",
    "Fri, 31 Dec 9999 23:59:59 GMT",
  ])("says nothing of Retry-After: %p", (value) => {
    expect(read({ "retry-after": value })).toBeUndefined();
  });

  it.each(["-1", "unlimited", "", "NaN", "0x10", "1e3", "1,000", "9999999999999999999"])(
    "leaves out a limit and a remainder of %p",
    (value) => {
      expect(
        read({ "x-ratelimit-limit": value, "x-ratelimit-remaining": value }, { status: 200 }),
      ).toBeUndefined();
    },
  );

  it.each<[ResponseHeaders, string]>([
    [{ "retry-after": ["120", "60"] }, "an array"],
    [{ "retry-after": "60, 120" }, "a list"],
    [{ "retry-after": "60,120" }, "a list without blanks"],
  ])("takes the longest of repeated waits given as %j", (headers) => {
    expect(read(headers)).toEqual({ retryAfterSeconds: 120 });
  });

  it("takes one of two equal lines and the least of unequal remainders", () => {
    expect(
      read({ "x-ratelimit-limit": "100, 100", "x-ratelimit-remaining": ["7", "9"] }, { status: 200 }),
    ).toEqual({ limit: 100, remaining: 7 });
    expect(read({ "x-ratelimit-limit": "100", "x-ratelimit-remaining": "9, 7" }, { status: 200 })).toEqual({
      limit: 100,
      remaining: 7,
    });
  });

  it.each([
    ["x-retry-after"],
    ["x-ratelimit-retry-after"],
    ["x-ratelimit-retryafter"],
    ["x-rate-limit-retry-after"],
  ])("knows %s", (header) => {
    expect(read({ [header]: "7" })).toEqual({ retryAfterSeconds: 7 });
  });

  it("prefers the precise wait, and a real wait to one of 0", () => {
    expect(read({ "retry-after": "5", "retry-after-ms": "1200" })).toEqual({ retryAfterSeconds: 2 });
    expect(read({ "retry-after": "0" }, { body: { retry_after: 9 } })).toEqual({ retryAfterSeconds: 9 });
    expect(read({ "retry-after": "4" }, { body: { retry_after: 9 } })).toEqual({ retryAfterSeconds: 4 });
  });

  it("takes the longest reset of two quotas at zero", () => {
    const headers = {
      "x-ratelimit-limit-requests": "10",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "20s",
      "x-ratelimit-limit-tokens": "1000",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "90s",
    };
    expect(read(headers)).toEqual({
      limit: 1000,
      remaining: 0,
      resetInSeconds: 90,
      policy: "tokens",
      retryAfterSeconds: 90,
    });
  });

  it("takes a quota at zero for tighter than any share, even when its limit is not known", () => {
    const headers = {
      "x-ratelimit-limit-tokens": "1000",
      "x-ratelimit-remaining-tokens": "1",
      "x-ratelimit-remaining-requests": "0",
    };
    expect(read(headers, { status: 200 })).toEqual({ remaining: 0, policy: "requests" });
  });

  it("joins parts of different names only when there is one of each", () => {
    const two = { "x-ratelimit-reset-day": "100", "x-ratelimit-reset-hour": "5" };
    expect(read({ "x-ratelimit-remaining": "5", ...two }, { status: 200 })).toEqual({ remaining: 5 });
    const limits = { "x-ratelimit-limit-day": "100", "x-ratelimit-limit-hour": "10" };
    expect(read({ "x-ratelimit-remaining": "5", ...limits }, { status: 200 })).toEqual({ remaining: 5 });
  });

  it("understands escaped quotes in the name of a policy", () => {
    const headers = { ratelimit: '"a\\", b";r=1;t=9', "ratelimit-policy": '"a\\", b";q=4;w=60' };
    expect(read(headers, { status: 200 })).toEqual({
      limit: 4,
      remaining: 1,
      resetInSeconds: 9,
      policy: '"a\\", b";q=4;w=60',
    });
  });

  it("reads a line up to 8,192 characters and shows 200 of a policy", () => {
    const long = { "x-ratelimit-remaining": `5,${" ".repeat(9_000)}1` };
    expect(read(long, { status: 200 })).toEqual({ remaining: 5 });
    expect(read({ ratelimit: `${"n".repeat(300)};r=1` }, { status: 200 })?.policy).toHaveLength(200);
  });

  it("understands the same reset header as a delta and as an epoch", () => {
    expect(read({ "x-ratelimit-reset": "60" }, { status: 200 })).toEqual({ resetInSeconds: 60 });
    expect(read({ "x-ratelimit-reset": "1772366460" }, { status: 200 })).toEqual({ resetInSeconds: 60 });
  });

  it("takes names in any case", () => {
    expect(read({ "X-RateLimit-Remaining": "3", "Retry-After": "9" })).toEqual({
      remaining: 3,
      retryAfterSeconds: 9,
    });
  });

  it("does not take a header beside a quota for a part of it", () => {
    const headers = {
      "x-ratelimit-interval": "60",
      "x-ratelimit-limit-window": "60",
      "x-ratelimit-remaining-cost": "3",
      "x-ratelimit-burst": "5",
      "x-ratelimit-cost": "1",
      "x-ratelimit-nearlimit": "true",
      "content-length": "100",
      "x-page-limit": "20",
    };
    expect(read(headers, { status: 200 })).toBeUndefined();
  });

  it("reads words about waiting only where they are about the rate", () => {
    const body = { message: "Tickets will be available in 3 days" };
    expect(read({}, { status: 404, body })).toBeUndefined();
    expect(read({}, { status: 200, body: { retry_after: 5 } })).toBeUndefined();
    expect(read({}, { status: 200, body: { ok: false, parameters: { retry_after: 5 } } })).toEqual({
      retryAfterSeconds: 5,
    });
  });

  it("reads a body of plain text, and a number with its digits", () => {
    expect(read({}, { bodyText: "Slow down and wait 10 seconds" })).toEqual({ retryAfterSeconds: 10 });
    expect(read({}, { body: { retry_after: new ExactNumber("64.570") } })).toEqual({ retryAfterSeconds: 65 });
    expect(read({}, { body: { retry_after_ms: 1500 } })).toEqual({ retryAfterSeconds: 2 });
  });

  it("survives a body nested 100,000 levels deep", () => {
    let body: unknown = { retry_after: 5 };
    for (let level = 0; level < 100_000; level += 1) body = [body];
    expect(read({}, { body })).toBeUndefined();
    expect(read({}, { bodyText: "[".repeat(100_000) })).toBeUndefined();
  });

  it("returns whole, finite, non-negative, bounded numbers and never throws, whatever comes", () => {
    const parts = [
      "x-ratelimit",
      "x-rate-limit",
      "ratelimit",
      "retry-after",
      "-limit",
      "-remaining",
      "-reset",
    ];
    const more = [
      "-used",
      "-policy",
      "-tokens",
      "-requests",
      "-ms",
      "-after",
      "sforce-limit-info",
      "x-app-usage",
    ];
    const name = fc.oneof(
      fc.array(fc.constantFrom(...parts, ...more), { maxLength: 4 }).map((words) => words.join("")),
      fc.string(),
    );
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.stringMatching(/^[0-9a-z"=;,./: -]{0,40}$/),
      fc.constantFrom(
        '"a";r=1;t=99999999999',
        "limit=5, remaining=9, reset=-1",
        "100;w=60",
        "40/39",
        "1e999",
      ),
    );
    const headers = fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 4 })));
    fc.assert(
      fc.property(
        headers,
        fc.integer({ min: 100, max: 599 }),
        fc.anything(),
        fc.nat(4e12),
        (given, status, body, nowMs) => {
          const { policy, ...numbers } = readRateLimit({ status, headers: given, nowMs, body }) ?? {};
          expect(policy === undefined || policy.length <= 200).toBe(true);
          for (const value of Object.values(numbers)) {
            expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
          }
          for (const wait of [numbers.resetInSeconds, numbers.retryAfterSeconds]) {
            expect(wait === undefined || wait <= maxWaitSeconds).toBe(true);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("answers in time for headers made to be slow", () => {
    const hostile = {
      ratelimit: `${'"a\\"'.repeat(5_000)};r=1`,
      "ratelimit-policy": "a;q=1,".repeat(5_000),
      "x-ratelimit-reset": "1m".repeat(20_000),
      "retry-after": "9".repeat(50_000),
      [`x-${"rate".repeat(20_000)}`]: "1",
      "x-app-usage": `"call_count":${" ".repeat(50_000)}`,
    };
    const bodyText = `${"retry ".repeat(2_000)}${"wait (((".repeat(20_000)}`;
    // The runner's own timeout is the bound: what is quadratic here takes minutes.
    expect(() => read(hostile, { bodyText })).not.toThrow();
  });
});
