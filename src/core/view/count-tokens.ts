/** Estimates tokens by a rule that a reader can check, and decides by it whether a document fits whole. */

import { type JsonValue, writeJsonPieces } from "../base/exact-number.js";
import type { CountTokens } from "./summary.js";

/** The kind of a UTF-16 unit: a text costs the sum of its runs of one kind. Letters are those of alphabets beyond ASCII. */
const kinds = {
  other: 0,
  lower: 1,
  upper: 2,
  digit: 3,
  mark: 4,
  space: 5,
  letter: 6,
  wide: 7,
  emoji: 8,
} as const;
/** The first and last units of each kind. */
const ranges = {
  lower: "61-7a",
  upper: "41-5a",
  digit: "30-39",
  mark: "21-2f 3a-40 5b-60 7b-7e",
  space: "9-d 20-20 a0-a0 1680-1680 2000-200a 2028-2029 202f-202f 205f-205f 3000-3000 feff-feff",
  letter: "386-3ce 410-451 561-587 5d0-5ea 620-64a 66e-6d3 901-e4e 10d0-10ff",
  wide: "3001-30ff 4e00-9fff ac00-d7a3 ff01-ff5e",
  emoji: "d83c-d83e dc00-dfff",
};
/** Whether a kind is a word's, by its number. */
const isOfWord = Uint8Array.from(Object.keys(kinds), (kind) =>
  Number(kind === "lower" || kind === "upper"),
);
const kindOfUnit = new Uint8Array(0x10000);
for (const [kind, text] of Object.entries(ranges)) {
  for (const range of text.split(" ")) {
    const [first = 0, last = 0] = range.split("-").map((unit) => Number.parseInt(unit, 16));
    kindOfUnit.fill(kinds[kind as keyof typeof ranges], first, last + 1);
  }
}
/** The share of each letter from a to z in the cost of a word, about in hundredths of a token: rare letters are in tokens of their own. */
const letterWeights = [
  8, 47, 30, 20, 2, 37, 39, 13, 11, 99, 68, 22, 34, 12, 10, 41, 99, 14, 13, 7, 30, 60, 34, 99, 39,
  99,
];
const weightOfUnit = new Uint8Array(0x10000);
for (const first of [0x41, 0x61]) weightOfUnit.set(letterWeights, first);
/** A run of more letters is not a word of a language that has spaces. */
const longestWord = 24;
/** In so many characters of wide scripts a language repeats most of them. */
const leastWide = 100;

/**
 * Estimates how many tokens a text costs: within a fifth of OpenAI's `o200k_base` for JSON, prose and most languages, and at most a
 * third too low for random characters (of the letters of Thai and Devanagari at most a half). The option `countTokens` counts exactly.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let wide = "";
  // The position behind the end has a kind of its own.
  const units = `${text}\0`;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + 1;
    let last = units.charCodeAt(start);
    let next = units.charCodeAt(end);
    // A word has the mark before it, and is in lower case but for its first letter, or in upper case.
    const hasMark =
      kindOfUnit[last] === kinds.mark && isOfWord[kindOfUnit[next] ?? kinds.other] === 1;
    if (hasMark) {
      last = next;
      end += 1;
      next = units.charCodeAt(end);
    }
    let kind = kindOfUnit[last];
    if (kind === kinds.upper && kindOfUnit[next] === kinds.lower) kind = kinds.lower;
    let weight = weightOfUnit[last] ?? 0;
    while (kind !== kinds.other && kindOfUnit[next] === kind) {
      last = next;
      weight += weightOfUnit[last] ?? 0;
      end += 1;
      next = units.charCodeAt(end);
    }
    // The mark before a word costs a little.
    if (isOfWord[kind ?? kinds.other] === 1)
      tokens += Math.max(1, weight / 88 - 0.4) + (hasMark ? 0.3 : 0);
    else if (kind === kinds.wide) wide += text.slice(start, end);
    else tokens += weighRun(kind, end - start, last);
  }
  return Math.ceil(tokens + weighWide(wide));
}

/** Where hardly a character occurs twice, most are rare, and cost two tokens and more. */
function weighWide(text: string): number {
  const different = text.length < leastWide ? 0 : new Set(text).size / text.length;
  return text.length * (0.8 + 1.2 * Math.min(1, Math.max(0, (different - 0.6) / 0.3)));
}

/** The cost of a run that is not a word. */
function weighRun(kind: number | undefined, length: number, last: number): number {
  if (kind === kinds.digit) return Math.ceil(length / 3);
  if (kind === kinds.space) return length > 1 ? 1.2 : 0;
  if (kind === kinds.mark) return Math.max(1, length / 2.6) + Math.max(0, length - 8) / 4;
  if (kind === kinds.letter)
    return Math.max(1, length * 0.36) + Math.max(0, length - longestWord) * 0.6;
  if (kind === kinds.emoji && last >= 0xdc00) return length * (length > 1 ? 0.9 : 2);
  // Rare characters cost nearly a token for each byte.
  if (last < 0x300) return 1;
  if (last < 0x800) return 1.8;
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return isHighSurrogate ? 2 : 2.8;
}

/** Takes texts. Returns the first of them that together, as a JSON list, cost so many tokens at most. */
export function keepWithin(
  texts: readonly string[],
  maxTokens: number,
  countTokens: CountTokens,
): readonly string[] {
  let count = texts.length;
  while (count > 0 && countTokens(JSON.stringify(texts.slice(0, count))) > maxTokens) count -= 1;
  return texts.slice(0, count);
}

/** No text of this many characters per token fits: spaces are the cheapest, with some 40 to a token. */
const mostCharactersOfToken = 40;
/** Pieces cost a little more than the whole that they make. */
const seams = { part: 1.02, tokens: 2 } as const;

/**
 * Takes a document and a number of tokens. Returns its compact JSON, with the digits of the wire; `undefined` when that costs more, which
 * is known as soon as its beginning does.
 */
export function writeIfFits(
  document: JsonValue,
  maxTokens: number,
  countTokens: CountTokens,
): string | undefined {
  let text = "";
  let tokens = 0;
  // No token is shorter than a byte: a short text needs no count.
  const isShort = (): boolean => text.length <= maxTokens && Buffer.byteLength(text) <= maxTokens;
  for (const piece of writeJsonPieces(document)) {
    text += piece;
    if (isShort()) continue;
    if (text.length > maxTokens * mostCharactersOfToken) return undefined;
    tokens += countTokens(piece);
    if (tokens > maxTokens * seams.part + seams.tokens) return undefined;
  }
  return isShort() || countTokens(text) <= maxTokens ? text : undefined;
}
