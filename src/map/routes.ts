/** The paths of a description as a tree of segments: which of them a path means, with the values of its parameters. */

import type { HttpMethod } from "../source/api-source.js";
import { type ApiDocument, type PathEntry, readPathEntry } from "./api-document.js";

/** One operation, before anything but its place is read. */
export interface Route {
  readonly method: HttpMethod;
  /** The path as the document has it, without a query. */
  readonly template: string;
  /** The key of the path in the document. */
  readonly path: string;
  readonly isDeprecated: boolean;
}

export interface RouteMatch {
  readonly routes: readonly Route[];
  /** Decoded values by parameter name. */
  readonly values: ReadonlyMap<string, string>;
}

export interface Routes {
  readonly all: readonly Route[];
  /** Every template that the path may mean, the one with the most literal segments first. */
  match(path: string): RouteMatch[];
}

/** How many nodes are looked at for one path: a tree made to branch at every segment must not keep a call. */
const maxVisits = 2_000;
const maxMatches = 8;

/** What a node doesn't have is absent: a large description has a hundred thousand of them. */
interface Node {
  literals?: Map<string, Node>;
  /** Segments with a parameter and more, such as `{name}.json`. */
  mixed?: Map<string, Node>;
  parameter?: Node;
  routes?: Map<string, Route[]>;
}

export function createRoutes(document: ApiDocument): Routes {
  const root: Node = {};
  const all = document.paths.flatMap((entry) => listRoutes(document, entry));
  for (const route of all) {
    const end = splitPath(route.template).reduce(step, root);
    end.routes ??= new Map();
    const known = end.routes.get(route.template);
    if (known === undefined) end.routes.set(route.template, [route]);
    else known.push(route);
  }
  return { all, match: (path) => matchPath(root, path) };
}

function listRoutes(document: ApiDocument, entry: PathEntry): Route[] {
  const { path, isReference } = entry;
  if (!path.startsWith("/")) return [];
  const { methods, deprecated } = isReference ? readPathEntry(path, document.readPath(path)) : entry;
  const template = path.split(/[?#]/, 1)[0] ?? path;
  return methods.map((method) => ({ method, template, path, isDeprecated: deprecated.includes(method) }));
}

/** Without a slash at the end, which no API tells apart in its description. */
export function splitPath(path: string): string[] {
  return path.replace(/^\//, "").replace(/\/$/, "").split("/");
}

function step(node: Node, segment: string): Node {
  if (isParameter(segment)) {
    node.parameter ??= {};
    return node.parameter;
  }
  const kind = segment.includes("{") ? "mixed" : "literals";
  const children = node[kind] ?? new Map<string, Node>();
  node[kind] = children;
  const next = children.get(segment) ?? {};
  children.set(segment, next);
  return next;
}

export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

function matchPath(root: Node, path: string): RouteMatch[] {
  const segments = splitPath(path).map(decodeSegment);
  const found: RouteMatch[] = [];
  let visits = 0;
  const visit = (node: Node, at: number): void => {
    visits += 1;
    if (visits > maxVisits || found.length >= maxMatches) return;
    const segment = segments[at];
    if (segment === undefined) {
      for (const [template, routes] of node.routes ?? []) {
        if (found.length < maxMatches) found.push({ routes, values: readValues(template, segments) });
      }
      return;
    }
    const literal = node.literals?.get(segment);
    if (literal !== undefined) visit(literal, at + 1);
    for (const [pattern, next] of node.mixed ?? []) if (matchMixed(pattern, segment)) visit(next, at + 1);
    if (node.parameter === undefined || segment === "") return;
    visit(node.parameter, at + 1);
    if (at + 1 < segments.length) addSpanning(node.parameter, segments, found);
  };
  visit(root, 0);
  return found;
}

/** A last parameter that takes slashes, as one that names a file or a branch does: nothing in the specification says so. */
const spanning =
  /(?:path|file|ref|branch|key|dir|directory|folder|uri|url|glob|prefix|name\+|[+*])\}$|^\{(?:[+*]|proxy|rest|wildcard|any)/i;

function addSpanning(node: Node, segments: readonly string[], found: RouteMatch[]): void {
  for (const [template, routes] of node.routes ?? []) {
    if (spanning.test(template.slice(template.lastIndexOf("/") + 1)) && found.length < maxMatches)
      found.push({ routes, values: readValues(template, segments) });
  }
}

/** Whether a segment such as `{name}.json` can be made of this one; linear, and without a pattern of the document's making. */
function matchMixed(pattern: string, segment: string): boolean {
  const literals = pattern.split(/\{[^{}]*\}/);
  let at = 0;
  for (const [index, literal] of literals.entries()) {
    const isLast = index === literals.length - 1;
    const place = isLast && index > 0 ? segment.length - literal.length : segment.indexOf(literal, at);
    if (place < at || !segment.startsWith(literal, place) || (index === 0 && place !== 0)) return false;
    at = place + literal.length;
  }
  return at === segment.length;
}

/** The values of parameters that are a whole segment. */
function readValues(template: string, segments: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  const own = splitPath(template);
  for (const [index, segment] of own.entries()) {
    const isSpanning = index === own.length - 1 && segments.length > own.length;
    if (isParameter(segment) && !isSpanning) values.set(segment.slice(1, -1), segments[index] ?? "");
  }
  return values;
}

export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
