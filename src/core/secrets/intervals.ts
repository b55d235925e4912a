/** Stretches of a text. */

/** A half-open stretch of a text, in UTF-16 code units. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The stretches in order, joined where they overlap or touch: the end of one secret can't be left inside another. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...intervals].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || from > last.to) merged.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return merged;
}
