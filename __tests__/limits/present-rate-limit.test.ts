import { describe, expect, it } from "@jest/globals";
import { isLimited } from "../../src/limits/is-limited.js";
import { presentRateLimit, shouldShowRateLimit } from "../../src/limits/present-rate-limit.js";
import type { RateLimit } from "../../src/limits/rate-limit.js";

describe("shouldShowRateLimit", () => {
  it.each<[RateLimit | undefined, boolean, boolean]>([
    [{ limit: 100, remaining: 21 }, false, false],
    [{ limit: 100, remaining: 20 }, false, true],
    [{ limit: 60, remaining: 9, resetInSeconds: 1080 }, false, true],
    [{ limit: 100, remaining: 0 }, false, true],
    [{ remaining: 0 }, false, true],
    [{ remaining: 1 }, false, false],
    [{ limit: 1, remaining: 1 }, false, false],
    [{ limit: 100 }, false, false],
    [{ retryAfterSeconds: 2 }, false, false],
    [{ limit: 100, remaining: 99 }, true, true],
    [{ retryAfterSeconds: 2 }, true, true],
    [undefined, true, false],
  ])("of %j, limited %p, is %p", (rateLimit, limited, shown) => {
    expect(shouldShowRateLimit(rateLimit, { limited })).toBe(shown);
  });
});

describe("presentRateLimit", () => {
  it("writes the known members in the order of the answer", () => {
    const rateLimit = {
      retryAfterSeconds: 5,
      policy: "100;w=60",
      resetInSeconds: 4,
      remaining: 0,
      limit: 100,
    };
    expect(JSON.stringify(presentRateLimit(rateLimit))).toBe(
      '{"limit":100,"remaining":0,"resetInSeconds":4,"policy":"100;w=60","retryAfterSeconds":5}',
    );
    expect(Object.keys(presentRateLimit({ remaining: 0 }))).toEqual(["remaining"]);
  });
});

describe("isLimited", () => {
  it.each<[number, RateLimit | undefined, boolean]>([
    [429, undefined, true],
    [429, { remaining: 5 }, true],
    [420, undefined, true],
    [403, undefined, false],
    [403, { remaining: 10 }, false],
    [403, { remaining: 0 }, true],
    [403, { retryAfterSeconds: 60 }, true],
    [403, { retryAfterSeconds: 0 }, false],
    [400, { remaining: 0 }, true],
    [401, { remaining: 0 }, false],
    [200, { remaining: 0 }, false],
    [503, { retryAfterSeconds: 60 }, false],
  ])("of status %p with %j is %p", (status, rateLimit, limited) => {
    expect(isLimited(status, rateLimit)).toBe(limited);
  });
});
