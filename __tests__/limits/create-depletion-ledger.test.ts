import { describe, expect, it } from "@jest/globals";
import { createDepletionLedger, type DepletionKey } from "../../src/limits/create-depletion-ledger.js";
import type { RateLimit } from "../../src/limits/rate-limit.js";

const key: DepletionKey = { source: "github", credential: "f1", segment: "repos" };

function createClock(): { now(): number; advance(seconds: number): void } {
  let nowMs = Date.UTC(2026, 2, 1, 12);
  return {
    now: () => nowMs,
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
  };
}

describe("createDepletionLedger", () => {
  it.each<[number, RateLimit | undefined, number | undefined, string]>([
    [429, { retryAfterSeconds: 30 }, 30, "a 429 with a wait"],
    [
      429,
      { retryAfterSeconds: 30, remaining: 50, resetInSeconds: 900 },
      30,
      "a 429 with a wait and requests left",
    ],
    [429, { remaining: 0, resetInSeconds: 40 }, 40, "a 429 with a reset"],
    [403, { remaining: 0, resetInSeconds: 40 }, 40, "a 403 with nothing left"],
    [400, { retryAfterSeconds: 20 }, 20, "a 400 with a wait"],
    [200, { limit: 60, remaining: 0, resetInSeconds: 50 }, 50, "the success that took the last request"],
    [404, { limit: 60, remaining: 0, resetInSeconds: 50 }, 50, "a failure that took the last request"],
    [429, { remaining: 0 }, undefined, "a 429 whose reset is not known"],
    [429, undefined, undefined, "a 429 that says nothing"],
    [429, { remaining: 40, resetInSeconds: 900 }, undefined, "a 429 with requests left and no wait"],
    [429, { retryAfterSeconds: 0 }, undefined, "a 429 with a wait of 0"],
    [200, { remaining: 1, resetInSeconds: 50 }, undefined, "a success with one left"],
    [200, { remaining: 7, retryAfterSeconds: 2 }, undefined, "a success that mentions a wait"],
    [503, { retryAfterSeconds: 30 }, undefined, "an outage, which is no quota"],
  ])("after status %p with %j the wait is %p: %s", (status, rateLimit, retryAfterSeconds) => {
    const ledger = createDepletionLedger({ clock: createClock() });
    ledger.note(key, rateLimit, { status });
    expect(ledger.check(key)?.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it("counts down and forgets when the reset has come", () => {
    const clock = createClock();
    const ledger = createDepletionLedger({ clock });
    ledger.note(key, { retryAfterSeconds: 30 }, { status: 429 });
    clock.advance(29.5);
    expect(ledger.check(key)).toEqual({ retryAfterSeconds: 1 });
    clock.advance(0.5);
    expect(ledger.check(key)).toBeUndefined();
  });

  it("keeps sources, credentials and first path segments apart", () => {
    const ledger = createDepletionLedger({ clock: createClock() });
    ledger.note(key, { retryAfterSeconds: 30 }, { status: 429 });
    expect(ledger.check({ ...key, source: "gitlab" })).toBeUndefined();
    expect(ledger.check({ ...key, credential: "f2" })).toBeUndefined();
    expect(ledger.check({ ...key, segment: "search" })).toBeUndefined();
    expect(ledger.check({ ...key })).toEqual({ retryAfterSeconds: 30 });
  });

  it.each<[number, RateLimit | undefined]>([
    [200, { remaining: 59 }],
    [204, undefined],
    [404, { remaining: 59 }],
  ])("is cleared by status %p with %j", (status, rateLimit) => {
    const ledger = createDepletionLedger({ clock: createClock() });
    ledger.note(key, { retryAfterSeconds: 30 }, { status: 429 });
    ledger.note(key, rateLimit, { status });
    expect(ledger.check(key)).toBeUndefined();
  });

  it.each<[number, RateLimit | undefined]>([
    [500, undefined],
    [404, undefined],
    [429, undefined],
  ])("is not cleared by status %p with %j", (status, rateLimit) => {
    const ledger = createDepletionLedger({ clock: createClock() });
    ledger.note(key, { retryAfterSeconds: 30 }, { status: 429 });
    ledger.note(key, rateLimit, { status });
    expect(ledger.check(key)).toEqual({ retryAfterSeconds: 30 });
  });

  it("asks again after a day, however long the quota says it is spent", () => {
    const ledger = createDepletionLedger({ clock: createClock() });
    ledger.note(key, { remaining: 0, resetInSeconds: 30 * 86_400 }, { status: 429 });
    expect(ledger.check(key)).toEqual({ retryAfterSeconds: 86_400 });
  });

  it("forgets the oldest when it is full", () => {
    const ledger = createDepletionLedger({ clock: createClock(), maxEntries: 2 });
    const segments = ["one", "two", "three"];
    for (const segment of segments)
      ledger.note({ ...key, segment }, { retryAfterSeconds: 30 }, { status: 429 });
    expect(segments.map((segment) => ledger.check({ ...key, segment }) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });
});
