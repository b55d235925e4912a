import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isRepeatable, retryDelay, shouldRetry } from "../../src/transport/retry-rule.js";

const defaults = {
  retry: 1,
  retryAfterSeconds: undefined,
  maxWaitMs: 10_000,
  remainingMs: 30_000,
  random: () => 0.5,
};

describe("retryDelay", () => {
  it.each<[string, Partial<Parameters<typeof retryDelay>[0]>, number | undefined]>([
    ["the hint, exactly", { retryAfterSeconds: 3 }, 3_000],
    ["a fraction of a second", { retryAfterSeconds: 1.0001 }, 1_001],
    ["the floor for a hint of zero", { retryAfterSeconds: 0 }, 100],
    ["the longest wait allowed", { retryAfterSeconds: 10 }, 10_000],
    ["nothing for a hint over the limit", { retryAfterSeconds: 10.001 }, undefined],
    ["nothing for a hint of eleven days", { retryAfterSeconds: 999_999 }, undefined],
    ["nothing for a hint that overflows a timer", { retryAfterSeconds: 3_000_000_000 }, undefined],
    ["nothing for an infinite hint", { retryAfterSeconds: Number.POSITIVE_INFINITY }, undefined],
    ["a backoff for a negative hint", { retryAfterSeconds: -5 }, 300],
    ["a backoff for NaN", { retryAfterSeconds: Number.NaN }, 300],
    [
      "nothing for a hint as long as the call has left",
      { retryAfterSeconds: 5, remainingMs: 5_000 },
      undefined,
    ],
    ["the hint when the call has one millisecond more", { retryAfterSeconds: 5, remainingMs: 5_001 }, 5_000],
    ["the floor when no wait is allowed and none is asked", { retryAfterSeconds: 0, maxWaitMs: 0 }, 100],
    ["nothing when no wait is allowed and one is asked", { retryAfterSeconds: 1, maxWaitMs: 0 }, undefined],
    ["the floor at the least", { random: () => 0 }, 100],
    ["half a second at the most, first", { random: () => 1 }, 500],
    ["one second at the most, second", { random: () => 1, retry: 2 }, 1_000],
    ["eight seconds at the most, however often", { random: () => 1, retry: 2_000 }, 8_000],
    ["a backoff cut to the longest wait allowed", { random: () => 1, retry: 9, maxWaitMs: 2_000 }, 2_000],
    ["nothing when the backoff is all that is left", { random: () => 1, remainingMs: 500 }, undefined],
  ])("is %s", (_name, options, expected) => {
    expect(retryDelay({ ...defaults, ...options })).toBe(expected);
  });

  it("is between the floor and both limits for any input, or nothing", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.option(fc.double(), { nil: undefined }),
        fc.nat(120_000),
        fc.nat(120_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (retry, retryAfterSeconds, maxWaitMs, remainingMs, fraction) => {
          const delayMs = retryDelay({
            retry,
            retryAfterSeconds,
            maxWaitMs,
            remainingMs,
            random: () => fraction,
          });
          if (delayMs === undefined) return;
          expect(delayMs).toBeGreaterThanOrEqual(100);
          expect(delayMs).toBeLessThanOrEqual(Math.max(100, maxWaitMs));
          expect(delayMs).toBeLessThan(remainingMs);
        },
      ),
    );
  });
});

describe("isRepeatable", () => {
  it.each([
    ["GET", false, true],
    ["PUT", false, true],
    ["DELETE", false, true],
    ["POST", false, false],
    ["PATCH", false, false],
    ["POST", true, true],
    ["PATCH", true, true],
  ] as const)("%s, with an idempotency key: %s, is %s", (method, hasKey, expected) => {
    expect(isRepeatable(method, hasKey)).toBe(expected);
  });
});

describe("shouldRetry", () => {
  it.each(["ECONNREFUSED", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"])(
    "%s: any request, nothing was sent",
    (code) => {
      expect([shouldRetry({ code }, true), shouldRetry({ code }, false)]).toEqual([true, true]);
    },
  );

  it.each(["ECONNRESET", "EPIPE", "ETIMEDOUT"])("%s: only what can be repeated", (code) => {
    expect([shouldRetry({ code }, true), shouldRetry({ code }, false)]).toEqual([true, false]);
  });

  it.each([429, 502, 503, 504])("%d: only what can be repeated", (status) => {
    expect([shouldRetry({ status }, true), shouldRetry({ status }, false)]).toEqual([true, false]);
  });

  it.each([
    "ERR_CANCELED",
    "ECONNABORTED",
    "ENOTFOUND",
    "ERR_BAD_RESPONSE",
    "HPE_INVALID_CONSTANT",
    "HPE_HEADER_OVERFLOW",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "CERT_HAS_EXPIRED",
    "EPROTO",
    "Z_DATA_ERROR",
    "ERR_INVALID_URL",
    "ERR_LOCAL_ADDRESS",
    "ERR_STRING_TOO_LONG",
  ])("%s: never", (code) => {
    expect(shouldRetry({ code }, true)).toBe(false);
  });

  it.each([200, 301, 400, 401, 403, 404, 408, 409, 422, 500, 501, 505, 599])("%d: never", (status) => {
    expect(shouldRetry({ status }, true)).toBe(false);
  });

  it("429 with a time to come back: any request, it was refused unprocessed", () => {
    expect(shouldRetry({ status: 429, retryAfterSeconds: 0 }, false)).toBe(true);
    for (const status of [502, 503, 504, 500, 200])
      expect(shouldRetry({ status, retryAfterSeconds: 1 }, false)).toBe(false);
  });

  it("judges by the status when there is one, whatever the code", () => {
    expect(shouldRetry({ status: 400, code: "ECONNREFUSED" }, true)).toBe(false);
    expect(shouldRetry({}, true)).toBe(false);
  });
});
