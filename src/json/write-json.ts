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
 * The same text in pieces of some thousand characters, for whoever stops when it grows too long.
 *
 * @example
 * for (const piece of writeJsonPieces(value)) if ((length += piece.length) > limit) break;
 */
export function* writeJsonPieces(value: JsonValue): Generator<string, void> {
  const open: OpenContainer[] = [];
  let piece = "";
  for (let item: JsonValue | undefined = value; ; item = undefined) {
    const container = open.at(-1);
    if (item === undefined && container !== undefined) {
      const { keys, items, next } = container;
      if (next === items.length) {
        piece += keys === undefined ? "]" : "}";
        open.pop();
      } else {
        piece += (next > 0 ? "," : "") + (keys === undefined ? "" : `${JSON.stringify(keys[next])}:`);
        container.next += 1;
        item = items[next] ?? null;
      }
    }
    if (typeof item === "string" && item.length > pieceLength) {
      yield piece;
      piece = "";
      yield* writeString(item);
    } else if (item !== undefined) piece += enter(item, open);
    if (piece.length > pieceLength || open.length === 0) {
      yield piece;
      piece = "";
    }
    if (open.length === 0) return;
  }
}

/** A long string is escaped piece by piece, so that its end costs nothing where only its beginning is wanted. */
function* writeString(text: string): Generator<string, void> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + pieceLength);
    // Not between two surrogates: each alone would be escaped.
    if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
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
