/** Writes a value as compact JSON text: no number changed, any depth. */

import { ExactNumber, isJsonContainer, type JsonValue } from "./exact-number.js";

/** Characters gathered before a piece is given. */
const pieceLength = 4_096;
/** Items that are written at once, and characters of each of them that is a string. */
const mostAtOnce = 100;

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
 * writeJson(parseJson('{ "id": 12345678901234567890 }')); // {"id":12345678901234567890}
 */
export function writeJson(value: JsonValue): string {
  let text = "";
  for (const piece of writeJsonPieces(value)) text += piece;
  return text;
}

/**
 * A document for `JSON.parse`, with each row of its outer lists in a line of its own: tools that page and search files by lines can read
 * it. An integer beyond 2^53 is a string.
 *
 * @param depth - In how many nested containers lists are looked for. @default 4
 * @example
 * writeJsonRows(parseJson('{"orders":[{"id":1},{"id":2}]}')); // {"orders":[⏎{"id":1},⏎{"id":2}⏎]}
 */
export function writeJsonRows(value: JsonValue, depth = 4): string {
  if (!isJsonContainer(value) || depth === 0) return JSON.stringify(value);
  if (Array.isArray(value) && value.some(isJsonContainer))
    return `[\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
  if (Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${writeJsonRows(item, depth - 1)}`,
  );
  return `{${members.join(",")}}`;
}

/**
 * The same text in pieces of some thousand characters (a longer string is one piece, and so are all keys of a short row), for a caller
 * that stops when it grows too long.
 *
 * @example
 * for (const piece of writeJsonPieces(value)) if ((length += piece.length) > limit) break;
 */
export function* writeJsonPieces(value: JsonValue): Generator<string, void> {
  const open: OpenContainer[] = [];
  let piece = "";
  const write = (item: JsonValue): void => {
    if (item instanceof ExactNumber) piece += item.text;
    else if (!isJsonContainer(item)) piece += JSON.stringify(item);
    else {
      const items = Array.isArray(item) ? item : Object.values(item);
      if (isPlain(items)) piece += JSON.stringify(item);
      else {
        piece += items === item ? "[" : "{";
        open.push({ keys: items === item ? undefined : Object.keys(item), items, next: 0 });
      }
    }
  };
  write(value);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    const { keys, items, next } = container;
    if (next === items.length) {
      piece += keys === undefined ? "]" : "}";
      open.pop();
    } else {
      if (next > 0) piece += ",";
      if (keys !== undefined) piece += `${JSON.stringify(keys[next])}:`;
      container.next += 1;
      write(items[next] ?? null);
    }
    if (piece.length <= pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** Whether a container is a short one of short scalars, which `JSON.stringify` writes as they are. */
function isPlain(items: readonly JsonValue[]): boolean {
  const isShort = (item: JsonValue): boolean =>
    typeof item === "string" ? item.length <= mostAtOnce : typeof item !== "object" || item === null;
  return items.length <= mostAtOnce && items.every(isShort);
}
