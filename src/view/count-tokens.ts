/** How many tokens a text costs, without a tokenizer: its words, numbers, marks and spaces are walked as one would cut them. */

import { costInside, perToken as partsPerToken } from "./cost-inside.js";
import { extendRun, stirRun } from "./hash-characters.js";
import { isKnownMarks, isKnownWord } from "./is-known-run.js";
import * as knownRuns from "./known-runs.js";
import { createTrace, followWord, type LanguageTrace } from "./language-trace.js";
import { readCodes } from "./read-codes.js";
import { sortCharacters, sortOf } from "./sort-characters.js";
import { createMemo, type RunMemo, weighOnce } from "./weigh-once.js";
import { leadKind, runKind } from "./weigh-run.js";

/** What is imported is read anew at each use; these constants are not. */
const perToken: number = partsPerToken;
const startOfWords: number = knownRuns.startOfWords;
const startOfMarks: number = knownRuns.startOfMarks;
const { lower, upper, digit, mark, space, lineBreak } = sortOf;
const sorts: Uint8Array = sortCharacters();
/** Longest run of blanks that is one token. */
const blanksPerToken = 80;
const digitsPerToken = 3;
const blank = 0x20;
const apostrophe = 0x27;
const slash = 0x2f;
/** Longer runs are not known whole. */
const longestWord = 20;
const longestMarks = 12;
/** What is joined to an English word by an apostrophe. */
const joined: ReadonlySet<string> = new Set(["s", "t", "m", "d", "re", "ve", "ll"]);

interface Scan {
  readonly codes: Uint16Array;
  /** How many of the codes are the text's. */
  readonly length: number;
  readonly trace: LanguageTrace;
  readonly memo: RunMemo;
  /** In parts of a token, see `perToken`. */
  cost: number;
  index: number;
}

/**
 * Estimates the tokens of a text, as o200k_base would count them: within a tenth on running text of any script, JSON, code,
 * identifiers and numbers, from some hundred characters on. Linear in the text; a fraction of a token is kept, so that
 * the estimates of parts add up to about the estimate of the whole. Encodings with fewer merges for other scripts
 * (cl100k_base) need up to half more for these: give `countTokens` for such a model.
 */
export function estimateTokens(text: string): number {
  const { length } = text;
  const codes = readCodes(text);
  const scan: Scan = { codes, length, trace: createTrace(), memo: createMemo(length), cost: 0, index: 0 };
  while (scan.index < length) {
    const { index } = scan;
    const sort = sorts[codes[index] ?? 0] ?? 0;
    if (sort <= upper) passWord(scan, index, index);
    else if (sort === digit) passDigits(scan);
    else if (sort <= space && sortAt(scan, index + 1) <= upper) passWord(scan, index, index + 1);
    else if (sort === mark) passMarks(scan, index, index);
    else passBlanks(scan);
  }
  return scan.cost / perToken;
}

/** The sort of the character at a place; that of a line break behind the end. */
function sortAt({ codes, length }: Scan, index: number): number {
  return index < length ? (sorts[codes[index] ?? 0] ?? 0) : lineBreak;
}

/** A word from `first` on, with the blank or mark that leads it from `start` on: upper letters, then lower ones. */
function passWord(scan: Scan, start: number, first: number): void {
  const { codes, length } = scan;
  let hash = start < first ? extendRun(startOfWords, codes[start] ?? 0) : startOfWords;
  let index = first;
  let sort = 0;
  for (; index < length; index += 1) {
    const code = codes[index] ?? 0;
    sort = sorts[code] ?? 0;
    if (sort === lower || sort > upper) break;
    hash = extendRun(hash, code);
  }
  const firstLower = index;
  for (; index < length; index += 1) {
    const code = codes[index] ?? 0;
    sort = sorts[code] ?? 0;
    if (sort > lower) break;
    hash = extendRun(hash, code);
  }
  if (sort === mark && index < length && (codes[index] ?? 0) === apostrophe)
    for (const end = index + joinedLength(scan, index); index < end; index += 1)
      hash = extendRun(hash, codes[index] ?? 0);
  scan.index = index;
  const stirred = stirRun(hash);
  if (index - start === 1) scan.cost += costOfOne(codes[start] ?? 0);
  else if (isKnown(codes, start, first, index, stirred)) scan.cost += perToken;
  else {
    const kind = kindOfWord(codes, start, first, firstLower === index);
    scan.cost += weighOnce(scan.memo, stirred, codes, start, index, kind, scan.trace);
  }
  followWord(scan.trace, index - first, stirred);
}

/** Whether a word is known whole. The filter takes few others for known, but one of a rare script is many tokens. */
function isKnown(codes: Uint16Array, start: number, first: number, end: number, hash: number): boolean {
  if (end - start > longestWord || !isKnownWord(hash)) return false;
  return isOfKnownScript(codes[first] ?? 0) && isOfKnownScript(codes[end - 1] ?? 0);
}

/** Of other scripts no word is. */
function isOfKnownScript(code: number): boolean {
  if (code < 0x1100) return code < 0x700 || code >= 0x900;
  if (code < 0xa000)
    return code >= 0x4e00 || (code >= 0x1e00 && code < 0x2000) || (code >= 0x3040 && code < 0x3100);
  return code >= 0xac00 && code < 0xd7a4;
}

function costOfOne(code: number): number {
  return code < 0x80 ? perToken : perToken + costInside(code);
}

/** How long what is joined to a word by an apostrophe is, this included; 0 when nothing is. */
function joinedLength({ codes, length }: Scan, index: number): number {
  for (const size of [2, 3])
    if (
      joined.has(
        String.fromCharCode(...codes.subarray(index + 1, Math.min(length, index + size))).toLowerCase(),
      )
    )
      return size;
  return 0;
}

function kindOfWord(codes: Uint16Array, start: number, first: number, isUpper: boolean): number {
  const leading = codes[start] ?? 0;
  const lead = start === first ? leadKind.none : leading === blank ? leadKind.blank : leadKind.mark;
  if (lead === leadKind.mark && leading >= 0x80) return runKind.other;
  const sort = sorts[codes[first] ?? 0];
  if (sort === lower) return runKind.lower + lead;
  if (sort !== upper) return runKind.other + lead;
  return (isUpper ? runKind.upper : runKind.title) + lead;
}

/** Marks run together, and with the line breaks behind them; a blank from `start` on leads them. */
function passMarks(scan: Scan, start: number, first: number): void {
  const { codes, length } = scan;
  const leading = codes[first] ?? 0;
  let hash = extendRun(start < first ? extendRun(startOfMarks, blank) : startOfMarks, leading);
  let index = first + 1;
  let isBroken = false;
  let bits = leading;
  for (; index < length; index += 1) {
    const code = codes[index] ?? 0;
    const sort = sorts[code] ?? 0;
    if (sort === lineBreak) isBroken = true;
    else if (sort !== mark || (isBroken && code !== slash)) break;
    bits |= code;
    hash = extendRun(hash, code);
  }
  scan.index = index;
  const stirred = stirRun(hash);
  if (index - start === 1) scan.cost += costOfOne(leading);
  else if (bits < 0x80 && index - start <= longestMarks && isKnownMarks(stirred)) scan.cost += perToken;
  else {
    const kind = (leading < 0x80 ? runKind.marks : runKind.other) + (start < first ? leadKind.blank : 0);
    scan.cost += weighOnce(scan.memo, stirred, codes, start, index, kind, scan.trace);
  }
}

/** Digits go in threes. */
function passDigits(scan: Scan): void {
  const { codes, length } = scan;
  const start = scan.index;
  let index = start + 1;
  while (index < length && sorts[codes[index] ?? 0] === digit) index += 1;
  scan.index = index;
  scan.cost += Math.ceil((index - start) / digitsPerToken) * perToken;
}

/** Blanks: those with a line break, those before the last, and the last, which goes with what follows. */
function passBlanks(scan: Scan): void {
  const { codes, length } = scan;
  const start = scan.index;
  let lastBreak = -1;
  let index = start;
  let sort = sortAt(scan, index);
  for (; index < length && sort >= space; sort = sortAt(scan, index)) {
    if (sort === lineBreak) lastBreak = index;
    index += 1;
  }
  scan.index = index;
  if (lastBreak >= 0) scan.cost += Math.ceil((lastBreak + 1 - start) / blanksPerToken) * perToken;
  const blanks = index - Math.max(start, lastBreak + 1);
  if (blanks > 1) scan.cost += Math.ceil((blanks - 1) / blanksPerToken) * perToken;
  if (blanks === 0) return;
  if (sort <= upper) passWord(scan, index - 1, index);
  else if (sort === mark && (codes[index - 1] ?? 0) === blank) passMarks(scan, index - 1, index);
  else scan.cost += perToken;
}
