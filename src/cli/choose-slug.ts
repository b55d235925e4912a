/** Which source a record is: one that is there already, or a new one under a name of its own. */

import { join } from "node:path";
import { parseSource } from "../core/record/parse-source.js";
import type { SourceDirectory, SourceEntry } from "../toolkit/directory/source-directory.js";
import { askField, askName } from "./draft.js";
import { type ImportedRecord, nameUrl } from "./import/imported.js";
import { askChoice } from "./prompts.js";
import { parseFlagged } from "./record-change.js";
import type { AddFlags } from "./record-flags.js";
import { createUsageError, type Terminal } from "./terminal.js";

/** The place of a source. */
export interface Place {
  readonly slug: string;
  /** Where the record is, or will be. */
  readonly file: string;
  /** The source that is there; absent for a new one. */
  readonly entry?: SourceEntry;
}

/**
 * Finds which source is made or changed. Asks for its base URL and its name, where neither a flag nor the description has them.
 *
 * @returns its place, and what names a new record: a source that is there keeps its own.
 * @throws CommandError 2 where a question would be needed and can't be asked. SourceRecordError for a name that is wrong.
 */
export async function choosePlace(
  directory: SourceDirectory,
  imported: ImportedRecord | undefined,
  flags: AddFlags,
  terminal: Terminal,
): Promise<{ place: Place; identity?: { name: string; baseUrl: string } }> {
  const entries = await directory.list();
  const named = entries.find(({ slug }) => slug === flags.slug);
  if (named !== undefined && flags.replace !== true) return { place: findPlace(entries, named) };
  const asks = terminal.asks(flags);
  const api = { baseUrl: flags.baseUrl ?? imported?.api.baseUrl ?? "" };
  if (flags.baseUrl === undefined && api.baseUrl === "") {
    if (!asks)
      throw createUsageError(
        "The base URL is missing.",
        "api-sources add https://api.example.com --auth bearer --test-endpoint /me",
      );
    await askField(api, "baseUrl", terminal);
  }
  parseFlagged({ api });
  const { baseUrl } = api;
  const name = flags.name ?? imported?.name ?? (asks ? await askName(baseUrl, terminal) : nameUrl(baseUrl));
  const place = await chooseSlug(directory, name, baseUrl, flags, terminal);
  const isNew = place.entry === undefined || flags.replace === true;
  return { place, ...(isNew && { identity: { name, baseUrl } }) };
}

/** A name that is derived and belongs to another API is not taken: two APIs of one host get two names, `acme_billing` and `acme_orders`. */
async function chooseSlug(
  directory: SourceDirectory,
  name: string,
  baseUrl: string,
  flags: AddFlags,
  terminal: Terminal,
): Promise<Place> {
  const { slug } = parseSource({ name, ...{ slug: flags.slug }, api: { baseUrl } });
  const entries = await directory.list();
  const near = entries.find((entry) => fold(entry.slug) === fold(slug));
  if (near === undefined) return { slug, file: join(directory.path, `${slug}.json`) };
  const isMeant = flags.slug !== undefined || flags.replace === true;
  if (near.slug === slug && (isMeant || foldUrl(near.source?.api.baseUrl) === foldUrl(baseUrl)))
    return findPlace(entries, near);
  const other = proposeSlug(slug, baseUrl, entries);
  const taken = `The name "${near.slug}" belongs to ${near.source?.api.baseUrl ?? "a broken record"} already.`;
  const place = { slug: other, file: join(directory.path, `${other}.json`) };
  if (terminal.asks(flags)) {
    const choice = await askChoice(terminal, `${taken} What is this?`, [
      { value: "new", label: `A new source: ${other}` },
      { value: "same", label: `A change of ${near.slug}` },
    ]);
    return choice === "new" ? place : findPlace(entries, near);
  }
  if (flags.yes !== true || flags.slug !== undefined)
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

function foldUrl(url: string = ""): string {
  return url.replace(/\/+$/, "").toLowerCase();
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
