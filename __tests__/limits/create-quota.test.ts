import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { ApiSourceError } from "../../src/errors.js";
import { createQuota } from "../../src/limits/create-quota.js";
import { type Sleep, silentLogger, systemSleep } from "../../src/runtime.js";

const source = "github";

async function refusal(attempt: Promise<unknown>): Promise<ApiSourceError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiSourceError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

describe("createQuota", () => {
  it("lets everything through when no quota is set", async () => {
    const quota = createQuota({ source });
    const slots = await Promise.all(Array.from({ length: 50 }, () => quota.acquire({ maxWaitMs: 0 })));
    expect(slots).toHaveLength(50);
  });

  it("refuses what is above the quota, and says whose quota it is and when to come back", async () => {
    const quota = createQuota({ source, requestsPerMinute: 2 });
    await quota.acquire({ maxWaitMs: 0 });
    await quota.acquire({ maxWaitMs: 0 });
    const error = await refusal(quota.acquire({ maxWaitMs: 10_000 }));
    expect(error).toMatchObject({ category: "rate_limited", retryable: true });
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(error.message).toBe("github: the quota of 2 requests in 60 s is used up. No request was sent.");
    expect(error.hint).toContain("limits.requestsPerMinute");
  });

  it("lets waiting calls through in order, a window's worth at a time", async () => {
    const waits: number[] = [];
    const sleep: Sleep = (delayMs, signal) => {
      waits.push(delayMs);
      return systemSleep(delayMs, signal);
    };
    const quota = createQuota({ source, requestsPerMinute: 2, windowSeconds: 1, sleep });
    const order: number[] = [];
    await Promise.all(
      [0, 1, 2, 3, 4].map(async (index) => {
        await quota.acquire({ maxWaitMs: 15_000 });
        order.push(index);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3, 4]);
    // The two windows that the third and the fifth call had to wait for; the other sleeps only bound the line.
    expect(waits.filter((delayMs) => delayMs <= 1_000).length).toBeGreaterThanOrEqual(2);
  });

  it("does not wait past the deadline", async () => {
    const quota = createQuota({ source, requestsPerMinute: 1, clock: { now: () => 1_000_000 } });
    await quota.acquire({ maxWaitMs: 0 });
    const error = await refusal(quota.acquire({ maxWaitMs: 3_600_000, deadlineMs: 1_000_500 }));
    expect(error.category).toBe("rate_limited");
  });

  it("refuses at once who would wait in vain, already in line or not", async () => {
    const quota = createQuota({ source, requestsPerMinute: 1, sleep: (_, signal) => untilAborted(signal) });
    const { signal, abort, reason } = createAbortion();
    await quota.acquire({ maxWaitMs: 0 });
    const [first, second] = [
      quota.acquire({ maxWaitMs: 90_000, signal }),
      quota.acquire({ maxWaitMs: 90_000 }),
    ];
    // The second would have to wait for the window after the one that the first waits for.
    expect((await refusal(second)).retryAfterSeconds).toBeGreaterThan(60);
    expect((await refusal(quota.acquire({ maxWaitMs: 90_000 }))).retryAfterSeconds).toBeGreaterThan(60);
    abort();
    await expect(first).rejects.toBe(reason);
  });

  it("asks for everyone who came at once before it refuses anyone, even when nobody may wait", async () => {
    const quota = createQuota({ source, requestsPerMinute: 5 });
    const attempts = Array.from({ length: 8 }, () => quota.acquire({ maxWaitMs: 0 }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("gives up when its sleeps end but its clock stands still", async () => {
    const quota = createQuota({
      source,
      requestsPerMinute: 1,
      clock: { now: () => 0 },
      sleep: () => Promise.resolve(),
    });
    await quota.acquire({ maxWaitMs: 0 });
    const error = await refusal(quota.acquire({ maxWaitMs: 200_000 }));
    expect(error.category).toBe("rate_limited");
  });

  it("rejects a wait that is aborted with the reason, and lets the next in line go on", async () => {
    const quota = createQuota({ source, concurrency: 1 });
    const slot = await quota.acquire({ maxWaitMs: 60_000 });
    const { signal, abort, reason } = createAbortion();
    const aborted = quota.acquire({ maxWaitMs: 60_000, signal });
    const next = quota.acquire({ maxWaitMs: 60_000 });
    abort();
    await expect(aborted).rejects.toBe(reason);
    slot.release();
    (await next).release();
    await expect(quota.acquire({ maxWaitMs: 0, signal })).rejects.toBe(reason);
  });

  it("aborts a wait for the next window", async () => {
    const quota = createQuota({ source, requestsPerMinute: 1 });
    await quota.acquire({ maxWaitMs: 0 });
    const { signal, abort, reason } = createAbortion();
    const waiting = quota.acquire({ maxWaitMs: 120_000, signal });
    setTimeout(abort, 20);
    await expect(waiting).rejects.toBe(reason);
  });

  it("runs no more calls at the same time than `concurrency`, and refuses who cannot wait", async () => {
    const quota = createQuota({ source, concurrency: 2 });
    const first = await quota.acquire({ maxWaitMs: 0 });
    await quota.acquire({ maxWaitMs: 0 });
    const error = await refusal(quota.acquire({ maxWaitMs: 0 }));
    expect(error).toMatchObject({ category: "rate_limited", retryable: true });
    expect(error.hint).toContain("limits.concurrency");
    first.release();
    first.release();
    await quota.acquire({ maxWaitMs: 0 });
    await refusal(quota.acquire({ maxWaitMs: 0 }));
  });

  it("gives the place back when the rate refuses the call", async () => {
    const quota = createQuota({ source, concurrency: 1, requestsPerMinute: 1 });
    (await quota.acquire({ maxWaitMs: 0 })).release();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await refusal(quota.acquire({ maxWaitMs: 0 }))).hint).toContain("limits.requestsPerMinute");
    }
  });

  it.each([
    ["a string", "redis://127.0.0.1"],
    ["an empty object", {}],
    ["null", null],
  ])("refuses %s for a Redis client", (_, redis) => {
    expect(() => createQuota({ source, requestsPerMinute: 1, redis })).toThrow(
      expect.objectContaining({
        category: "not_configured",
        message: "The option `redis` is not a Redis client.",
      }),
    );
  });

  it("does not wait for a Redis that is silent: neither who cancels, nor for long who does not", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", () => resolve()));
    const { port } = silent.address() as AddressInfo;
    const redis = new Redis({ host: "127.0.0.1", port, disconnectTimeout: 10 });
    redis.on("error", () => {});
    const quota = createQuota({ source, requestsPerMinute: 2, redis });
    const { signal, abort, reason } = createAbortion();
    const cancelled = quota.acquire({ maxWaitMs: 0, signal });
    setTimeout(abort, 20);
    await expect(cancelled).rejects.toBe(reason);
    await quota.acquire({ maxWaitMs: 0 });
    redis.disconnect();
    silent.close();
  });

  it("leaves a Redis that failed alone for a while", async () => {
    let asked = 0;
    const failing = {
      isReady: true,
      eval: () => {
        asked += 1;
        return Promise.reject(new Error("LOADING Redis is loading the dataset in memory"));
      },
    };
    const quota = createQuota({ source, requestsPerMinute: 3, redis: failing });
    for (let call = 0; call < 3; call += 1) await quota.acquire({ maxWaitMs: 0 });
    await refusal(quota.acquire({ maxWaitMs: 0 }));
    expect(asked).toBe(1);
  });

  it("keeps to the quota on its own when Redis is down, and warns once", async () => {
    const redis = new Redis({
      host: "127.0.0.1",
      port: 1,
      maxRetriesPerRequest: 0,
      disconnectTimeout: 10,
      retryStrategy: () => null,
    });
    redis.on("error", () => {});
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) };
    const quota = createQuota({ source, requestsPerMinute: 2, redis, logger });
    await quota.acquire({ maxWaitMs: 0 });
    await quota.acquire({ maxWaitMs: 0 });
    await refusal(quota.acquire({ maxWaitMs: 0 }));
    expect(warnings).toEqual(["Redis does not answer; each process keeps to the whole quota on its own."]);
    redis.disconnect();
  });
});

function createAbortion(): { signal: AbortSignal; abort: () => void; reason: Error } {
  const controller = new AbortController();
  const reason = new Error("cancelled by the caller");
  return { signal: controller.signal, abort: () => controller.abort(reason), reason };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}
