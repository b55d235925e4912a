/** Reads the records of one file, and finds everything that is wrong with the file. */

import { readFile } from "node:fs/promises";
import type { RecordProblem } from "../errors.js";
import { outlineJson } from "../json/outline-json.js";
import type { Flaw } from "./flaw.js";
import { type ReadRecord, readRecord } from "./read-record.js";

export interface RecordsFile {
  readonly file: string;
  readonly records: readonly ReadRecord[];
  /** What is wrong with the file as a whole. */
  readonly problems: readonly RecordProblem[];
}

/** A file holds one record or a list of them, in UTF-8, with or without a byte order mark (RFC 8259, section 8.1). */
export async function readRecordsFile(file: string): Promise<RecordsFile> {
  const refuse = ({ message, fix }: Flaw): RecordsFile => ({
    file,
    records: [],
    problems: [{ file, path: "", message, fix }],
  });
  const bytes = await readFile(file).catch(describeFileError);
  if (!Buffer.isBuffer(bytes)) return refuse(bytes);
  const text = decodeText(bytes);
  if (text === undefined) return refuse({ message: "is not UTF-8 text", fix: "Save the file as UTF-8." });
  const parsed = parseJson(text);
  if (parsed === undefined) return refuse(findJsonFlaw(text));
  if (!Array.isArray(parsed.json)) {
    return { file, records: [readRecord(parsed.json, { file })], problems: [] };
  }
  if (parsed.json.length === 0) {
    return refuse({ message: "holds an empty list", fix: "Write at least one record into it." });
  }
  return { file, records: parsed.json.map((item, index) => readRecord(item, { file, index })), problems: [] };
}

/** Says in a person's words why a file or directory can't be read. */
export function describeFileError(error: unknown): Flaw {
  const { code = "unknown error" }: { readonly code?: unknown } = Object(error);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return {
        message: "does not exist",
        fix: `Check the path; a relative one is looked up from the working directory (${process.cwd()}).`,
      };
    case "EACCES":
    case "EPERM":
      return { message: "may not be read by this process", fix: "Give it permission to read the file." };
    case "EISDIR":
      return { message: "is a directory", fix: "Name a file, or load the directory as a whole." };
    default:
      return {
        message: `can't be read (${String(code)})`,
        fix: "Check that it is a readable file or directory.",
      };
  }
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

/** V8's own message quotes the text around the place, where a secret may stand, and gives no position for some errors. */
function findJsonFlaw(text: string): Flaw {
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
