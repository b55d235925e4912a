/** Processes of Node.js that a test starts, asks by messages, and ends, wanted or not. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

export interface Child<Reply> {
  readonly process: ChildProcess;
  /** Rejects when the process ends before it replies. */
  ask(message: unknown): Promise<Reply>;
  end(): Promise<void>;
}

/**
 * Starts a program with one argument, the JSON of `given`, and waits until it says that it is ready. It replies to each message with one, and
 * ends when it is disconnected.
 */
export async function startChild<Reply>(program: string, given: unknown): Promise<Child<Reply>> {
  const child = fork(program, [JSON.stringify(given)], {
    execArgv: [],
    env: { PATH: process.env["PATH"], LANGSMITH_TRACING: "false" },
  });
  const next = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const fail = (code: number | null): void =>
        reject(new Error(`The process ended with code ${code}.`));
      child.once("exit", fail);
      child.once("message", (message) => {
        child.removeListener("exit", fail);
        resolve(message as Reply);
      });
    });
  await next();
  return {
    process: child,
    ask(message) {
      const reply = next();
      child.send(message as object);
      return reply;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
