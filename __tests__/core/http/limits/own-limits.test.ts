import { describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { Redis } from "ioredis";
import { systemSleep, systemStopwatch } from "../../../../src/core/base/runtime.js";
import * as limits from "../../../../src/core/http/limits/own-limits.js";
import { makeApplication } from "../../../support/application.js";
import { startRawServer } from "../../../support/raw-server.js";
import { awaitRefusal } from "../../../support/refusals.js";

const source = "github";
const now = { maxWaitMs: 0 };
const system = { stopwatch: systemStopwatch, sleep: systemSleep, application: makeApplication() };
const createLimiter = (
  options: Pick<limits.LimiterOptions, "source" | "requests"> & Partial<limits.LimiterOptions>,
) => limits.createLimiter({ ...system, ...options });
const createSemaphore = ({
  places,
  ...options
}: {
  readonly source: string;
  readonly places: number;
}) => limits.createSemaphore({ ...system, ...options }, places);

describe("createLimiter", () => {
  it("refuses requests above the quota, and names the quota's owner and the time of the next attempt", async () => {
    const limiter = createLimiter({ source, requests: 2 });
    await limiter.take("a", now);
    await limiter.take("a", now);
    const error = await awaitRefusal(limiter.take("a", { maxWaitMs: 10_000 }));
    expect(error).toMatchObject({ category: "rate_limited", retryable: true });
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(error.message).toBe(
      "github: the quota of 2 requests in 60 s is used up. No request was sent.",
    );
    expect(error.hint).toMatch(
      /^Wait \d+ seconds before you try again\. .*limits\.requestsPerMinute/,
    );
  });

  it("lets who may wait through in the minute that follows", async () => {
    const waits: number[] = [];
    const began = Date.now();
    const now = jest
      .spyOn(Date, "now")
      .mockImplementation(() => began + waits.reduce((sum, ms) => sum + ms, 0));
    const sleep = async (ms: number) => void waits.push(ms);
    const limiter = createLimiter({ source, requests: 2, sleep });
    for (let request = 0; request < 3; request += 1) await limiter.take("a", { maxWaitMs: 60_000 });
    now.mockRestore();
    expect(waits).toEqual([60_000]);
  });

  it("checks all simultaneous requests before it refuses one, even when none of them waits", async () => {
    const limiter = createLimiter({ source, requests: 5 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => limiter.take("a", now)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });

  it("begins a new minute where the system's clock was set back by more than one", async () => {
    const limiter = createLimiter({ source, requests: 1 });
    await limiter.take("a", now);
    const [todayMs, twoHoursMs] = [Date.now(), 7_200_000];
    const clock = jest.spyOn(Date, "now").mockImplementation(() => todayMs - twoHoursMs);
    const taken = limiter.take("a", now);
    await expect(taken.finally(() => clock.mockRestore())).resolves.toBeUndefined();
  });

  it("does not wait past the deadline", async () => {
    const limiter = createLimiter({ source, requests: 1, stopwatch: { now: () => 1_000_000 } });
    await limiter.take("a", now);
    const error = await awaitRefusal(
      limiter.take("a", { maxWaitMs: 3_600_000, deadlineMs: 1_000_500 }),
    );
    expect(error.category).toBe("rate_limited");
  });

  it("gives up when its sleeps end but its clock does not move", async () => {
    const limiter = createLimiter({
      source,
      requests: 1,
      stopwatch: { now: () => 0 },
      sleep: () => Promise.resolve(),
    });
    await limiter.take("a", now);
    expect((await awaitRefusal(limiter.take("a", { maxWaitMs: 200_000 }))).category).toBe(
      "rate_limited",
    );
  });

  it("ends a wait that is aborted with the reason", async () => {
    const limiter = createLimiter({ source, requests: 1 });
    await limiter.take("a", now);
    const abortion = new AbortController();
    const waiting = limiter.take("a", { maxWaitMs: 120_000, signal: abortion.signal });
    const reason = new Error("cancelled by the caller");
    setTimeout(() => abortion.abort(reason), 20);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe("createLimiter with Redis", () => {
  it.each([
    ["a string", "redis://127.0.0.1"],
    ["an empty object", {}],
    ["null", null],
  ])("refuses %s for a client", (_, redis) => {
    expect(() => createLimiter({ source, requests: 1, redis })).toThrow(
      expect.objectContaining({
        category: "not_configured",
        message: "The option `redis` is not a Redis client.",
      }),
    );
  });

  it("does not wait long for a Redis that is silent", async () => {
    // It answers what HTTP ends with an empty line, and no command of Redis.
    const { port } = await startRawServer();
    const redis = new Redis({ host: "127.0.0.1", port, disconnectTimeout: 10 });
    redis.on("error", () => {});
    const limiter = createLimiter({ source, requests: 2, redis });
    await limiter.take("a", now);
    redis.disconnect();
  });

  it("keeps to the quota on its own while Redis is down, and asks it again after a rest", async () => {
    let isDown = true;
    let asked = 0;
    const redis = {
      isReady: true,
      eval: () => {
        asked += 1;
        return isDown ? Promise.reject(new Error("READONLY")) : Promise.resolve([3, 1_500]);
      },
    };
    const reports: [string, unknown][] = [];
    const application = makeApplication(reports);
    const limiter = createLimiter({ source, requests: 2, redis, application });
    await limiter.take("a", now);
    await limiter.take("a", now);
    await awaitRefusal(limiter.take("a", now));
    const warning = [expect.stringMatching(/^Redis does not answer/), "READONLY"];
    expect([asked, reports]).toEqual([1, [warning]]);
    isDown = false;
    const later = jest.spyOn(performance, "now").mockReturnValue(performance.now() + 5_000);
    expect((await awaitRefusal(limiter.take("a", now))).retryAfterSeconds).toBe(2);
    later.mockRestore();
  });
});

const patient = { maxWaitMs: 60_000 };
const refused = {
  category: "rate_limited",
  retryable: true,
  hint: expect.stringContaining("limits.concurrency"),
};

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("createSemaphore", () => {
  it("gives a place back, and refuses who cannot wait", async () => {
    const enter = createSemaphore({ source: "a", places: 1 });
    const leave = await enter(now);
    await expect(enter(now)).rejects.toMatchObject(refused);
    leave();
    await enter(now);
    await expect(enter(now)).rejects.toMatchObject(refused);
  });

  it("lets the aborted leave the line and passes them over", async () => {
    const enter = createSemaphore({ source: "a", places: 1 });
    const leave = await enter(patient);
    const abortion = new AbortController();
    const aborted = enter({ ...patient, signal: abortion.signal });
    const next = enter(patient);
    const reason = new Error("cancelled by the caller");
    abortion.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    leave();
    (await next)();
    await expect(enter({ ...now, signal: abortion.signal })).rejects.toBe(reason);
    await enter(now);
  });

  it("hands on the place of who is admitted and aborted in the same moment", async () => {
    const enter = createSemaphore({ source: "a", places: 1 });
    const leave = await enter(patient);
    const abortion = new AbortController();
    const both = enter({ ...patient, signal: abortion.signal });
    const next = enter(patient);
    abortion.abort(new Error("cancelled"));
    leave();
    await both.then(
      (release) => release(),
      () => {},
    );
    (await next)();
    await enter(now);
  });

  it("never holds more than its places, and admits everyone in order", async () => {
    const scenario = fc.tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ([places, turns]) => {
        const enter = createSemaphore({ source: "a", places });
        let inside = 0;
        let most = 0;
        const order: number[] = [];
        const visits = turns.map(async (turnsInside, index) => {
          const leave = await enter(patient);
          order.push(index);
          inside += 1;
          most = Math.max(most, inside);
          for (let turn = 0; turn < turnsInside; turn += 1) await settle();
          inside -= 1;
          leave();
        });
        await Promise.all(visits);
        expect(most).toBeLessThanOrEqual(places);
        expect(order).toEqual(turns.map((_, index) => index));
      }),
    );
  });
});
