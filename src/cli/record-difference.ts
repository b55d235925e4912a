/** What a change does to the record of a source: kept, changed, new, dropped; and the question whether it may. */

import { isPlainObject } from "../input.js";
import { clipText } from "../text.js";
import type { Prompts } from "./prompts.js";
import { CommandError, cleanLine, createUsageError, type Terminal } from "./terminal.js";

/** Each list has lines such as `api.methods: ["GET"]`. */
export interface Difference {
  readonly kept: readonly string[];
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly dropped: readonly string[];
}

/** @param showsOld - Whether the values of the old record may be shown: a broken one may hold a secret. */
export function compareRecords(old: unknown, next: unknown, showsOld: boolean): Difference {
  const [before, after] = [listMembers(old), listMembers(next)];
  const show = (value: unknown): string => cleanLine(clipText(JSON.stringify(value), 100));
  const showOld = (value: unknown): string => (showsOld ? show(value) : "(not shown)");
  const isSame = ([path, value]: [string, unknown]): boolean =>
    JSON.stringify(before.get(path)) === JSON.stringify(value);
  const given = [...after];
  return {
    kept: given.filter(isSame).map(([path]) => path),
    changed: given
      .filter((each) => before.has(each[0]) && !isSame(each))
      .map(([path, value]) => `${path}: ${showOld(before.get(path))} -> ${show(value)}`),
    added: given.filter(([path]) => !before.has(path)).map(([path, value]) => `${path}: ${show(value)}`),
    dropped: [...before]
      .filter(([path]) => !after.has(path))
      .map(([path, value]) => `${path}: ${showOld(value)}`),
  };
}

/** The values of a record by their paths; a list is one value. */
function listMembers(value: unknown, path: string = ""): Map<string, unknown> {
  if (!isPlainObject(value) || (path !== "" && Object.keys(value).length === 0))
    return new Map([[path, value]]);
  const found = Object.entries(value).flatMap(([name, member]) => [
    ...listMembers(member, path === "" ? cleanLine(name) : `${path}.${cleanLine(name)}`),
  ]);
  return new Map(found);
}

export function losesNothing({ changed, dropped }: Difference): boolean {
  return changed.length + dropped.length === 0;
}

export function isEmpty(difference: Difference): boolean {
  return losesNothing(difference) && difference.added.length === 0;
}

function writeDifference({ kept, changed, added, dropped }: Difference): string {
  const lines = [
    ...(kept.length === 0 ? [] : [`kept     ${kept.join(", ")}`]),
    ...changed.map((line) => `changed  ${line}`),
    ...added.map((line) => `new      ${line}`),
    ...dropped.map((line) => `dropped  ${line}`),
  ];
  return lines.map((line) => `  ${line}`).join("\n");
}

export interface Asking {
  readonly terminal: Terminal;
  /** Undefined where no question may be asked. */
  readonly prompts?: Prompts | undefined;
}

/**
 * Shows what would change in a source, and asks.
 *
 * @param isAgreed - Whether a flag has answered the question.
 * @throws CommandError 2 where nothing answers, 1 where the person refuses.
 */
export async function confirmChange(
  difference: Difference,
  {
    slug,
    command,
    isAgreed,
  }: { readonly slug: string; readonly command: string; readonly isAgreed: boolean },
  { terminal, prompts }: Asking,
): Promise<void> {
  terminal.note(`Changes of the source "${slug}":\n${writeDifference(difference)}`);
  if (prompts !== undefined) {
    if (!(await prompts.askYesNo(`Change the source "${slug}"?`)))
      throw new CommandError(1, "Nothing was saved.");
  } else if (!isAgreed)
    throw createUsageError(`Changing "${slug}" has to be confirmed. Nothing was saved.`, `${command} --yes`);
}
