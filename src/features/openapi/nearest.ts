/** Which operation was meant by a path that the document does not have. */

import { suggest } from "../../core/base/suggest.js";
import { decodePercent, plural, quoteText } from "../../core/base/text.js";
import type { Advice } from "./compare-schema.js";
import type { Description } from "./knowledge.js";
import { isParameter, type PlacedRoute, splitPath } from "./paths.js";

/** The template that is the path but for one segment, which is nearly the same. */
export function findMisspeltPath(
  listed: readonly PlacedRoute[],
  path: string,
): MisspeltPath | undefined {
  const given = splitPath(path).map(decodePercent);
  let nearest: MisspeltPath | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { path: template, segments } of listed) {
    if (segments.length !== given.length) continue;
    const wrong = segments.flatMap((own, at) =>
      own === given[at] || isParameter(own) ? [] : [at],
    );
    const [at = 0] = wrong;
    if (wrong.length !== 1) continue;
    const segment = given[at] ?? "";
    const meant = suggest(segment, [segments[at] ?? ""]);
    if (meant?.isSure !== true || meant.letters >= least) continue;
    nearest = { template, segment };
    least = meant.letters;
  }
  return nearest;
}

/** A path, and the segment of the given one that is not as in it. */
interface MisspeltPath {
  readonly template: string;
  readonly segment: string;
}

/**
 * Names the operations nearest to one that is not described, and the path that a misspelt one surely is.
 *
 * @param showsNearest - Whether the hint names the nearest operations: among 20,000 this takes 100 ms.
 */
export function adviseRoute(
  { match, listed }: Description,
  { method, path }: { readonly method: string; readonly path: string },
  showsNearest: boolean,
): Advice {
  const kind = "unknown_path";
  const shown = quoteText(path, 200);
  const matched = match(path).map(({ route }) => route);
  const own = matched.filter((route) => listed.includes(route));
  const [first] = own;
  if (first !== undefined) {
    const methods = [...new Set(own.map((each) => each.method))].join(", ");
    const hint = `${first.path} has ${methods}.`;
    return { kind, at: path, message: `${shown} does not have ${method}.`, hint };
  }
  const misspelt = matched.length === 0 ? findMisspeltPath(listed, path) : undefined;
  return {
    kind,
    at: misspelt?.segment ?? path,
    name: path,
    instead: misspelt?.template,
    message: `${shown} is not in the API's OpenAPI document (${plural(listed.length, "operation")}).`,
    hint: showsNearest ? describeNearest(listed, path, method) : "",
  };
}

function describeNearest(listed: readonly PlacedRoute[], path: string, method: string): string {
  const near = findNearestRoutes(listed, path, method);
  return near.length === 0 ? "Choose a described path." : `Nearest: ${near.join(", ")}.`;
}

const maxRoutes = 3;
const maxSegments = 30;

/** The nearest operations, best first: by how many segments of both are left over, wherever the others are; none where no segment is near. */
function findNearestRoutes(routes: readonly PlacedRoute[], path: string, method: string): string[] {
  const given = splitPath(path).slice(0, maxSegments).map(decodePercent);
  const known = new Map<string, boolean>();
  const isNear = (own: string): boolean => {
    const found =
      known.get(own) ?? given.some((segment) => suggest(segment, [own])?.isSure === true);
    known.set(own, found);
    return found;
  };
  const near = routes
    .map((route) => {
      const { segments } = route;
      const named = segments.filter((own) => !isParameter(own) && isNear(own)).length;
      const filled = Math.min(segments.filter(isParameter).length, given.length - named);
      const left = segments.length + given.length - 2 * named - 1.8 * filled;
      return { route, named, left: left + (route.method === method ? 0 : 0.2) };
    })
    .filter(({ named, left }) => named > 0 && left <= Math.max(2, given.length))
    .sort((one, other) => one.left - other.left);
  return near
    .filter(({ left }) => left <= (near[0]?.left ?? 0) + 1.5)
    .slice(0, maxRoutes)
    .map(({ route }) => `${route.method} ${route.path}`);
}
