import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { compilePrograms } from "../support/compiled-programs.js";
import {
  type QuotaProcesses,
  type QuotaProcessOptions,
  type QuotaReport,
  startQuotaProcesses,
} from "../support/quota-processes.js";
import { type RedisServer, startRedisServer } from "../support/redis-server.js";

let server: RedisServer;
let directory = "";
let processes: QuotaProcesses | undefined;

beforeAll(async () => {
  server = await startRedisServer();
  ({ directory } = await compilePrograms({ folder: "quota-processes" }));
});

afterEach(async () => {
  await processes?.end();
  processes = undefined;
});

afterAll(async () => {
  await server.stop();
});

function count(reports: readonly QuotaReport[]): { sent: number; refused: number } {
  const attempts = reports.flatMap((report) => report.attempts);
  return {
    sent: attempts.filter(({ sent }) => sent).length,
    refused: attempts.filter(({ sent, category }) => !sent && category === "rate_limited").length,
  };
}

function processOptions(options: Omit<QuotaProcessOptions, "directory" | "port">): QuotaProcessOptions {
  return { directory: join(directory, "src"), port: server.port, ...options };
}

describe("createLimiter with Redis, in two processes", () => {
  it.each(["ioredis", "redis"] as const)(
    "sends no more than the quota in each window, with a client of %s",
    async (client) => {
      const options = processOptions({
        client,
        calls: 15,
        maxWaitMs: 0,
        quota: { source: `shared-${client}`, requests: 10 },
      });
      processes = await startQuotaProcesses([options, options]);
      expect(count(await processes.run())).toEqual({ sent: 10, refused: 20 });
      expect(count(await processes.run())).toEqual({ sent: 0, refused: 30 });
    },
  );

  it("keeps sources apart", async () => {
    const quotas = ["one", "two"].map((source) => ({ source, requests: 10 }));
    processes = await startQuotaProcesses(
      quotas.map((quota) => processOptions({ client: "ioredis", calls: 10, maxWaitMs: 0, quota })),
    );
    expect(count(await processes.run())).toEqual({ sent: 20, refused: 0 });
  });

  it("sends what may wait in the windows that follow", async () => {
    const options = processOptions({
      client: "ioredis",
      calls: 6,
      maxWaitMs: 15_000,
      quota: { source: "patient", requests: 4, windowSeconds: 1 },
    });
    processes = await startQuotaProcesses([options, options]);
    const reports = await processes.run();
    expect(count(reports)).toEqual({ sent: 12, refused: 0 });
    // 12 requests at 4 in a second need three windows, so two whole ones have passed before the last.
    const started = Math.min(...reports.map(({ startedMs }) => startedMs));
    const last = Math.max(...reports.flatMap(({ attempts }) => attempts.map(({ atMs }) => atMs)));
    expect(last - started).toBeGreaterThanOrEqual(2_000);
  });
});
