/** Loads the sources of a file or a directory, or says in one error what is wrong with every file. */

import { access, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type RecordProblem, SourceRecordError } from "../errors.js";
import { outlineJson } from "../json/outline-json.js";
import { type Logger, silentLogger } from "../runtime.js";
import type { ApiSource } from "./api-source.js";
import {
  findNameCollisions,
  type NamedSource,
  type SourceProblem,
  sealSource,
  warnOfUnknownKeys,
} from "./parse-source.js";
import type { Flaw } from "./plain-data.js";
import { type ReadRecord, readRecord } from "./read-record.js";
import { listTemplates } from "./read-values.js";

export interface LoadOptions {
  /** Told once of keys that are kept and have no effect, and of what is skipped. @default silent */
  readonly logger?: Logger;
  /**
   * What happens to a record that is wrong: `"throw"` loads nothing, `"skip"` logs its problems and loads the others. A path that
   * leads nowhere, or a directory without files, is an error either way. @default "throw"
   */
  readonly onInvalid?: "throw" | "skip";
}

/**
 * Loads a file, which holds a record or a list of them, or the `*.json` files of a directory, sorted by name. Hidden
 * files and subdirectories are left alone.
 *
 * @returns the sources in the order of files and of records in them.
 * @throws SourceRecordError that lists every problem of every file, names that collide included.
 *
 * @example
 * const sources = await loadSources("./sources", { onInvalid: "skip", logger: console });
 */
export async function loadSources(path: string, options: LoadOptions = {}): Promise<ApiSource[]> {
  const { logger = silentLogger, onInvalid = "throw" } = options;
  const { files, problem } = await listFiles(path);
  if (problem) throw new SourceRecordError([problem]);
  const read = await Promise.all(files.map(readRecordsFile));
  const records = read.flatMap(({ file, records: inFile }) => inFile.map((record) => ({ ...record, file })));
  const named = records.flatMap(({ source, file, unknownKeys }) =>
    source ? [{ source, file, unknownKeys }] : [],
  );
  const missing = (await Promise.all(named.map(findMissingDocuments))).flat();
  const found = [...missing, ...findNameCollisions(named)];
  const problems = [
    ...read.flatMap((file) => [...file.problems, ...file.records.flatMap((record) => record.problems)]),
    ...found.map(({ problem: each }) => each),
  ];
  if (problems.length > 0) {
    const affected = new Set(problems.map(({ file }) => file)).size;
    const error = new SourceRecordError(problems, { affected, total: files.length, noun: "file" });
    if (onInvalid === "throw") throw error;
    logger.warn("Records that are wrong were skipped.", { problems });
  }
  const wrong = new Set(found.map(({ source }) => source));
  const taken = named.filter(({ source }) => !wrong.has(source));
  for (const { source, file, unknownKeys } of taken) warnOfUnknownKeys(source, unknownKeys, { file, logger });
  return taken.map(({ source }) => sealSource(source));
}

/** A description or guide that is not there is told with the record. What it holds is read when it is needed. */
async function findMissingDocuments({ source, file }: NamedSource): Promise<SourceProblem[]> {
  const { openapi, guide } = source.api;
  const found = listTemplates("api", { openapi, guide }).map(async ({ field, text }) => {
    const flaw = await access(text).then(() => undefined, describeFileError);
    const problem: RecordProblem = {
      ...(file === undefined ? {} : { file }),
      source: source.name,
      path: field,
      given: JSON.stringify(text),
      message: `names a file that ${flaw?.message}`,
      fix: "Put the file there, or correct the path; a relative one starts at the record's file.",
    };
    return flaw === undefined ? [] : [{ source, problem }];
  });
  return (await Promise.all(found)).flat();
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
    const { message, fix } = describeFileError(error);
    return refuse(message, fix);
  }
}

export interface RecordsFile {
  readonly file: string;
  readonly records: readonly ReadRecord[];
  /** What is wrong with the file as a whole. */
  readonly problems: readonly RecordProblem[];
}

/** A file holds one record or a list of them, in UTF-8, with or without a byte order mark (RFC 8259, section 8.1). */
export async function readRecordsFile(file: string): Promise<RecordsFile> {
  const refuse = ({ message, fix }: Required<Flaw>): RecordsFile => ({
    file,
    records: [],
    problems: [{ file, path: "", message, fix }],
  });
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
    const json: unknown = JSON.parse(text);
    if (!Array.isArray(json)) return { file, records: [readRecord(json, { file })], problems: [] };
    if (json.length > 0) {
      return { file, records: json.map((item, index) => readRecord(item, { file, index })), problems: [] };
    }
    return refuse({ message: "holds an empty list", fix: "Write at least one record into it." });
  } catch (error) {
    return refuse(error instanceof SyntaxError ? findJsonFlaw(text) : describeFileError(error));
  }
}

/** Says in a person's words why a file or directory can't be read. */
export function describeFileError(error: unknown): Required<Flaw> {
  const { code = "unknown error" }: { readonly code?: unknown } = Object(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    const fix = `Check the path; a relative one is looked up from the working directory (${process.cwd()}).`;
    return { message: "does not exist", fix };
  }
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
    return { message: "is not UTF-8 text", fix: "Save the file as UTF-8." };
  }
  const fix = "Check that it is a file, or a directory of records, that this process may read.";
  return { message: `can't be read (${String(code)})`, fix };
}

/** V8's own message quotes the text around the place, where a secret may stand, and gives no position for some errors. */
function findJsonFlaw(text: string): Required<Flaw> {
  const { stop, repairs } = outlineJson(text);
  const at = Math.min(stop, repairs[0]?.start ?? stop);
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return {
    message: `is not JSON: ${place}: ${describeJsonError(text, at)}`,
    fix: "Correct the file at that place.",
  };
}

function describeJsonError(text: string, at: number): string {
  if (text.trim() === "") return "the file is empty";
  if (at >= text.length) return "the text ends too early";
  if (/^\/[/*]/.test(text.slice(at, at + 2))) return "comments are not allowed in JSON";
  if (text[at] === "'") return "strings stand in double quotes";
  if (text[at] === ",") return "the comma is one too many";
  if (text[at] === '"') return "a comma or a colon is missing before it";
  if (text[at] === "\\" || (text[at] ?? "") < " ") return "a string holds a wrong escape or a line break";
  return "this can't stand here";
}
