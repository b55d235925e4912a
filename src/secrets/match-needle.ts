/** Compares a whole needle with what stands around one place, whatever each character is written as. */

import type { Needle } from "./needle.js";
import { isEscapeLead, readSymbols } from "./read-symbols.js";
import type { Interval, View } from "./view.js";
import { windows1252Characters } from "./windows-1252.js";

const plus = 0x2b;

/** The longest way to write one character that is looked for before an anchor, in characters. */
const longestCharacter = 128;

/** From this many places on the readings of a repeated character are thinned out. */
const manyPlaces = 16;

/**
 * The widest stretch around `start` that stands for the whole needle, of which character number `index` begins at
 * `start`. Undefined when any character differs: a part of a secret is never a match, because redacting parts would
 * let anybody who can make an API echo text find the secret character by character.
 */
export function matchNeedle(view: View, start: number, needle: Needle, index: number): Interval | undefined {
  const ends = follow(view, start, needle, index, 1);
  const starts = ends && follow(view, start, needle, index - 1, -1);
  return starts && { from: Math.min(...starts), to: Math.max(...ends) };
}

/** Where the needle can end (or begin, going backwards) when character `index` begins (or ends) at `start`. */
function follow(
  view: View,
  start: number,
  needle: Needle,
  index: number,
  step: 1 | -1,
): number[] | undefined {
  const { codePoints } = needle;
  const add = step === 1 ? addEnds : addStarts;
  let places = [start];
  let origin = start;
  let repeated = 0;
  for (let at = index; at >= 0 && at < codePoints.length; at += step) {
    if (repeated === 0 || codePoints[at] !== codePoints[at - step]) {
      origin = places[0] ?? start;
      repeated = 0;
    }
    repeated++;
    const next: number[] = [];
    for (const place of places) add(view, place, needle, at, next);
    if (next.length === 0) return undefined;
    places = next.length <= manyPlaces ? next : thin(next, origin, repeated);
  }
  return places;
}

/**
 * Each of several backslashes can be read in five ways, and all of them together in more than anybody can wait for.
 * One encoder writes all of them alike: only places at a multiple of their number are kept.
 */
function thin(places: readonly number[], origin: number, repeated: number): number[] {
  return places.filter((place) => (place - origin) % repeated === 0).slice(0, manyPlaces);
}

/** Adds each place where character `index` of the needle can end when it begins at `position`. */
function addEnds(view: View, position: number, needle: Needle, index: number, ends: number[]): void {
  const wanted = needle.codePoints[index] ?? 0;
  const code = view.at(position);
  if (code === wanted) addOnce(ends, position + 1);
  if (code < 0) return;
  if (wanted >= 0x80) addWideEnds(view, position, needle, index, ends);
  else if (isEscapeLead(code)) addAsciiEnds(view, readSymbols(view, position), wanted, ends);
  else if (code === plus || isQuote(code)) addAsciiEnds(view, [code, position + 1], wanted, ends);
}

/** A form writes a space as `+`; SQL, YAML and CSV double the quote that they quote with. */
function addAsciiEnds(view: View, symbols: readonly number[], wanted: number, ends: number[]): void {
  addSymbolEnds(symbols, wanted, ends);
  if (wanted === 0x20) addSymbolEnds(symbols, plus, ends);
  if (!isQuote(wanted)) return;
  for (let at = 0; at < symbols.length; at += 2) {
    if (symbols[at] === wanted) addDoubledEnds(view, symbols[at + 1] ?? 0, wanted, ends);
  }
}

/** After one quote, a second; or three more where a doubled one was doubled again. */
function addDoubledEnds(view: View, position: number, quote: number, ends: number[]): void {
  addSymbolEnds(readSymbols(view, position), quote, ends);
  if ([0, 1, 2].every((offset) => view.at(position + offset) === quote)) addOnce(ends, position + 3);
}

function addSymbolEnds(symbols: readonly number[], wanted: number, ends: number[]): void {
  for (let at = 0; at < symbols.length; at += 2) {
    if (symbols[at] === wanted) addOnce(ends, symbols[at + 1] ?? 0);
  }
}

/** Beyond ASCII a character is one code point, two surrogates, one Latin-1 byte, or its UTF-8 bytes. */
function addWideEnds(view: View, position: number, needle: Needle, index: number, ends: number[]): void {
  const wanted = needle.codePoints[index] ?? 0;
  addSymbolEnds(readSymbols(view, position), wanted, ends);
  if (wanted > 0xffff) {
    const high = 0xd800 + ((wanted - 0x10000) >> 10);
    const low = 0xdc00 + ((wanted - 0x10000) & 0x3ff);
    addSequenceEnds(view, position, [high, low], ends);
  }
  addSequenceEnds(view, position, needle.utf8[index] ?? [], ends);
}

function addSequenceEnds(view: View, position: number, values: readonly number[], ends: number[]): void {
  let reached = [position];
  for (const value of values) {
    const next: number[] = [];
    for (const at of reached) {
      const symbols = readSymbols(view, at);
      addSymbolEnds(symbols, value, next);
      const windows1252 = windows1252Characters.get(value);
      if (windows1252 !== undefined) addSymbolEnds(symbols, windows1252, next);
    }
    reached = next;
  }
  for (const end of reached) addOnce(ends, end);
}

/** Adds each place where character `index` of the needle can begin when it ends at `position`. */
function addStarts(view: View, position: number, needle: Needle, index: number, starts: number[]): void {
  const ends: number[] = [];
  for (let start = position - 1; start >= position - longestCharacter; start--) {
    const code = view.at(start);
    if (code < 0) return;
    if (start < position - 1 && !beginsLongForm(code)) continue;
    ends.length = 0;
    addEnds(view, start, needle, index, ends);
    if (ends.includes(position)) addOnce(starts, start);
  }
}

function beginsLongForm(code: number): boolean {
  return code >= 0x80 || isEscapeLead(code) || isQuote(code);
}

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

function addOnce(list: number[], value: number): void {
  if (!list.includes(value)) list.push(value);
}
