/** Whether a new source may have its name: a source that has it already is replaced only by `--replace`. */

import type { SourceDirectory } from "../registry/source-directory.js";
import type { ApiSource } from "../source/api-source.js";
import { isPlainObject } from "../source/plain-data.js";
import type { Prompts } from "./prompts.js";
import { CommandError, cleanLine, createUsageError, type Terminal } from "./terminal.js";

/**
 * A record that is replaced loses its restrictions: `methods`, `paths`, `limits`. So `add` refuses a name that is taken, and
 * `--replace` lists what is dropped before it asks.
 *
 * @param record - The new record, as it would be saved.
 * @throws CommandError 2 without `--replace`, 1 where the person says no.
 */
export async function checkSlug(
  directory: SourceDirectory,
  source: ApiSource,
  record: unknown,
  { replace = false }: { readonly replace?: boolean },
  { terminal, prompts }: { readonly terminal: Terminal; readonly prompts: Prompts | undefined },
): Promise<void> {
  const { slug } = source;
  const entry = (await directory.list()).find((each) => each.slug === slug);
  if (entry === undefined) return;
  const dropped = listDropped(entry.record ?? {}, record);
  const what = dropped.length === 0 ? "" : ` It would lose or change: ${dropped.join(", ")}.`;
  if (!replace)
    throw createUsageError(
      `There is a source "${slug}" in ${directory.path} already.${what}`,
      `api-sources add ... --slug ${proposeSlug(source)}, or --replace, which drops what the new record does not have`,
    );
  terminal.tell(`Replaces the source "${slug}".${what}`);
  if (prompts !== undefined && !(await prompts.askYesNo(`Replace the source "${slug}"?`)))
    throw new CommandError(1, "Nothing was saved.");
}

/** Each value of the old record that the new one does not have, such as `api.methods (["GET"])`. */
function listDropped(old: unknown, record: unknown, path: string = ""): string[] {
  return Object.entries(Object(old)).flatMap(([name, value]): string[] => {
    const place = path === "" ? name : `${path}.${name}`;
    const next: unknown = Object(record)[name];
    if (isPlainObject(value) && Object.keys(value).length > 0) return listDropped(value, next, place);
    if (JSON.stringify(value) === JSON.stringify(next)) return [];
    return [`${cleanLine(place)} (${cleanLine(JSON.stringify(value).slice(0, 80))})`];
  });
}

/** Two APIs of one host differ by their paths: `acme_billing`, `acme_orders`. */
function proposeSlug({ slug, api }: ApiSource): string {
  const words = api.baseUrl.replace(/^[a-z]+:\/\/[^/]*/i, "").match(/[a-z][a-z0-9]+/gi) ?? [];
  const word = words.find((each) => !/^(?:api|rest|v\d+)$/i.test(each)) ?? "2";
  return `${slug.slice(0, 50)}_${word.toLowerCase().slice(0, 12)}`;
}
