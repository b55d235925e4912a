/** What the words so far tell of a text's language: which they were, and how cut up those looked that are not known whole. */

import { languageOfWord } from "./cut-weights.js";

const byWord: Uint8Array = Buffer.from(languageOfWord, "latin1");
const wordShift = Math.clz32(byWord.length - 1);
/** Digits of the table are codes around this one. */
const zero = 79;
/** Means are kept in whole numbers, this many bits finer than what they are of; shares are of 1,024. */
const finer = 8;
const ofShares = 10;
export const levelsOfLanguage = 16;
export const levelsOfLooks = 8;
/** What is believed before the first word, and for how many words that counts. */
const languageAtFirst = -614;
const looksAtFirst = -2458;
const wordsAtFirst = 3;
/** How much the latest word counts, by how many there were. */
const shares: Int32Array = Int32Array.from({ length: 37 }, (_, words) =>
  Math.round(1024 / (words + wordsAtFirst)),
);
const leastShare = 26;
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
  return { language: languageAtFirst, words: 0, looks: looksAtFirst, weighed: 2 };
}

/** Counts a word in, by its length and its stirred hash. */
export function followWord(trace: LanguageTrace, length: number, hash: number): void {
  if (length > longest) return;
  const difference = (((byWord[hash >>> wordShift] ?? zero) - zero) << finer) - trace.language;
  trace.language += (difference * (shares[trace.words] ?? leastShare)) >> ofShares;
  trace.words += 1;
}

/** Counts a word in that is not known whole, by its length and how cut up it looked, in eighths of a logit. */
export function followLooks(trace: LanguageTrace, length: number, looks: number): void {
  if (length < shortest || length > longest) return;
  const difference = (looks << finer) - trace.looks;
  trace.looks += (difference * (shares[trace.weighed] ?? leastShare)) >> ofShares;
  trace.weighed += 1;
}

/** Tells the level of the first mean: four of the table's digits to a level. */
export function levelOfLanguage(trace: LanguageTrace): number {
  return Math.max(0, Math.min(levelsOfLanguage - 1, (trace.language >> (finer + 2)) + levelsOfLanguage / 2));
}

/** Tells the level of the second: two fifths of a logit to a level. */
export function levelOfLooks(trace: LanguageTrace): number {
  return Math.max(0, Math.min(levelsOfLooks - 1, ((trace.looks * 5) >> (finer + 4)) + levelsOfLooks));
}
