/** Which name, or which operation, was meant by one that isn't there. */

import { decodePercent, findDistance } from "../../core/base/text.js";
import type { Route } from "./api-document.js";
import { isParameter, splitPath } from "./routes.js";

/** How much of a name may differ: a third of its letters, and one in a short one. */
const tolerance = 0.34;
const maxLetters = 60;
/** A longer text is not a name. */
const maxNameLength = 200;
/** Of more names no more are compared: a document can have any number of them. */
const maxNames = 2_000;

/** The nearest of the names: the same in another spelling, a few letters off, or one that has the other in it. */
export function findNearestName(given: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = 1;
  const folded = fold(given);
  for (const name of names.slice(0, maxNames)) {
    const distance = given === name ? 0 : measureName(folded, fold(name));
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** From 0, the same, to 1, another; of folded names. */
function measureName(left: string, right: string): number {
  if (left === right) return 0.05;
  const longest = Math.max(left.length, right.length);
  const shortest = Math.min(left.length, right.length);
  if (longest > maxLetters || longest === 0) return 1;
  // `user` in `user_id`, `issue` in `issues`, `st` for `status`.
  const isBeginning = shortest >= 2 && (left.startsWith(right) || right.startsWith(left));
  if (isBeginning || (shortest >= 3 && (left.includes(right) || right.includes(left))))
    return 0.3 + 0.5 * (1 - shortest / longest);
  const most = Math.max(1, longest * tolerance);
  const distance = longest - shortest > most ? longest : findDistance(left, right);
  return distance <= most ? 0.1 + distance / (longest + 1) : 1;
}

function fold(name: string): string {
  return name
    .slice(0, maxNameLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const maxRoutes = 3;
/** How many pairs of segments are looked at, and how many of them are compared letter by letter. */
const maxPairs = 100_000;
const maxCompared = 2_000;
/** Costs of a segment that is left out or too many, of a value for a parameter, and of another method. */
const costs = { extra: 0.9, parameter: 0.12, method: 0.15 } as const;

/** The nearest operations, best first; none where nothing is near. */
export function findNearestRoutes(routes: readonly Route[], path: string, method: string): Route[] {
  const segments = splitPath(path)
    .map((segment) => fold(decodePercent(segment)))
    .slice(0, 30);
  const most = Math.max(1, segments.length * 0.6);
  const measured = new Map<string, number>();
  let pairs = 0;
  const measure = (segment: string, other: string): number => {
    if (isParameter(other)) return segment === "" ? 1 : costs.parameter;
    const folded = fold(other);
    if (segment === folded) return 0;
    const key = `${segment}\n${folded}`;
    const known = measured.get(key) ?? (measured.size < maxCompared ? measureName(segment, folded) : 1);
    measured.set(key, known);
    return known;
  };
  const near = routes.flatMap((route) => {
    const own = splitPath(route.path);
    // Too long or too short by itself: of a hundred thousand paths most are.
    if (Math.abs(own.length - segments.length) * costs.extra > most) return [];
    pairs += own.length * segments.length;
    if (pairs > maxPairs) return [];
    const cost = align(segments, own, measure) + (route.method === method ? 0 : costs.method);
    return cost > most ? [] : [{ route, cost }];
  });
  near.sort((one, other) => one.cost - other.cost);
  return near
    .filter(({ cost }) => cost <= (near[0]?.cost ?? 0) + 0.8)
    .slice(0, maxRoutes)
    .map(({ route }) => route);
}

/** The least cost of making one list of segments of the other. */
function align(
  given: readonly string[],
  template: readonly string[],
  measure: (segment: string, other: string) => number,
): number {
  let previous = [0, ...template].map((_, column) => column * costs.extra);
  for (const [row, segment] of given.entries()) {
    const current = [(row + 1) * costs.extra];
    for (const [column, other] of template.entries()) {
      const same = (previous[column] ?? 0) + measure(segment, other);
      const extra = Math.min(previous[column + 1] ?? 0, current[column] ?? 0) + costs.extra;
      current.push(Math.min(same, extra));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
