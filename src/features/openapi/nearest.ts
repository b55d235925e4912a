/** Which operation was meant by a path that the document does not have. */

import { suggest } from "../../core/base/suggest.js";
import { decodePercent, plural, quoteText } from "../../core/base/text.js";
import type { Advice } from "./advice.js";
import type { Description } from "./knowledge.js";
import { isParameter, type PlacedRoute, splitPath } from "./paths.js";

/** Names the operations nearest to one that is not described, and the path that a misspelt one surely is. */
export function adviseRoute(
  { match, listed }: Description,
  { method, path }: { readonly method: string; readonly path: string },
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
  const given = splitPath(path).map(decodePercent);
  const misspelt = matched.length === 0 ? findMisspelt(listed, given) : undefined;
  const near = listNearest(listed, misspelt?.segments ?? given, method);
  return {
    kind,
    at: misspelt?.wrong ?? path,
    name: path,
    instead: misspelt?.template,
    message: `${shown} is not in the API's OpenAPI document (${plural(listed.length, "operation")}).`,
    hint: near.length === 0 ? "Choose a described path." : `Nearest: ${near.join(", ")}.`,
  };
}

/** A path of the document that a call surely means. */
interface MisspeltPath {
  readonly template: string;
  readonly segments: readonly string[];
  /** The segment of the given path that is not as in it. */
  readonly wrong: string;
  /** How many letters of it are wrong. */
  readonly letters: number;
}

/** The template that is the path but for one segment, which is nearly the same. */
function findMisspelt(
  listed: readonly PlacedRoute[],
  given: readonly string[],
): MisspeltPath | undefined {
  const candidates = listed.flatMap(({ path: template, segments }): MisspeltPath[] => {
    if (segments.length !== given.length) return [];
    const isOther = (own: string, at: number): boolean => own !== given[at] && !isParameter(own);
    const [meant, ...others] = segments.filter(isOther);
    if (meant === undefined || others.length > 0) return [];
    const at = segments.findIndex(isOther);
    const wrong = given[at] ?? "";
    const found = suggest(wrong, [meant]);
    if (found?.isSure !== true) return [];
    const { letters } = found;
    return [{ template, segments, wrong, letters }];
  });
  return candidates.toSorted((one, other) => one.letters - other.letters)[0];
}

const maxRoutes = 3;
const maxSegments = 30;

/** The operations that have most segments of a path in theirs, best first: by how many of both are left over, wherever the others are. */
function listNearest(
  listed: readonly PlacedRoute[],
  path: readonly string[],
  method: string,
): string[] {
  const given = path.slice(0, maxSegments);
  const near = listed
    .map((route) => {
      const { segments } = route;
      const parameters = segments.filter(isParameter).length;
      const literals = segments.filter((own) => !isParameter(own));
      const named = literals.filter((own) => given.includes(own)).length;
      const filled = Math.min(parameters, given.length - named);
      const left = segments.length + given.length - 2 * named - 1.8 * filled;
      return { route, named, left: left + (route.method === method ? 0 : 0.2) };
    })
    .filter(({ named }) => named > 0)
    .sort((one, other) => one.left - other.left);
  const least = near[0]?.left ?? 0;
  return near
    .filter(({ left }) => left <= least + 1.5)
    .slice(0, maxRoutes)
    .map(({ route }) => `${route.method} ${route.path}`);
}
