/** Which name, or which operation, was meant by one that isn't there. */

import {
  decodePercent,
  findDistance,
  findNearest,
  foldName,
  plural,
  quoteText,
} from "../../core/base/text.js";
import type { Description } from "./knowledge.js";
import { isParameter, type PlacedRoute, splitPath } from "./paths.js";

/** A longer text is not a name, and of more names no more are compared: a document can have any number of them. */
const maxNameLength = 60;
const maxNames = 500;

/** The nearest of the names: a letter or two off, or one that begins with the other, as `user` and `user_id`. */
export function findNearestName(given: string, names: readonly string[]): string | undefined {
  const some = names.slice(0, maxNames);
  const wanted = foldName(given);
  const isBeginning = (name: string): boolean => {
    const other = foldName(name);
    return (
      Math.min(wanted.length, other.length) > 1 &&
      (other.startsWith(wanted) || wanted.startsWith(other))
    );
  };
  return findNearest(given, some) ?? some.find(isBeginning);
}

/** The one of the names that a name nearly is: a misspelt one. */
export function findMisspelt(given: string, names: readonly string[]): string | undefined {
  const measured = names
    .slice(0, maxNames)
    .map((name) => ({ name, letters: countWrongLetters(given, name) }));
  const [best] = measured.sort((one, other) => one.letters - other.letters);
  return best !== undefined && Number.isFinite(best.letters) ? best.name : undefined;
}

/**
 * How many letters are wrong, infinitely many where that is another name: one may be in a name of 4 to 7 characters, two in a longer one.
 * Case, `-` and `_` don't count, whatever the length.
 */
function countWrongLetters(given: string, name: string): number {
  const shortest = Math.min(given.length, name.length);
  const most = shortest < 4 ? 0 : shortest < 8 ? 1 : 2;
  if (Math.max(given.length, name.length) > maxNameLength) return Number.POSITIVE_INFINITY;
  const [one = "", other = ""] = [given, name].map((text) =>
    text.toLowerCase().replace(/[-_]/g, ""),
  );
  const isOther = one === "" || Math.abs(one.length - other.length) > most;
  const distance = isOther ? Number.POSITIVE_INFINITY : findDistance(one, other);
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** The template that is the path but for one segment, which is nearly the same. */
export function findMisspeltPath(
  listed: readonly PlacedRoute[],
  path: string,
): { readonly template: string; readonly segment: string } | undefined {
  const given = splitPath(path).map(decodePercent);
  let nearest: ReturnType<typeof findMisspeltPath>;
  let least = Number.POSITIVE_INFINITY;
  for (const { path: template, segments } of listed) {
    if (segments.length !== given.length) continue;
    const wrong = segments.flatMap((own, at) =>
      own === given[at] || isParameter(own) ? [] : [at],
    );
    const [at = 0] = wrong;
    const segment = given[at] ?? "";
    const letters = wrong.length === 1 ? countWrongLetters(segment, segments[at] ?? "") : least;
    if (letters < least) [nearest, least] = [{ template, segment }, letters];
  }
  return nearest;
}

/** What is described instead of an operation that is not, and the path that a misspelt one surely is. */
export function adviseRoute(
  { match, listed }: Description,
  { method, path }: { readonly method: string; readonly path: string },
) {
  const kind = "unknown_path" as const;
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
    // Among 20,000 operations this takes 100 ms, and only a failure shows it.
    get hint() {
      const near = findNearestRoutes(listed, path, method);
      return near.length === 0 ? "Choose a described path." : `Nearest: ${near.join(", ")}.`;
    },
  };
}

const maxRoutes = 3;
const maxSegments = 30;

/** The nearest operations, best first: by how many segments of both are left over, wherever the others are; none where no segment is near. */
function findNearestRoutes(routes: readonly PlacedRoute[], path: string, method: string): string[] {
  const given = splitPath(path).slice(0, maxSegments).map(decodePercent);
  const known = new Map<string, boolean>();
  const isNear = (own: string): boolean => {
    const found =
      known.get(own) ?? given.some((segment) => Number.isFinite(countWrongLetters(segment, own)));
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
