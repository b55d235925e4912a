/** Puts the marker in place of stretches of a text, and keeps JSON text valid. */

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

interface Replacement extends Interval {
  readonly text: string;
}

/**
 * The text with each stretch replaced. What begins like a JSON document (an object, an array, or lines of these) stays
 * one: escapes are replaced whole, a number becomes the marker as a string, and of a stretch that reaches across the
 * punctuation of JSON each string and number is replaced and the punctuation kept.
 */
export function replaceInText(text: string, found: readonly Interval[]): string {
  const walk = found.length > 0 && /^[\ufeff\s]{0,1000}[{[]/.test(text) ? new JsonWalk(text) : undefined;
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of found) {
    if (to <= done) continue;
    const plain = { text: redactedMarker, from: Math.max(from, done), to };
    const made = walk === undefined ? plain : replaceInJson(walk, plain);
    pieces.push(text.slice(done, made.from), made.text);
    done = made.to;
  }
  return pieces.join("") + text.slice(done);
}

/** Walks through JSON text, over an escape at once, and knows what lies inside a string. */
class JsonWalk {
  readonly text: string;
  at = 0;
  isInString = false;

  constructor(text: string) {
    this.text = text;
  }

  get character(): string {
    return this.text.charAt(this.at);
  }

  /** Where the character or escape at this place ends. */
  get end(): number {
    if (this.character !== "\\") return this.at + 1;
    return this.at + (this.text.charAt(this.at + 1) === "u" ? 6 : 2);
  }

  step(): void {
    const { character, end } = this;
    if (character === '"') this.isInString = !this.isInString;
    this.at = end;
  }
}

/** Plain where the text outside of strings is not JSON after all. */
function replaceInJson(walk: JsonWalk, plain: Replacement): Replacement {
  while (walk.end <= plain.from) walk.step();
  let from = walk.at;
  let text = "";
  while (walk.at < plain.to) {
    const { character } = walk;
    if (walk.isInString && character !== '"') {
      while (walk.at < plain.to && walk.character !== '"') walk.step();
      text += redactedMarker;
    } else if (!walk.isInString && isScalar(character)) {
      const around = scalarAround(walk.text, walk.at);
      if (around === undefined) return plain;
      from = Math.min(from, around.from);
      while (walk.at < around.to) walk.step();
      text += `"${redactedMarker}"`;
    } else {
      if (!/[\s{}[\]:,"]/.test(character)) return plain;
      text += character;
      walk.step();
    }
  }
  return { text, from, to: walk.at };
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
