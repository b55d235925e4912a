/** Which source a record is: one that is there already, or a new one under a name of its own. */

import { join } from "node:path";
import { parseSource } from "../core/record/parse-source.js";
import { keyOf } from "../core/record/record-schema.js";
import type { SourceDirectory, SourceEntry } from "../toolkit/directory/source-directory.js";
import { askName, findNameProblem } from "./draft.js";
import { type ImportedRecord, nameUrl } from "./import/imported.js";
import { askText } from "./prompts.js";
import { type AddFlags, parseFlagged } from "./record-flags.js";
import { createUsageError, type Terminal } from "./terminal.js";

/** The place of a source. */
export interface Place {
  readonly slug: string;
  /** Where the record is, or will be. */
  readonly file: string;
  /** The source that is there, and is changed or replaced; absent for a new one. */
  readonly entry?: SourceEntry;
}

/**
 * Finds the place of a new source, or of one that `--replace` writes anew. Asks for its base URL and its name, where neither a flag nor
 * the description has them.
 *
 * @throws CommandError 2 where a question would be needed and can't be asked, and for a source that is there. SourceRecordError for a name that is wrong.
 */
export async function choosePlace(
  directory: SourceDirectory,
  imported: ImportedRecord | undefined,
  flags: AddFlags,
  terminal: Terminal,
): Promise<{ readonly place: Place; readonly name: string; readonly baseUrl: string }> {
  const asks = terminal.asks(flags);
  const baseUrl = flags.baseUrl ?? imported?.api.baseUrl ?? "";
  if (baseUrl === "")
    throw createUsageError(
      "The base URL is missing.",
      "api-sources add https://api.example.com --auth bearer --test-endpoint /me",
    );
  parseFlagged({ api: { baseUrl } });
  const derived = nameUrl(baseUrl);
  const given = flags.name ?? (imported?.name === derived ? undefined : imported?.name);
  const name = given ?? (asks ? await askName(baseUrl, terminal) : derived);
  return { place: await chooseSlug(directory, name, baseUrl, flags, terminal), name, baseUrl };
}

/** A name that is derived and belongs to another API is not taken: two APIs of one host get two names, `acme_billing` and `acme_orders`. */
async function chooseSlug(
  directory: SourceDirectory,
  name: string,
  baseUrl: string,
  flags: AddFlags,
  terminal: Terminal,
): Promise<Place> {
  const { slug } = parseSource({ name, slug: flags.slug, api: { baseUrl } });
  const entries = await directory.list();
  const toPlace = (own: string): Place => findNewPlace(entries, own, directory.path);
  const taken = findTaken(entries, slug);
  if (taken === undefined) return toPlace(slug);
  if (taken.slug === slug && flags.replace === true) return findPlace(entries, taken);
  const message = `The name "${taken.slug}" belongs to ${taken.source?.api.baseUrl ?? "a broken record"} already.`;
  const other = proposeSlug(slug, baseUrl, entries);
  if (flags.slug !== undefined || foldUrl(taken.source?.api.baseUrl) === foldUrl(baseUrl))
    throw createUsageError(
      `${message} Nothing was saved.`,
      `api-sources set ${taken.slug} ..., which changes it; add ... --replace writes it anew, --slug ${other} adds another`,
    );
  if (terminal.asks(flags)) {
    const check = (own: string): string | undefined =>
      findTaken(entries, own) === undefined ? findNameProblem(own) : `There is a source ${own} already.`;
    return toPlace(await askText(terminal, `${message} The name of the new tool`, check, other));
  }
  if (flags.yes !== true)
    throw createUsageError(`${message} Nothing was saved.`, `api-sources add ... --slug ${other}`);
  terminal.note(`${message} The new source is called "${other}".`);
  return toPlace(other);
}

/** The place of a source under a name of its own. @throws CommandError 2 for the name of another. */
export function findNewPlace(entries: readonly SourceEntry[], slug: string, directory: string): Place {
  if (findTaken(entries, slug) !== undefined)
    throw createUsageError(`There is a source "${slug}" already.`, "api-sources list");
  return { slug, file: join(directory, `${slug}.json`) };
}

function findTaken(entries: readonly SourceEntry[], slug: string): SourceEntry | undefined {
  return entries.find((entry) => keyOf(entry.slug) === keyOf(slug));
}

/** @throws CommandError 2 for a record that shares its file with others: a change would have to write them too. */
export function findPlace(entries: readonly SourceEntry[], entry: SourceEntry): Place {
  const { slug, file } = entry;
  if (entries.filter((each) => each.file === file).length > 1)
    throw createUsageError(
      `${file} holds several records, so "${slug}" can't be changed there.`,
      "give each record a file of its own first",
    );
  return { slug, file, entry };
}

function foldUrl(url: string = ""): string {
  return url.replace(/\/+$/, "").toLowerCase();
}

/** `acme_orders` by the path, else `acme_2`. */
function proposeSlug(slug: string, baseUrl: string, entries: readonly SourceEntry[]): string {
  const words = baseUrl.replace(/^[a-z]+:\/\/[^/]*/i, "").match(/[a-z][a-z0-9]+/gi) ?? [];
  const named = words.filter((word) => !/^(?:api|rest|v\d+)$/i.test(word)).reverse();
  const numbers = Array.from({ length: entries.length + 1 }, (_, index) => String(index + 2));
  return (
    [...named, ...numbers]
      .map((word) => `${slug.slice(0, 50)}_${word.toLowerCase().slice(0, 12)}`)
      .find((each) => findTaken(entries, each) === undefined) ?? slug
  );
}
