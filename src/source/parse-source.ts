/** From values of any kind to sources, or to one error that lists everything that is wrong with them. */

import { type RecordProblem, SourceRecordError } from "../errors.js";
import { type Logger, silentLogger } from "../runtime.js";
import type { ApiSource } from "./api-source.js";
import { type ReadRecord, readRecord } from "./read-record.js";

export interface ParseOptions {
  /** The file that the record stands in, for messages. */
  readonly file?: string;
  /** Told once of keys that are kept and have no effect. @default silent */
  readonly logger?: Logger;
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
  if (isSealedSource(value)) return value;
  const { source, problems, unknownKeys } = readRecord(value, options);
  if (!source) throw new SourceRecordError(problems);
  warnOfUnknownKeys(source, unknownKeys, options);
  return sealSource(source);
}

/**
 * Reads each record as `parseSource` does.
 *
 * @returns the sources in the order of the records.
 * @throws SourceRecordError with every problem of every record, paths beginning with the record's place (`[2].api…`),
 * and with every two whose tools would have the same name.
 */
export function parseSources(records: readonly unknown[], options: ParseOptions = {}): ApiSource[] {
  if (!Array.isArray(records)) throw new SourceRecordError([notAList]);
  const read = Array.from(
    records,
    (record, index): ReadRecord =>
      isSealedSource(record)
        ? { source: record, problems: [], unknownKeys: [] }
        : readRecord(record, { index }),
  );
  const named = read.flatMap(({ source, unknownKeys }) => (source ? [{ source, unknownKeys }] : []));
  const collisions = findNameCollisions(named).map(({ problem }) => problem);
  const wrong = read.filter((record) => record.problems.length > 0);
  const problems = [...wrong.flatMap((record) => record.problems), ...collisions];
  if (problems.length > 0) {
    const affected = wrong.length + collisions.length;
    const scope = { affected, total: records.length, noun: "record" } as const;
    throw new SourceRecordError(problems, scope);
  }
  for (const { source, unknownKeys } of named) warnOfUnknownKeys(source, unknownKeys, options);
  return named.map(({ source }) => sealSource(source));
}

const notAList: RecordProblem = {
  path: "records",
  message: "is not a list",
  fix: 'Give a list of records, such as [{ "api": { "baseUrl": "https://api.example.com" } }].',
};

/** Says which keys of a source have no effect: once, and not what they hold. */
export function warnOfUnknownKeys(source: ApiSource, keys: readonly string[], options: ParseOptions): void {
  if (keys.length === 0) return;
  const { logger = silentLogger, file } = options;
  logger.warn("A source's record has keys that are not known; they are kept and have no effect.", {
    source: source.slug,
    ...(file === undefined ? {} : { file }),
    keys: keys.slice(0, 20),
  });
}

/** A source and where it was read. */
export interface NamedSource {
  readonly source: ApiSource;
  readonly file?: string;
}

/** What is wrong with a source that was read. */
export interface SourceProblem {
  readonly source: ApiSource;
  readonly problem: RecordProblem;
}

/**
 * Finds names that collide; each problem belongs to the later of two. Case and `-` against `_` make no difference: the
 * environment variables of such sources are the same, so that one source's credential would be sent to the other.
 */
export function findNameCollisions(sources: readonly NamedSource[]): SourceProblem[] {
  const first = new Map<string, NamedSource>();
  return sources.flatMap((named) => {
    const { source, file } = named;
    const key = source.slug.toLowerCase().replaceAll("-", "_");
    const earlier = first.get(key);
    if (!earlier) first.set(key, named);
    if (!earlier) return [];
    const { name, api } = earlier.source;
    const place = earlier.file === undefined ? api.baseUrl : `${earlier.file}, ${api.baseUrl}`;
    const problem: RecordProblem = {
      ...(file === undefined ? {} : { file }),
      source: source.name,
      path: "slug",
      given: JSON.stringify(source.slug),
      message: `is the tool's name that "${name}" (${place}) has too`,
      fix: 'Add a `slug` of its own to one of the two, such as "slug": "other_name".',
    };
    return [{ source, problem }];
  });
}

/** Shared by the ESM and the CommonJS build; no JSON file can hold it, and a spread doesn't copy it. */
const sealKey: symbol = Symbol.for("langchain-api-sources.sealed");

/** Freezes a source of our own making, all levels of it, and marks it, so that it is read only once. */
export function sealSource(source: ApiSource): ApiSource {
  if (isSealedSource(source)) return source;
  Object.defineProperty(source, sealKey, { value: true, enumerable: false });
  freezeDeep(source);
  return source;
}

/** Whether `sealSource` returned this very object. A throwing proxy isn't one. */
function isSealedSource(value: unknown): value is ApiSource {
  try {
    return (
      typeof value === "object" && value !== null && Object.hasOwn(value, sealKey) && Object.isFrozen(value)
    );
  } catch {
    return false;
  }
}

/**
 * Recursion is safe here: a source is a copy whose depth is capped. Its objects lose their prototype, because a `proxy` that
 * someone put on `Object.prototype` must not look like one of the record's.
 */
function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (!Array.isArray(value)) Object.setPrototypeOf(value, null);
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}
