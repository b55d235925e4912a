/** Which of some names was meant by one that isn't among them. */

import { findDistance } from "../text.js";

/** How much of a name may differ: a third of its letters, and one in a short one. */
const tolerance = 0.34;
const maxLetters = 60;

/** The nearest of the names: the same in another spelling, a few letters off, or one that has the other in it. */
export function findNearestName(given: string, names: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = measureName(given, name);
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  return best !== undefined && best.distance < 1 ? best.name : undefined;
}

/** From 0, the same, to 1, another. */
export function measureName(one: string, other: string): number {
  if (one === other) return 0;
  const [left, right] = [fold(one), fold(other)];
  if (left === right) return 0.05;
  const longest = Math.max(left.length, right.length);
  if (longest > maxLetters || longest === 0) return 1;
  const shorter = Math.min(left.length, right.length);
  // `user` in `user_id`, `issue` in `issues`.
  if (shorter >= 3 && (left.includes(right) || right.includes(left)))
    return 0.3 + 0.5 * (1 - shorter / longest);
  if (longest - shorter > Math.max(1, longest * tolerance)) return 1;
  const distance = findDistance(left, right);
  return distance <= Math.max(1, longest * tolerance) ? 0.1 + distance / (longest + 1) : 1;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
