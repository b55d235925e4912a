/** How many tokens a text costs, without a tokenizer: its words, numbers, marks and spaces are walked as one would cut them. */

import {
  leadAcross,
  markAcross,
  markAfter,
  markBefore,
  pairAcross,
  pairAfter,
  pairBefore,
  punctuation,
  weightDigits,
} from "./token-weights.js";
import { accentCost, centralAccent, otherScriptCost } from "./weigh-scripts.js";

/** Letters of the pair tables: `a` to `z`, then a word's edge or a letter with an accent. */
const letters = 27;
const edge = 26;
/** Logits are whole numbers of eighths. */
const perLogit = 8;
const bias = -2;
/** What the first places of a word add, and the one before its last letter. */
const biasAtStart: readonly number[] = [-2, 1, -1];
const biasBeforeLast = -7;
/** By the letters' case: lower, title, upper. A word behind a blank is likely one that is known whole. */
const biasBare: readonly number[] = [0, 5, 5];
const biasBehindBlank: readonly number[] = [-16, -5, 1];
const biasByLength: readonly number[] = [0, 0, -6, 0, -2, -4, -4, -3, -2, 0];
const biasOfMarks = -5;
/** Longest run of blanks that is one token. */
const blanksPerToken = 80;

/** How much of that is left a word later, and what it adds to a word. */
const foreignLasts = 0.85;
const foreignCost = 0.4;

enum Sort {
  Other = 0,
  Lower = 1,
  Upper = 2,
  Digit = 3,
  Mark = 4,
  Space = 5,
  Break = 6,
  /** A Latin letter beyond ASCII. */
  Accented = 7,
}

const sorts: Uint8Array = sortCodes();
const before: Int8Array = toWeights(pairBefore);
const across: Int8Array = toWeights(pairAcross);
const after: Int8Array = toWeights(pairAfter);
/** Marks of the mark tables: those of `punctuation`, then a run's edge. */
const marks = punctuation.length + 1;
const markEdge = punctuation.length;
const markOf: Uint8Array = placeMarks();
const beforeMarks: Int8Array = toWeights(markBefore);
const acrossMarks: Int8Array = toWeights(markAcross);
const afterMarks: Int8Array = toWeights(markAfter);
const leadCuts: Float32Array = Float32Array.from(toWeights(leadAcross), toChance);
const reach = 200;
const chances: Float32Array = Float32Array.from({ length: 2 * reach + 1 }, (_, index) =>
  toChance(index - reach),
);

function sortCodes(): Uint8Array {
  return Uint8Array.from({ length: 0x10000 }, (_, code) => {
    const character = String.fromCharCode(code);
    if (character >= "a" && character <= "z") return Sort.Lower;
    if (character >= "A" && character <= "Z") return Sort.Upper;
    if (character >= "0" && character <= "9") return Sort.Digit;
    if (character === "\n" || character === "\r") return Sort.Break;
    if (character === " " || character === "\t") return Sort.Space;
    if (code < 128) return Sort.Mark;
    const isLatin = (code >= 0xc0 && code < 0x250) || (code >= 0x1e00 && code < 0x1f00);
    return isLatin && code !== 0xd7 && code !== 0xf7 ? Sort.Accented : Sort.Other;
  });
}

function toWeights(text: string): Int8Array {
  return Int8Array.from(text, (digit) => weightDigits.indexOf(digit) - 32);
}

function toChance(weight: number): number {
  return 1 / (1 + Math.exp(-weight / perLogit));
}

function placeMarks(): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const place = punctuation.indexOf(String.fromCharCode(code));
    return place < 0 ? punctuation.indexOf("~") : place;
  });
}

/** Where a letter stands in the pair tables; an accented one counts as an edge. */
function letterAt(text: string, index: number): number {
  const place = (text.charCodeAt(index) | 32) - 97;
  return place >= 0 && place < edge ? place : edge;
}

/** The tokens of the letters from `start` to `end`: one, and the chance of a cut at each place between two. */
function weighWord(text: string, start: number, end: number, biasOfWord: number): number {
  let tokens = 1;
  let previous = edge;
  let current = letterAt(text, start);
  let next = letterAt(text, start + 1);
  const last = end - start - 2;
  for (let place = 0; place <= last; place += 1) {
    const following = place < last ? letterAt(text, start + place + 2) : edge;
    const weight =
      biasOfWord +
      (before[previous * letters + current] ?? 0) +
      (across[current * letters + next] ?? 0) +
      (after[next * letters + following] ?? 0) +
      (place < 3 ? (biasAtStart[place] ?? 0) : 0) +
      (place === last ? biasBeforeLast : 0);
    tokens += chances[weight + reach] ?? 0;
    previous = current;
    current = next;
    next = following;
  }
  return tokens;
}

/** The tokens of a run of marks; `blank` says that a blank goes in front of it. */
function weighMarks(text: string, start: number, end: number, blank: boolean): number {
  let tokens = 1;
  let previous = markEdge;
  let current = blank ? 0 : (markOf[text.charCodeAt(start)] ?? 0);
  for (let next = blank ? start : start + 1; next < end; next += 1) {
    const mark = markOf[text.charCodeAt(next)] ?? 0;
    const following = next + 1 < end ? (markOf[text.charCodeAt(next + 1)] ?? 0) : markEdge;
    const weight =
      biasOfMarks +
      (beforeMarks[previous * marks + current] ?? 0) +
      (acrossMarks[current * marks + mark] ?? 0) +
      (afterMarks[mark * marks + following] ?? 0);
    tokens += chances[weight + reach] ?? 0;
    previous = current;
    current = mark;
  }
  return tokens;
}

/**
 * Estimates the tokens of a text, as o200k_base would count them: within a tenth on JSON, prose, code, identifiers and
 * numbers, a little over for scripts where it is less sure. Linear in the text; a fraction of a token is kept, so that
 * the estimates of parts add up to about the estimate of the whole. Encodings with fewer merges for other scripts
 * (cl100k_base) need up to half more for these: give `countTokens` for such a model.
 */
export function estimateTokens(text: string): number {
  const state: Scan = { tokens: 0, index: 0, afterBlank: false, foreign: 0 };
  while (state.index < text.length) {
    const sort = sortAt(text, state.index);
    if (sort === Sort.Lower || sort === Sort.Upper || sort === Sort.Accented) passWord(text, state);
    else if (sort === Sort.Digit) passDigits(text, state);
    else if (sort === Sort.Mark) passMarks(text, state);
    else if (sort === Sort.Other) passOther(text, state);
    else passBlanks(text, state);
  }
  return state.tokens;
}

interface Scan {
  tokens: number;
  index: number;
  /** A blank goes with what is next. */
  afterBlank: boolean;
  /** From 0 to 1: how near letters are that mark a rarer language. */
  foreign: number;
}

/** The sort of the character at a place; `Other` behind the end. */
function sortAt(text: string, index: number): Sort {
  return index < text.length ? (sorts[text.charCodeAt(index)] ?? Sort.Other) : Sort.Other;
}

function passWord(text: string, state: Scan): void {
  const start = state.index;
  let end = start;
  while (sortAt(text, end) === Sort.Upper) end += 1;
  const uppers = end - start;
  let accents = 0;
  for (
    let sort = sortAt(text, end);
    sort === Sort.Lower || sort === Sort.Accented;
    sort = sortAt(text, end)
  ) {
    if (sort === Sort.Accented) accents += accentCost(text.charCodeAt(end));
    end += 1;
  }
  const length = end - start;
  const byCase = uppers === 0 ? 0 : uppers === length ? 2 : 1;
  const byBlank = state.afterBlank ? biasBehindBlank : biasBare;
  const biasOfWord = bias + (byBlank[byCase] ?? 0) + (biasByLength[Math.min(length, 9)] ?? 0);
  state.tokens += (length < 2 ? 1 : weighWord(text, start, end, biasOfWord)) + accents;
  // Words beside such letters are of a language of which fewer words are known whole.
  state.foreign = accents >= centralAccent ? 1 : state.foreign * foreignLasts;
  if (length > 3) state.tokens += state.foreign * foreignCost;
  state.index = end;
  state.afterBlank = false;
}

/** Digits go in threes. */
function passDigits(text: string, state: Scan): void {
  const start = state.index;
  while (sortAt(text, state.index) === Sort.Digit) state.index += 1;
  state.tokens += Math.ceil((state.index - start) / 3);
}

/** Marks run together, line breaks behind them included; a single one leads the word behind it. */
function passMarks(text: string, state: Scan): void {
  const start = state.index;
  let sort: Sort = Sort.Mark;
  while (sort === Sort.Mark || sort === Sort.Break) {
    state.index += 1;
    sort = sortAt(text, state.index);
  }
  const leads =
    state.index - start === 1 && !state.afterBlank && (sort === Sort.Lower || sort === Sort.Upper);
  state.tokens += leads
    ? (leadCuts[markOf[text.charCodeAt(start)] ?? 0] ?? 1)
    : weighMarks(text, start, state.index, state.afterBlank);
  state.afterBlank = false;
}

/** Blanks: those with a line break, those before the last, and the last, which goes with what follows. */
function passBlanks(text: string, state: Scan): void {
  const start = state.index;
  let lastBreak = -1;
  let sort = sortAt(text, start);
  while (sort === Sort.Space || sort === Sort.Break) {
    if (sort === Sort.Break) lastBreak = state.index;
    state.index += 1;
    sort = sortAt(text, state.index);
  }
  if (lastBreak >= 0) state.tokens += Math.ceil((lastBreak + 1 - start) / blanksPerToken);
  const blanks = state.index - Math.max(start, lastBreak + 1);
  if (blanks > 1) state.tokens += Math.ceil((blanks - 1) / blanksPerToken);
  if (blanks === 0) return;
  if (sort === Sort.Digit || state.index >= text.length) state.tokens += 1;
  else state.afterBlank = true;
}

function passOther(text: string, state: Scan): void {
  state.tokens += otherScriptCost(text.charCodeAt(state.index));
  state.index += 1;
  state.afterBlank = false;
}
