/** Finds the numbers that `JSON.parse` would change without reading the text character by character. */

import { isChangedNumber, isJsonSpace, isNumberUnit } from "./number-literal.js";

/** Starts and ends of the literals, alternating, in order of the text. */
export type NumberSpans = readonly number[] | Int32Array;

interface Search {
  readonly text: string;
  readonly spans: number[];
  /** Set when a literal was met of which only a full scan can tell whether it stands within a string. */
  unsure: boolean;
}

/** An exponent within digits; the shortest pattern that a fast search can use. */
const exponent = /[0-9][eE][-+0-9]/g;

/**
 * Takes JSON text. Returns the spans of all literals to keep, found by native searches for what such a literal
 * holds (a point, an exponent, a long run of digits, `-0`) and a look at the characters around it; `undefined`
 * when only a full scan can tell.
 *
 * A literal counts when it is written as the value of a member (`"…":19.90,` or `}`). In a string that can be
 * written too (`"\":19.90,"` is told apart, `":19.90,\""` is not), so whoever marks these spans has to check that the
 * result parses: the quotes of a mark put into a string always break the syntax.
 */
export function guessChangedNumbers(text: string): NumberSpans | undefined {
  const search: Search = { text, spans: [], unsure: false };
  searchPoints(search);
  let searchesWithSpans = search.spans.length > 0 ? 1 : 0;
  for (const searchMore of [searchExponents, searchMinusZeros, searchLongIntegers]) {
    const before = search.spans.length;
    if (!search.unsure) searchMore(search);
    if (search.spans.length > before) searchesWithSpans += 1;
  }
  if (search.unsure) return undefined;
  // Each search finds in order; only several of them need sorting.
  return searchesWithSpans > 1 ? sortSpans(search.spans) : search.spans;
}

function searchPoints(search: Search): void {
  const { text } = search;
  let position = text.indexOf(".");
  while (position >= 0 && !search.unsure) {
    let next = position + 1;
    if (isDigit(text.charCodeAt(position - 1)) && isDigit(text.charCodeAt(next)))
      next = judge(search, position);
    position = text.indexOf(".", next);
  }
}

function searchExponents(search: Search): void {
  const pattern = new RegExp(exponent);
  let match = pattern.exec(search.text);
  while (match !== null && !search.unsure) {
    pattern.lastIndex = Math.max(match.index + 1, judge(search, match.index));
    match = pattern.exec(search.text);
  }
}

function searchMinusZeros(search: Search): void {
  const { text } = search;
  let position = text.indexOf("-0");
  while (position >= 0 && !search.unsure) {
    let next = position + 2;
    // Most are parts of dates: `2024-05-01`.
    if (!isNumberUnit(text.charCodeAt(position - 1)) && !isNumberUnit(text.charCodeAt(next))) {
      next = judge(search, position);
    }
    position = text.indexOf("-0", next);
  }
}

/** Every run of 16 digits covers an index that 16 divides: one look in 16 characters is enough. */
function searchLongIntegers(search: Search): void {
  const { text } = search;
  const { length } = text;
  for (let position = 15; position < length; position += 16) {
    const unit = text.charCodeAt(position);
    if (unit > 57 || unit < 48) continue;
    let start = position;
    while (isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = position + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end - start > 15) judge(search, position);
    if (search.unsure) return;
    while (position + 16 < end) position += 16;
  }
}

/** Judges the run of number characters around a position and returns the index behind it. */
function judge(search: Search, position: number): number {
  const { text } = search;
  let start = position;
  while (isNumberUnit(text.charCodeAt(start - 1))) start -= 1;
  let end = position + 1;
  while (isNumberUnit(text.charCodeAt(end))) end += 1;
  if (isChangedNumber(text, start, end)) {
    const place = placeOf(text, start, end);
    if (place === "member") search.spans.push(start, end);
    else if (place === "unsure") search.unsure = true;
  }
  return end;
}

/** Where a literal stands by its surroundings: `elsewhere` is within a string for certain (or the text is no JSON). */
function placeOf(text: string, start: number, end: number): "member" | "elsewhere" | "unsure" {
  let before = start - 1;
  while (isJsonSpace(text.charCodeAt(before))) before -= 1;
  const unit = text.charCodeAt(before);
  if (before < 0 || unit === 44 || unit === 91) return "unsure";
  if (unit !== 58) return "elsewhere";
  before -= 1;
  while (isJsonSpace(text.charCodeAt(before))) before -= 1;
  if (text.charCodeAt(before) !== 34 || isEscaped(text, before)) return "elsewhere";
  let after = end;
  while (isJsonSpace(text.charCodeAt(after))) after += 1;
  if (text.charCodeAt(after) === 125) return "member";
  if (text.charCodeAt(after) !== 44) return "elsewhere";
  after += 1;
  while (isJsonSpace(text.charCodeAt(after))) after += 1;
  return text.charCodeAt(after) === 34 ? "member" : "elsewhere";
}

/** Whether an odd number of backslashes stands before a position. */
function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text.charCodeAt(start - 1) === 92) start -= 1;
  return (position - start) % 2 === 1;
}

function isDigit(unit: number): boolean {
  return unit <= 57 && unit >= 48;
}

function sortSpans(spans: readonly number[]): NumberSpans {
  const ends = new Map<number, number>();
  for (let index = 0; index < spans.length; index += 2) ends.set(spans[index] ?? 0, spans[index + 1] ?? 0);
  return [...ends].sort((left, right) => left[0] - right[0]).flat();
}
