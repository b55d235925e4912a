import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ExactNumber } from "../../../../src/core/base/exact-number.js";
import { maxWaitSeconds } from "../../../../src/core/http/limits/parse-wait.js";
import {
  type RateLimit,
  type ResponseHeaders,
  shouldShowRateLimit,
} from "../../../../src/core/http/limits/rate-limit.js";
import { readRateLimit, readRetryAfter } from "../../../../src/core/http/limits/read-rate-limit.js";
import { runsOf } from "../../../support/long-run.js";
import { headerSets, setsNowMs } from "./header-sets.js";

const read = (
  headers: ResponseHeaders,
  { status = 429, body }: { readonly status?: number; readonly body?: unknown } = {},
): RateLimit | undefined => readRateLimit({ status, headers, nowMs: setsNowMs }, body).rateLimit;

describe("readRateLimit over documented header sets", () => {
  // Objects and not rows: for a row that is shorter than the parameters, jest waits for a callback.
  const cases = headerSets.map(([api, ...set]) => ({ api, set }));
  it.each(cases)("reads $api", ({ set: [status, headers, expected, body] }) => {
    expect(read(headers, { status, body })).toEqual(expected);
  });
});

describe("readRateLimit", () => {
  it("reads the headers that a record names, and none of a vendor's own otherwise", () => {
    const headers = {
      "x-shop-limit": "60",
      "x-shop-left": "0",
      "x-shop-end": "2026-03-01T12:01:00Z",
      "x-shop-wait": "30",
    };
    const names = { limit: "X-Shop-Limit", remaining: "X-Shop-Left", reset: "x-shop-end" };
    const head = { status: 429, headers, nowMs: setsNowMs };
    const expected = { limit: 60, remaining: 0, resetInSeconds: 60, retryAfterSeconds: 60 };
    expect(readRateLimit({ ...head, names }).ofHead).toEqual(expected);
    expect(readRateLimit({ ...head, names: { retryAfter: "X-Shop-Wait" } }).ofHead).toEqual({
      retryAfterSeconds: 30,
    });
    expect(readRateLimit(head).ofHead).toBeUndefined();
  });

  it.each(["-1", "unlimited", "", "NaN", "0x10", "1e3", "1,000", "9999999999999999999"])(
    "leaves out a limit and a remainder of %p",
    (value) => {
      const headers = { "x-ratelimit-limit": value, "x-ratelimit-remaining": value };
      expect(read(headers, { status: 200 })).toBeUndefined();
    },
  );

  it.each<[ResponseHeaders, string]>([
    [{ "retry-after": ["120", "60"] }, "an array"],
    [{ "retry-after": "60,120" }, "a list"],
  ])("takes the longest of repeated waits given as %j", (headers) => {
    expect(read(headers)).toEqual({ retryAfterSeconds: 120 });
  });

  it.each(["x-retry-after", "x-ratelimit-retry-after", "X-Rate-Limit-Retry-After"])("knows %s", (header) => {
    expect(read({ [header]: "7" })).toEqual({ retryAfterSeconds: 7 });
  });

  it("prefers the precise wait, a header to a body, and a real wait to one of 0", () => {
    expect(read({ "retry-after": "5", "retry-after-ms": "1200" })).toEqual({ retryAfterSeconds: 2 });
    expect(read({ "retry-after": "4" }, { body: { retry_after: 9 } })).toEqual({ retryAfterSeconds: 4 });
    expect(read({ "retry-after": "0" }, { body: { retry_after: 9 } })).toEqual({ retryAfterSeconds: 9 });
  });

  it("never has a wait of 0 seconds", () => {
    expect(read({ "retry-after": "0" })).toEqual({ retryAfterSeconds: 1 });
    expect(read({ "ratelimit-remaining": "0", "ratelimit-reset": "0" })?.retryAfterSeconds).toBe(1);
    expect(read({ "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, { status: 503 })).toBeUndefined();
  });

  it("takes the least of unequal remainders, and the longest reset of two quotas at zero", () => {
    const unequal = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "9, 7" };
    expect(read(unequal, { status: 200 })).toEqual({ limit: 100, remaining: 7 });
    const headers = {
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

  it("reads a line up to 8,192 characters and shows 200 of a policy", () => {
    const long = { "x-ratelimit-remaining": `5,${" ".repeat(9_000)}1` };
    expect(read(long, { status: 200 })).toEqual({ remaining: 5 });
    expect(read({ ratelimit: `${"n".repeat(300)};r=1` }, { status: 200 })?.policy).toHaveLength(200);
  });

  it("does not take a header beside a quota for a part of it, nor half a quota without the words for one", () => {
    const headers = {
      "x-ratelimit-interval": "60",
      "x-ratelimit-limit-window": "60",
      "x-ratelimit-remaining-cost": "3",
      "x-ratelimit-burst": "5",
      "x-ratelimit-nearlimit": "true",
      "content-length": "100",
      "x-page-limit": "20",
      "x-storage-limit": "100",
      "x-storage-remaining": "0",
    };
    expect(read(headers, { status: 200 })).toBeUndefined();
  });
});

describe("a wait in a body", () => {
  it.each(["Please try again in 20s.", "Retry after 2026-03-01T12:01:00Z. Thank you."])(
    "is not read from the words %p",
    (body) => {
      expect(read({}, { body })).toBeUndefined();
      expect(read({}, { body: { detail: body } })).toBeUndefined();
    },
  );

  it.each([
    [{ retry_after: 64.57 }, 65],
    [{ parameters: { retryAfter: "35" } }, 35],
    [{ retry_after_ms: 1500 }, 2],
    [{ "retry-after-seconds": new ExactNumber("64.570") }, 65],
    [{ errors: [{ backoff: 10 }] }, 10],
  ])("is found in the field of %j", (body, retryAfterSeconds) => {
    expect(read({}, { body })).toEqual({ retryAfterSeconds });
  });

  it("counts only under a status that refuses for the rate, or where the body reports that the call failed", () => {
    const body = { message: "The issue 'try again in 23 hours' exists", retry_after: 82_800 };
    for (const status of [200, 400, 404, 409, 422, 500]) expect(read({}, { status, body })).toBeUndefined();
    expect(read({}, { status: 200, body: { ok: false, ...body } })).toEqual({ retryAfterSeconds: 82_800 });
    expect(read({}, { status: 403, body })).toEqual({ retryAfterSeconds: 82_800 });
  });

  it("costs nothing to look for in a body of 100,000 levels", () => {
    let body: unknown = { retry_after: 5 };
    for (let level = 0; level < 100_000; level += 1) body = [body];
    expect(read({}, { body })).toBeUndefined();
    expect(read({}, { body: "[".repeat(100_000) })).toBeUndefined();
  });
});

describe("readRetryAfter", () => {
  it("reads the headers alone, distinguishes now from nothing, and knows the reset of a spent quota", () => {
    const retry = (status: number, headers: ResponseHeaders): number | undefined =>
      readRetryAfter({ status, headers, nowMs: setsNowMs });
    expect(retry(503, { "retry-after": "0" })).toBe(0);
    expect(retry(503, {})).toBeUndefined();
    expect(retry(429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1772366460" })).toBe(60);
    expect(retry(429, { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "1772366460" })).toBeUndefined();
  });
});

describe("reading hostile answers", () => {
  it("yields whole, finite, bounded numbers and never throws, whatever comes", () => {
    const words =
      "x-ratelimit x-rate-limit ratelimit retry-after -limit -remaining -reset -used -policy -tokens -ms -after x-a";
    const name = fc.oneof(
      fc.array(fc.constantFrom(...words.split(" ")), { maxLength: 4 }).map((parts) => parts.join("")),
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
    const status = fc.integer({ min: 100, max: 599 });
    const bodies = fc.oneof(fc.anything(), fc.record({ ok: fc.constant(false), retry_after: fc.anything() }));
    fc.assert(
      fc.property(headers, status, bodies, fc.nat(4e12), (given, answered, body, nowMs) => {
        const { policy, ...numbers } =
          readRateLimit({ status: answered, headers: given, nowMs }, body).rateLimit ?? {};
        expect(policy === undefined || policy.length <= 200).toBe(true);
        for (const value of Object.values(numbers))
          expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
        for (const wait of [numbers.resetInSeconds ?? 0, numbers.retryAfterSeconds ?? 1]) {
          expect(wait).toBeLessThanOrEqual(maxWaitSeconds);
        }
        expect(numbers.retryAfterSeconds).not.toBe(0);
      }),
      { numRuns: runsOf(3000) },
    );
  });

  it("reads headers and bodies that are made to be slow", () => {
    const hostile = {
      ratelimit: `${'"a\\"'.repeat(5_000)};r=1`,
      "ratelimit-policy": "a;q=1,".repeat(5_000),
      "x-ratelimit-reset": "1m".repeat(20_000),
      "retry-after": "9".repeat(50_000),
      "x-call-limit": `1/${"9".repeat(50_000)}`,
      [`x-${"rate".repeat(20_000)}`]: "1",
    };
    const body = `${"retry ".repeat(2_000)}${"wait (((".repeat(20_000)}`;
    expect(() => read(hostile, { body })).not.toThrow();
  });
});

describe("shouldShowRateLimit", () => {
  it.each<[RateLimit | undefined, boolean, boolean]>([
    [{ limit: 100, remaining: 21 }, false, false],
    [{ limit: 100, remaining: 20 }, false, true],
    [{ remaining: 0 }, false, true],
    [{ remaining: 1 }, false, false],
    [{ limit: 100 }, false, false],
    [{ retryAfterSeconds: 2 }, false, false],
    [{ limit: 100, remaining: 99 }, true, true],
    [undefined, true, false],
  ])("of %j, limited %p, is %p", (rateLimit, limited, shown) => {
    expect(shouldShowRateLimit(rateLimit, { limited })).toBe(shown);
  });
});
