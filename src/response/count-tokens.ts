/** How many tokens a text costs, without a tokenizer: its words, numbers, marks and spaces are walked as one would cut them. */

import { extendWord, stirWord } from "./tokens/hash-characters.js";
import { isKnownWord } from "./tokens/is-known-word.js";
import { createTrace, followWord, type LanguageTrace } from "./tokens/language-trace.js";
import { caseless, digit, lineBreak, lower, mark, sorts, space, upper } from "./tokens/sort-characters.js";
import { leadKind, runKind, weighRun } from "./tokens/weigh-run.js";

/** Longest run of blanks that is one token. */
const blanksPerToken = 80;
const blank = 0x20;
const apostrophe = 0x27;
const slash = 0x2f;
/** Where the hash of a word starts; of some numbers tried, the one that takes fewest other words for known ones. */
const emptyWord = -306783773;
/** A longer run is no word. */
const longestWord = 20;
/** What is joined to an English word by an apostrophe. */
const joined: ReadonlySet<string> = new Set(["s", "t", "m", "d", "re", "ve", "ll"]);

interface Scan {
  readonly text: string;
  readonly trace: LanguageTrace;
  tokens: number;
  index: number;
}

/**
 * Estimates the tokens of a text, as o200k_base would count them: within a tenth on running text of any script, JSON, code,
 * identifiers and numbers, from some hundred characters on. Linear in the text; a fraction of a token is kept, so that
 * the estimates of parts add up to about the estimate of the whole. Encodings with fewer merges for other scripts
 * (cl100k_base) need up to half more for these: give `countTokens` for such a model.
 */
export function estimateTokens(text: string): number {
  const scan: Scan = { text, trace: createTrace(), tokens: 0, index: 0 };
  while (scan.index < text.length) {
    const sort = sorts[text.charCodeAt(scan.index)] ?? caseless;
    if (sort <= upper) passWord(scan, scan.index, scan.index);
    else if (sort === mark) passMark(scan);
    else if (sort === digit) passDigits(scan);
    else passBlanks(scan);
  }
  return scan.tokens;
}

/** The sort of the character at a place; a line break behind the end. */
function sortAt(text: string, index: number): number {
  return index < text.length ? (sorts[text.charCodeAt(index)] ?? caseless) : lineBreak;
}

/** A word from `first` on, with what leads it from `start` on: upper letters, then lower ones. */
function passWord(scan: Scan, start: number, first: number): void {
  const { text } = scan;
  const { length } = text;
  let hash = start < first ? extendWord(emptyWord, text.charCodeAt(start)) : emptyWord;
  let index = first;
  let hasLower = false;
  for (; index < length; index += 1) {
    const code = text.charCodeAt(index);
    const sort = sorts[code] ?? caseless;
    if (sort > upper || (sort === upper && hasLower)) break;
    if (sort === lower) hasLower = true;
    hash = extendWord(hash, code);
  }
  if (index < length && text.charCodeAt(index) === apostrophe)
    for (const end = index + joinedLength(text, index); index < end; index += 1)
      hash = extendWord(hash, text.charCodeAt(index));
  scan.index = index;
  const stirred = stirWord(hash);
  const run = index - start;
  if (run > 1 && run <= longestWord && isKnownWord(stirred)) scan.tokens += 1;
  else scan.tokens += weighRun(text, start, index, kindOfWord(text, start, first, index), scan.trace);
  followWord(scan.trace, index - first, stirred);
}

/** How long what is joined to a word by an apostrophe is, this included; 0 when nothing is. */
function joinedLength(text: string, index: number): number {
  for (const length of [2, 3])
    if (joined.has(text.slice(index + 1, index + length).toLowerCase())) return length;
  return 0;
}

function kindOfWord(text: string, start: number, first: number, end: number): number {
  const leading = text.charCodeAt(start);
  const lead = start === first ? leadKind.none : leading === blank ? leadKind.blank : leadKind.mark;
  if (lead === leadKind.mark && leading >= 0x80) return runKind.other;
  const sort = sortAt(text, first);
  if (sort === lower) return runKind.lower + lead;
  if (sort === caseless) return runKind.other + lead;
  const isUpper = end - first > 1 && sortAt(text, end - 1) === upper;
  return (isUpper ? runKind.upper : runKind.title) + lead;
}

/** A single mark leads the word behind it; others run together. */
function passMark(scan: Scan): void {
  if (sortAt(scan.text, scan.index + 1) <= upper) passWord(scan, scan.index, scan.index + 1);
  else passMarks(scan, scan.index, scan.index);
}

/** Marks run together, and with the line breaks behind them; a blank from `start` on leads them. */
function passMarks(scan: Scan, start: number, first: number): void {
  const { text } = scan;
  const { length } = text;
  let index = first + 1;
  while (index < length && sorts[text.charCodeAt(index)] === mark) index += 1;
  while (sortAt(text, index) === lineBreak || text.charCodeAt(index) === slash) {
    if (index >= length) break;
    index += 1;
  }
  scan.index = index;
  const kind = text.charCodeAt(first) < 0x80 ? runKind.marks : runKind.other;
  const lead = start < first ? leadKind.blank : leadKind.none;
  scan.tokens += weighRun(text, start, index, kind + lead, scan.trace);
}

/** Digits go in threes. */
function passDigits(scan: Scan): void {
  const { text } = scan;
  const start = scan.index;
  let index = start + 1;
  while (index < text.length && sorts[text.charCodeAt(index)] === digit) index += 1;
  scan.index = index;
  scan.tokens += Math.ceil((index - start) / 3);
}

/** Blanks: those with a line break, those before the last, and the last, which goes with what follows. */
function passBlanks(scan: Scan): void {
  const { text } = scan;
  const start = scan.index;
  let lastBreak = -1;
  let index = start;
  let sort = sortAt(text, index);
  while (sort >= space && index < text.length) {
    if (sort === lineBreak) lastBreak = index;
    index += 1;
    sort = sortAt(text, index);
  }
  scan.index = index;
  if (lastBreak >= 0) scan.tokens += Math.ceil((lastBreak + 1 - start) / blanksPerToken);
  const blanks = index - Math.max(start, lastBreak + 1);
  if (blanks > 1) scan.tokens += Math.ceil((blanks - 1) / blanksPerToken);
  if (blanks === 0) return;
  if (sort <= upper) passWord(scan, index - 1, index);
  else if (sort === mark && text.charCodeAt(index - 1) === blank) passMarks(scan, index - 1, index);
  else scan.tokens += 1;
}
