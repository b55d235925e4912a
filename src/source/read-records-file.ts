/** Reads the records of one file, and finds everything that is wrong with the file. */

import { readFile } from "node:fs/promises";
import type { RecordProblem } from "../errors.js";
import { locateJsonError } from "./locate-json-error.js";
import { presentFileError } from "./present-file-error.js";
import { type ReadRecord, readRecord } from "./read-record.js";

export interface RecordsFile {
  readonly file: string;
  readonly records: readonly ReadRecord[];
  /** What is wrong with the file as a whole. */
  readonly problems: readonly RecordProblem[];
}

/** A file holds one record or a list of them, in UTF-8, with or without a byte order mark (RFC 8259, section 8.1). */
export async function readRecordsFile(file: string): Promise<RecordsFile> {
  const refuse = (message: string, fix: string): RecordsFile => ({
    file,
    records: [],
    problems: [{ file, path: "", message, fix }],
  });
  const bytes = await readFile(file).catch((error: unknown) => presentFileError(error));
  if (!Buffer.isBuffer(bytes)) return refuse(bytes.message, bytes.fix);
  const text = decodeText(bytes);
  if (text === undefined) return refuse("is not UTF-8 text", "Save the file as UTF-8.");
  const value = parseJson(text);
  if (value === undefined) {
    const { line, column, message } = locateJsonError(text) ?? {
      line: 1,
      column: 1,
      message: "it can't be read",
    };
    return refuse(
      `is not JSON: line ${line}, column ${column}: ${message}`,
      "Correct the file at that place.",
    );
  }
  if (!Array.isArray(value.json)) return { file, records: [readRecord(value.json, { file })], problems: [] };
  if (value.json.length === 0) return refuse("holds an empty list", "Write at least one record into it.");
  return { file, records: value.json.map((item, index) => readRecord(item, { file, index })), problems: [] };
}

/** The text without a byte order mark; undefined when the bytes are no UTF-8. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
