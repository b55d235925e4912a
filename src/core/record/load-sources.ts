/** Loads the sources of a file or a directory, or lists in one error the problems of every file. */

import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type RecordProblem, SourceRecordError } from "../base/errors.js";
import type { ApiSource } from "./api-source.js";
import { sealSources } from "./parse-source.js";
import { type ReadRecord, readRecord } from "./read-record.js";

/**
 * Loads a file, which holds a record or a list of them, or the `*.json` files of a directory, sorted by name. Hidden
 * files and subdirectories are left alone.
 *
 * @returns the sources in the order of files and of records in them.
 * @throws SourceRecordError that lists every problem of every file, names that collide included.
 *
 * @example
 * const sources = await loadSources("./sources");
 */
export async function loadSources(path: string): Promise<ApiSource[]> {
  return sealSources(await readRecordFiles(await listFiles(path)));
}

/** @throws SourceRecordError for a path that leads nowhere, and for a directory without records. */
async function listFiles(path: string): Promise<string[]> {
  const refuse = ({ message, fix }: FileProblem) =>
    new SourceRecordError([{ file: path, path: "", message, fix }]);
  const files = await stat(path)
    .then((found) => (found.isDirectory() ? listRecordFiles(path) : [path]))
    .catch((error: unknown) => {
      throw refuse(describeFileError(error));
    });
  if (files.length > 0) return files;
  const fix = "Put one file for each source into it, such as github.json.";
  throw refuse({ message: "is a directory without a .json file", fix });
}

/**
 * The files of a directory that may hold records: `*.json`, but not `*.openapi.json`, which is a description beside a record.
 * Sorted by code unit and not by locale, so that the order is the same on every machine.
 */
export async function listRecordFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter(({ name }) => /^[^.].*\.json$/i.test(name) && !/\.openapi\.json$/i.test(name))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(directory, entry.name))
    .sort();
}

/** The records of these files. A file that a record names as its `openapi` or `guide` is not a record, whatever its name. */
export async function readRecordFiles(files: readonly string[]): Promise<ReadRecord[]> {
  const records = (await Promise.all(files.map(readRecordsFile))).flat();
  const documents = new Set(records.flatMap(listDocuments));
  return records.filter(({ file = "" }) => !documents.has(resolve(file)));
}

/** Also of a record with problems: its document is not a second wrong record. */
function listDocuments({ given, file = "" }: ReadRecord): string[] {
  const { api }: { readonly api?: unknown } = Object(given);
  const { openapi, guide }: { readonly openapi?: unknown; readonly guide?: unknown } = Object(api);
  return [openapi, guide].flatMap((name) =>
    typeof name === "string" ? [resolve(dirname(file), name)] : [],
  );
}

/**
 * A file holds one record or a list of them, in UTF-8, with or without a byte order mark (RFC 8259, section 8.1). What is
 * wrong with the file as a whole is reported as that of one record, which then has no `given`.
 */
async function readRecordsFile(file: string): Promise<ReadRecord[]> {
  const refuse = ({ message, fix }: FileProblem): ReadRecord[] => [
    { file, problems: [{ file, path: "", message, fix }] },
  ];
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
    const json: unknown = JSON.parse(text);
    if (!Array.isArray(json)) return [readRecord(json, { file })];
    if (json.length > 0) return json.map((item, index) => readRecord(item, { file, index }));
    return refuse({ message: "holds an empty list", fix: "Write at least one record into it." });
  } catch (error) {
    return refuse(error instanceof SyntaxError ? findJsonProblem(text) : describeFileError(error));
  }
}

type FileProblem = Pick<RecordProblem, "message" | "fix">;

/** Describes in plain words why a file or directory cannot be read. */
export function describeFileError(error: unknown): FileProblem {
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

/** V8's own message quotes the text around the place, which may contain a secret, and gives no position for some errors. */
function findJsonProblem(text: string): FileProblem {
  if (text.trim() === "") return { message: "is empty", fix: "Write a record into it." };
  const before = text.slice(0, findJsonError(text)).split(/\r\n|\r|\n/);
  return {
    message: `is not JSON: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`,
    fix: "Correct the file there, or just before: strings in double quotes, no comments, a comma between two members and none behind the last.",
  };
}

/** Behind the longest beginning that JSON text may have. */
function findJsonError(text: string): number {
  let [sound, broken] = [0, text.length + 1];
  while (broken - sound > 1) {
    const length = (sound + broken) >> 1;
    if (mayBegin(text.slice(0, length))) sound = length;
    else broken = length;
  }
  return sound;
}

/** Whether text is JSON, or `JSON.parse` misses something at its end. */
function mayBegin(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined
      ? String(error).includes("end of JSON")
      : Number(position) === text.length;
  }
}
