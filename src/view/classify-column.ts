/** Tells what a column of scalars is to a reader, by the statistics of its sampled values. */

import type { ScalarStats, Shape } from "./shape.js";

/** `fact`: short and worth its tokens in every row. `text`: long enough to be clipped. `noise`: links, hashes, blobs. */
export type ColumnKind = "fact" | "text" | "noise";

export interface ColumnClass {
  readonly kind: ColumnKind;
  /** What one value is worth to a reader, from 0 to about 1. */
  readonly worth: number;
}

/** Fewer rows than these say nothing about what repeats. */
const fewestRows = 4;
const longText = 90;
/** A path or an address this short costs no more than a name. */
const shortLink = 28;
const veryLong = 500;

export function classifyColumn(shape: Shape): ColumnClass {
  const stats = shape.scalars;
  const mean = stats.length / Math.max(1, stats.count);
  if (isMostly(stats.opaque, stats)) return { kind: "noise", worth: mean > 48 ? 0.05 : 0.2 };
  if (isMostly(stats.links, stats) && mean <= shortLink) return { kind: "fact", worth: 0.25 };
  if (isMostly(stats.links, stats))
    return { kind: "noise", worth: stats.ownLinks * 2 > stats.links ? 0.02 : 0.12 };
  if (mean > longText || (mean > longText / 2 && stats.longest > veryLong))
    return { kind: "text", worth: 0.4 };
  return { kind: "fact", worth: worthOfFact(shape, mean) };
}

function worthOfFact(shape: Shape, mean: number): number {
  const stats = shape.scalars;
  if (stats.count >= fewestRows) {
    // One value in (nearly) all rows tells little of each, and is said once where a field is left out.
    const most = Math.max(...stats.distinct.values()) / stats.count;
    if (most === 1 && stats.count * 10 >= shape.seen * 9) return 0.3;
    if (most > 0.9) return 0.35;
    if (most > 0.75) return 0.75;
  }
  if (isMostly(stats.booleans, stats)) return 0.85;
  if (isMostly(stats.times, stats)) return 1.4;
  // A text that comes again and again is a state or a kind.
  if (isMostly(stats.strings, stats) && stats.count >= fewestRows && stats.distinct.size * 2 <= stats.count)
    return 1.25;
  if (isMostly(stats.fractions, stats)) return 1.3;
  return mean > 48 ? 0.85 : 1;
}

export function isMostly(part: number, stats: ScalarStats): boolean {
  return part * 2 > stats.count;
}
