/** Writes a value as compact JSON text: every number with its own digits, any depth. */

import { ExactNumber, type JsonValue } from "./exact-number.js";

/** Characters gathered before a piece is handed on. */
const pieceLength = 4_096;

/** A container that is being written. */
interface OpenContainer {
  readonly keys: readonly string[] | undefined;
  readonly items: readonly JsonValue[];
  next: number;
}

/**
 * Takes a value of a parsed document. Returns compact JSON text, as `JSON.stringify` would but with the digits of each `ExactNumber`.
 *
 * @example
 * writeJson(parseJson('{ "price": 19.90 }')); // {"price":19.90}
 */
export function writeJson(value: JsonValue): string {
  let text = "";
  for (const piece of writeJsonPieces(value)) text += piece;
  return text;
}

/**
 * The same text in pieces of some thousand characters (a long string is one piece), for whoever stops when it grows too long.
 *
 * @example
 * for (const piece of writeJsonPieces(value)) if ((length += piece.length) > limit) break;
 */
export function* writeJsonPieces(value: JsonValue): Generator<string, void> {
  const open: OpenContainer[] = [];
  let piece = enter(value, open);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    const { keys, items, next } = container;
    if (next === items.length) {
      piece += keys === undefined ? "]" : "}";
      open.pop();
    } else {
      if (next > 0) piece += ",";
      if (keys !== undefined) piece += `${JSON.stringify(keys[next])}:`;
      container.next += 1;
      piece += enter(items[next] ?? null, open);
    }
    if (piece.length > pieceLength) {
      yield piece;
      piece = "";
    }
  }
  yield piece;
}

/** The text of a scalar, or the opening bracket of what was put among the open ones. */
function enter(value: JsonValue, open: OpenContainer[]): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (value instanceof ExactNumber) return value.text;
  const isList = Array.isArray(value);
  open.push({
    keys: isList ? undefined : Object.keys(value),
    items: isList ? value : Object.values(value),
    next: 0,
  });
  return isList ? "[" : "{";
}
