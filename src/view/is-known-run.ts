/** Whether a word, with what leads it, or a run of marks is one of those a tokenizer knows whole. */

import { firstFactor, secondFactor } from "./hash-characters.js";
import { knownMarks, knownWords } from "./known-runs.js";

/** Bloom filters: one in a hundred others passes too, of the frequent ones fewer. */
const words: Uint8Array = Buffer.from(knownWords, "base64");
const marks: Uint8Array = Buffer.from(knownMarks, "base64");

/** Tells whether a word is known, by its stirred hash. */
export function isKnownWord(hash: number): boolean {
  return passes(words, hash);
}

/** Tells whether a run of marks is known, by its stirred hash. */
export function isKnownMarks(hash: number): boolean {
  return passes(marks, hash);
}

/** Four bits are set for each that is known; all are read, since a branch on each would cost more. */
function passes(filter: Uint8Array, hash: number): boolean {
  const last = filter.length * 8 - 1;
  const shift = Math.clz32(last);
  return (
    (bitAt(filter, hash & last) &
      bitAt(filter, (hash >>> 9) & last) &
      bitAt(filter, Math.imul(hash, secondFactor) >>> shift) &
      bitAt(filter, Math.imul(hash, firstFactor) >>> shift) &
      1) ===
    1
  );
}

function bitAt(filter: Uint8Array, place: number): number {
  return (filter[place >> 3] ?? 0) >> (place & 7);
}
