/**
 * The paths of a description below a record's base URL, where its servers may have a part of the path more, or less; and which of them the path of a
 * call means.
 */

import { decodePercent } from "../../core/base/text.js";
import type { ApiSettings } from "../../core/record/api-source.js";
import { type ApiDocument, asList, asObject, asString, type Route } from "./api-document.js";

export interface Server {
  /** As the document has it, a variable for its scheme filled in. */
  readonly url: string;
  /** The defaults of the variables in it. */
  readonly variables: Readonly<Record<string, string>>;
}

export function listServers({ head }: ApiDocument): Server[] {
  const servers = asList(head["servers"]).slice(0, 100).map(asObject);
  return servers.flatMap((server) => {
    const given = asObject(server["variables"]);
    // A base URL begins with its scheme: a variable there is filled in, with https where that may be had.
    const url = asString(server["url"])?.replace(/^\{(\w+)\}(?=:\/\/)/, (_whole, name: string) => {
      const { enum: values, default: preset } = asObject(given[name]);
      return asList(values).includes("https") ? "https" : String(preset ?? "https");
    });
    const presets = Object.entries(given)
      .map(([name, variable]) => [name, asObject(variable)["default"]] as const)
      .filter(([name, preset]) => preset !== undefined && url?.includes(`{${name}}`))
      .map(([name, preset]) => [name, String(preset)]);
    return url === undefined ? [] : [{ url, variables: Object.fromEntries(presets) }];
  });
}

/** How the document's paths become the paths of calls. */
export interface Placement {
  /** The beginning of a call's path that the document's does not have, such as `/v1`. */
  readonly added: string;
  /** The beginning of the document's paths that a call's does not have. */
  readonly dropped: string;
}

export function findPlacement(
  document: ApiDocument,
  { baseUrl, variables }: ApiSettings,
): Placement {
  const listed = listServers(document);
  // No server means `/` (OpenAPI 3.1.1, section 4.8.1).
  const given = listed.length === 0 ? [{ url: "/", variables: {} }] : listed;
  const servers = given.filter(({ url }) => !/^\.{1,2}\//.test(url)).map(readPlace);
  const base = readPlace({ url: baseUrl, variables });
  const paths = servers.filter(({ host }) => isSameHost(host, base.host)).map(({ path }) => path);
  const longer = paths.find((path) => path.startsWith(`${base.path}/`));
  const shorter = paths.find((path) => base.path.startsWith(`${path}/`));
  const dropped = shorter === undefined ? "" : base.path.slice(shorter.length);
  const isUsed = document.operations.some(({ path }) => path.startsWith(`${dropped}/`));
  if (paths.includes(base.path)) return { added: "", dropped: "" };
  if (longer !== undefined) return { added: longer.slice(base.path.length), dropped: "" };
  return { added: "", dropped: isUsed ? dropped : "" };
}

/**
 * The host without a port (a description is written for the default one), `""` for a server that is named by its path alone; and the path.
 * Variables of the path are filled in; one of the host may be anything, as one whose value only the environment knows.
 */
function readPlace({ url, variables }: Server) {
  const values = new Map(Object.entries(variables).filter(([, value]) => !value.includes("${")));
  const [, host = "", path = ""] = /^(?:(?:[^/]*:)?\/\/([^/]*))?([^?#]*)/s.exec(url) ?? [];
  const filled = path.replace(
    /\{([^{}]{1,100})\}/g,
    (whole, name: string) => values.get(name)?.replace(/^\/|\/$/g, "") ?? whole,
  );
  return { host: host.toLowerCase().replace(/:[^:\]]*$/, ""), path: filled.replace(/\/+$/, "") };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;

function isSameHost(server: string, base: string): boolean {
  if (server === "" || server === base || (loopback.test(server) && loopback.test(base)))
    return true;
  const [first, second] = [server.split("."), base.split(".")];
  const isSame = (label: string, index: number): boolean =>
    label === second[index] || `${label}${second[index]}`.includes("{");
  return first.length === second.length && first.every(isSame);
}

/** An operation by the path that a call has. */
export interface PlacedRoute extends Route {
  readonly segments: readonly string[];
}

/** No API nests its paths like that. */
const maxSegments = 40;

/** The operations below the base URL, by the paths of calls. */
export function placeRoutes(document: ApiDocument, placement: Placement): PlacedRoute[] {
  return document.operations.flatMap((route): PlacedRoute[] => {
    const path = toCallPath(route.key.split(/[?#]/, 1)[0] ?? "", placement);
    if (path === undefined) return [];
    const segments = splitPath(path);
    return segments.length > maxSegments ? [] : [{ ...route, path, segments }];
  });
}

/** A path of the document as a call has it; undefined for one that is not below the base URL. */
export function toCallPath(path: string, { added, dropped }: Placement): string | undefined {
  if (dropped !== "" && path !== dropped && !path.startsWith(`${dropped}/`)) return undefined;
  return added + (path.slice(dropped.length) || "/");
}

/** Without a slash at the end: no description has both forms as different paths. */
export function splitPath(path: string): string[] {
  const start = path.startsWith("/") ? 1 : 0;
  return path.slice(start, path.length > start && path.endsWith("/") ? -1 : undefined).split("/");
}

export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

export type RouteMatch = ReturnType<typeof readMatch>;

/** The operations that a call's path may mean, those with literal segments first. */
export function matchRoutes(routes: readonly PlacedRoute[], path: string): RouteMatch[] {
  const sent = splitPath(path.split(/[?#]/, 1)[0] ?? "");
  const decoded = sent.map(decodePercent);
  // A template may be percent-encoded itself.
  const isOne = (name: string, at: number): boolean =>
    name === sent[at] ||
    name === decoded[at] ||
    (name.includes("{") && hasPattern(decoded[at] ?? "", name));
  return routes
    .filter(
      ({ segments }) =>
        segments.length <= sent.length &&
        segments.every(isOne) &&
        (segments.length === sent.length || spans.test(segments.at(-1) ?? "")),
    )
    .sort(compareLiterals)
    .map((route) => readMatch(route, decoded));
}

/** A path with fewer segments, whose last one takes several, comes last. A literal comes before a segment with a parameter in it. */
function compareLiterals({ segments }: PlacedRoute, { segments: others }: PlacedRoute): number {
  if (segments.length !== others.length) return others.length - segments.length;
  const at = segments.findIndex((segment, index) => segment !== others[index]);
  return Number(segments[at]?.includes("{") ?? false) - Number(others[at]?.includes("{") ?? false);
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

/** A route with the decoded values by parameter name, of parameters that are a whole segment. */
function readMatch(route: PlacedRoute, sent: readonly string[]) {
  const { segments } = route;
  const own = segments
    .slice(0, segments.length === sent.length ? undefined : -1)
    .filter(isParameter);
  const values = own.map(
    (name) => [name.slice(1, -1), sent[segments.indexOf(name)] ?? ""] as const,
  );
  return { route, values: new Map(values) };
}
