/** Whether a match may count where it stands: not inside a longer number, and, if it is short, only as a whole value. */

import type { Needle } from "./needle.js";
import { readSymbolBefore } from "./read-symbol-before.js";
import { readSymbols } from "./read-symbols.js";
import type { Interval, View } from "./view.js";

const longestFieldName = 40;

/** Schemes that stand before a credential in a header. */
const schemes = new Set(["bearer", "basic", "token", "apikey", "api-key", "key", "digest"]);

/** Fields whose values are ordinary words; a short password such as `admin` is one of these by coincidence. */
const ordinaryFields = new Set(
  "state status type kind role roles level name title label tag category group scope mode user username login".split(
    " ",
  ),
);

/**
 * Whether the match stands where its needle may stand. All digits: not next to another digit. Short: only as
 * the exact whole value of a field, header or parameter, or as the whole text; see `createRedactor`.
 */
export function hasBoundaries(view: View, match: Interval, needle: Needle): boolean {
  if (needle.digits && !isNumberApart(view, match)) return false;
  return !needle.whole || isWholeValue(view, match, needle);
}

function isNumberApart(view: View, match: Interval): boolean {
  if (isDigit(view.at(match.to))) return false;
  // In %208675 and \u00208675 the digits before belong to an escape.
  return !isDigit(readSymbolBefore(view, match.from)?.[0] ?? -1);
}

function isWholeValue(view: View, match: Interval, needle: Needle): boolean {
  const before = readSymbolBefore(view, match.from);
  const after = readSymbols(view, match.to).filter((_, index) => index % 2 === 0);
  if (before === undefined) return after.length === 0;
  const [code, start] = before;
  const character = String.fromCharCode(code);
  if ("\"'`".includes(character)) {
    return after.includes(code) && !isKey(view, match.to) && !isOrdinary(view, start, needle);
  }
  if (character === ">") return after.includes(0x3c) && !isOrdinary(view, start, needle);
  if (!endsValue(after)) return false;
  if (character === "=") return !isOrdinary(view, start, needle);
  if (character === ":") return after.includes(0x40) || followsName(view, match.from, needle);
  return character === " " && followsHeader(view, start, needle);
}

/** `Bearer x`, or `X-Api-Key: x`. */
function followsHeader(view: View, position: number, needle: Needle): boolean {
  if (view.at(position - 1) === 0x3a) return followsName(view, position, needle);
  return schemes.has(readName(view, position));
}

/** In `12:34` no name stands before the colon. */
function followsName(view: View, position: number, needle: Needle): boolean {
  return /[a-z]/.test(readName(view, position)) && !isOrdinary(view, position, needle);
}

function endsValue(after: readonly number[]): boolean {
  return (
    after.length === 0 || after.some((code) => "\"'`&;,)}]#@<\r\n\t ".includes(String.fromCharCode(code)))
  );
}

/** Whether the quoted text is a key: a field's name is never a short secret. */
function isKey(view: View, end: number): boolean {
  let position = end;
  while ([0x5c, 0x22, 0x27, 0x20].includes(view.at(position)) && position < end + longestFieldName)
    position++;
  return view.at(position) === 0x3a;
}

function isOrdinary(view: View, position: number, needle: Needle): boolean {
  return /^[a-z]+$/i.test(needle.text) && ordinaryFields.has(readName(view, position));
}

/** The name that stands before a value: over quotes, colons, brackets and spaces, then letters, digits, `-` and `_`. */
function readName(view: View, position: number): string {
  let end = position;
  while (end > position - longestFieldName && "\\\"'`:= \t[<>".includes(characterAt(view, end - 1))) end--;
  let start = end;
  while (start > end - longestFieldName && /[\w-]/.test(characterAt(view, start - 1))) start--;
  let name = "";
  for (let at = start; at < end; at++) name += characterAt(view, at);
  return name.toLowerCase();
}

/** One character; a NUL, which no name or separator is, where there is none. */
function characterAt(view: View, position: number): string {
  return String.fromCharCode(Math.max(0, view.at(position)));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
