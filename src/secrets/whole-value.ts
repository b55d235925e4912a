/** Whether a short secret is the whole value at its place, and a number not a part of a longer one. */

import { createByteTable } from "./anchors.js";
import type { Needle } from "./secret-forms.js";
import type { Interval } from "./unescape.js";

const longestFieldName = 40;

/** Separates two values that are searched together. */
const separator = 0;

/** Schemes before a credential in a header. */
const schemes = new Set(["bearer", "basic", "token", "apikey", "api-key", "key", "digest"]);

/** Fields whose values are ordinary words; a short password such as `admin` is one of these by coincidence. */
const ordinaryFields = new Set(
  "state status type kind role roles level name title label tag category group scope mode user username login".split(
    " ",
  ),
);

const isQuote = createByteTable(/["'`]/);
const isEnding = createByteTable(/["'`&;,)}\]#@<\r\n\t \0]/);
const isBeforeName = createByteTable(/[\\"'`:= \t[<>]/);
const isAroundKey = createByteTable(/[\\"' ]/);
const isName = createByteTable(/[\w-]/);
const isDigit = createByteTable(/\d/);

/**
 * Whether the match is where its needle may be. All digits: not next to another digit. Short: only as
 * the exact whole value of a field, header or parameter, or as the whole text; see `createRedactor`.
 */
export function hasBoundaries(bytes: Buffer, { from, to }: Interval, needle: Needle): boolean {
  const [before, after] = [bytes[from - 1] ?? separator, bytes[to] ?? separator];
  if (needle.isNumber && (isDigit[before] === 1 || isDigit[after] === 1)) return false;
  if (!needle.isShort) return true;
  if (before === separator) return after === separator;
  const isOrdinary = (): boolean => needle.isWord && ordinaryFields.has(readName(bytes, from - 1));
  const followsName = (): boolean => /[a-z]/.test(readName(bytes, from - 1)) && !isOrdinary();
  if (isQuote[before] === 1) return after === before && !isKey(bytes, to) && !isOrdinary();
  if (before === 0x3e) return after === 0x3c && !isOrdinary();
  if (isEnding[after] === 0) return false;
  if (before === 0x3d) return !isOrdinary();
  // The password in a URL, or a name before the colon; `12:34` has neither.
  if (before === 0x3a) return after === 0x40 || followsName();
  if (before !== 0x20) return false;
  return bytes[from - 2] === 0x3a ? followsName() : schemes.has(readName(bytes, from - 1));
}

/** Whether the quoted text is a key: a field's name is never a short secret. */
function isKey(bytes: Buffer, end: number): boolean {
  let at = end;
  while (at < end + longestFieldName && isAroundKey[bytes[at] ?? separator] === 1) at++;
  return bytes[at] === 0x3a;
}

/** The name before a value: over quotes, colons, brackets and spaces, then letters, digits, `-` and `_`. */
function readName(bytes: Buffer, end: number): string {
  let last = end;
  while (last > end - longestFieldName && isBeforeName[bytes[last - 1] ?? separator] === 1) last--;
  let first = last;
  while (first > last - longestFieldName && isName[bytes[first - 1] ?? separator] === 1) first--;
  return bytes.toString("latin1", first, last).toLowerCase();
}
