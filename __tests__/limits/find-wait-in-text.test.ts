import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { findWaitInText } from "../../src/limits/find-wait-in-text.js";
import { maxWaitSeconds } from "../../src/limits/parse-reset.js";

const nowMs = Date.UTC(2026, 2, 1, 12);

describe("findWaitInText", () => {
  it.each([
    ["Please try again in 20s.", 20],
    ["Please try again in 6m0s. Visit the page.", 360],
    ["Please try again in 59ms", 1],
    ["Please retry after 30 seconds", 30],
    ["Please retry in 43.1s.", 44],
    ["Rate limited, wait 5 minutes before the next call", 300],
    ["Try again in 1 hour and 30 minutes.", 5400],
    ["Expected available in 4521 seconds.", 4521],
    ["Limit: 100 per minute. Your quota resets in 12 s", 12],
    ["User-rate limit exceeded.  Retry after 2026-03-01T12:00:57.123Z", 58],
    ["Retry after 2026-03-01T12:01:00Z. Thank you.", 60],
    ['Too many calls (retry after "2026-03-01T12:01:00+00:00")', 60],
    ["Retry after Sun, 01 Mar 2026 12:00:30 GMT", 30],
  ])("finds the wait of %p", (text, seconds) => {
    expect(findWaitInText(text, nowMs)).toBe(seconds);
  });

  it.each([
    "Too many requests",
    "Please wait a few minutes before you try again.",
    "You may retry up to 5 times per 60 seconds",
    "Retry after 30",
    "Limit 10000, used 9000, requested 2000",
    "Trying 30 seconds is fine",
    "Try again. Order 20 s was refused",
    "Retry after 9999-12-31T00:00:00Z",
    "Try again in 99999 hours",
    "",
  ])("finds none in %p", (text) => {
    expect(findWaitInText(text, nowMs)).toBeUndefined();
  });

  it("yields whole seconds within bounds or nothing, whatever the text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => `retry in ${text}`),
      fc.stringMatching(/^wait [0-9dhms. :T-]{0,30}$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const seconds = findWaitInText(text, nowMs);
        if (seconds === undefined) return;
        expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= maxWaitSeconds).toBe(true);
      }),
    );
  });
});
