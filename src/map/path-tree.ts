/** The map: all paths of an API as a tree, shared beginnings once, with the methods at its nodes. */

import type { HttpMethod } from "../source/api-source.js";
import { isParameter, splitPath } from "./routes.js";

/** An operation by where a call finds it. */
export interface Listed {
  readonly path: string;
  readonly method: HttpMethod;
  readonly isDeprecated: boolean;
}

interface Node {
  /** Absent where nothing is below: most nodes are ends. */
  children?: Map<string, Node>;
  readonly operations: Listed[];
  /** How many operations are here and below. */
  count: number;
}

/** Deeper levels are told by their number: no API nests its paths like that. */
const maxDepth = 40;

export type Fits = (text: string) => boolean;

/**
 * The whole tree where it fits, else its upper levels with the number of operations below: `/projects GET POST +312`. A node without a
 * method is GET alone, unless `:` follows, which says that it is no endpoint itself. In round brackets stand children that have none.
 */
export function writePathTree(listed: readonly Listed[], fits: Fits): string {
  const root = growTree(listed);
  const whole = writeTree(root, maxDepth);
  if (fits(whole)) return whole;
  // Of a branch, the one path that all begin with is not a level.
  const [first] = root.children ?? [];
  const [name, start] = first !== undefined && root.children?.size === 1 ? joinChain(...first) : ["", root];
  const isBranch = start !== root && start.children !== undefined;
  for (let depth = Math.min(measureDepth(root), 6); depth > (isBranch ? 1 : 0); depth -= 1) {
    const text = writeTree(root, depth);
    if (fits(text)) return text;
  }
  return writeLargest(start, name, fits);
}

function growTree(listed: readonly Listed[]): Node {
  const root = createNode();
  for (const each of listed) {
    const segments = splitPath(each.path);
    let node = root;
    root.count += 1;
    for (const segment of segments.slice(0, maxDepth)) {
      node.children ??= new Map();
      let next = node.children.get(segment);
      if (next === undefined) {
        next = createNode();
        node.children.set(segment, next);
      }
      next.count += 1;
      node = next;
    }
    node.operations.push(each);
  }
  return root;
}

function createNode(): Node {
  return { operations: [], count: 0 };
}

function measureDepth(root: Node): number {
  let level = [root];
  let depth = 0;
  for (; level.length > 0 && depth <= maxDepth; depth += 1)
    level = level.flatMap(({ children }) => [...(children?.values() ?? [])]);
  return depth;
}

function writeTree(root: Node, depth: number): string {
  const lines: string[] = [];
  const visit = (node: Node, level: number): void => {
    for (const [segment, child] of node.children ?? []) {
      const [name, end] = joinChain(segment, child);
      const line = `${" ".repeat(level)}${name}`;
      const children = [...(end.children ?? [])];
      if (children.length === 0) lines.push(`${line}${writeMethods(end)}`);
      else if (level + 1 >= depth)
        lines.push(`${line}${writeMethods(end)} +${end.count - end.operations.length}`);
      else if (children.every(([, each]) => each.children === undefined)) {
        const leaves = children.map(([leaf, each]) => `/${cleanSegment(leaf)}${writeMethods(each)}`);
        lines.push(
          `${line}${end.operations.length === 0 ? "" : writeMethods(end)} (${leaves.join(", ")})${end.operations.length === 0 ? ":" : ""}`,
        );
      } else {
        lines.push(`${line}${writeMethods(end)}`);
        visit(end, level + 1);
      }
    }
  };
  visit(root, 0);
  return lines.join("\n");
}

/** `/a/b/c`, where nothing but the last is an endpoint or branches. */
function joinChain(segment: string, node: Node): [name: string, end: Node] {
  let name = `/${cleanSegment(segment)}`;
  let end = node;
  while (end.operations.length === 0 && end.children?.size === 1) {
    const [[next, child] = ["", end]] = end.children;
    if (child === end) break;
    name += `/${cleanSegment(next)}`;
    end = child;
  }
  return [name, end];
}

function writeMethods({ operations }: Node): string {
  if (operations.length === 0) return ":";
  const [only] = operations;
  if (operations.length === 1 && only?.method === "GET" && !only.isDeprecated) return "";
  return operations
    .map(({ method, isDeprecated }) => ` ${method}${isDeprecated ? "(deprecated)" : ""}`)
    .join("");
}

/** Beginnings with the most operations first, as many as fit: of an API that has thousands at its top. */
function writeLargest(start: Node, name: string, fits: Fits): string {
  const largest = [...(start.children ?? [])].sort(([, one], [, other]) => other.count - one.count);
  const write = (count: number): string => {
    const shown = largest.slice(0, count).map(([segment, { count: all, operations, ...node }]) => {
      const methods = writeMethods({ count: all, operations });
      return `${name}/${cleanSegment(segment)}${methods}${node.children === undefined ? "" : ` +${all - operations.length}`}`;
    });
    const left = largest.length - count;
    return left === 0 ? shown.join("\n") : [...shown, `… ${left} more: use find`].join("\n");
  };
  let [low, high] = [0, largest.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(write(middle))) low = middle;
    else high = middle - 1;
  }
  return write(low);
}

/** As it has to be sent: what no path can hold, a line break or a space, is percent-encoded. */
export function cleanSegment(segment: string): string {
  const clean = segment
    .slice(0, 120)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}\s"\\]/gu, (character) => encodeURIComponent(character));
  return segment.length > 120 ? `${clean}…` : clean;
}

/** The operations at and below a path; what stands where a parameter does may be any value. */
export function listBranch(listed: readonly Listed[], path: string): Listed[] {
  const wanted = splitPath(path.split(/[?#]/, 1)[0] ?? "").filter((segment) => segment !== "");
  const fits = (own: readonly string[], isLoose: boolean): boolean =>
    wanted.every((segment, index) => {
      const other = own[index];
      if (other === undefined) return false;
      return other === segment || (isParameter(other) && (isLoose || isParameter(segment)));
    });
  const exact = listed.filter((each) => fits(splitPath(each.path), false));
  return exact.length > 0 ? exact : listed.filter((each) => fits(splitPath(each.path), true));
}

/** The names that most operations begin with, without versions and the like: `projects`, `users`. */
export function listResources(listed: readonly Listed[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const { path } of listed) {
    const name = splitPath(path).find(
      (segment) =>
        /^[A-Za-z][\w.-]{0,40}$/.test(segment) && !/^(?:api|rest|v\d+(?:\.\d+)*|beta|latest)$/i.test(segment),
    );
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name]) => name);
}
