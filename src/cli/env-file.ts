/** The `.env` file: variables are set and removed, every other line and comment stays byte for byte. */

import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parse } from "dotenv";
import { codeOf, removeAbandonedWrites, withLock, writeFileAtomically } from "../core/base/disk.js";
import { CommandError } from "./terminal.js";

/**
 * Sets or (with undefined) removes variables. The file ends with mode 0600, is written whole or not at all, and two processes
 * at once lose nothing.
 *
 * @returns the names that were set, or were there.
 * @throws CommandError 1 for a value that no line of such a file can hold.
 */
export async function editEnvFile(
  path: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const target = await realpath(path).catch(() => path);
  return withLock(join(dirname(target), `.${basename(target)}.lock`), async () => {
    await removeAbandonedWrites(dirname(target), Date.now());
    const before = await readBytes(target);
    const known = parse(before);
    const changed = Object.keys(values).filter(
      (name) => values[name] !== undefined || Object.hasOwn(known, name),
    );
    if (changed.length === 0) return [];
    const lines = new Map<string, string>();
    for (const [name, value] of Object.entries(values))
      if (value !== undefined)
        lines.set(name, Buffer.from(`${name}=${quoteValue(name, value)}`).toString("latin1"));
    // Latin-1 keeps every byte of lines that are not ours, whatever their encoding.
    let after = before
      .toString("latin1")
      .replace(assignment, (line, prefix, name, _quote, end = "") => {
        if (!Object.hasOwn(values, name)) return line;
        const own = lines.get(name);
        // Its next line goes.
        lines.delete(name);
        return own === undefined ? "" : `${prefix}${own}${end}`;
      });
    for (const own of lines.values())
      after += `${after === "" || after.endsWith("\n") ? "" : "\n"}${own}\n`;
    await writeFileAtomically(target, Buffer.from(after, "latin1"), { mode: 0o600 });
    return changed;
  });
}

async function readBytes(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
}

/** The variables that the file gives a value, as a program reads them. */
export async function readVariables(path: string): Promise<ReadonlyMap<string, string>> {
  const found = Object.entries(parse(await readBytes(path)));
  return new Map(found.filter(([, value]) => value !== ""));
}

/**
 * An assignment as dotenv reads it (`NAME=value` or `NAME: value`, also behind the three bytes of a byte order mark), to the end of its last line: a quoted value may go over several lines, and what looks like one in it
 * is a part of the value.
 */
const assignment =
  /^((?:\xef\xbb\xbf)?[ \t]*(?:export[ \t]+)?)([\w.-]+)(?:[ \t]*=[ \t]*|:[ \t]+)(?:(["'`])(?:\\.|(?!\3)[^\\])*\3)?[^\r\n]*(\r\n?|\n)?/gms;

/**
 * Writes a value so that dotenv reads it back, and a shell that sources the file neither expands nor runs anything of it: plain where nothing
 * is special, in single quotes, or in double quotes without what is special inside them (POSIX XCU 2.2.3, and bash's history).
 */
function quoteValue(name: string, value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  const isLine = !/[\n\r\0]/.test(value);
  // dotenv reads `\'` as a part of the value.
  if (isLine && !value.includes("'") && !value.endsWith("\\")) return `'${value}'`;
  if (isLine && !/["$`\\!]/.test(value)) return `"${value}"`;
  throw new CommandError(
    1,
    `The value of ${name} can't be written to an environment file, which a shell may read, too.`,
    "--store keyring, or set it in the environment",
  );
}
