/** Parses one JSON document of a body within the limits of a tree. */

import { isJsonContainer, type JsonObject, type JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { scanJson } from "../base/scan-json.js";
import { checkTreeSize, type TreeSize, treeLimits } from "./response-body.js";

/** Plain values are small: so many more than a document may have can be built before they are counted. */
const mostBuilt = 6 * treeLimits.values;

/**
 * Takes a text. Returns its document. A text without too many brackets is parsed first, and its depth and values are counted in the document.
 *
 * @throws TooLargeError for a text that is larger than `treeLimits`, whether it is JSON or not
 * @throws SyntaxError when it is not one JSON document
 */
export function parseWithinLimits(text: string): JsonValue {
  if (mayBeLarge(text)) checkTreeSize(scanJson(text, treeLimits));
  const document = parseSound(text);
  // Each level has two characters of its own.
  if (text.length > 2 * treeLimits.depth) checkTreeSize(measureTree(document));
  return document;
}

/** Whether a text may have too many containers, or far too many values. A bracket in a string counts, too. */
function mayBeLarge(text: string): boolean {
  if (text.length <= 2 * treeLimits.containers) return false;
  if (text.length > mostBuilt) return true;
  let count = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > treeLimits.containers) return true;
    }
  }
  return false;
}

function parseSound(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    checkTreeSize(scanJson(text, treeLimits));
    throw error;
  }
}

type Container = JsonValue[] | JsonObject;

/** How deep a document is, up to one level more than it may be, and how many values it has, as a scan of its text counts them. Level by level, so that any depth will do. */
function measureTree(document: JsonValue): TreeSize {
  let level = isJsonContainer(document) ? [document] : [];
  let depth = 0;
  let values = 0;
  while (level.length > 0 && depth <= treeLimits.depth) {
    const inner: Container[] = [];
    for (const container of level) values += addContainers(container, inner);
    depth += 1;
    level = inner;
  }
  return { depth, values };
}

/** Adds the containers in a container. @returns how many values it has, of an empty one itself */
function addContainers(container: Container, found: Container[]): number {
  if (Array.isArray(container)) {
    for (const item of container) if (isJsonContainer(item)) found.push(item);
    return Math.max(1, container.length);
  }
  let count = 0;
  // A list of the keys of each object would cost more than the walk.
  for (const key in container) {
    const item = container[key];
    if (isJsonContainer(item)) found.push(item);
    count += 1;
  }
  return Math.max(1, count);
}
