/** Looks through JSON text before it is parsed: its size, what `JSON.parse` would change, a repeated key. */

import { randomBytes } from "node:crypto";

export interface JsonScan {
  /** Starts and ends of the numbers that JavaScript would print differently and of the keys with an escape, alternating. */
  readonly changed: readonly number[];
  /** How many containers are open at most. */
  readonly depth: number;
  readonly containers: number;
  /** Elements and members, within a container's worth. */
  readonly values: number;
  /** Different keys, as they are spelled; a few less, and 0 of a text too short to pass the limit. */
  readonly names: number;
}

/** What a tree may have of each; by default anything. */
export type ScanLimits = Partial<Readonly<Record<"depth" | "containers" | "values" | "names", number>>>;

/** RFC 8259 section 6. */
export const jsonNumber: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** In a longer text repeated keys are looked for in its beginning only: rows that repeat a key do so in each row. */
const repeatsSearched = 100_000;
/** No two numbers of at most so many digits have the same double (IEEE 754, 53 bits). */
const safeDigits = 15;

/**
 * Takes any text. Never throws; one pass. The result holds when the text is valid JSON (or several documents of it).
 *
 * @param limits - Reading ends where one of these is passed: what it was is then one too high.
 */
export function scanJson(text: string, limits: ScanLimits = {}): JsonScan {
  const most = { depth: Infinity, containers: Infinity, values: Infinity, names: Infinity, ...limits };
  const changed: number[] = [];
  // The shortest member is `"":0,`.
  const seen = text.length < most.names * 5 ? undefined : new Uint8Array(nameSlots);
  let [level, depth, containers, commas, names] = [0, 0, 0, 0, 0];
  let backslash = findBackslash(text, 0);
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    let end = position + 1;
    if (unit <= 32) {
      // Of indented text most is this.
    } else if (unit === 34) {
      end = skipString(text, position);
      if (backslash < end) {
        backslash = findBackslash(text, end);
        if (isBeforeColon(text, end)) changed.push(position, end);
      }
      if (seen !== undefined && isBeforeColon(text, end)) {
        const slot = findSlot(text, position, end);
        names += 1 - (seen[slot] ?? 0);
        seen[slot] = 1;
      }
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      end = skipNumber(text, position);
      // A number where a key belongs is not JSON, and a mark must not make it valid.
      if (isChanged(text, position, end) && !isBeforeColon(text, end)) changed.push(position, end);
    } else if (unit === 44) {
      commas += 1;
      if (containers + commas > most.values || names > most.names) break;
    } else if (unit === 91 || unit === 123) {
      containers += 1;
      level += 1;
      depth = Math.max(depth, level);
      if (depth > most.depth || containers > most.containers) break;
    } else if (unit === 93 || unit === 125) level -= 1;
    position = end;
  }
  return { changed, depth, containers, values: containers + commas, names };
}

const nameSlots = 1 << 20;
/** Another one in each process, so that names can't be chosen to share a slot. */
const nameSeed = randomBytes(4).readInt32LE();

/**
 * Different names are counted by their hashes, since keeping half a million keys of rows would cost more than parsing them. Of a
 * hundred thousand names some five thousand share a slot with another one and are not counted.
 */
function findSlot(text: string, start: number, end: number): number {
  let hash = nameSeed;
  for (let at = start + 1; at < end; at += 1) {
    // The golden ratio (Knuth, 6.4). The shift lets upper bits change lower ones, which alone are used.
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash & (nameSlots - 1);
}

/** The first key that occurs twice in one object, within the bounds of the search. The text is valid JSON. */
export function findRepeatedKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  const length = Math.min(text.length, repeatsSearched);
  for (let position = 0; position < length; ) {
    const unit = text.charCodeAt(position);
    const end = unit === 34 ? skipString(text, position) : position + 1;
    if (unit === 34 && isBeforeColon(text, end)) {
      const quoted = text.slice(position, end);
      const key = quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    } else if (unit === 91 || unit === 123) open.push(new Set());
    else if (unit === 93 || unit === 125) open.pop();
    position = end;
  }
  return undefined;
}

/** Most numbers are known by their look: of few digits a double forgets only a zero at the end. The others are printed and compared. */
function isChanged(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) === 45 ? start + 1 : start;
  if (end - first <= safeDigits) {
    const point = skipDigits(text, first);
    const beginsWithZero = text.charCodeAt(first) === 48;
    if (point === end && (!beginsWithZero || end - start === 1)) return false;
    const isDecimal = point > first && text.charCodeAt(point) === 46 && skipDigits(text, point + 1) === end;
    // Not `00.5`, which is not JSON, and not below `0.1`: `0.0000001` is printed as `1e-7`.
    if (isDecimal && (!beginsWithZero || (point === first + 1 && text.charCodeAt(point + 1) !== 48)))
      return text.charCodeAt(end - 1) === 48;
  }
  const literal = text.slice(start, end);
  return jsonNumber.test(literal) && String(Number(literal)) !== literal;
}

function skipDigits(text: string, start: number): number {
  let position = start;
  for (let unit = text.charCodeAt(position); unit >= 48 && unit <= 57; ) unit = text.charCodeAt(++position);
  return position;
}

/** The index of the first backslash from `start` on; Infinity without one. */
function findBackslash(text: string, start: number): number {
  const found = text.indexOf("\\", start);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function isBeforeColon(text: string, end: number): boolean {
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
    if (!isDigit && unit !== 46 && unit !== 45 && unit !== 43 && unit !== 101 && unit !== 69) return position;
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

/** Takes a sticky pattern. Returns the index behind what it matches at a position; undefined when it does not. */
export function matchAt(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
