/** Loads the sources of a file or a directory, or says in one error what is wrong with every file. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type RecordProblem, SourceRecordError } from "../errors.js";
import type { Logger } from "../runtime.js";
import type { ApiSource } from "./api-source.js";
import { findNameCollisions, type NamedSource } from "./name-collisions.js";
import { warnOfUnknownKeys } from "./parse-source.js";
import { presentFileError } from "./present-file-error.js";
import { type RecordsFile, readRecordsFile } from "./read-records-file.js";
import { sealSource } from "./seal-source.js";

export interface LoadOptions {
  /** Told once of keys that are kept and have no effect. @default silent */
  readonly logger?: Logger;
}

/**
 * Loads a file, which holds a record or a list of them, or the `*.json` files of a directory, sorted by name. Hidden
 * files and subdirectories are left alone.
 *
 * @returns the sources in the order of files and of records in them.
 * @throws SourceRecordError that lists every problem of every file, names that collide included.
 */
export async function loadSources(path: string, options: LoadOptions = {}): Promise<ApiSource[]> {
  const { files, problem } = await listFiles(path);
  if (problem) throw new SourceRecordError([problem]);
  const read = await Promise.all(files.map(readRecordsFile));
  const named = read.flatMap(listSources);
  const problems = [
    ...read.flatMap((file) => [...file.problems, ...file.records.flatMap((record) => record.problems)]),
    ...findNameCollisions(named),
  ];
  if (problems.length > 0) throw new SourceRecordError(problems);
  for (const { file, records } of read) {
    for (const { source, unknownKeys } of records) {
      if (source) warnOfUnknownKeys(source, unknownKeys, { file, ...options });
    }
  }
  return named.map(({ source }) => sealSource(source));
}

function listSources({ file, records }: RecordsFile): NamedSource[] {
  return records.flatMap(({ source }) => (source ? [{ source, file }] : []));
}

async function listFiles(path: string): Promise<{ files: string[]; problem?: RecordProblem }> {
  const refuse = (message: string, fix: string): { files: string[]; problem: RecordProblem } => ({
    files: [],
    problem: { file: path, path: "", message, fix },
  });
  try {
    if (!(await stat(path)).isDirectory()) return { files: [path] };
    const entries = await readdir(path, { withFileTypes: true });
    // By code unit and not by locale, so that every machine gives the same order.
    const names = entries
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.json$/i.test(entry.name))
      .map((entry) => entry.name)
      .sort();
    if (names.length > 0) return { files: names.map((name) => join(path, name)) };
    const empty = entries.length === 0 ? "is an empty directory" : "is a directory without a .json file";
    return refuse(empty, "Put one file for each source into it, such as github.json.");
  } catch (error) {
    const { message, fix } = presentFileError(error);
    return refuse(message, fix);
  }
}
