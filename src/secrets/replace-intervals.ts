/** Puts the marker in place of stretches of a text, and keeps JSON text valid. */

import { mergeIntervals } from "./merge-intervals.js";
import { redactedMarker } from "./secret.js";
import type { Interval } from "./view.js";

const quote = 0x22;
const backslash = 0x5c;

const punctuation = /[\s{}[\]:,"]/;

const scalar = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Bounds the walk over what only looks like a number. */
const longestScalar = 64;

/** All that stands in JSON outside of strings. */
const structural = /^[\s\d+\-.eE{}[\]:,truefalsn]*$/;

/**
 * The text with each stretch replaced. What begins like a JSON document (an object, an array, or lines of these) stays
 * one: escapes are replaced whole, a number becomes the marker as a string, and of a stretch that reaches across the
 * punctuation of JSON each string and number is replaced and the punctuation kept.
 */
export function replaceIntervals(text: string, intervals: readonly Interval[]): string {
  const isJson = /^[\ufeff\s]{0,1000}[{[]/.test(text);
  const merged = mergeIntervals(intervals);
  const whole = isJson ? mergeIntervals(merged.map((one) => coverEscapes(text, one))) : merged;
  const inString = createStringTracker(text);
  let result = "";
  let done = 0;
  for (const { from, to } of whole) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    const pieces =
      isJson && mayLeaveString(text, start, to) ? replacePieces(text, start, to, inString(start)) : undefined;
    const replacement = pieces ?? { text: redactedMarker, start, end: to };
    result += text.slice(done, replacement.start) + replacement.text;
    done = replacement.end;
  }
  return result + text.slice(done);
}

interface Replacement {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Whether the stretch can reach outside of a string: it holds a quote that is not escaped, or only punctuation and numbers. */
function mayLeaveString(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return true;
  }
  return to - from <= 10_000 && structural.test(text.slice(from, to));
}

/** Undefined when what stands outside of strings is not JSON after all. */
function replacePieces(
  text: string,
  from: number,
  to: number,
  startsInString: boolean,
): Replacement | undefined {
  let inString = startsInString;
  let start = from;
  let at = from;
  const parts: string[] = [];
  while (at < to) {
    const character = text.charAt(at);
    if (!inString && isScalar(character)) {
      const scalar = scalarAround(text, at);
      if (scalar === undefined) return undefined;
      start = Math.min(start, scalar.from);
      at = scalar.to;
      parts.push(`"${redactedMarker}"`);
    } else if (inString && character !== '"') {
      at = endOfString(text, at, to);
      parts.push(redactedMarker);
    } else {
      if (!punctuation.test(character)) return undefined;
      if (character === '"') inString = !inString;
      parts.push(character);
      at++;
    }
  }
  return { text: parts.join(""), start, end: at };
}

function endOfString(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return Math.min(at, to);
}

/** A character of a number, or of true, false and null. */
function isScalar(character: string): boolean {
  return /[\w+.-]/.test(character);
}

/** The number, true, false or null that a position lies in. */
function scalarAround(text: string, position: number): Interval | undefined {
  let from = position;
  let to = position;
  while (position - from < longestScalar && from > 0 && isScalar(text.charAt(from - 1))) from--;
  while (to - position < longestScalar && isScalar(text.charAt(to))) to++;
  return scalar.test(text.slice(from, to)) ? { from, to } : undefined;
}

/** Tells whether a position lies inside a string; positions are asked for in order, so the text is read once at most. */
function createStringTracker(text: string): (position: number) => boolean {
  let next = 0;
  let inside = false;
  return (position) => {
    let at = text.indexOf('"', next);
    while (at >= 0 && at < position) {
      if (!inside || backslashesBefore(text, at) % 2 === 0) inside = !inside;
      next = at + 1;
      at = text.indexOf('"', next);
    }
    return inside;
  };
}

function backslashesBefore(text: string, position: number): number {
  let start = position;
  while (start > 0 && text.charCodeAt(start - 1) === backslash) start--;
  return position - start;
}

/** The stretch with the escapes at its ends taken in whole: half an escape would break the document. */
function coverEscapes(text: string, { from, to }: Interval): Interval {
  return { from: escapeAround(text, from)?.from ?? from, to: escapeAround(text, to)?.to ?? to };
}

/** The escape that a position lies strictly inside of. */
function escapeAround(text: string, position: number): Interval | undefined {
  for (let start = position - 1; start >= Math.max(0, position - 5); start--) {
    if (text.charCodeAt(start) !== backslash || backslashesBefore(text, start) % 2 === 1) continue;
    const length = text.charAt(start + 1) === "u" ? 6 : 2;
    if (start + length > position) return { from: start, to: Math.min(start + length, text.length) };
  }
  return undefined;
}
