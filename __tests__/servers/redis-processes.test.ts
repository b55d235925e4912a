import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { type Child, startChild } from "../support/child-process.js";
import { compilePrograms } from "../support/compiled-programs.js";
import { startRedisServer } from "./support/redis-server.js";

interface Report {
  readonly attempts: readonly { readonly sent: boolean; readonly category?: string }[];
}

interface ProcessOptions {
  readonly client: "ioredis" | "redis";
  /** How many requests each process sends in a round. */
  readonly calls: number;
}

const server = await startRedisServer();
const directory = join((await compilePrograms({ folder: "quota-processes" })).directory, "src");
afterAll(() => server.stop());

/** Rounds of two processes, each with one of the quotas. */
async function runRounds(
  rounds: number,
  options: ProcessOptions,
  quotas: readonly object[],
): Promise<Report[][]> {
  const given = { directory, port: server.port, ...options };
  const children: Child<Report>[] = await Promise.all(
    quotas.map((quota) =>
      startChild<Report>("__tests__/servers/support/quota-process.mjs", { ...given, quota }),
    ),
  );
  const reports: Report[][] = [];
  for (let round = 0; round < rounds; round += 1)
    reports.push(await Promise.all(children.map((child) => child.ask("go"))));
  await Promise.all(children.map((child) => child.end()));
  return reports;
}

function count(reports: readonly Report[] = []): { sent: number; refused: number } {
  const attempts = reports.flatMap((report) => report.attempts);
  return {
    sent: attempts.filter(({ sent }) => sent).length,
    refused: attempts.filter(({ sent, category }) => !sent && category === "rate_limited").length,
  };
}

describe("createLimiter with Redis, in two processes", () => {
  it.each(["ioredis", "redis"] as const)(
    "sends no more than the quota in each minute, with a client of %s",
    async (client) => {
      const quota = { source: `shared-${client}`, requests: 10 };
      const [first, second] = await runRounds(2, { client, calls: 15 }, [quota, quota]);
      expect(count(first)).toEqual({ sent: 10, refused: 20 });
      expect(count(second)).toEqual({ sent: 0, refused: 30 });
    },
  );
});
