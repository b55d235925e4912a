import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { retryDelay } from "../../src/transport/retry-delay.js";

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
