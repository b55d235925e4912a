import { describe, expect, it } from "@jest/globals";
import { Cooldowns } from "../../../../src/core/http/limits/cooldowns.js";
import type { RateLimit } from "../../../../src/core/http/limits/rate-limit.js";

const key = { source: "github", credential: "f1", path: "/repos/a/b" };
const longMs = 10_000_000;
const wait = { retryAfterSeconds: 30 };
const spent = { remaining: 0, resetInSeconds: 40 };
const left = { remaining: 59, resetInSeconds: 40 };

function createTime() {
  let nowMs = Date.UTC(2026, 2, 1, 12);
  const cooldowns = new Cooldowns({ now: () => nowMs });
  const note = (status: number, rateLimit?: RateLimit, maxWaitMs = longMs, path = key.path): void =>
    cooldowns.note({ ...key, path }, { status, rateLimit }, maxWaitMs);
  const check = (other = {}) => cooldowns.check({ ...key, ...other });
  const advance = (seconds: number): void => {
    nowMs += seconds * 1000;
  };
  return { note, check, advance };
}

describe("Cooldowns", () => {
  it.each<[number, RateLimit | undefined, number | undefined, string]>([
    [429, { ...left, ...wait }, 30, "a 429 with a wait and requests left"],
    [429, spent, 40, "a 429 with a reset"],
    [403, spent, 40, "a 403 with nothing left"],
    [400, wait, 30, "a 400 with a wait (Linear)"],
    [503, wait, 30, "a 503 with a wait"],
    [200, spent, 40, "the success that took the last request"],
    [429, undefined, undefined, "a 429 that says nothing"],
    [429, left, undefined, "a 429 with requests left and no wait"],
    [200, wait, undefined, "a success that mentions a wait"],
    [500, wait, undefined, "a failure that is no outage and no limit"],
  ])("after status %p with %j the wait is %p: %s", (status, rateLimit, retryAfterSeconds) => {
    const { note, check } = createTime();
    note(status, rateLimit);
    expect(check()?.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it("counts down and forgets when the time has come", () => {
    const { note, check, advance } = createTime();
    note(429, wait);
    advance(29.5);
    expect(check()).toEqual({ retryAfterSeconds: 1, reason: "limit" });
    advance(0.5);
    expect([check(), check()]).toEqual([undefined, undefined]);
  });

  it("covers the resource, also below a version, and nothing else", () => {
    const { note, check } = createTime();
    note(503, wait);
    for (const other of [{ source: "gitlab" }, { credential: "f2" }, { path: "/search?q=repos" }])
      expect(check(other)).toBeUndefined();
    expect(check({ path: "/repos?page=2" })).toEqual({
      retryAfterSeconds: 30,
      reason: "unavailable",
    });
    note(429, wait, longMs, "/api/v1/orders/7");
    expect(check({ path: "/api/v1/orders" })).toBeDefined();
    expect(check({ path: "/api/v1/customers/7" })).toBeUndefined();
  });

  it.each<[number, RateLimit | undefined, boolean]>([
    [204, undefined, true],
    [404, left, true],
    [404, undefined, false],
    [429, undefined, false],
  ])("is ended by status %p with %j: %p", (status, rateLimit, isEnded) => {
    const { note, check } = createTime();
    note(429, wait);
    note(status, rateLimit);
    expect(check() === undefined).toBe(isEnded);
  });

  it("lasts ten times maxWaitMs at most; then one call tries, and the others wait for what it brings", () => {
    const { note, check, advance } = createTime();
    const day = { retryAfterSeconds: 86_400 };
    note(429, day, 10_000);
    expect(check()?.retryAfterSeconds).toBe(100);
    advance(100);
    expect(check()).toBeUndefined();
    expect(check()?.retryAfterSeconds).toBe(10);
    note(429, day, 10_000);
    expect(check()?.retryAfterSeconds).toBe(100);
    advance(100);
    expect(check()).toBeUndefined();
    note(200, undefined, 10_000);
    expect([check(), check()]).toEqual([undefined, undefined]);
  });

  it("refuses nothing where a source never waits", () => {
    const { note, check } = createTime();
    note(429, wait, 0);
    expect(check()).toBeUndefined();
  });

  it("forgets the oldest when there are more than a thousand", () => {
    const { note, check } = createTime();
    const paths = Array.from({ length: 1_001 }, (_, index) => `/${index}`);
    for (const path of paths) note(429, wait, longMs, path);
    const [oldest, second] = paths.map((path) => check({ path }) !== undefined);
    expect([oldest, second]).toEqual([false, true]);
  });
});
