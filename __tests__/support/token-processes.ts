/** Several processes that share one token store and need a token at the same instant. */

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export interface TokenProcessInput {
  readonly record: unknown;
  readonly secrets: Readonly<Record<string, string>>;
  /** The directory of a file store. */
  readonly directory?: string;
  /** The connection string of a PostgreSQL store. */
  readonly postgres?: string;
  readonly calls?: number;
}

export interface ProcessAnswer {
  readonly status?: number;
  readonly data?: { readonly user?: string };
  readonly error?: { readonly code?: string; readonly message: string };
}

/** Runs so many processes of the compiled program that is given, each with one call (or `calls`) at the same instant. */
export async function runTokenProcesses(
  entry: string,
  count: number,
  input: TokenProcessInput,
): Promise<ProcessAnswer[]> {
  const atMs = Date.now() + 3_000;
  const answers = await Promise.all(
    Array.from({ length: count }, () => runTokenProcess(entry, { ...input, atMs }).ended),
  );
  return answers.flatMap((text) => JSON.parse(text));
}

/** One process; `kill` ends it at once, as `kill -9` does. */
export function runTokenProcess(
  entry: string,
  input: TokenProcessInput & { readonly atMs: number },
): { readonly ended: Promise<string>; kill(): void } {
  const child = spawn(process.execPath, [resolve("__tests__/support/token-process.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ ...input, entry: pathToFileURL(entry).href }));
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  return {
    ended: new Promise((done) => child.on("close", () => done(text))),
    kill: () => child.kill("SIGKILL"),
  };
}
