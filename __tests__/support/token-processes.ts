/** Several processes that share one token store and need a token at the same instant. */

import { type Child, startChild } from "./child-process.js";

export interface TokenProcessInput {
  /** The compiled package. */
  readonly entry: string;
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

export function startTokenProcess(input: TokenProcessInput): Promise<Child<ProcessAnswer[]>> {
  return startChild("__tests__/support/token-process.mjs", input);
}

/** Each of so many processes makes one call (or `calls`) at the same instant. */
export async function runTokenProcesses(
  count: number,
  input: TokenProcessInput,
): Promise<ProcessAnswer[]> {
  const children = await Promise.all(Array.from({ length: count }, () => startTokenProcess(input)));
  const answers = await Promise.all(children.map((child) => child.ask("go")));
  await Promise.all(children.map((child) => child.end()));
  return answers.flat();
}
