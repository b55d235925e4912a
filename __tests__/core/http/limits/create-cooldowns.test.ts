import { describe, expect, it } from "@jest/globals";
import {
  type CooldownKey,
  type Cooldowns,
  createCooldowns,
} from "../../../../src/core/http/limits/create-cooldowns.js";
import type { ResponseHeaders } from "../../../../src/core/http/limits/rate-limit.js";
import { readRateLimit } from "../../../../src/core/http/limits/rate-limit.js";

const key = { source: "github", credential: "f1", path: "/repos/a/b" };
const longMs = 10_000_000;

interface Time {
  readonly cooldowns: {
    note(
      key: CooldownKey,
      head: { readonly status: number; readonly headers: ResponseHeaders },
      maxWaitMs: number,
    ): void;
    check: Cooldowns["check"];
  };
  advance(seconds: number): void;
}

function createTime(): Time {
  let nowMs = Date.UTC(2026, 2, 1, 12);
  const { check, note } = createCooldowns({ clock: { now: () => nowMs } });
  return {
    cooldowns: {
      check,
      note(key, head, maxWaitMs) {
        const rateLimit = readRateLimit({ ...head, nowMs });
        note(key, { status: head.status, rateLimit }, maxWaitMs);
      },
    },
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
  };
}

const spent = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "40" };
const left = { "x-ratelimit-remaining": "59", "x-ratelimit-reset": "40" };

describe("createCooldowns", () => {
  it.each<[number, ResponseHeaders, number | undefined, string]>([
    [429, { "retry-after": "30" }, 30, "a 429 with a wait"],
    [429, { "retry-after": "30", ...left }, 30, "a 429 with a wait and requests left"],
    [429, spent, 40, "a 429 with a reset"],
    [403, spent, 40, "a 403 with nothing left"],
    [400, { "retry-after": "20" }, 20, "a 400 with a wait (Linear)"],
    [503, { "retry-after": "30" }, 30, "a 503 with a wait"],
    [200, spent, 40, "the success that took the last request"],
    [429, {}, undefined, "a 429 that says nothing"],
    [429, left, undefined, "a 429 with requests left and no wait"],
    [200, { "retry-after": "30" }, undefined, "a success that mentions a wait"],
    [500, { "retry-after": "30" }, undefined, "a failure that is no outage and no limit"],
  ])("after status %p with %j the wait is %p: %s", (status, headers, retryAfterSeconds) => {
    const { cooldowns } = createTime();
    cooldowns.note(key, { status, headers }, longMs);
    expect(cooldowns.check(key)?.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it("counts down and forgets when the time has come", () => {
    const { cooldowns, advance } = createTime();
    cooldowns.note(key, { status: 429, headers: { "retry-after": "30" } }, longMs);
    advance(29.5);
    expect(cooldowns.check(key)).toEqual({ retryAfterSeconds: 1, reason: "limit" });
    advance(0.5);
    expect([cooldowns.check(key), cooldowns.check(key)]).toEqual([undefined, undefined]);
  });

  it("covers the resource, also below a version, and nothing else", () => {
    const { cooldowns } = createTime();
    cooldowns.note(key, { status: 503, headers: { "retry-after": "30" } }, longMs);
    expect(cooldowns.check({ ...key, source: "gitlab" })).toBeUndefined();
    expect(cooldowns.check({ ...key, credential: "f2" })).toBeUndefined();
    expect(cooldowns.check({ ...key, path: "/search?q=repos" })).toBeUndefined();
    expect(cooldowns.check({ ...key, path: "/repos?page=2" })).toEqual({
      retryAfterSeconds: 30,
      reason: "unavailable",
    });
    const versioned = { ...key, path: "/api/v1/orders/7" };
    cooldowns.note(versioned, { status: 429, headers: { "retry-after": "30" } }, longMs);
    expect(cooldowns.check({ ...key, path: "/api/v1/orders" })).toBeDefined();
    expect(cooldowns.check({ ...key, path: "/api/v1/customers/7" })).toBeUndefined();
  });

  it.each<[number, ResponseHeaders, boolean]>([
    [200, left, true],
    [204, {}, true],
    [404, left, true],
    [500, {}, false],
    [404, {}, false],
    [429, {}, false],
  ])("is ended by status %p with %j: %p", (status, headers, isEnded) => {
    const { cooldowns } = createTime();
    cooldowns.note(key, { status: 429, headers: { "retry-after": "30" } }, longMs);
    cooldowns.note(key, { status, headers }, longMs);
    expect(cooldowns.check(key) === undefined).toBe(isEnded);
  });

  it("lasts ten times maxWaitMs at most; then one call tries, and the others wait for what it brings", () => {
    const { cooldowns, advance } = createTime();
    const day = { status: 429, headers: { "retry-after": "86400" } };
    cooldowns.note(key, day, 10_000);
    expect(cooldowns.check(key)?.retryAfterSeconds).toBe(100);
    advance(100);
    expect(cooldowns.check(key)).toBeUndefined();
    expect(cooldowns.check(key)?.retryAfterSeconds).toBe(10);
    cooldowns.note(key, day, 10_000);
    expect(cooldowns.check(key)?.retryAfterSeconds).toBe(100);
    advance(100);
    expect(cooldowns.check(key)).toBeUndefined();
    cooldowns.note(key, { status: 200, headers: {} }, 10_000);
    expect([cooldowns.check(key), cooldowns.check(key)]).toEqual([undefined, undefined]);
  });

  it("refuses nothing where a source never waits", () => {
    const { cooldowns } = createTime();
    cooldowns.note(key, { status: 429, headers: { "retry-after": "30" } }, 0);
    expect(cooldowns.check(key)).toBeUndefined();
  });

  it("forgets the oldest when there are more than a thousand", () => {
    const { cooldowns } = createTime();
    const paths = Array.from({ length: 1_001 }, (_, index) => `/${index}`);
    for (const path of paths)
      cooldowns.note({ ...key, path }, { status: 429, headers: { "retry-after": "30" } }, longMs);
    const [oldest, second] = paths.map((path) => cooldowns.check({ ...key, path }) !== undefined);
    expect([oldest, second]).toEqual([false, true]);
  });
});
