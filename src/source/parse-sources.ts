/** From a list of records to sources, or to one error that lists what is wrong with all of them. */

import { SourceRecordError } from "../errors.js";
import type { ApiSource } from "./api-source.js";
import { findNameCollisions } from "./name-collisions.js";
import { type ParseOptions, warnOfUnknownKeys } from "./parse-source.js";
import { type ReadRecord, readRecord } from "./read-record.js";
import { isSealedSource, sealSource } from "./seal-source.js";

/**
 * Reads each record as `parseSource` does; a source that was read before is taken as it is.
 *
 * @returns the sources in the order of the records.
 * @throws SourceRecordError with every problem of every record, paths beginning with the record's place (`[2].api…`),
 * and with every two whose tools would have the same name.
 */
export function parseSources(records: readonly unknown[], options: ParseOptions = {}): ApiSource[] {
  if (!Array.isArray(records)) throw new SourceRecordError([notAList]);
  const read = Array.from(records, (record, index) => readOnce(record, index, options.file));
  const named = read.flatMap(({ source }) => (source ? [{ source }] : []));
  const problems = [...read.flatMap((record) => record.problems), ...findNameCollisions(named)];
  if (problems.length > 0) throw new SourceRecordError(problems);
  for (const { source, unknownKeys } of read) {
    if (source) warnOfUnknownKeys(source, unknownKeys, options);
  }
  return named.map(({ source }) => sealSource(source));
}

const notAList = {
  path: "records",
  message: "is not a list",
  fix: 'Give a list of records, such as [{ "api": { "baseUrl": "https://api.example.com" } }].',
};

function readOnce(record: unknown, index: number, file: string | undefined): ReadRecord {
  if (isSealedSource(record)) return { source: record, problems: [], unknownKeys: [] };
  return readRecord(record, { index, ...(file === undefined ? {} : { file }) });
}
