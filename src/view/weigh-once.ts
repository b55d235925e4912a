/** Remembers what the runs of one text cost, as the same words come again and again in an answer. */

import type { LanguageTrace } from "./language-trace.js";
import { weighRun } from "./weigh-run.js";

/** Places of the memo, of which each holds the run that came last. */
const places = 256;
const placeShift = Math.clz32(places - 1);
/** In a shorter text too little comes again. */
const shortest = 1000;

/** Hashes of runs, then their costs; empty for a short text. */
export type RunMemo = Int32Array;

const none: RunMemo = new Int32Array(0);

/** Makes a memo for a text of so many characters. */
export function createMemo(length: number): RunMemo {
  return length < shortest ? none : new Int32Array(2 * places);
}

/** Tells the cost of a run as `weighRun` does, or as it did before for the same stirred hash. */
export function weighOnce(
  memo: RunMemo,
  hash: number,
  codes: Uint16Array,
  start: number,
  end: number,
  kind: number,
  trace: LanguageTrace,
): number {
  if (memo.length === 0) return weighRun(codes, start, end, kind, trace);
  const place = hash >>> placeShift;
  const before = memo[place + places] ?? 0;
  if (memo[place] === hash && before > 0) return before;
  const cost = weighRun(codes, start, end, kind, trace);
  memo[place] = hash;
  memo[place + places] = cost;
  return cost;
}
