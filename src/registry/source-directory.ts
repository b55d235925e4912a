/** Sources as a living set: a directory with one readable JSON file for each, safe for several processes. */

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ApiSourceError, type RecordProblem } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { readRecordsFile } from "../source/load-sources.js";
import { parseSource } from "../source/parse-source.js";
import { codeOf, removeAbandonedWrites, writeFileAtomically } from "./write-file-atomically.js";

/** One file of the directory. */
export interface SourceEntry {
  /** The tool's name; the file's name without `.json` where the record is too broken to have one. */
  readonly slug: string;
  /** The file, as an absolute path. */
  readonly file: string;
  /** The record as it stands in the file; absent when the file is no JSON object. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** What the record means, every default filled in; absent when it is broken. */
  readonly source?: ApiSource;
  /** What is wrong with it; empty for a record that loads. */
  readonly problems: readonly RecordProblem[];
}

/**
 * A directory of records, one `SLUG.json` for each source.
 *
 * @example
 * const directory = await SourceDirectory.open("./sources");
 * await directory.put({ name: "Shop", api: { baseUrl: "https://api.shop.example", authType: "bearer" } });
 * (await directory.list()).map(({ slug }) => slug); // ["shop"]
 */
export class SourceDirectory {
  /** The directory as an absolute path. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Opens a directory; one that is not there is made by the first `put`. */
  static async open(path: string): Promise<SourceDirectory> {
    const directory = new SourceDirectory(resolve(path));
    // A path that is a file is told now, not at the first write.
    await directory.#listNames();
    return directory;
  }

  /** Every source, sorted by file name. A broken file is listed with its problems and stops nobody. */
  async list(): Promise<SourceEntry[]> {
    const names = await this.#listNames();
    const entries = await Promise.all(names.map((name) => this.#readEntries(name)));
    return entries.flat();
  }

  /** The record of a source as it stands in its file; undefined when there is none of that name. */
  async get(slug: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return (await this.#find(slug))?.record;
  }

  /**
   * Adds a source, or replaces the record of that name. Members that this package doesn't know, and the order of all, stay as
   * they stand in the file.
   *
   * @param record - A record as in a file; see `parseSource`.
   * @returns The entry as written.
   * @throws SourceRecordError when the record is wrong: nothing is written then. ApiSourceError `conflict` when another API has
   * the name already, or the name stands in a file of several records.
   */
  async put(record: unknown): Promise<SourceEntry> {
    const source = parseSource(record);
    // Only a write needs the JSON Schema: a list starts sooner without it.
    const { mergeRecord } = await import("./merge-record.js");
    const given: Record<string, unknown> = JSON.parse(JSON.stringify(record));
    await mkdir(this.path, { recursive: true });
    await removeAbandonedWrites(this.path, Date.now());
    for (;;) {
      const old = await this.#find(source.slug);
      const target = await this.#targetOf(source, old);
      const merged = old?.record === undefined ? given : mergeRecord(old.record, given);
      const text = `${JSON.stringify(merged, null, 2)}\n`;
      // Not there a moment ago: if somebody else has just written it, look again instead of replacing it.
      const written = await writeFileAtomically(target, text, { exclusive: old === undefined });
      if (written) {
        const placed = parseSource(record, { file: target });
        return { slug: source.slug, file: target, record: merged, source: placed, problems: [] };
      }
    }
  }

  /** Removes the file of a source. @returns whether there was one. */
  async remove(slug: string): Promise<boolean> {
    const entry = await this.#find(slug);
    if (entry === undefined) return false;
    await this.#assertAlone(entry.file, slug);
    try {
      await rm(entry.file);
      return true;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    }
  }

  async #find(slug: string): Promise<SourceEntry | undefined> {
    return (await this.list()).find((entry) => entry.slug === slug);
  }

  async #targetOf(source: ApiSource, old: SourceEntry | undefined): Promise<string> {
    if (old === undefined) return this.#assertNameIsFree(source);
    await this.#assertAlone(old.file, source.slug);
    const other = old.source;
    if (other !== undefined && other.name !== source.name && other.api.baseUrl !== source.api.baseUrl) {
      throw clash(source.slug, `"${other.name}" (${other.api.baseUrl}) in ${old.file} has it`);
    }
    return old.file;
  }

  /** Case and `-` against `_` make no difference: the environment variables of both would be the same. */
  async #assertNameIsFree(source: ApiSource): Promise<string> {
    const near = (await this.list()).find(({ slug }) => fold(slug) === fold(source.slug));
    if (near !== undefined) throw clash(source.slug, `"${near.slug}" in ${near.file} is nearly the same`);
    return join(this.path, `${source.slug}.json`);
  }

  async #assertAlone(file: string, slug: string): Promise<void> {
    const { records } = await readRecordsFile(file);
    if (records.length > 1) {
      throw clash(slug, `${file} holds ${records.length} records: give each a file of its own first`);
    }
  }

  async #readEntries(name: string): Promise<SourceEntry[]> {
    const file = join(this.path, name);
    const { records, problems } = await readRecordsFile(file);
    const slug = name.replace(/\.json$/i, "");
    if (records.length === 0) {
      // A file that another process has just removed is no source any more.
      const isGone = problems.every(({ message }) => message === "does not exist");
      return isGone ? [] : [{ slug, file, problems }];
    }
    const values = await readValues(file);
    return records.map(({ source, problems: own }, index) => {
      const record = values[index];
      return {
        slug: source?.slug ?? slug,
        file,
        ...(isObject(record) ? { record } : {}),
        ...(source === undefined ? {} : { source }),
        problems: own,
      };
    });
  }

  async #listNames(): Promise<string[]> {
    try {
      const entries = await readdir(this.path, { withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory() && /^[^.].*\.json$/i.test(entry.name))
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT") return [];
      throw new ApiSourceError({
        message: `${this.path} can't be used as a directory of sources (${code ?? "unknown error"}).`,
        category: "not_configured",
        hint: "Name a directory that this process may read and write; one that is not there is made.",
      });
    }
  }
}

/** The records as they stand in the file. */
async function readValues(file: string): Promise<readonly unknown[]> {
  try {
    const text = await readFile(file, "utf8");
    return [JSON.parse(text.replace(/^\uFEFF/, ""))].flat();
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fold(slug: string): string {
  return slug.toLowerCase().replaceAll("-", "_");
}

function clash(slug: string, why: string): ApiSourceError {
  return new ApiSourceError({
    message: `The name "${slug}" can't be used: ${why}.`,
    category: "conflict",
    hint: 'Give the record a `slug` of its own, such as "slug": "other_name".',
  });
}
