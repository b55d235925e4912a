import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  isNearlySpent,
  type RateLimit,
  type ResponseHeaders,
  readRateLimit,
} from "../../../../src/core/http/limits/rate-limit.js";
import { runsOf } from "../../../support/long-run.js";

/** 2026-03-01T12:00:00Z, which is 1772366400 in epoch seconds. Instants of providers are moved so that they lie near it. */
const nowMs = Date.UTC(2026, 2, 1, 12);
const maxWaitSeconds = 366 * 24 * 60 * 60;
const read = (headers: ResponseHeaders, status = 429): RateLimit | undefined =>
  readRateLimit({ status, headers, nowMs });

const documented: Readonly<
  Record<string, readonly [number, ResponseHeaders, RateLimit | undefined]>
> = {
  "IETF draft 06 (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/06/)": [
    200,
    { "ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "50", "ratelimit-reset": "30" },
    { limit: 100, remaining: 50, resetInSeconds: 30 },
  ],
  "IETF draft 07 on two lines (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/07/)":
    [
      200,
      { ratelimit: ["limit=100, remaining=50", "reset=30"], "ratelimit-policy": "100;w=60" },
      { limit: 100, remaining: 50, resetInSeconds: 30 },
    ],
  "IETF draft 09, several (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/09/)":
    [
      200,
      {
        ratelimit: '"day";r=100;t=36, "burst";r=2;t=12',
        "ratelimit-policy": '"burst";q=100;w=60,"day";q=1000;w=86400',
      },
      { limit: 100, remaining: 2, resetInSeconds: 12, policy: "burst" },
    ],
  "IETF draft 10 and Retry-After (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/)":
    [
      429,
      {
        "retry-after": "20",
        ratelimit: '"default";r=0;t=10',
        "ratelimit-policy": '"default";q=100;w=10',
      },
      { limit: 100, remaining: 0, resetInSeconds: 10, policy: "default", retryAfterSeconds: 20 },
    ],
  "GitHub (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api)": [
    403,
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1772367480" },
    { limit: 60, remaining: 0, resetInSeconds: 1080, retryAfterSeconds: 1080 },
  ],
  "Linear, epoch milliseconds (https://linear.app/developers/rate-limiting)": [
    200,
    {
      "x-ratelimit-requests-limit": "1500",
      "x-ratelimit-requests-remaining": "1499",
      "x-ratelimit-complexity-limit": "250000",
      "x-ratelimit-complexity-remaining": "50000",
      "x-ratelimit-complexity-reset": "1772368200000",
    },
    { limit: 250_000, remaining: 50_000, resetInSeconds: 1800, policy: "complexity" },
  ],
  "Reddit, floats (https://support.reddithelp.com/hc/articles/16160319875092)": [
    200,
    { "x-ratelimit-used": "14", "x-ratelimit-remaining": "586.0", "x-ratelimit-reset": "235" },
    { remaining: 586, resetInSeconds: 235 },
  ],
  "OpenAI, whose resets are durations (https://platform.openai.com/docs/guides/rate-limits)": [
    200,
    {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-remaining-tokens": "14999",
      "x-ratelimit-reset-tokens": "6m0s",
    },
    { limit: 150_000, remaining: 14_999, resetInSeconds: 360, policy: "tokens" },
  ],
  "Anthropic, with its name before (https://docs.anthropic.com/en/api/rate-limits)": [
    429,
    {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-03-01T12:01:01Z",
      "anthropic-ratelimit-tokens-limit": "10000",
      "anthropic-ratelimit-tokens-remaining": "9000",
      "anthropic-ratelimit-tokens-reset": "2026-03-01T12:00:05Z",
    },
    {
      limit: 50,
      remaining: 0,
      resetInSeconds: 61,
      retryAfterSeconds: 61,
      policy: "anthropic-requests",
    },
  ],
  "HubSpot, with its name before (https://developers.hubspot.com/docs/guides/apps/api-usage/usage-details)":
    [
      200,
      {
        "x-hubspot-ratelimit-interval-milliseconds": "10000",
        "x-hubspot-ratelimit-max": "190",
        "x-hubspot-ratelimit-remaining": "120",
      },
      { remaining: 120, policy: "hubspot" },
    ],
  "a vendor's own (https://developer-docs.amazon.com/sp-api/docs/usage-plans-and-rate-limits)": [
    200,
    { "x-amzn-ratelimit-limit": "0.5" },
    undefined,
  ],
};

describe("readRateLimit", () => {
  it.each(Object.entries(documented))("reads %s", (_api, [status, headers, expected]) => {
    expect(read(headers, status)).toEqual(expected);
  });

  it("reads the headers that a record names, and none of a vendor's own otherwise", () => {
    const headers = {
      "x-shop-limit": "60",
      "x-shop-left": "0",
      "x-shop-end": "60",
      "x-shop-wait": "30",
    };
    const names = { limit: "X-Shop-Limit", remaining: "X-Shop-Left", reset: "x-shop-end" };
    const head = { status: 429, headers, nowMs };
    const expected = { limit: 60, remaining: 0, resetInSeconds: 60, retryAfterSeconds: 60 };
    expect(readRateLimit({ ...head, names })).toEqual(expected);
    expect(readRateLimit({ ...head, names: { retryAfter: "X-Shop-Wait" } })).toEqual({
      retryAfterSeconds: 30,
    });
    expect(readRateLimit(head)).toBeUndefined();
  });

  it("reads a header that the record names in milliseconds where its name says so", () => {
    const headers = { "x-rate-limit-time-reset-ms": "3000", "x-left": "0", "x-wait-ms": "1500" };
    const names = { remaining: "X-Left", reset: "X-Rate-Limit-Time-Reset-Ms" };
    const head = { status: 429, headers, nowMs };
    expect(readRateLimit({ ...head, names })).toMatchObject({ resetInSeconds: 3 });
    expect(readRateLimit({ ...head, names: { retryAfter: "X-Wait-Ms" } })).toMatchObject({
      retryAfterSeconds: 2,
    });
  });

  it.each(["-1", "unlimited", "", "NaN", "0x10", "1e3", "1,000", "9999999999999999999"])(
    "leaves out a limit and a remainder of %p",
    (value) => {
      expect(
        read({ "x-ratelimit-limit": value, "x-ratelimit-remaining": value }, 200),
      ).toBeUndefined();
    },
  );

  it("never has a wait of 0 seconds", () => {
    expect(read({ "retry-after": "0" })).toEqual({ retryAfterSeconds: 1 });
    expect(read({ "ratelimit-remaining": "0", "ratelimit-reset": "0" })?.retryAfterSeconds).toBe(1);
    expect(read({ "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" }, 503)).toBeUndefined();
  });

  it("does not take a header beside a quota for a part of it", () => {
    const headers = {
      "x-ratelimit-interval": "60",
      "x-ratelimit-limit-window": "60",
      "x-ratelimit-remaining-cost": "3",
      "x-ratelimit-burst": "5",
      "x-page-limit": "20",
      "x-storage-remaining": "0",
    };
    expect(read(headers, 200)).toBeUndefined();
  });
});

describe("the wait that is asked for", () => {
  const wait = (text: string): number | undefined =>
    read({ "retry-after": text }, 503)?.retryAfterSeconds;

  it.each([
    ["64.57", 65, "a fraction, rounded up"],
    ["1772366430", 30, "epoch seconds"],
    ["1772366430.001", 31, "a fraction that is not exact in binary"],
    ["1772366430000", 30, "epoch milliseconds"],
    ["2026-03-01T13:00:54+01:00", 54, "RFC 3339 with an offset"],
    ["2026-03-01T12:00:54.001234Z", 55, "RFC 3339 with microseconds"],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30, "a date of HTTP"],
  ])("is read from %p as %p: %s", (text, seconds) => {
    expect(wait(text)).toBe(seconds);
  });

  it.each(["", "0", "1372700873", "soon", "-1", "6 minutes", "2026-03-01T12:00:54", "5 apples"])(
    "is not read from %p",
    (text) => {
      expect(wait(text)).toBeUndefined();
    },
  );

  it("is not the reset of a quota that is not spent", () => {
    expect(
      read({ "x-ratelimit-remaining": "3", "x-ratelimit-reset": "60" })?.retryAfterSeconds,
    ).toBeUndefined();
  });
});

describe("reading hostile headers", () => {
  it("yields whole, finite, bounded numbers and never throws, whatever comes", () => {
    const words =
      "x-ratelimit x-rate-limit ratelimit retry-after -limit -remaining -reset -policy -tokens -ms x-a";
    const name = fc.oneof(
      fc
        .array(fc.constantFrom(...words.split(" ")), { maxLength: 4 })
        .map((parts) => parts.join("")),
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
        "1e999",
      ),
    );
    const headers = fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 4 })));
    fc.assert(
      fc.property(
        headers,
        fc.integer({ min: 100, max: 599 }),
        fc.nat(4e12),
        (given, status, atMs) => {
          const { policy, ...numbers } =
            readRateLimit({ status, headers: given, nowMs: atMs }) ?? {};
          expect(policy === undefined || policy.length <= 200).toBe(true);
          for (const value of Object.values(numbers))
            expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
          for (const seconds of [numbers.resetInSeconds ?? 0, numbers.retryAfterSeconds ?? 1])
            expect(seconds).toBeLessThanOrEqual(maxWaitSeconds);
          expect(numbers.retryAfterSeconds).not.toBe(0);
        },
      ),
      { numRuns: runsOf(3000) },
    );
  });
});

it.each<[RateLimit | undefined, boolean]>([
  [{ limit: 100, remaining: 21 }, false],
  [{ limit: 100, remaining: 20 }, true],
  [{ remaining: 0 }, true],
  [{ remaining: 1 }, false],
  [undefined, false],
])("of %j a fifth or less is left: %p", (rateLimit, isSpent) => {
  expect(isNearlySpent(rateLimit)).toBe(isSpent);
});
