/** The `.env` file: variables are set and removed, every other line and comment stays byte for byte. */

import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withLock } from "../core/base/take-lock.js";
import { codeOf, removeAbandonedWrites, writeFileAtomically } from "../core/base/write-file-atomically.js";
import { CommandError } from "./terminal.js";

/**
 * Sets or (with undefined) removes variables. The file ends with mode 0600, is written whole or not at all, and two processes
 * at once lose nothing.
 *
 * @returns the names that were changed.
 * @throws CommandError 1 for a value that no line of such a file can hold.
 */
export async function editEnvFile(
  path: string,
  values: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const target = await realpath(path).catch(() => path);
  return withLock(join(dirname(target), `.${basename(target)}.lock`), async () => {
    await removeAbandonedWrites(dirname(target), Date.now());
    const before = await readLines(target);
    let after = before;
    for (const [name, value] of Object.entries(values)) after = setVariable(after, name, value);
    if (after === before) return [];
    await writeFileAtomically(target, Buffer.from(after, "latin1"), { mode: 0o600 });
    return Object.keys(values);
  });
}

/** Latin-1 keeps every byte of lines that are not ours, whatever their encoding. */
async function readLines(path: string): Promise<string> {
  return readFile(path, "latin1").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  });
}

/** The names that the file gives a value. */
export async function readVariableNames(path: string): Promise<string[]> {
  const found = [...(await readLines(path)).matchAll(assignment)];
  return found.filter(([line]) => !/=[ \t]*$/.test(line.trimEnd())).map(([, , name = ""]) => name);
}

/** The names that have another value in the file than these: not those that are missing, or empty. */
export async function listOtherValues(
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<string[]> {
  const text = await readLines(path);
  return Object.entries(values)
    .filter(([name, value]) => {
      const last = [...text.matchAll(assignment)].filter((match) => match[2] === name).at(-1)?.[0] ?? "";
      const isEmpty = /^[^=]*(?:=[ \t]*(?:""|''|``)?[ \t]*(?:#.*)?)?$/s.test(last.trimEnd());
      return !isEmpty && setVariable(last, name, value).trim() !== last.trim();
    })
    .map(([name]) => name);
}

/**
 * An assignment as dotenv reads it, to the end of its last line: a quoted value may go over several lines, and what looks like one in it
 * is a part of the value.
 */
const assignment =
  /^([ \t]*(?:export[ \t]+)?)([\w.-]+)[ \t]*=[ \t]*(?:(["'`])(?:\\.|(?!\3)[^\\])*\3)?[^\r\n]*(\r\n?|\n)?/gms;

/** The text with one variable set or removed. */
function setVariable(text: string, name: string, value: string | undefined): string {
  const found = [...text.matchAll(assignment)].filter((match) => match[2] === name);
  const replace = (whole: string, { 0: old, index }: RegExpExecArray, by: string): string =>
    whole.slice(0, index) + by + whole.slice(index + old.length);
  if (value === undefined) return found.reduceRight((rest, match) => replace(rest, match, ""), text);
  const line = `${name}=${Buffer.from(quoteValue(name, value)).toString("latin1")}`;
  // dotenv takes the last assignment, a shell too: that one is replaced, earlier ones stay as they are.
  const last = found.at(-1);
  if (last === undefined) return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
  const [, prefix = "", , , lineBreak = ""] = last;
  return replace(text, last, prefix + line + lineBreak);
}

/** As dotenv reads it back: plain where nothing is special, else in quotes inside which nothing is. */
function quoteValue(name: string, value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  // dotenv reads \n in double quotes as a line break. Written as one, it would make a line that may look like another variable.
  if (value.includes("\n") && !/["\\\r\0]/.test(value)) return `"${value.replaceAll("\n", "\\n")}"`;
  const quote = ["'", '"', "`"].find(
    (each) => !value.includes(each) && !(each === '"' && value.includes("\\")) && !value.endsWith("\\"),
  );
  if (quote !== undefined && !/[\n\r\0]/.test(value)) return `${quote}${value}${quote}`;
  throw new CommandError(
    1,
    `The value of ${name} can't be written to an environment file: set it in the environment.`,
  );
}
