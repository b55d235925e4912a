/** How many cuts a tokenizer makes inside one character, on average: a rarer one is kept as two or three tokens of its bytes. */

import { emojiCuts, innerCuts, wholeHan, wholeHangul } from "./inner-cuts.js";

/** Parts of a token that costs are counted in. */
export const perToken = 4096;
const rows: Uint8Array = Buffer.from(innerCuts, "latin1");
const none = 35;
const perDigit: number = perToken / 32;
/** Codes that have rows: all up to here, and those from there on, whose rows come next. */
const rowsUpTo = 0x3400;
const rowsFrom = 0xfe00;
const han: Uint8Array = Buffer.from(wholeHan, "base64");
const hangul: Uint8Array = Buffer.from(wholeHangul, "base64");
const emoji: Uint8Array = Buffer.from(emojiCuts, "base64");
/** What an emoji costs above that, as many come in two ways that the tables do not tell apart. */
const doubtOfEmoji: number = perToken / 12;
/** Of all the others: old Han characters, rare scripts, private codes; and of those beyond the basic plane. */
const cutsOfRare = 2;
const cutsOfFar = 3;

/** Tells the cuts inside a character of the basic plane beyond ASCII; the halves of a pair have none of their own. */
export function costInside(code: number): number {
  if (code < rowsUpTo) return ((rows[code >> 3] ?? none) - none) * perDigit;
  if (code >= 0x4e00 && code < 0xa000) return perToken - bitAt(han, code - 0x4e00) * perToken;
  if (code >= 0xac00 && code < 0xd7a4) return perToken - bitAt(hangul, code - 0xac00) * perToken;
  if (code >= 0xd800 && code < 0xe000) return 0;
  if (code < rowsFrom) return cutsOfRare * perToken;
  return ((rows[(rowsUpTo + code - rowsFrom) >> 3] ?? none) - none) * perDigit;
}

/** Tells the cuts inside a character beyond the basic plane, by its two halves. */
export function costInsidePair(first: number, second: number): number {
  const place = ((first & 0x3ff) << 10) + (second & 0x3ff) - 0xf000;
  if (place < 0 || place >= emoji.length * 4) return cutsOfFar * perToken;
  return (((emoji[place >> 2] ?? 0) >> ((place & 3) * 2)) & 3) * perToken + doubtOfEmoji;
}

function bitAt(table: Uint8Array, place: number): number {
  return ((table[place >> 3] ?? 0) >> (place & 7)) & 1;
}
