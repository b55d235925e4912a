/** Everything that printing a value in any usual way would show. */

import { format, inspect } from "node:util";

/** One text with all renderings; bytes are read as Latin-1 too. */
export function renderExit(value: unknown): string {
  const texts = [inspect(value, { depth: 20, showHidden: true, maxStringLength: null }), format("%s", value)];
  if (typeof value === "string") texts.push(value);
  if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString("latin1"));
  if (value instanceof Error) texts.push(String(value), value.stack ?? "", inspect(value.cause));
  try {
    texts.push(JSON.stringify(value, null, 1) ?? "");
  } catch {
    // What refers to itself has no JSON.
  }
  return texts.join("\n");
}
