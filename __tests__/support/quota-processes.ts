/** Several processes that send requests under one quota, all at the same time. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export interface QuotaAttempt {
  readonly sent: boolean;
  readonly atMs: number;
  readonly category?: string;
}

export interface QuotaReport {
  readonly startedMs: number;
  readonly attempts: readonly QuotaAttempt[];
}

export interface QuotaProcessOptions {
  /** Where the compiled room is. */
  readonly directory: string;
  /** Redis's port. */
  readonly port: number;
  readonly client: "ioredis" | "redis";
  /** How many requests each process sends in a round. */
  readonly calls: number;
  readonly maxWaitMs: number;
  readonly quota: {
    readonly source: string;
    readonly requests: number;
    readonly windowSeconds?: number;
  };
}

export interface QuotaProcesses {
  /** One round: every process sends its requests; a report from each. */
  run(): Promise<QuotaReport[]>;
  end(): Promise<void>;
}

/** Starts one process for each set of options and waits until all are ready. */
export async function startQuotaProcesses(all: readonly QuotaProcessOptions[]): Promise<QuotaProcesses> {
  const processes = all.map((options) =>
    fork("__tests__/support/quota-process.mjs", [JSON.stringify(options)], { execArgv: [] }),
  );
  await Promise.all(processes.map(nextMessage));
  return {
    async run() {
      const reports = processes.map(nextMessage);
      for (const child of processes) child.send("go");
      return (await Promise.all(reports)) as QuotaReport[];
    },
    async end() {
      const exits = processes.map((child) => once(child, "exit"));
      for (const child of processes) child.disconnect();
      await Promise.all(exits);
    },
  };
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`The process ended with code ${code}.`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.removeListener("exit", onExit);
      resolve(message);
    });
  });
}
