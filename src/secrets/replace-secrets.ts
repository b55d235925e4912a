/** Puts the marker in place of stretches of a text, and keeps JSON text valid. */

import { mergeIntervals } from "./find-secrets.js";
import { redactedMarker } from "./secret.js";
import type { Interval } from "./unescape.js";

const scalar = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Bounds the walk over what only looks like a number. */
const longestScalar = 64;

/** The text as bytes with the stretches replaced. */
export function replaceInBytes(bytes: Buffer, found: readonly Interval[]): Buffer {
  const marker = Buffer.from(redactedMarker);
  let done = 0;
  const pieces: Uint8Array[] = [];
  for (const { from, to } of found) {
    pieces.push(bytes.subarray(done, from), marker);
    done = to;
  }
  return Buffer.concat([...pieces, bytes.subarray(done)]);
}

/** Stretches of UTF-8 as stretches of the text, in UTF-16 code units; characters are taken whole. */
export function findInText(bytes: Buffer, text: string, found: readonly Interval[]): readonly Interval[] {
  if (bytes.length === text.length) return found;
  let atByte = 0;
  let atUnit = 0;
  const locate = (place: number): number => {
    atUnit += bytes.toString("utf8", atByte, place).length;
    atByte = place;
    return atUnit;
  };
  const isInside = (place: number): boolean => ((bytes[place] ?? 0) & 0xc0) === 0x80;
  return found.map(({ from, to }) => {
    let first = Math.max(from, atByte);
    let last = Math.max(to, atByte);
    while (first > atByte && isInside(first)) first--;
    while (isInside(last)) last++;
    return { from: locate(first), to: locate(last) };
  });
}

/**
 * The text with each stretch replaced. What begins like a JSON document (an object, an array, or lines of these) stays
 * one: escapes are replaced whole, a number becomes the marker as a string, and of a stretch that reaches across the
 * punctuation of JSON each string and number is replaced and the punctuation kept.
 */
export function replaceInText(text: string, found: readonly Interval[]): string {
  const isJson = /^[\ufeff\s]{0,1000}[{[]/.test(text);
  const whole = isJson ? mergeIntervals(found.map((one) => coverEscapes(text, one))) : found;
  const isInString = createStringTracker(text);
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of whole) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    const kept = isJson ? replaceInJson(text, start, to, isInString(start)) : undefined;
    const replacement = kept ?? { text: redactedMarker, from: start, to };
    pieces.push(text.slice(done, replacement.from), replacement.text);
    done = replacement.to;
  }
  return pieces.join("") + text.slice(done);
}

/** Undefined when what stands outside of strings is not JSON after all. */
function replaceInJson(
  text: string,
  from: number,
  to: number,
  startsInString: boolean,
): (Interval & { readonly text: string }) | undefined {
  let isInString = startsInString;
  let start = from;
  let at = from;
  let written = "";
  while (at < to) {
    const character = text.charAt(at);
    if (isInString && character !== '"') {
      while (at < to && text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
      at = Math.min(at, to);
      written += redactedMarker;
    } else if (!isInString && isScalar(character)) {
      const around = scalarAround(text, at);
      if (around === undefined) return undefined;
      start = Math.min(start, around.from);
      at = around.to;
      written += `"${redactedMarker}"`;
    } else {
      if (!/[\s{}[\]:,"]/.test(character)) return undefined;
      if (character === '"') isInString = !isInString;
      written += character;
      at++;
    }
  }
  return { text: written, from: start, to: at };
}

/** A character of a number, or of true, false and null. */
function isScalar(character: string): boolean {
  return /[\w+.-]/.test(character);
}

function scalarAround(text: string, place: number): Interval | undefined {
  let from = place;
  let to = place;
  while (place - from < longestScalar && from > 0 && isScalar(text.charAt(from - 1))) from--;
  while (to - place < longestScalar && isScalar(text.charAt(to))) to++;
  return scalar.test(text.slice(from, to)) ? { from, to } : undefined;
}

/** Tells whether a place lies inside a string; places are asked for in order, so the text is read once at most. */
function createStringTracker(text: string): (place: number) => boolean {
  let next = 0;
  let isInside = false;
  return (place) => {
    for (let at = text.indexOf('"', next); at >= 0 && at < place; at = text.indexOf('"', next)) {
      if (!isInside || countBackslashes(text, at) % 2 === 0) isInside = !isInside;
      next = at + 1;
    }
    return isInside;
  };
}

function countBackslashes(text: string, end: number): number {
  let start = end;
  while (start > 0 && text.charAt(start - 1) === "\\") start--;
  return end - start;
}

/** The stretch with the escapes at its ends taken in whole: half an escape would break the document. */
function coverEscapes(text: string, { from, to }: Interval): Interval {
  return { from: escapeAround(text, from)?.from ?? from, to: escapeAround(text, to)?.to ?? to };
}

/** The escape that a place lies strictly inside of. */
function escapeAround(text: string, place: number): Interval | undefined {
  for (let start = place - 1; start >= Math.max(0, place - 5); start--) {
    if (text.charAt(start) !== "\\" || countBackslashes(text, start) % 2 === 1) continue;
    const length = text.charAt(start + 1) === "u" ? 6 : 2;
    if (start + length > place) return { from: start, to: Math.min(start + length, text.length) };
  }
  return undefined;
}
