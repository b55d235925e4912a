/** Counts what a view leaves out, place by place, while it is written. */

import type { Plan } from "./plan.js";

/** What writing found at one place. */
export interface Tally {
  /** Elements that the arrays (or map-like objects) here show, and have; and the most that one has. */
  shown: number;
  of: number;
  most: number;
  /** Strings that were clipped, and the longest of them; the characters shown and had by the last. */
  clipped: number;
  longest: number;
  clippedTo: number;
  clippedOf: number;
  /** Null or empty fields that were left out. */
  readonly emptied: Set<string>;
  /** Fields that no sample had. */
  readonly unseen: Set<string>;
  /** Values shown although the plan shows none here: the body's beginning holds them. */
  early: number;
}

/** Names kept of the fields left out at one place. */
const maxNames = 24;

/** The tally of a place; a new one at its first use. */
export function openTally(tallies: Map<Plan, Tally>, plan: Plan): Tally {
  let tally = tallies.get(plan);
  if (tally === undefined) {
    tally = {
      shown: 0,
      of: 0,
      most: 0,
      clipped: 0,
      longest: 0,
      clippedTo: 0,
      clippedOf: 0,
      emptied: new Set(),
      unseen: new Set(),
      early: 0,
    };
    tallies.set(plan, tally);
  }
  return tally;
}

export function noteName(names: Set<string>, name: string): void {
  if (names.size < maxNames) names.add(name);
}
