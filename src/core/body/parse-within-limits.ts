/** Parses one JSON document of a body within the limits of a tree. */

import { isJsonContainer, type JsonObject, type JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { type JsonScan, scanJson } from "../base/scan-json.js";
import { checkTreeSize, treeLimits } from "./response-body.js";

/** A container has two characters of its own: a text of no more is within all limits but that of depth. */
const mostUncounted = 2 * treeLimits.containers;

/**
 * Takes a text. Returns the scan of a large one: it is counted before anything of it is built.
 *
 * @throws TooLargeError for a text that is larger than `treeLimits`, whether it is JSON or not
 */
export function scanLarge(text: string): JsonScan | undefined {
  return text.length > mostUncounted ? scanWithinLimits(text) : undefined;
}

function scanWithinLimits(text: string): JsonScan {
  const scan = scanJson(text, treeLimits);
  checkTreeSize(scan);
  return scan;
}

/**
 * Takes a text, and the scan of a large one. Returns its document.
 *
 * @throws TooLargeError for a text that is larger than `treeLimits`, whether it is JSON or not
 * @throws SyntaxError when it is not one JSON document
 */
export function parseWithinLimits(text: string, scan = scanLarge(text)): JsonValue {
  if (scan !== undefined) return parseJson(text, scan);
  const document = parseSound(text);
  const mayBeDeep = text.length > 2 * treeLimits.depth;
  if (mayBeDeep && isDeeper(document, treeLimits.depth))
    checkTreeSize({ depth: treeLimits.depth + 1 });
  return document;
}

function parseSound(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    scanWithinLimits(text);
    throw error;
  }
}

/** Whether a document has containers within more containers than these. Level by level, so that any depth will do. */
function isDeeper(document: JsonValue, most: number): boolean {
  let level = isJsonContainer(document) ? [document] : [];
  for (let depth = 0; depth < most && level.length > 0; depth += 1) {
    const inner: (JsonValue[] | JsonObject)[] = [];
    for (const container of level) addContainers(container, inner);
    level = inner;
  }
  return level.length > 0;
}

function addContainers(
  container: JsonValue[] | JsonObject,
  found: (JsonValue[] | JsonObject)[],
): void {
  if (Array.isArray(container)) {
    for (const item of container) if (isJsonContainer(item)) found.push(item);
    return;
  }
  // A list of the keys of each object would cost more than the walk.
  for (const key in container) {
    const item = container[key];
    if (isJsonContainer(item)) found.push(item);
  }
}
