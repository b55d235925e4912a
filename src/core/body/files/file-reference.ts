/** The files that a body names (`{"$file": …}`, `{"$text": …}`, and of code `{"$base64": …}`), and the multipart body that carries them. */

import { createHash } from "node:crypto";
import { invalidInput } from "../../base/errors.js";
import { isPlainObject } from "../../base/input.js";
import { quoteText } from "../../base/text.js";
import { isUtf8Label, parseMediaType } from "../read-media-type.js";
import { type FileContent, hashBytes } from "./file.js";

/** A kept file, or one that the application knows by this name. */
export interface FileReference {
  readonly file: string;
  readonly name?: string;
  readonly type?: string;
}

/** A file made of a text, or of bytes that code made. */
export interface MadeFile extends FileContent {
  /** Absent for bytes: they are shown by their digest. */
  readonly text?: string;
}

const mediaType =
  /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *; *[\w-]{1,40}=(?:[\w.+-]{1,100}|"[\w .+-]{1,100}"))*$/;

/** The members that name the content of a file. */
const contentMembers = ["$file", "$text", "$base64"];

/**
 * The file that a value means: an object of one text as its `$file`, `$text` or `$base64`, and at most a `name` and a `type`. Every other value is
 * data, such as `{"$text":{"$search":"coffee"}}`.
 *
 * @throws ApiSourceError `invalid_input` for a `type` that is no media type, and a `$base64` that is not base64
 */
export function readFilePart(value: unknown): FileReference | MadeFile | undefined {
  if (!isFileObject(value)) return undefined;
  const { $file: file, $text: text, $base64: base64 } = value;
  const [name, type] = [value["name"] || undefined, value["type"] || undefined].map((each) =>
    each === undefined ? undefined : String(each),
  );
  if (type !== undefined && !mediaType.test(type))
    throw refusePart("has a `type` that is not a media type");
  checkCharset(type);
  if (typeof file === "string") return { file, name, type };
  if (typeof base64 === "string")
    return {
      bytes: readBase64(base64),
      name: name ?? "file",
      type: type ?? "application/octet-stream",
    };
  const content = String(text);
  const bytes = new TextEncoder().encode(content);
  return {
    bytes,
    text: content,
    name: name ?? "file.txt",
    type: type ?? "text/plain; charset=utf-8",
  };
}

function isFileObject(value: unknown): value is Record<string, unknown> {
  if (!isPlainObject(value)) return false;
  const keys = Object.keys(value);
  const [content, ...others] = keys.filter((key) => contentMembers.includes(key));
  if (content === undefined || others.length > 0) return false;
  const isText = (key: string): boolean => typeof value[key] === "string";
  const isAbsent = (key: string): boolean => value[key] === undefined || value[key] === null;
  return (
    isText(content) &&
    (content === "$text" || value[content] !== "") &&
    keys.every((key) => key === content || key === "name" || key === "type") &&
    ["name", "type"].every((key) => isText(key) || isAbsent(key))
  );
}

/** Whether an object has a file, or a list of files, as a member of its own. */
export function hasFileMember(body: unknown): boolean {
  if (!isPlainObject(body)) return false;
  const isFiles = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isFileObject) : isFileObject(value);
  return Object.values(body).some(isFiles);
}

/**
 * A text that is made here is UTF-8, and a kept file has the charset of its response: a person who approves would be shown something else.
 *
 * @throws ApiSourceError `invalid_input` for a type with another charset.
 */
function checkCharset(type: string | null | undefined): void {
  const { charset } = parseMediaType(type ?? undefined);
  if (charset !== undefined && !isUtf8Label(charset))
    throw refusePart("has a `type` with a charset other than utf-8");
}

/** RFC 4648 section 4. Node's decoder skips what is not base64, and would send other bytes than were meant. */
function readBase64(text: string): Uint8Array {
  const padding = text.indexOf("=");
  const isPadded = padding < 0 || /^==?$/.test(text.slice(padding));
  // A search for another character, not a pattern of the whole text: that one may run out of stack on ten million characters.
  const isBase64 = text.length % 4 === 0 && isPadded && !/[^A-Za-z0-9+/=]/.test(text);
  if (isBase64) return Buffer.from(text, "base64");
  throw refusePart("has a `$base64` that is not base64 with padding");
}

/** A part that is a file, as a hint shows it. */
export const filePart =
  '{"$file":"r_…"} for a kept file, or {"$text":"…","name":"note.txt"} for a new one';

function refusePart(what: string): Error {
  return invalidInput(
    `A file in the body ${what}.`,
    `Write ${filePart}, each with a "type" where it differs.`,
  );
}

/** @throws ApiSourceError `invalid_input` for a name that could lead out of where the application keeps its files. */
export function checkFileName(name: string): void {
  if (name.length <= 255 && !/\.\.|\\|^\/|\p{Cc}/u.test(name)) return;
  throw invalidInput(
    `The file name ${quoteText(name, 80)} cannot be used.`,
    "A name has at most 255 characters, and no `..`, backslash, control character, or slash at its beginning.",
  );
}

export interface Part {
  /** The field's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A media type; absent for a plain text field. */
  readonly type?: string;
  /** Set for a file. */
  readonly fileName?: string;
}

/**
 * Writes a multipart/form-data body (RFC 7578): known length, parts in their order, names that cannot break out of a header. The same parts
 * in the same order give the same bytes.
 */
export function writeMultipart(parts: readonly Part[]) {
  const heads = parts.map(writeHead);
  // 144 bits of a hash of the parts: no content can be made to contain it.
  const hashed = JSON.stringify(parts.map(({ bytes }, index) => [heads[index], hashBytes(bytes)]));
  const boundary = `form-${createHash("sha256").update(hashed).digest("hex").slice(0, 36)}`;
  const pieces = parts.flatMap(({ bytes }, index) => [
    Buffer.from(`--${boundary}\r\n${heads[index]}\r\n`, "utf8"),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function writeHead({ name, type, fileName }: Part): string {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`;
  const file = fileName === undefined ? "" : `; filename="${escapeName(fileName)}"`;
  return `${disposition}${file}\r\n${type === undefined ? "" : `Content-Type: ${type}\r\n`}`;
}

/** In UTF-8, as browsers write it (WHATWG HTML, multipart form data): a quote or a line break would end the value or the header. */
function escapeName(name: string): string {
  return name.toWellFormed().replace(/["\p{Cc}]/gu, encodeURIComponent);
}
