import { describe, expect, it } from "@jest/globals";
import { createRequestMeter } from "../../src/limits/create-request-meter.js";
import { silentLogger } from "../../src/runtime.js";

describe("createRequestMeter", () => {
  const settings = { key: "github", requests: 2, windowSeconds: 60, logger: silentLogger };

  it("takes as many as the quota has, then tells the time to the next window", async () => {
    const meter = createRequestMeter(settings);
    expect([await meter.take(), await meter.take()]).toEqual([0, 0]);
    const waitMs = await meter.take();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  });

  it("warns once for each outage of Redis, and counts there again when it is back", async () => {
    let isDown = true;
    const redis = {
      isReady: true,
      eval: () => (isDown ? Promise.reject(new Error("READONLY")) : Promise.resolve([3, 1_500])),
    };
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (_: string, data?: unknown) => warnings.push(data) };
    const meter = createRequestMeter({ ...settings, redis, logger, redisRestMs: 0 });
    expect([await meter.take(), await meter.take()]).toEqual([0, 0]);
    expect(warnings).toEqual([{ reason: "READONLY" }]);
    isDown = false;
    expect(await meter.take()).toBe(1_500);
    isDown = true;
    await meter.take();
    expect(warnings).toHaveLength(2);
  });
});
