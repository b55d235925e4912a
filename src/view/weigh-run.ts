/** What a word or a run of marks costs that is not known whole: the chance of a cut at each place between two characters. */

import { costInside, costInsidePair, perToken as partsPerToken } from "./cost-inside.js";
import {
  biasByKind,
  biasByLength,
  biasByPlace,
  biasByScript,
  cutByTriple,
  cutInPair,
  rowOfScript,
} from "./cut-weights.js";
import * as hash from "./hash-characters.js";
import {
  followLooks,
  type LanguageTrace,
  levelOfLanguage,
  levelOfLooks,
  levelsOfLanguage,
  levelsOfLooks,
} from "./language-trace.js";

/** What is imported is read anew at each use; these constants are not. */
const perToken: number = partsPerToken;
const { firstFactor, secondFactor, thirdFactor } = hash;
const rowLength: number = levelsOfLooks + levelsOfLanguage;
const secondOfRow: number = levelsOfLooks;
const inPair: Uint8Array = Buffer.from(cutInPair, "base64");
const byTriple: Uint8Array = Buffer.from(cutByTriple, "base64");
const pairShift = Math.clz32(inPair.length * 2 - 1);
const tripleShift = Math.clz32(byTriple.length - 1);
/** Weights are whole numbers of eighths of a logit; three of the tables have four of these to a step, and 8 for none. */
const perLogit = 8;
const stepShift = 2;
const noneOfThree = 3 * 8 * 4;
/** The digits of the other tables are codes around this one. */
const zero = 79;
const byKind: Int8Array = toWeights(biasByKind);
const byPlace: Int8Array = toWeights(biasByPlace);
const byLength: Int8Array = toWeights(biasByLength);
const byScript: Uint8Array = Buffer.from(biasByScript, "latin1");
const rows: Uint8Array = Buffer.from(rowOfScript, "latin1");
const firstRow = 35;
const rowOfMarks = 80;
/** Longest length, and last place, with a bias of their own. */
const longest = 15;
const lastPlace = 3;
const halfOfMarks = 16;

/** What runs are: four sorts of words, each bare, or behind a blank, or behind a mark; and marks, bare or behind a blank. */
export const runKind = { lower: 0, title: 3, upper: 6, other: 9, marks: 12 } as const;
export const leadKind = { none: 0, blank: 1, mark: 2 } as const;

const reach = 512;
const chances: Int32Array = Int32Array.from({ length: 2 * reach }, (_, index) =>
  Math.round(perToken / (1 + Math.exp((reach - index) / perLogit))),
);

function toWeights(text: string): Int8Array {
  return Int8Array.from(Buffer.from(text, "latin1"), (code) => code - zero);
}

/** Where the chances of a cut before a character of a script begin, from what the text so far tells. */
function originOf(row: number, looks: number, language: number): number {
  const place = ((rows[row] ?? firstRow) - firstRow) * rowLength;
  return reach - 2 * zero + (byScript[place + looks] ?? 0) + (byScript[place + secondOfRow + language] ?? 0);
}

function rowOf(code: number): number {
  return code < 0x2000 ? code >> 7 : 64 + (code >> 12);
}

/** Tells the cost of the characters from `start` to `end`, a run of a kind; the trace hears how cut up a word looked. */
export function weighRun(
  codes: Uint16Array,
  start: number,
  end: number,
  kind: number,
  trace: LanguageTrace,
): number {
  const looks = levelOfLooks(trace);
  const language = levelOfLanguage(trace);
  const half = kind < runKind.marks ? 0 : halfOfMarks;
  const length = end - start;
  const base = (byKind[kind] ?? 0) + (byLength[half + Math.min(length, longest)] ?? 0) - noneOfThree;
  let row = half === 0 ? 0 : rowOfMarks;
  const origin = originOf(row, looks, language) + base;
  let wideOrigin = origin;
  let previous = codes[start] ?? 0;
  let next = codes[start + 1] ?? 0;
  let sum = (Math.imul(previous, firstFactor) + Math.imul(next, secondFactor)) | 0;
  let triple = byTriple[sum >>> tripleShift] ?? 0;
  let cost = previous < 0x80 ? perToken : perToken + costInside(previous);
  let total = 0;
  for (let place = 2; place <= length; place += 1) {
    const following = place < length ? (codes[start + place] ?? 0) : 1;
    const pair = sum >>> pairShift;
    const inside = ((inPair[pair >> 1] ?? 0) >> ((pair & 1) << 2)) & 15;
    sum = (Math.imul(next, firstFactor) + Math.imul(following, secondFactor)) | 0;
    const nextTriple = byTriple[(sum + Math.imul(previous, thirdFactor)) >>> tripleShift] ?? 0;
    const bias = byPlace[half + Math.min(place - 2, lastPlace) * 2 + (place === length ? 1 : 0)] ?? 0;
    const weight = bias + ((inside + (triple & 15) + (nextTriple >> 4)) << stepShift);
    total += weight;
    if (next < 0x80) cost += chances[origin + weight] ?? 0;
    else if ((next & 0xfc00) === 0xdc00 && (previous & 0xfc00) === 0xd800)
      cost += costInsidePair(previous, next);
    else {
      if (half === 0 && rowOf(next) !== row) {
        row = rowOf(next);
        wideOrigin = originOf(row, looks, language) + base;
      }
      cost += (chances[wideOrigin + weight] ?? 0) + costInside(next);
    }
    triple = nextTriple;
    previous = next;
    next = following;
  }
  const letters = kind % 3 === 0 ? length : length - 1;
  if (half === 0) followLooks(trace, letters, base + ((total / (length - 1)) | 0));
  return cost;
}
