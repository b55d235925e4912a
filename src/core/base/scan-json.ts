/** Scans JSON text once: how large its document is, and what `JSON.parse` would change. */

import { losesDigits } from "./loses-digits.js";

export interface JsonScan {
  /** Starts and ends of the numbers that a double can't hold and of the keys with an escape, alternating. */
  readonly changed: readonly number[];
  /** How many containers are open at most. */
  readonly depth: number;
  readonly containers: number;
  /** Elements and members, within a container's worth. */
  readonly values: number;
}

/** No two numbers of at most so many digits have the same double (IEEE 754, 53 bits). */
const safeDigits = 15;
/** An exponent of so many characters, its letter included, is within the range of a double. */
const safeExponent = 3;

/**
 * Takes any text. Never throws; one pass. The result holds when the text is valid JSON (or several documents of it).
 *
 * @param limits - Reading ends where one of these is passed: what it was is then one too high.
 */
export function scanJson(text: string, limits: Partial<Omit<JsonScan, "changed">> = {}): JsonScan {
  const most = { depth: Infinity, containers: Infinity, values: Infinity, ...limits };
  const changed: number[] = [];
  let [level, depth, containers, commas] = [0, 0, 0, 0];
  let backslash = findBackslash(text, 0);
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    let end = position + 1;
    if (unit <= 32) {
      // Most of an indented text is white space.
    } else if (unit === 34) {
      end = skipString(text, position);
      if (backslash < end) {
        backslash = findBackslash(text, end);
        if (isBeforeColon(text, end)) changed.push(position, end);
      }
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      end = skipNumber(text, position);
      // A number where a key belongs is not JSON, and a mark must not make it valid.
      if (isChanged(text, position, end) && !isBeforeColon(text, end)) changed.push(position, end);
    } else if (unit === 44) {
      commas += 1;
      if (containers + commas > most.values) break;
    } else if (unit === 91 || unit === 123) {
      containers += 1;
      level += 1;
      depth = Math.max(depth, level);
      if (depth > most.depth || containers > most.containers) break;
    } else if (unit === 93 || unit === 125) level -= 1;
    position = end;
  }
  return { changed, depth, containers, values: containers + commas };
}

/** Whether a double loses digits of a number: most numbers are too short for it. */
function isChanged(text: string, start: number, end: number): boolean {
  if (end - start <= safeDigits && !hasLongExponent(text, start, end)) return false;
  return losesDigits(text, start, end);
}

function hasLongExponent(text: string, start: number, end: number): boolean {
  for (let position = start; position < end - safeExponent; position += 1)
    if ((text.charCodeAt(position) | 32) === 101) return true;
  return false;
}

/** The index of the first backslash from `start` on; Infinity without one. */
function findBackslash(text: string, start: number): number {
  const found = text.indexOf("\\", start);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

export function isBeforeColon(text: string, end: number): boolean {
  return text.charCodeAt(skipSpaces(text, end)) === 58;
}

/** Takes the index of an opening quote. Returns the index behind the closing one; the text's length when it is missing. */
export function skipString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === 92) first -= 1;
    // An even number of backslashes escapes itself.
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The index behind the characters of a number. Not by a pattern: one runs out of stack on millions of digits. */
function skipNumber(text: string, start: number): number {
  for (let position = start; ; position += 1) {
    const unit = text.charCodeAt(position);
    const isDigit = unit >= 48 && unit <= 57;
    if (!isDigit && unit !== 46 && unit !== 45 && unit !== 43 && unit !== 101 && unit !== 69)
      return position;
  }
}

/** The index of the first character from `start` on that is not JSON white space. */
export function skipSpaces(text: string, start: number): number {
  let position = start;
  for (;;) {
    const unit = text.charCodeAt(position);
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return position;
    position += 1;
  }
}
