/** A file: its bytes, its name, made safe for every file system, and the plain data about it for an answer and a program. */

import { createHash } from "node:crypto";
import type { CallContext } from "../../base/runtime.js";
import { decodePercent, readLatin1AsUtf8 } from "../../base/text.js";
import { type ResponseHeaders, readHeader } from "../../http/limits/rate-limit.js";
import { decodeText, findLabel } from "../decode-text.js";

/** A file as plain data; its bytes are never part of it. */
export interface FileFacts {
  /** Safe for every file system: no path, no control characters. */
  readonly name: string;
  /** The media type, such as `application/pdf`. */
  readonly type: string;
  /** Its size. */
  readonly bytes: number;
  /** The digest of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A kept file: `id` names it in `{"$file": id}`. */
export interface KeptFile extends FileFacts {
  /** Absent where the file could not be kept. */
  readonly id?: string;
}

/** The members that an answer has of a kept file. */
export type ShownFile = Omit<KeptFile, "sha256">;

/** A file with its bytes. */
export interface FileContent {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Describes a file by its bytes. */
export function describeFile({ name, type, bytes }: FileContent): FileFacts {
  return { name, type, bytes: bytes.length, sha256: hashBytes(bytes) };
}

/** SHA-256 in hexadecimal. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A file of the application's own. */
export interface ApplicationFile {
  /** The content. */
  readonly bytes: Uint8Array;
  /** @default the last segment of the name that was asked for */
  readonly name?: string | undefined;
  /** @default "application/octet-stream" */
  readonly type?: string | undefined;
}

/** Finds a file of the application's own for this caller; undefined where it does not exist. */
export type ReadFile = (
  name: string,
  context: CallContext,
) => ApplicationFile | undefined | Promise<ApplicationFile | undefined>;

/** Reserved on Windows, with any extension (learn.microsoft.com, "Naming Files, Paths, and Namespaces"). */
const reservedName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** File systems take 255 bytes; a name that a person adds something to still fits. */
const maxNameBytes = 200;
const maxHeaderCharacters = 4_000;

/**
 * Makes a file name safe: its last segment, without control characters, characters that do not show, and those that Windows refuses; without
 * dots and spaces at its ends; not a reserved name; at most 200 bytes, its extension kept.
 *
 * @returns a name that is never empty: `file` where nothing is left.
 */
export function toFileName(given: string): string {
  const [segment = ""] = given.slice(-maxHeaderCharacters).toWellFormed().split(/[/\\]/).slice(-1);
  const visible = segment
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, "")
    .replace(/[<>:"|?*]/g, "_");
  const trimmed = trimEnds(visible);
  if (trimmed === "") return "file";
  return trimEnds(clipName(reservedName.test(trimmed) ? `_${trimmed}` : trimmed));
}

function trimEnds(name: string): string {
  return name.replace(/^[.\s]+/, "").replace(/[.\s]+$/, "");
}

function clipName(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name.slice(-11))?.[0] ?? "";
  const characters = [...name.slice(0, name.length - extension.length)].slice(0, maxNameBytes);
  while (Buffer.byteLength(characters.join("")) > maxNameBytes - extension.length) characters.pop();
  return characters.join("") + extension;
}

/**
 * The safe name of a response's file: from `Content-Disposition`, else the last segment of the path.
 *
 * @param path - Percent-encoded, without query.
 */
export function findFileName(headers: ResponseHeaders, path: string): string {
  const segment = path.split("/").findLast((each) => each !== "") ?? "";
  return toFileName(
    readDispositionName(readHeader(headers, "content-disposition") ?? "") ?? decodePercent(segment),
  );
}

/**
 * The name in a `Content-Disposition` header as it was sent: `filename*` in its charset (RFC 8187) before `filename` (RFC 6266, section 4.3), which
 * may be encoded words (RFC 2047), or text with spaces and without quotes.
 */
export function readDispositionName(header: string): string | undefined {
  const text = header.slice(0, maxHeaderCharacters);
  const [, label = "", extended = ""] =
    /;\s*filename\*\s*=\s*"?([\w.:-]{1,40})'[^']*'([^;"\s]+)/i.exec(text) ?? [];
  const named = decodeExtended(label, extended);
  if (named !== undefined) return named;
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]+))/i.exec(text) ?? [];
  const simple = quoted?.replace(/\\(["\\])/g, "$1") ?? plain?.trim();
  return simple && decodeWords(readLatin1AsUtf8(simple));
}

/** `utf-8''%e2%82%ac.pdf`. @returns undefined for a charset or an escape that cannot be read, and for nothing. */
function decodeExtended(label: string, escaped: string): string | undefined {
  const charset = label === "" ? undefined : findLabel(label);
  if (charset === undefined || escaped === "") return undefined;
  const latin = escaped.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const bytes = Buffer.from(latin, "latin1");
  const name = decodeText(bytes, { label: charset, markBytes: 0, isKnown: true });
  return name.includes("\ufffd") ? undefined : name;
}

const encodedWord = /=\?([\w.:-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;

/** Text with words such as `=?UTF-8?B?4oKs?=`; white space between two of them is not part of the text (RFC 2047, section 6.2). */
function decodeWords(text: string): string {
  if (!text.includes("=?")) return text;
  return text
    .replace(/(\?=)\s+(?==\?)/g, "$1")
    .replace(encodedWord, (word: string, label: string, way: string, content: string) => {
      const charset = findLabel(label);
      if (charset === undefined) return word;
      const isBase64 = way.toLowerCase() === "b";
      const bytes = isBase64 ? Buffer.from(content, "base64") : readQuoted(content);
      return decodeText(bytes, { label: charset, markBytes: 0, isKnown: true });
    });
}

/** `Q` of RFC 2047: `_` is a space, `=E9` a byte. */
function readQuoted(content: string): Uint8Array {
  const latin = content
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin, "latin1");
}
