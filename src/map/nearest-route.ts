/** Which operations were likely meant by a path that no description knows. */

import type { HttpMethod } from "../source/api-source.js";
import type { Description } from "./description.js";
import { measureName } from "./nearest.js";
import { toDocumentPaths } from "./place-paths.js";
import { decodeSegment, isParameter, type Route, splitPath } from "./routes.js";

export interface Wanted {
  readonly method: HttpMethod;
  readonly path: string;
  /** Whether only operations of this method count. @default false */
  readonly onlyMethod?: boolean;
}

const maxRoutes = 3;
/** Costs of a segment that is left out or too many, and of a value where a parameter stands. */
const costs = { extra: 0.9, parameter: 0.12, method: 0.15 } as const;

/** The nearest operations, best first; none where nothing is near. */
export function findNearestRoutes({ listed, placement }: Description, wanted: Wanted): Route[] {
  const [path = wanted.path] = toDocumentPaths(placement, wanted.path);
  const segments = splitPath(path).map(decodeSegment).slice(0, 30);
  const measured = new Map<string, number>();
  const measure = (segment: string, other: string): number => {
    if (isParameter(other)) return segment === "" ? 1 : costs.parameter;
    const key = `${segment}\n${other}`;
    const known = measured.get(key) ?? measureName(segment, other);
    measured.set(key, known);
    return known;
  };
  const most = Math.max(1, segments.length * 0.6);
  const found: { readonly route: Route; readonly cost: number }[] = [];
  for (const { route } of listed) {
    if (wanted.onlyMethod === true && route.method !== wanted.method) continue;
    const cost =
      align(segments, splitPath(route.template), measure, most) +
      (route.method === wanted.method ? 0 : costs.method);
    const worst = found.at(-1);
    if (cost > most || (found.length === maxRoutes && worst !== undefined && cost >= worst.cost)) continue;
    found.push({ route, cost });
    found.sort((one, other) => one.cost - other.cost);
    found.length = Math.min(found.length, maxRoutes);
  }
  const least = found[0]?.cost ?? 0;
  return found.filter(({ cost }) => cost <= least + 0.8).map(({ route }) => route);
}

/** The least cost of making one list of segments of the other; more than `most` is as good as none. */
function align(
  given: readonly string[],
  template: readonly string[],
  measure: (segment: string, other: string) => number,
  most: number,
): number {
  if (Math.abs(given.length - template.length) * costs.extra > most) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: template.length + 1 }, (_, column) => column * costs.extra);
  for (const [row, segment] of given.entries()) {
    const current = [(row + 1) * costs.extra];
    for (const [column, other] of template.entries()) {
      current.push(
        Math.min(
          (previous[column] ?? 0) + measure(segment, other),
          (previous[column + 1] ?? 0) + costs.extra,
          (current[column] ?? 0) + costs.extra,
        ),
      );
    }
    if (Math.min(...current) > most) return Number.POSITIVE_INFINITY;
    previous = current;
  }
  return previous.at(-1) ?? Number.POSITIVE_INFINITY;
}
