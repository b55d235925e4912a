/** The map: all paths of an API as a tree, shared beginnings once, with the methods at its nodes. */

import { isParameter, type PlacedRoute, splitPath } from "./paths.js";

type Fits = (text: string) => boolean;

interface RouteNode {
  readonly children: Map<string, RouteNode>;
  readonly routes: PlacedRoute[];
}

/** No API nests its paths deeper than the first; deeper operations are counted. */
const depths = [40, 6, 5, 4, 3, 2, 1];
const maxInBrackets = 50;

/**
 * The whole tree where it fits, else its upper levels with the number of operations below: `/projects GET POST +312`. A node without a
 * method is GET alone, unless `:` follows, for a node that is not an endpoint itself. A few children without children are in round brackets.
 */
export function writePathTree(listed: readonly PlacedRoute[], fits: Fits): string {
  const root = growTree(listed);
  let lines: string[] = [];
  for (const depth of depths) {
    const written = writeTree(root, depth);
    // The one path that all of a branch begin with is not a level.
    if (written.length === 1 && lines.length > 0) break;
    lines = written;
    if (fits(lines.join("\n"))) return lines.join("\n");
  }
  // An API that has thousands of beginnings.
  let shown = lines.length;
  const write = (): string =>
    [...lines.slice(0, shown), `… ${lines.length - shown} more: use find`].join("\n");
  while (shown > 0 && !fits(write())) shown = Math.floor(shown * 0.9);
  return write();
}

function growTree(routes: readonly PlacedRoute[]): RouteNode {
  const root: RouteNode = { children: new Map(), routes: [] };
  for (const route of routes) {
    let node = root;
    for (const segment of listShown(route)) {
      const next: RouteNode = node.children.get(segment) ?? { children: new Map(), routes: [] };
      node.children.set(segment, next);
      node = next;
    }
    node.routes.push(route);
  }
  return root;
}

/** The segments of a path, the last one with what the document writes behind it. */
function listShown({ segments, suffix }: PlacedRoute): readonly string[] {
  if (suffix === "") return segments;
  return [...segments.slice(0, -1), `${segments.at(-1) ?? ""}${suffix}`];
}

function writeTree({ children }: RouteNode, depth: number, level: number = 0): string[] {
  return [...children].flatMap(([segment, child]) => {
    const [name, end] = joinChain(segment, child);
    const own = `${" ".repeat(level)}${name}${writeMethods(end)}`;
    const below = [...end.children];
    if (below.length === 0) return [own];
    if (level + 1 >= depth) return [`${own} +${countBelow(end)}`];
    if (below.length > maxInBrackets || below.some(([, each]) => each.children.size > 0))
      return [own, ...writeTree(end, depth, level + 1)];
    const leaves = below
      .map(([leaf, each]) => `/${cleanSegment(leaf)}${writeMethods(each)}`)
      .join(", ");
    return [end.routes.length === 0 ? `${own.slice(0, -1)} (${leaves}):` : `${own} (${leaves})`];
  });
}

/** `/a/b/c`, where nothing but the last is an endpoint or branches. */
function joinChain(segment: string, node: RouteNode): [name: string, end: RouteNode] {
  const name = `/${cleanSegment(segment)}`;
  const [only] = node.children;
  if (node.routes.length > 0 || only === undefined || node.children.size > 1) return [name, node];
  const [rest, end] = joinChain(...only);
  return [name + rest, end];
}

function countBelow({ children }: RouteNode): number {
  return [...children.values()].reduce(
    (sum, child) => sum + child.routes.length + countBelow(child),
    0,
  );
}

function writeMethods({ routes }: RouteNode): string {
  if (routes.length === 0) return ":";
  const methods = routes.map(
    ({ method, isDeprecated }) => ` ${method}${isDeprecated ? "(deprecated)" : ""}`,
  );
  return methods.join("") === " GET" ? "" : methods.join("");
}

/** As it has to be sent: what no path can hold, a line break or a space, is percent-encoded. */
export function cleanSegment(segment: string): string {
  const clean = segment
    .slice(0, 120)
    .toWellFormed()
    .replace(/[\s"\\]/g, encodeURIComponent);
  return segment.length > 120 ? `${clean}…` : clean;
}

/** The operations at and below a path; a value in the place of a parameter may be any value. */
export function listBranch(listed: readonly PlacedRoute[], path: string): PlacedRoute[] {
  const [own = ""] = path.split(/[?#]/, 1);
  const wanted = splitPath(own).filter((segment) => segment !== "");
  const find = (isLoose: boolean): PlacedRoute[] =>
    listed.filter(({ segments }) => {
      const isSame = (segment: string, index: number): boolean => {
        const isEither = isLoose || isParameter(segment);
        return segments[index] === segment || (isEither && isParameter(segments[index] ?? ""));
      };
      return wanted.every(isSame);
    });
  const exact = find(false);
  return exact.length > 0 ? exact : find(true);
}

/** The names that most operations begin with, without versions and the like: `projects`, `users`. */
export function listResources(listed: readonly PlacedRoute[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const { segments } of listed) {
    const name = segments.find(
      (segment) =>
        /^[A-Za-z][\w.-]{0,40}$/.test(segment) &&
        !/^(?:api|rest|v\d+(?:\.\d+)*|beta|latest)$/i.test(segment),
    );
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, most).map(([name]) => name);
}
