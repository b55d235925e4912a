/** Turns a document into the plain value that code works with. */

import { glanceAt, isNumberLiteral, type JsonDocument, type JsonValue, toLiteral } from "./json-document.js";

type JsonObject = { [key: string]: JsonValue };

/**
 * Takes a document. Returns its value with native numbers only, as `JSON.parse` would have given it: `19.90` is
 * 19.9, an integer beyond 2^53 is the nearest double, `1E400` is Infinity. (No bigint: it can't be serialised.) Where the
 * document has such a tree it is that one; otherwise a copy, and the document stays as it was.
 */
export function toPlainValue(document: JsonDocument): JsonValue {
  const { numberMark, value } = glanceAt(document);
  if (numberMark === "") return value;
  // Containers that are copied already, but whose elements are still those of the document.
  const open: (JsonValue[] | JsonObject)[] = [];
  const root = copyOne(value, numberMark, open);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    if (Array.isArray(container)) {
      const items = container;
      items.forEach((item, index) => {
        items[index] = copyOne(item, numberMark, open);
      });
    } else {
      // A copied `__proto__` member is an own property: this assigns to it and sets no prototype.
      for (const [key, item] of Object.entries(container)) container[key] = copyOne(item, numberMark, open);
    }
  }
  return root;
}

function copyOne(value: JsonValue, numberMark: string, open: (JsonValue[] | JsonObject)[]): JsonValue {
  if (isNumberLiteral(value, numberMark)) return Number(toLiteral(value));
  if (value === null || typeof value !== "object") return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  open.push(copy);
  return copy;
}
