/** From values of any kind to sources, or to one error that lists everything that is wrong with them. */

import { type RecordProblem, SourceRecordError } from "../base/errors.js";
import { isPlainObject } from "../base/input.js";
import type { ApiSource } from "./api-source.js";
import { type ReadRecord, type RecordPlace, readRecord } from "./read-record.js";
import { keyOf } from "./record-schema.js";

interface ParseOptions {
  /** The file of the record, for messages. */
  readonly file?: string;
}

/**
 * Reads a record and fills every default. What the caller passed is neither changed nor kept: the source is a frozen copy. A
 * source that this function returned is returned as it is.
 *
 * @throws SourceRecordError for whatever else is passed, with every problem found: its path in the record, what was
 * given (never a value that may be a secret) and what would fix it.
 *
 * @example
 * parseSource({ api: { baseUrl: "https://api.github.com", authType: "bearer" } }).slug; // "api_github_com"
 */
export function parseSource(value: unknown, options: ParseOptions = {}): ApiSource {
  const record = readAny(value, options);
  const [source] = sealSources([record]);
  if (!source) throw new SourceRecordError(record.problems);
  return source;
}

/**
 * Reads each record as `parseSource` does.
 *
 * @returns the sources in the order of the records.
 * @throws SourceRecordError with every problem of every record, paths beginning with the record's place (`[2].api…`),
 * and with every two whose tools would have the same name.
 */
export function parseSources(values: readonly unknown[], options: ParseOptions = {}): ApiSource[] {
  if (!Array.isArray(values)) throw new SourceRecordError([notAList]);
  const records = Array.from(values, (value, index) => readAny(value, { ...options, index }));
  return sealSources(records);
}

const notAList: RecordProblem = {
  path: "records",
  message: "is not a list",
  fix: 'Give a list of records, such as [{ "api": { "baseUrl": "https://api.example.com" } }].',
};

function readAny(value: unknown, place: RecordPlace): ReadRecord {
  return isSealed(value) ? { source: value, problems: [] } : readRecord(value, place);
}

/**
 * Finds names that collide; each problem belongs to the later of two. Case and `-` against `_` make no difference: the
 * environment variables of such sources are the same, so that one source's credential would be sent to the other.
 */
function findNameCollisions(records: readonly ReadRecord[]): RecordProblem[] {
  const places = new Map<string, string>();
  return records.flatMap(({ source, file }) => {
    if (!source) return [];
    const { slug, name, api } = source;
    const key = keyOf(slug);
    const earlier = places.get(key);
    if (earlier === undefined) {
      places.set(key, `"${name}" (${file === undefined ? "" : `${file}, `}${api.baseUrl})`);
      return [];
    }
    return [
      {
        file,
        source: name,
        path: "slug",
        given: JSON.stringify(slug),
        message: `is also the name of the tool of ${earlier}`,
        fix: 'Add a `slug` of its own to one of the two, such as "slug": "other_name".',
      },
    ];
  });
}

/**
 * Freezes the sources that were read.
 *
 * @throws SourceRecordError with every problem of every record, names that collide included.
 */
export function sealSources(records: readonly ReadRecord[]): ApiSource[] {
  const problems = [
    ...records.flatMap((record) => record.problems),
    ...findNameCollisions(records),
  ];
  if (problems.length > 0) throw new SourceRecordError(problems);
  const sources = records.flatMap(({ source }) => source ?? []);
  for (const source of sources) {
    Object.defineProperty(source, seal, { value: true });
    freezeDeep(source);
  }
  return sources;
}

/** The member of the sources that were read, each of which is read only once. It is not enumerable: no copy of a source has it. */
const seal = Symbol("seal");

function isSealed(value: unknown): value is ApiSource {
  return isPlainObject(value) && Object.hasOwn(value, seal);
}

/** Recursion is safe here: a source is a copy whose depth is capped. */
function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}
