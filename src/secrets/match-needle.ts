/** Compares a whole needle with what stands around one place, whatever each character is written as. */

import type { Needle } from "./needle.js";
import { isEscapeLead, readSymbols } from "./read-symbols.js";
import type { Interval, View } from "./view.js";

/** The longest way to write one character that is looked for before an anchor, in characters. */
const longestCharacter = 64;

/**
 * The widest stretch around `start` that stands for the whole needle, of which character number `index` begins at
 * `start`. Undefined when any character differs: a part of a secret is never a match, because redacting parts would
 * let anybody who can make an API echo text find the secret character by character.
 */
export function matchNeedle(view: View, start: number, needle: Needle, index: number): Interval | undefined {
  let ends = [start];
  for (let at = index; at < needle.codePoints.length; at++) {
    const next: number[] = [];
    for (const end of ends) addEnds(view, end, needle, at, next);
    if (next.length === 0) return undefined;
    ends = next;
  }
  let starts = [start];
  for (let at = index - 1; at >= 0; at--) {
    const previous: number[] = [];
    for (const position of starts) addStarts(view, position, needle, at, previous);
    if (previous.length === 0) return undefined;
    starts = previous;
  }
  return { from: Math.min(...starts), to: Math.max(...ends) };
}

/** Adds each place where character `index` of the needle can end when it begins at `position`. */
function addEnds(view: View, position: number, needle: Needle, index: number, ends: number[]): void {
  const wanted = needle.codePoints[index] ?? 0;
  const code = view.at(position);
  if (code === wanted) addOnce(ends, position + 1);
  if (code < 0) return;
  if (wanted < 0x80) {
    if (isEscapeLead(code)) addSymbolEnds(readSymbols(view, position), wanted, ends);
    // A form writes a space as +; SQL, YAML and CSV double the quote that they quote with.
    else if (wanted === 0x20 && code === 0x2b) addOnce(ends, position + 1);
    else if (code === wanted && isQuote(code) && view.at(position + 1) === code) addOnce(ends, position + 2);
    return;
  }
  addWideEnds(view, position, needle, index, ends);
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

/** What bytes 0x80 to 0x9f become where UTF-8 is read as Windows-1252, as browsers and spreadsheets do. */
const windows1252Characters: ReadonlyMap<number, number> = new Map(
  [..."€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"].map(
    (character, index) => [0x80 + index, character.charCodeAt(0)] as const,
  ),
);
