/** Estimates tokens by a rule that a reader can check, and decides by it whether a document fits whole. */

import type { JsonValue } from "../json/exact-number.js";
import { writeJsonPieces } from "../json/write-json.js";
import type { CountTokens } from "./summary.js";

/** Letters that languages with an alphabet mostly use, beyond ASCII. */
const letters =
  "\\u0386-\\u03ce\\u0410-\\u0451\\u0561-\\u0587\\u05d0-\\u05ea\\u0620-\\u064a\\u066e-\\u06d3\\u0901-\\u0e4e\\u10d0-\\u10ff";
const isOfLetters = new RegExp(`^[${letters}]`);
/** ASCII punctuation. */
const marks = "!-\\/:-@[-`{-~";
/** Words with the mark before them, digits, other alphabets, wide scripts, emoji, white space, marks, anything else. */
const runs = new RegExp(
  [
    `[${marks}]?(?:[A-Z]?[a-z]+|[A-Z]+)|\\d+|[${letters}]+`,
    "[\\u3001-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e]+|[\\ud83c-\\ud83e\\udc00-\\udfff]+",
    `\\s+|[${marks}]+|[\\s\\S]`,
  ].join("|"),
  "g",
);
/** What each letter from a to z adds to a word, about in hundredths of a token: rare letters are in tokens of their own. */
const letterWeights = [
  8, 47, 30, 20, 2, 37, 39, 13, 11, 99, 68, 22, 34, 12, 10, 41, 99, 14, 13, 7, 30, 60, 34, 99, 39, 99,
];
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
  for (const run of text.match(runs) ?? []) {
    const code = run.charCodeAt(run.length - 1);
    if (isWide(code)) wide += run;
    else tokens += weighRun(run, code);
  }
  return Math.ceil(tokens + weighWide(wide));
}

function isWide(code: number): boolean {
  if (code < 0x3001) return false;
  return (
    code <= 0x30ff ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xff01 && code <= 0xff5e)
  );
}

/** Where hardly a character occurs twice, most are rare, and cost two tokens and more. */
function weighWide(text: string): number {
  const different = text.length < leastWide ? 0 : new Set(text).size / text.length;
  return text.length * (0.8 + 1.2 * Math.min(1, Math.max(0, (different - 0.6) / 0.3)));
}

function weighRun(run: string, code: number): number {
  const { length } = run;
  // A letter: a word with the mark before it, which costs a little.
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return weighWord(run);
  if (code >= 0x30 && code <= 0x39) return Math.ceil(length / 3);
  if (/\s/.test(run)) return length > 1 ? 1.2 : 0;
  if (code < 0x7f && code > 0x20) return Math.max(1, length / 2.6) + Math.max(0, length - 8) / 4;
  if (code < 0x300) return length;
  if (code >= 0xdc00 && code <= 0xdfff) return length * (length > 1 ? 0.9 : 2);
  if (isOfLetters.test(run)) return Math.max(1, length * 0.36) + Math.max(0, length - longestWord) * 0.6;
  // Rare characters cost nearly a token for each byte.
  return code < 0x800 ? 1.8 : code >= 0xd800 && code <= 0xdbff ? 2 : 2.8;
}

function weighWord(run: string): number {
  let weight = 0;
  for (let index = 0; index < run.length; index += 1)
    weight += letterWeights[(run.charCodeAt(index) | 0x20) - 0x61] ?? 0;
  const startsWithMark = letterWeights[(run.charCodeAt(0) | 0x20) - 0x61] === undefined;
  return Math.max(1, weight / 88 - 0.4) + (startsWithMark ? 0.3 : 0);
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
