/** Whether a word, with what leads it, is one of those a tokenizer knows whole. */

import { firstFactor, secondFactor } from "./hash-characters.js";
import { knownWords } from "./known-words.js";

/** A Bloom filter: one in a hundred other words passes too. */
const bits: Uint8Array = Buffer.from(knownWords, "base64");
const low = bits.length * 8 - 1;
const shift = Math.clz32(low);

/** Tells whether a word is known, by its stirred hash: four bits are set for each that is. */
export function isKnownWord(hash: number): boolean {
  return (
    hasBit(hash & low) &&
    hasBit((hash >>> 9) & low) &&
    hasBit(Math.imul(hash, secondFactor) >>> shift) &&
    hasBit(Math.imul(hash, firstFactor) >>> shift)
  );
}

function hasBit(place: number): boolean {
  return (((bits[place >> 3] ?? 0) >> (place & 7)) & 1) !== 0;
}
