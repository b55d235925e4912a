/** What a command changes in the record of a source: it is compared, shown, asked about and written. */

import { join } from "node:path";
import { withLock } from "../core/base/disk.js";
import { isPlainObject } from "../core/base/input.js";
import { clipText } from "../core/base/text.js";
import { createToolName } from "../core/record/record-schema.js";
import type { SourceDirectory, SourceEntry } from "../toolkit/directory/source-directory.js";
import type { ImportedRecord } from "./import/imported.js";
import { askYesNo } from "./prompts.js";
import { CommandError, cleanLine, createUsageError, type Terminal } from "./terminal.js";

/** Writes a record in the place of the one that was read. @throws CommandError 1 where that was changed since then, such as while a question was open. */
export async function replaceRecord(
  directory: SourceDirectory,
  slug: string,
  before: unknown,
  after: ImportedRecord,
): Promise<SourceEntry> {
  return withLock(join(directory.path, ".set.lock"), async () => {
    if (JSON.stringify(await directory.get(slug)) !== JSON.stringify(before))
      throw new CommandError(1, `The record of "${slug}" was changed meanwhile, and not saved: try again.`);
    return directory.put(after, { replace: true });
  });
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
