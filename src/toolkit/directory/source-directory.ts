/** Sources as a living set: a directory with one readable JSON file for each, safe for several processes. */

import { mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import {
  codeOf,
  removeAbandonedWrites,
  withLock,
  writeFileAtomically,
} from "../../core/base/disk.js";
import { ApiSourceError, type RecordProblem } from "../../core/base/errors.js";
import { isPlainObject } from "../../core/base/input.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { RecordOf } from "../../core/record/judged-record.js";
import { listRecordFiles, readRecordFiles } from "../../core/record/load-sources.js";
import { parseSource } from "../../core/record/parse-source.js";
import { keyOf } from "../../core/record/record-schema.js";

/** One file of the directory. */
export interface SourceEntry {
  /** The tool's name; the file's name without `.json` where the record is too broken to have one. */
  readonly slug: string;
  /** The file, as an absolute path. */
  readonly file: string;
  /** The record as it is in the file; absent when the file is not a JSON object. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** The record as it is understood, every default filled in; absent when it is broken. */
  readonly source?: ApiSource;
  /** The problems of the record; empty when it loads. */
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
    // A path that is a file is reported now, not at the first write.
    await directory.#listFiles();
    return directory;
  }

  /** Every source, sorted by file name. A broken file is listed with its problems; the others are still listed. */
  async list(): Promise<SourceEntry[]> {
    const records = await readRecordFiles(await this.#listFiles());
    return records.flatMap(({ file = "", source, given, problems }) => {
      // A file that another process has just removed is not a source any more.
      if (problems[0]?.message === "does not exist") return [];
      const slug = source?.slug ?? basename(file).replace(/\.json$/i, "");
      return [{ slug, file, record: isPlainObject(given) ? given : undefined, source, problems }];
    });
  }

  /** The record of a source as it is in its file; undefined when a source of that name does not exist. */
  async get(slug: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return (await this.list()).find((entry) => entry.slug === slug)?.record;
  }

  /**
   * Adds a source, or replaces the record of that name: the file then holds what was given, and nothing else.
   *
   * @param record - A record as in a file; see `parseSource`.
   * @param options - `replace`: whether the record of another API may be replaced, one with another name and base URL (default false).
   * @returns The entry as written.
   * @throws SourceRecordError when the record is wrong: nothing is written then. ApiSourceError `conflict` when another API has
   * the name already, or the name is in a file of several records.
   */
  async put<const Given extends object>(
    record: RecordOf<Given>,
    { replace = false }: { readonly replace?: boolean | undefined } = {},
  ): Promise<SourceEntry> {
    const source = parseSource(record);
    const given: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(record));
    await mkdir(this.path, { recursive: true });
    return this.#lock(async () => {
      await removeAbandonedWrites(this.path, Date.now());
      const entries = await this.list();
      const { slug } = source;
      const old = entries.find((entry) => entry.slug === slug);
      const file = old?.file ?? join(this.path, `${slug}.json`);
      if (old === undefined) assertIsNew(source, entries);
      else assertIsAlone(old, entries);
      if (old?.source !== undefined && !replace) assertIsSame(source, old.source, old.file);
      const text = `${JSON.stringify(given, null, 2)}\n`;
      if (!(await writeFileAtomically(file, text, { exclusive: old === undefined })))
        throw clash(
          slug,
          `${file} is there already, as the \`openapi\` or \`guide\` of another record`,
        );
      return { slug, file, record: given, source: parseSource(record, { file }), problems: [] };
    });
  }

  /** Removes the file of a source. @returns whether there was one. */
  async remove(slug: string): Promise<boolean> {
    if (!(await this.list()).some((entry) => entry.slug === slug)) return false;
    return this.#lock(async () => {
      const entries = await this.list();
      const entry = entries.find((each) => each.slug === slug);
      if (entry === undefined) return false;
      assertIsAlone(entry, entries);
      // One that another process has just removed is gone, too.
      await rm(entry.file, { force: true });
      return true;
    });
  }

  /** Lets one writer at a time into the directory: records that were read are still there when it writes. */
  #lock<Result>(work: () => Promise<Result>): Promise<Result> {
    return withLock(join(this.path, ".sources.lock"), work);
  }

  async #listFiles(): Promise<string[]> {
    try {
      return await listRecordFiles(this.path);
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT") return [];
      throw new ApiSourceError({
        message: `${this.path} can't be used as a directory of sources (${code ?? "unknown error"}).`,
        category: "not_configured",
        hint: "Name a directory that this process may read and write; a missing one is created.",
      });
    }
  }
}

function assertIsNew({ slug }: ApiSource, entries: readonly SourceEntry[]): void {
  const near = entries.find((entry) => keyOf(entry.slug) === keyOf(slug));
  if (near !== undefined) throw clash(slug, `"${near.slug}" in ${near.file} is nearly the same`);
}

function assertIsSame({ slug, name, api }: ApiSource, old: ApiSource, file: string): void {
  if (old.name !== name && old.api.baseUrl !== api.baseUrl)
    throw clash(slug, `"${old.name}" (${old.api.baseUrl}) in ${file} has it`);
}

function assertIsAlone({ slug, file }: SourceEntry, entries: readonly SourceEntry[]): void {
  const { length } = entries.filter((entry) => entry.file === file);
  if (length > 1)
    throw clash(slug, `${file} holds ${length} records: give each a file of its own first`);
}

function clash(slug: string, why: string): ApiSourceError {
  return new ApiSourceError({
    message: `The name "${slug}" can't be used: ${why}.`,
    category: "conflict",
    hint: 'Give the record a `slug` of its own, such as "slug": "other_name".',
  });
}
