/** Whether a short secret is the whole value where it stands, and a number not a part of a longer one. */

import type { Needle } from "./needle.js";
import type { Interval } from "./unescape.js";

const longestFieldName = 40;

/** What stands between two values that are searched together. */
const separator = 0;

/** Schemes that stand before a credential in a header. */
const schemes = new Set(["bearer", "basic", "token", "apikey", "api-key", "key", "digest"]);

/** Fields whose values are ordinary words; a short password such as `admin` is one of these by coincidence. */
const ordinaryFields = new Set(
  "state status type kind role roles level name title label tag category group scope mode user username login".split(
    " ",
  ),
);

const quotes = toBytes("\"'`");
const endings = toBytes("\"'`&;,)}]#@<\r\n\t \0");
const beforeName = toBytes("\\\"'`:= \t[<>");
const aroundKey = toBytes("\\\"' ");

/**
 * Whether the match stands where its needle may stand. All digits: not next to another digit. Short: only as
 * the exact whole value of a field, header or parameter, or as the whole text; see `createRedactor`.
 */
export function hasBoundaries(bytes: Buffer, { from, to }: Interval, needle: Needle): boolean {
  if (needle.isNumber && (isDigit(bytes[from - 1]) || isDigit(bytes[to]))) return false;
  return !needle.isShort || isWholeValue(bytes, from, to, needle);
}

function isWholeValue(bytes: Buffer, from: number, to: number, needle: Needle): boolean {
  const before = bytes[from - 1] ?? separator;
  const after = bytes[to] ?? separator;
  if (before === separator) return after === separator;
  const isOrdinary = (): boolean => needle.isWord && ordinaryFields.has(readName(bytes, from - 1));
  const followsName = (end: number): boolean => /[a-z]/.test(readName(bytes, end)) && !isOrdinary();
  if (quotes.has(before)) return after === before && !isKey(bytes, to) && !isOrdinary();
  if (before === 0x3e) return after === 0x3c && !isOrdinary();
  if (!endings.has(after)) return false;
  if (before === 0x3d) return !isOrdinary();
  // The password in a URL, or a name before the colon: there is none in `12:34`.
  if (before === 0x3a) return after === 0x40 || followsName(from - 1);
  if (before !== 0x20) return false;
  return bytes[from - 2] === 0x3a ? followsName(from - 1) : schemes.has(readName(bytes, from - 1));
}

/** Whether the quoted text is a key: a field's name is never a short secret. */
function isKey(bytes: Buffer, end: number): boolean {
  let at = end;
  while (at < end + longestFieldName && aroundKey.has(bytes[at] ?? separator)) at++;
  return bytes[at] === 0x3a;
}

/** The name that stands before a value: over quotes, colons, brackets and spaces, then letters, digits, `-` and `_`. */
function readName(bytes: Buffer, end: number): string {
  let last = end;
  while (last > end - longestFieldName && beforeName.has(bytes[last - 1] ?? separator)) last--;
  let first = last;
  while (first > last - longestFieldName && isNameByte(bytes[first - 1] ?? separator)) first--;
  return bytes.toString("latin1", first, last).toLowerCase();
}

function isNameByte(byte: number): boolean {
  return (
    isDigit(byte) ||
    ((byte | 0x20) - 0x61 < 26 && byte >= 0x41 && (byte | 0x20) >= 0x61) ||
    byte === 0x2d ||
    byte === 0x5f
  );
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function toBytes(text: string): ReadonlySet<number> {
  return new Set(Buffer.from(text));
}
