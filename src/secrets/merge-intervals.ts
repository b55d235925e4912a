/** Joins stretches that overlap or touch, so that the end of one secret can't survive inside another. */

import type { Interval } from "./view.js";

/** The joined stretches in order. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((one, other) => one.from - other.from);
  const merged: Interval[] = [];
  for (const interval of sorted) {
    const last = merged.at(-1);
    if (last === undefined || interval.from > last.to) merged.push(interval);
    else if (interval.to > last.to) merged[merged.length - 1] = { from: last.from, to: interval.to };
  }
  return merged;
}
