/** Which operation of a document the path of a call means. */

import { decodePercent } from "../../core/base/text.js";
import type { ApiSettings } from "../../core/record/api-source.js";
import type { ApiDocument, Route } from "./api-document.js";
import { createFindOwnPlace, findPlacement, toCallPath } from "./servers.js";

/** An operation by the path that a call has. */
export interface PlacedRoute extends Route {
  /** The path in segments, without the end that begins with `?` or `#`. */
  readonly segments: readonly string[];
  /** The end that the document writes behind its path: `?op=x`, `#copy`. Paths with one are operations of their own. */
  readonly suffix: string;
  /** Set where a call may name the operation by its path in the document: what its own server adds before it. */
  readonly prefix?: string;
  /** Its own server, where that is not below the base URL: the operation can't be called. */
  readonly elsewhere?: string;
}

/** No API nests its paths like that. */
const maxSegments = 40;

/** The operations by the paths of calls; one that is at a server of its own below the base URL also by its path in the document. */
export function placeRoutes(document: ApiDocument, api: ApiSettings): PlacedRoute[] {
  const placement = findPlacement(document, api);
  const findOwnPlace = createFindOwnPlace(document, api);
  return document.operations.flatMap((route) => {
    const [own = "", suffix = ""] = route.key.split(/(?=[?#])(.*)/s);
    const servers = document.readServers(route);
    const place = servers === undefined ? undefined : findOwnPlace(own, servers);
    const common = toCallPath(own, placement);
    if (place === undefined) return placeRoute(route, common, suffix);
    if ("elsewhere" in place) return placeRoute(route, common ?? own, suffix, place);
    const placed = placeRoute(route, place.path, suffix);
    const isLonger = own !== "/" && place.path !== own && place.path.endsWith(own);
    const prefix = place.path.slice(0, -own.length);
    return isLonger ? [...placed, ...placeRoute(route, own, suffix, { prefix })] : placed;
  });
}

function placeRoute(
  route: Route,
  path: string | undefined,
  suffix: string,
  more: Pick<PlacedRoute, "prefix" | "elsewhere"> = {},
): PlacedRoute[] {
  if (path === undefined) return [];
  const segments = splitPath(path);
  if (segments.length > maxSegments) return [];
  return [{ ...route, path: path + suffix, segments, suffix, ...more }];
}

/** Leaves out a slash at the end: no description has both forms as different paths. */
export function splitPath(path: string): string[] {
  const start = path.startsWith("/") ? 1 : 0;
  const hasEnd = path.length > start && path.endsWith("/");
  const inner = path.slice(start, hasEnd ? -1 : undefined);
  return inner.split("/");
}

export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

export interface RouteMatch {
  readonly route: PlacedRoute;
  /** The decoded values by parameter name, of parameters that are a whole segment. */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * The operations that a call's path may mean, those with literal segments first.
 *
 * @param query - The parameters that the path has behind `?`.
 */
export function matchRoutes(
  routes: readonly PlacedRoute[],
  path: string,
  query: readonly (readonly [string, string, ...unknown[]])[] = [],
): RouteMatch[] {
  const [own = "", inPath = ""] = path.split("#", 1)[0]?.split(/\?(.*)/s) ?? [];
  const sent = splitPath(own);
  const decoded = sent.map(decodePercent);
  const besides = query.map(([name, value]) => [name, value]);
  const given = [...new URLSearchParams(inPath), ...besides];
  const pairs = new Set(given.map((pair) => JSON.stringify(pair)));
  // A template may be percent-encoded itself.
  const isOne = (name: string, at: number): boolean =>
    name === sent[at] ||
    name === decoded[at] ||
    (name.includes("{") && hasPattern(decoded[at] ?? "", name));
  const hasQuery = (pair: readonly string[]): boolean => pairs.has(JSON.stringify(pair));
  return routes
    .filter(
      ({ segments }) =>
        segments.length <= sent.length &&
        segments.every(isOne) &&
        (segments.length === sent.length || spans.test(segments.at(-1) ?? "")),
    )
    .filter((route) => listFixed(route).every(hasQuery))
    .sort(compareLiterals)
    .map((route) => readMatch(route, decoded));
}

/** The parameters that the document writes into the path itself. */
export function listFixed({
  suffix,
}: Pick<PlacedRoute, "suffix">): [name: string, value: string][] {
  return suffix.startsWith("?") ? [...new URLSearchParams(suffix.split("#", 1)[0])] : [];
}

/** A path with fewer segments, whose last one takes several, comes last. A literal comes before a segment with a parameter in it. */
function compareLiterals(one: PlacedRoute, other: PlacedRoute): number {
  const [segments, others] = [one.segments, other.segments];
  if (segments.length !== others.length) return others.length - segments.length;
  const at = segments.findIndex((segment, index) => segment !== others[index]);
  const hasParameter = (segment: string = ""): number => Number(segment.includes("{"));
  const literals = hasParameter(segments[at]) - hasParameter(others[at]);
  // The one with more parameters of its own comes first of two equal paths.
  return literals === 0 ? listFixed(other).length - listFixed(one).length : literals;
}

/** A last parameter that takes slashes, as one that names a file or a branch does; the specification has no form for it. */
const spans =
  /(?:path|file|ref|branch|key|dir|directory|folder|uri|url|glob|prefix|name\+|[+*])\}$|^\{(?:[+*]|proxy|rest|wildcard|any)/i;

/** Whether a segment can be made of one such as `{name}.json`; linear, and without a pattern of the document's making. */
function hasPattern(segment: string, pattern: string): boolean {
  if (segment === "") return false;
  const literals = pattern.split(/\{[^{}]*\}/);
  let at = 0;
  for (const [index, literal] of literals.entries()) {
    const isLast = index === literals.length - 1;
    const place =
      isLast && index > 0 ? segment.length - literal.length : segment.indexOf(literal, at);
    if (place < at || !segment.startsWith(literal, place) || (index === 0 && place !== 0))
      return false;
    at = place + literal.length;
  }
  return at === segment.length;
}

function readMatch(route: PlacedRoute, sent: readonly string[]): RouteMatch {
  const { segments } = route;
  const own = segments
    .slice(0, segments.length === sent.length ? undefined : -1)
    .filter(isParameter);
  const values = own.map(
    (name) => [name.slice(1, -1), sent[segments.indexOf(name)] ?? ""] as const,
  );
  return { route, values: new Map(values) };
}
