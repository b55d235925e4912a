/** What the words so far tell of a text's language: which they were, and how cut up those looked that are not known whole. */

import { languageOfWord } from "./cut-weights.js";

/** The table's digits are codes around this one, in eighths. */
const zero = 79;
const perDigit = 8;
const byWord: Uint8Array = Buffer.from(languageOfWord, "latin1");
const shift = Math.clz32(byWord.length - 1);
export const levelsOfLooks = 8;
export const levelsOfLanguage = 16;
/** What is believed before the first word, and for how many words that counts. */
const languageAtFirst = -0.3;
const looksAtFirst = -1.2;
const wordsAtFirst = 3;
/** How much the latest word counts at least. */
const leastShare = 0.025;
/** Shorter words look alike in all languages, longer runs are no words. */
const shortest = 4;
const longest = 16;

/** Two running means over words, and how many words are in each. */
export interface LanguageTrace {
  language: number;
  words: number;
  looks: number;
  weighed: number;
}

/** Starts a trace. */
export function createTrace(): LanguageTrace {
  return {
    language: languageAtFirst,
    words: wordsAtFirst,
    looks: looksAtFirst,
    weighed: wordsAtFirst + 2,
  };
}

/** Counts a word in, by its length and its stirred hash. */
export function followWord(trace: LanguageTrace, length: number, hash: number): void {
  if (length > longest) return;
  const share = Math.max(leastShare, 1 / trace.words);
  trace.words += 1;
  trace.language += share * (((byWord[hash >>> shift] ?? zero) - zero) / perDigit - trace.language);
}

/** Counts a word in that is not known whole, by its length and how cut up it looked, in logits. */
export function followLooks(trace: LanguageTrace, length: number, looks: number): void {
  if (length < shortest || length > longest) return;
  const share = Math.max(leastShare, 1 / trace.weighed);
  trace.weighed += 1;
  trace.looks += share * (looks - trace.looks);
}

/** Tells the level of the first mean. */
export function levelOfLanguage(trace: LanguageTrace): number {
  return Math.max(0, Math.min(levelsOfLanguage - 1, Math.floor(trace.language * 2 + levelsOfLanguage / 2)));
}

/** Tells the level of the second. */
export function levelOfLooks(trace: LanguageTrace): number {
  return Math.max(0, Math.min(levelsOfLooks - 1, Math.floor(trace.looks * 2.5 + 8)));
}
