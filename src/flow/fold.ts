/** Texts in the one spelling in which they are compared, and what of them is hashed. */

import { createHash } from "node:crypto";

/** A shorter text occurs by chance. */
export const shortestText = 8;
export const shortestNumber = 8;
/** Of a longer text, each stretch of this length is recognized. */
export const longestWhole = 40;
const gramLength = 32;

/** Signs that people and programs put between or around characters without changing the value, and characters that do not show. */
const separators = /[\s\p{Pd}\p{Default_Ignorable_Code_Point}.,_/\\'"’`·()+]+/gu;

/** Case, width, spaces and separators are not part of a value: `DE89 3704…`, `de89-3704…`. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(separators, "");
}

/** What is looked for: by an anchor, its first characters, then by its length and hash. A number has neither anchor nor length. */
export interface Fragment {
  readonly anchor: number;
  readonly length: number;
  readonly hash: string;
}

/** A hash that differs from thread to thread. */
export type Hash = (text: string) => string;

export function createHashOf(thread: string): Hash {
  return (text) => createHash("sha256").update(`${thread}\n${text}`).digest("base64url").slice(0, 12);
}

const base = 0x01000193;
/** `base` to the power of the anchor's length, modulo 2^32. */
const leading = Array.from({ length: shortestText }).reduce<number>((power) => Math.imul(power, base), 1);

/** Calls `visit` with the rolling hash (Rabin and Karp, 1987) of the anchor at each place of a folded text. */
export function rollAnchors(text: string, visit: (at: number, anchor: number) => void): void {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
    if (at >= shortestText) hash = (hash - Math.imul(leading, text.charCodeAt(at - shortestText))) | 0;
    if (at >= shortestText - 1) visit(at - shortestText + 1, hash);
  }
}

/** The fragments of one folded text: itself, or of a long one enough stretches that any 40 characters of it contain one. */
export function listFragments(text: string, hash: Hash): Fragment[] {
  const anchors: number[] = [];
  const isLong = text.length > longestWhole;
  const needed = isLong ? text : text.slice(0, shortestText);
  rollAnchors(needed, (_at, anchor) => anchors.push(anchor));
  const [first] = anchors;
  if (first === undefined) return [];
  if (!isLong) return [{ anchor: first, length: text.length, hash: hash(text) }];
  return chooseStarts(anchors.slice(0, text.length - gramLength + 1)).map((at) => ({
    anchor: anchors[at] ?? 0,
    length: gramLength,
    hash: hash(text.slice(at, at + gramLength)),
  }));
}

/** The least anchor of each window (Schleimer, Wilkerson and Aiken, "Winnowing", 2003): a copy of a stretch gives the same choice. */
function chooseStarts(anchors: readonly number[]): number[] {
  const width = longestWhole - gramLength + 1;
  const chosen = new Set<number>();
  for (let start = 0; start + width <= anchors.length; start += 1) {
    let least = start;
    for (let at = start; at < start + width; at += 1)
      if ((anchors[at] ?? 0) <= (anchors[least] ?? 0)) least = at;
    chosen.add(least);
  }
  return [...chosen];
}

/** Digits with thousands separators or a fraction; and digits alone. */
const writtenNumber = /\d{1,3}(?:[.,'’\s\u00a0\u202f_]\d{3})+(?:[.,]\d+)?(?!\d)|\d+[.,]\d+|\d{8,}/g;

/**
 * The numbers of 8 and more digits in a text, each as its digits; one with a fraction also without it.
 *
 * @param isAnySign - Whether digits with one sign between any two of them are a number, too.
 */
export function listNumbers(text: string, isAnySign = false): string[] {
  const loose = isAnySign ? (text.match(/\d(?:[\s.,'’_/-]?\d){7,}/g) ?? []) : [];
  const runs = [...(text.match(writtenNumber) ?? []), ...(text.match(/\d{8,}/g) ?? []), ...loose];
  return [...new Set(runs.flatMap(readNumber))];
}

function readNumber(text: string): string[] {
  const [, whole = text, fraction = ""] = /^(.*\d)[.,](\d+)$/s.exec(text) ?? [];
  const digits = (part: string): string => part.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
  const readings = [digits(text), digits(whole), digits(whole + fraction.replace(/0+$/, ""))];
  return readings.filter((reading) => reading.length >= shortestNumber);
}
