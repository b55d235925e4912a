/** Which source a record is: one that is there already, or a new one under a name of its own. */

import { join } from "node:path";
import type { SourceDirectory, SourceEntry } from "../registry/source-directory.js";
import { parseSource } from "../source/parse-source.js";
import type { Asking } from "./record-difference.js";
import { createUsageError } from "./terminal.js";

/** What is known of a source before its record is made. */
export interface Identity {
  readonly name: string;
  readonly baseUrl: string;
  readonly slug?: string | undefined;
}

/** The place of a source. */
export interface Place {
  readonly slug: string;
  /** Where the record is, or will be. */
  readonly file: string;
  /** The source that is there; absent for a new one. */
  readonly entry?: SourceEntry;
}

/**
 * A name that is derived and belongs to another API is not taken: two APIs of one host get two names, `acme_billing` and `acme_orders`.
 *
 * @throws CommandError 2 where a question would be needed and can't be asked. SourceRecordError for a name or URL that is wrong.
 */
export async function chooseSlug(
  directory: SourceDirectory,
  { name, baseUrl, slug: given }: Identity,
  { replace = false, yes = false }: { readonly replace?: boolean; readonly yes?: boolean },
  { terminal, prompts }: Asking,
): Promise<Place> {
  const { slug } = parseSource({ name, ...(given === undefined ? {} : { slug: given }), api: { baseUrl } });
  const entries = await directory.list();
  const near = entries.find((entry) => fold(entry.slug) === fold(slug));
  const free = { slug, file: join(directory.path, `${slug}.json`) };
  if (near === undefined) return free;
  const isSame = given !== undefined || replace || isSameUrl(near.source?.api.baseUrl, baseUrl);
  if (near.slug === slug && isSame) return findPlace(entries, near);
  const other = proposeSlug(slug, baseUrl, entries);
  const taken = `The name "${near.slug}" belongs to ${near.source?.api.baseUrl ?? "a broken record"} already.`;
  const place = { slug: other, file: join(directory.path, `${other}.json`) };
  if (prompts !== undefined) {
    const choice = await prompts.askChoice(`${taken} What is this?`, [
      { value: "new", label: `A new source: ${other}` },
      { value: "same", label: `A change of ${near.slug}` },
    ]);
    return choice === "new" ? place : findPlace(entries, near);
  }
  if (!yes || given !== undefined)
    throw createUsageError(
      `${taken} Nothing was saved.`,
      `api-sources add ... --slug ${other}, or --slug ${near.slug} to change that source`,
    );
  terminal.note(`${taken} The new source is called "${other}".`);
  return place;
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

/** Case and `-` against `_` make no difference: the variables of both would be the same. */
function fold(slug: string): string {
  return slug.toLowerCase().replaceAll("-", "_");
}

function isSameUrl(one: string | undefined, other: string): boolean {
  const plain = (url: string): string => url.replace(/\/+$/, "").toLowerCase();
  return one !== undefined && plain(one) === plain(other);
}

/** `acme_orders` by the path, else `acme_8080` by the port, else `acme_2`. */
function proposeSlug(slug: string, baseUrl: string, entries: readonly SourceEntry[]): string {
  const taken = new Set(entries.map((entry) => fold(entry.slug)));
  const [, port = "", path = ""] = /^[a-z]+:\/\/[^/]*?(?::(\d+))?(\/.*)?$/i.exec(baseUrl) ?? [];
  const words = (path.match(/[a-z][a-z0-9]+/gi) ?? []).filter((word) => !/^(?:api|rest|v\d+)$/i.test(word));
  const numbers = Array.from({ length: entries.length + 1 }, (_, index) => String(index + 2));
  const candidates = [...words.reverse(), port, ...numbers].filter((word) => word !== "");
  const named = candidates.map((word) => `${slug.slice(0, 50)}_${word.toLowerCase().slice(0, 12)}`);
  return named.find((each) => !taken.has(fold(each))) ?? slug;
}
