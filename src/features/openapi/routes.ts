/** The operations of a description by their paths, as a tree of segments: which of them a call's path means. */

import { decodePercent } from "../../core/base/text.js";
import type { Route } from "./api-document.js";

/** What a node doesn't have is absent: a large description has a hundred thousand of them. */
export interface RouteNode {
  children?: Map<string, RouteNode>;
  /** Those of its children that have a parameter in them. */
  patterns?: string[];
  routes?: Route[];
}

export interface RouteMatch {
  readonly routes: readonly Route[];
  /** Decoded values by parameter name. */
  readonly values: ReadonlyMap<string, string>;
}

/** How many nodes are gone on from at each segment: a tree made to branch at every one must not keep a call. */
const maxNodes = 50;
const maxMatches = 8;
/** No API nests its paths like that. */
const maxSegments = 40;

export function growTree(routes: readonly Route[]): RouteNode {
  const root: RouteNode = {};
  for (const route of routes) {
    const segments = splitPath(route.path);
    if (segments.length > maxSegments) continue;
    const end = segments.reduce(step, root);
    end.routes ??= [];
    end.routes.push(route);
  }
  return root;
}

function step(node: RouteNode, segment: string): RouteNode {
  node.children ??= new Map();
  const known = node.children.get(segment);
  if (known !== undefined) return known;
  const next: RouteNode = {};
  node.children.set(segment, next);
  if (segment.includes("{")) {
    node.patterns ??= [];
    node.patterns.push(segment);
  }
  return next;
}

/** Without a slash at the end: no description has both forms as different paths. */
export function splitPath(path: string): string[] {
  const start = path.startsWith("/") ? 1 : 0;
  return path.slice(start, path.length > start && path.endsWith("/") ? -1 : undefined).split("/");
}

export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

/** Every template that the path may mean, literal segments first. */
export function matchPath(root: RouteNode, path: string): RouteMatch[] {
  const sent = splitPath(path.split(/[?#]/, 1)[0] ?? path);
  const segments = sent.map(decodePercent);
  const spanned: RouteMatch[] = [];
  let nodes: RouteNode[] = [root];
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    const enter = ({ children, patterns = [] }: RouteNode): RouteNode[] => {
      const fitting = patterns.filter((name) => name !== segment && hasPattern(segment, name));
      // A template may be percent-encoded itself.
      return [...new Set([segment, sent[at] ?? segment]), ...fitting].flatMap((name) => {
        const next = children?.get(name);
        if (next?.routes !== undefined && !isLast && name !== segment && spanning.test(name))
          spanned.push(readMatch(next.routes, segments));
        return next ?? [];
      });
    };
    nodes = nodes.flatMap(enter).slice(0, maxNodes);
  }
  const whole = nodes.flatMap(({ routes }) => (routes === undefined ? [] : readMatch(routes, segments)));
  return [...whole, ...spanned].slice(0, maxMatches);
}

/** A last parameter that takes slashes, as one that names a file or a branch does; the specification has no form for it. */
const spanning =
  /(?:path|file|ref|branch|key|dir|directory|folder|uri|url|glob|prefix|name\+|[+*])\}$|^\{(?:[+*]|proxy|rest|wildcard|any)/i;

/** Whether a segment can be made of one such as `{name}.json`; linear, and without a pattern of the document's making. */
function hasPattern(segment: string, pattern: string): boolean {
  if (segment === "") return false;
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
function readMatch(routes: readonly Route[], segments: readonly string[]): RouteMatch {
  const own = splitPath(routes[0]?.path ?? "");
  const values = new Map<string, string>();
  for (const [index, segment] of own.entries()) {
    const isSpanning = index === own.length - 1 && segments.length > own.length;
    if (isParameter(segment) && !isSpanning) values.set(segment.slice(1, -1), segments[index] ?? "");
  }
  return { routes, values };
}
