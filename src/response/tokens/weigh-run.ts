/** What a word or a run of marks costs that is not known whole: the chance of a cut at each place between two characters. */

import { costInside, costInsidePair } from "./cost-inside.js";
import {
  biasByKind,
  biasByLength,
  biasByPlace,
  biasByScript,
  cutByTriple,
  cutInPair,
  rowOfScript,
} from "./cut-weights.js";
import { firstFactor, secondFactor, stirSum, thirdFactor } from "./hash-characters.js";
import {
  followLooks,
  type LanguageTrace,
  levelOfLanguage,
  levelOfLooks,
  levelsOfLanguage,
  levelsOfLooks,
} from "./language-trace.js";

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
const byScript: Int8Array = toWeights(biasByScript);
const rows: Uint8Array = Buffer.from(rowOfScript, "latin1");
const firstRow = 35;
const rowLength = levelsOfLooks + levelsOfLanguage;
const rowOfMarks = 80;
/** Longest length, and last place, with a bias of their own. */
const longest = 15;
const lastPlace = 3;
const halfOfMarks = 16;

/** What runs are: four sorts of words, each bare, or behind a blank, or behind a mark; and marks, bare or behind a blank. */
export const runKind = { lower: 0, title: 3, upper: 6, other: 9, marks: 12 } as const;
export const leadKind = { none: 0, blank: 1, mark: 2 } as const;

const reach = 512;
const chances: Float64Array = Float64Array.from(
  { length: 2 * reach },
  (_, index) => 1 / (1 + Math.exp((reach - index) / perLogit)),
);

function toWeights(text: string): Int8Array {
  return Int8Array.from(Buffer.from(text, "latin1"), (code) => code - zero);
}

/** What the text so far tells of a cut before a character of a script. */
function biasOf(script: number, looks: number, language: number): number {
  const row = ((rows[script] ?? firstRow) - firstRow) * rowLength;
  return (byScript[row + looks] ?? 0) + (byScript[row + levelsOfLooks + language] ?? 0);
}

/** Tells the tokens of the characters from `start` to `end`, a run of a kind; the trace hears how cut up a word looked. */
export function weighRun(
  text: string,
  start: number,
  end: number,
  kind: number,
  trace: LanguageTrace,
): number {
  const looks = levelOfLooks(trace);
  const language = levelOfLanguage(trace);
  const half = kind < runKind.marks ? 0 : halfOfMarks;
  const base = (byKind[kind] ?? 0) + (byLength[half + Math.min(end - start, longest)] ?? 0) - noneOfThree;
  const plain = reach + biasOf(half === 0 ? 0 : rowOfMarks, looks, language);
  let previous = text.charCodeAt(start);
  let next = end - start > 1 ? text.charCodeAt(start + 1) : 1;
  let sum = Math.imul(previous, firstFactor) + Math.imul(next, secondFactor);
  let triple = byTriple[stirSum(sum) >>> tripleShift] ?? 0;
  let tokens = previous < 0x80 ? 1 : 1 + costInside(previous);
  let total = 0;
  for (let index = start + 1; index < end; index += 1) {
    const following = index + 1 < end ? text.charCodeAt(index + 1) : 1;
    const pair = stirSum(sum) >>> pairShift;
    sum = Math.imul(next, firstFactor) + Math.imul(following, secondFactor);
    const nextTriple = byTriple[stirSum(sum + Math.imul(previous, thirdFactor)) >>> tripleShift] ?? 0;
    const place = half + Math.min(index - start - 1, lastPlace) * 2 + (index + 1 === end ? 1 : 0);
    const steps = (((inPair[pair >> 1] ?? 0) >> ((pair & 1) << 2)) & 15) + (triple & 15) + (nextTriple >> 4);
    const weight = base + (steps << stepShift) + (byPlace[place] ?? 0);
    if (next < 0x80) {
      total += weight;
      tokens += chances[plain + weight] ?? 0;
    } else if ((previous & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00)
      tokens += costInsidePair(previous, next);
    else {
      total += weight;
      const script = next < 0x2000 ? next >> 7 : 64 + (next >> 12);
      const bias = half === 0 ? reach + biasOf(script, looks, language) : plain;
      tokens += (chances[bias + weight] ?? 0) + costInside(next);
    }
    triple = nextTriple;
    previous = next;
    next = following;
  }
  if (half === 0 && end - start > 1) {
    const lead = kind % 3 === 0 ? 0 : 1;
    followLooks(trace, end - start - lead, total / (end - start - 1) / perLogit);
  }
  return tokens;
}
