/** What a command does to the record of a source: it is laid over the one that is there, read, compared, shown and asked about. */

import { join } from "node:path";
import { withLock } from "../core/base/disk.js";
import { SourceRecordError } from "../core/base/errors.js";
import { isPlainObject } from "../core/base/input.js";
import { clipText } from "../core/base/text.js";
import type { ApiSource } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import { createToolName } from "../core/record/tool-name.js";
import type { SourceDirectory, SourceEntry } from "../toolkit/directory/source-directory.js";
import type { ImportedRecord } from "./import/imported.js";
import { askYesNo } from "./prompts.js";
import { findFlag, nameFlags } from "./record-flags.js";
import { CommandError, cleanLine, createUsageError, type Terminal, writeProblem } from "./terminal.js";

/**
 * Writes what differs from the record as it was read, before questions were asked: what was changed in its file since then stays. Processes of the
 * command take turns.
 *
 * @throws CommandError 1 for a source that was removed meanwhile.
 */
export async function writeChange(
  directory: SourceDirectory,
  slug: string,
  before: Members,
  after: ImportedRecord,
): Promise<SourceEntry> {
  return withLock(join(directory.path, ".set.lock"), async () => {
    const now = await directory.get(slug);
    if (now === undefined)
      throw new CommandError(1, `The source "${slug}" was removed meanwhile. Nothing was saved.`);
    return directory.put(layChange(now, before, { ...after }) as ImportedRecord, { replace: true });
  });
}

type Members = Readonly<Record<string, unknown>>;

/** What differs between `before` and `after`, laid over the record as it is now, member by member. */
function layChange(now: Members, before: Members, after: Members): Members {
  const merged = new Map(Object.entries(now));
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, own] = [before[name], after[name], now[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    if (is === undefined) merged.delete(name);
    else if (isPlainObject(was) && isPlainObject(is) && isPlainObject(own))
      merged.set(name, layChange(own, was, is));
    else merged.set(name, is);
  }
  return Object.fromEntries(merged);
}

/** Examples of a description that the rules of the record do not allow are left out. */
export function dropRefusedExamples({ api }: ImportedRecord): void {
  const { methods, endpoints = [], paths } = api;
  const allowed = endpoints.filter(({ method }) => methods?.includes(method) !== false);
  if (paths === undefined && allowed.length > 0) api.endpoints = allowed;
  else delete api.endpoints;
}

/** A record without a `slug` is called by its name, so one that is renamed gets the slug that it had. */
export function keepSlug(record: ImportedRecord, slug: string): void {
  if (record.name === undefined ? record.slug === undefined : createToolName(record.name) === slug) return;
  record.slug = slug;
}

/** Reads a record whose problems are for the flags to solve. @throws CommandError 2 that names the flag of each problem. */
export function parseFlagged(record: unknown, file?: string): ApiSource {
  try {
    return parseSource(record, { file });
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const lines = error.problems.map(({ file: _, ...problem }) => {
      const flag = findFlag(problem.path);
      const path = flag === undefined ? problem.path : `${problem.path} (${flag})`;
      return writeProblem({ ...problem, path, fix: nameFlags(problem.fix) });
    });
    throw createUsageError(`The record is wrong, and was not saved:\n${lines.join("\n")}`);
  }
}

/** One member of a record, before and after. */
export interface Change {
  readonly kind: "kept" | "changed" | "new" | "dropped";
  /** Such as `api.methods`. */
  readonly path: string;
  /** The value as it is shown, or both of them; absent where no value is shown. */
  readonly value?: string;
}

/** @param showsOld - Whether the values of the old record may be shown: a broken one may hold a secret. */
export function compareRecords(old: unknown, next: unknown, showsOld: boolean): Change[] {
  const [before, after] = [listMembers(old), listMembers(next)];
  const show = (value: unknown): string => cleanLine(clipText(JSON.stringify(value), 100));
  const showOld = (path: string): string => (showsOld ? show(before.get(path)) : "(not shown)");
  const given = [...after].map(([path, value]): Change => {
    if (!before.has(path)) return { kind: "new", path, value: show(value) };
    if (JSON.stringify(before.get(path)) === JSON.stringify(value)) return { kind: "kept", path };
    return { kind: "changed", path, value: `${showOld(path)} -> ${show(value)}` };
  });
  const dropped = [...before.keys()].filter((path) => !after.has(path));
  return [...given, ...dropped.map((path): Change => ({ kind: "dropped", path, value: showOld(path) }))];
}

/** The values of a record by their paths; a list is one value. */
function listMembers(value: unknown, path: string = ""): Map<string, unknown> {
  if (!isPlainObject(value) || (path !== "" && Object.keys(value).length === 0))
    return new Map([[path, value]]);
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  const found = given.flatMap(([name, member]) => [
    ...listMembers(member, path === "" ? cleanLine(name) : `${path}.${cleanLine(name)}`),
  ]);
  return new Map(found);
}

/** Whether the changes are of these kinds alone. */
export function areAll(changes: readonly Change[], ...kinds: readonly Change["kind"][]): boolean {
  return changes.every(({ kind }) => kinds.includes(kind));
}

/**
 * Shows what would change in a source, and asks.
 *
 * @param right - The line that agrees.
 * @param isAgreed - Whether a flag has answered the question.
 * @throws CommandError 2 where nothing answers, 1 where the person refuses.
 */
export async function confirmChange(
  slug: string,
  changes: readonly Change[],
  right: string,
  isAgreed: boolean,
  terminal: Terminal,
): Promise<void> {
  const kept = changes.filter(({ kind }) => kind === "kept").map(({ path }) => path);
  const lines = ["changed", "new", "dropped"].flatMap((name) =>
    changes
      .filter(({ kind }) => kind === name)
      .map(({ path, value }) => `  ${name.padEnd(9)}${path}${value === undefined ? "" : `: ${value}`}`),
  );
  if (kept.length > 0) lines.unshift(`  kept     ${kept.join(", ")}`);
  terminal.note(`Changes of the source "${slug}":\n${lines.join("\n")}`);
  if (isAgreed) return;
  if (!terminal.canAsk)
    throw createUsageError(`Changing "${slug}" has to be confirmed. Nothing was saved.`, right);
  if (!(await askYesNo(terminal, `Change the source "${slug}"?`)))
    throw new CommandError(1, "Nothing was saved.");
}
