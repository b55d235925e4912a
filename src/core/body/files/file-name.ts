/** Names of files: read from a response's headers and path, and made safe for every file system. */

import { decodePercent, readLatin1AsUtf8 } from "../../base/text.js";

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
  const [segment = ""] = given.toWellFormed().split(/[/\\]/).slice(-1);
  const visible = segment
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, "")
    .replace(/[<>:"|?*]/g, "_");
  const trimmed = trimEnds(visible);
  if (trimmed === "") return "file";
  return trimEnds(clipName(reservedName.test(trimmed) ? `_${trimmed}` : trimmed));
}

/** Without dots and spaces at both ends; in steps, because a regular expression for the end is not linear. */
function trimEnds(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && /[.\s]/.test(name.charAt(start))) start += 1;
  while (end > start && /[.\s]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(start, end);
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
 * @param path Percent-encoded, without query.
 */
export function findFileName(disposition: string | undefined, path: string): string {
  const segment = path.split("/").findLast((each) => each !== "") ?? "";
  return toFileName(readDispositionName(disposition ?? "") ?? decodePercent(segment));
}

/** The name in a `Content-Disposition` header as it was sent: `filename*` before `filename` (RFC 6266, 4.3). */
export function readDispositionName(header: string): string | undefined {
  const text = header.slice(0, maxHeaderCharacters);
  const extended = /;\s*filename\*\s*=\s*"?([\w-]+)'[^']*'([^;"\s]+)/i.exec(text);
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(text) ?? [];
  const decoded = extended && decodeExtended(extended[1] ?? "", extended[2] ?? "");
  const simple = quoted?.replace(/\\(["\\])/g, "$1") ?? plain;
  return decoded ?? (simple && readLatin1AsUtf8(simple));
}

/** RFC 8187, 3.2: percent-encoded bytes in the charset it names. */
function decodeExtended(charset: string, value: string): string | undefined {
  try {
    const bytes = Buffer.from(
      value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      "latin1",
    );
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
