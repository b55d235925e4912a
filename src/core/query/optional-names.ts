/** Finds the names of an expression that some records have, and others lack. */

import {
  isJsonContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import type { SyntaxNode } from "./compile-expression.js";

/** The parts of an expression that matched nothing, each with the values that it was applied to. */
export type Unmatched = readonly (readonly [SyntaxNode, readonly JsonValue[]])[];

/** Elements and members that are visited, of all names together: of a larger document no name is reported as missing. */
const maxVisited = 400_000;
const longestPath = 500;

/**
 * The names that a record at the same path as one without the name has, list positions aside: a filter, an index or `max_by` selects
 * rows, and the others may have the name. One walk for all names, level by level; a document too large to be walked may have them all.
 */
export function listOptional(root: JsonValue, unmatched: Unmatched): ReadonlySet<SyntaxNode> {
  const sought = unmatched.flatMap(([node, places]) =>
    node.type === "Field" && places.some(isJsonContainer)
      ? [{ node, without: new Set(places), lacking: new Set<string>(), having: new Set<string>() }]
      : [],
  );
  const open: [JsonValue[] | JsonObject, string][] =
    isJsonContainer(root) && sought.length > 0 ? [[root, ""]] : [];
  let left = maxVisited;
  for (const [value, path] of open) {
    for (const { node, without, lacking, having } of sought) {
      if (without.has(value)) lacking.add(path);
      if (isJsonObject(value) && Object.hasOwn(value, node.name)) having.add(path);
    }
    left -= Array.isArray(value) ? value.length : listKeys(value).length;
    if (left < 0) return new Set(sought.map(({ node }) => node));
    if (path.length <= longestPath) for (const inner of listInner(value, path)) open.push(inner);
  }
  const found = sought.filter(({ lacking, having }) =>
    [...lacking].some((path) => having.has(path)),
  );
  return new Set(found.map(({ node }) => node));
}

/** The containers in a container, each with its path. */
function* listInner(
  value: JsonValue[] | JsonObject,
  path: string,
): Generator<[JsonValue[] | JsonObject, string], void> {
  if (Array.isArray(value)) {
    const element = `${path}[]`;
    for (const item of value) if (isJsonContainer(item)) yield [item, element];
    return;
  }
  for (const key of listKeys(value)) {
    const item = value[key];
    if (isJsonContainer(item)) yield [item, `${path}.${key}`];
  }
}
