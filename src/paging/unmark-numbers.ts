/** Turns a part of a document into plain JSON that can be sent. */

import { isNumberLiteral, type JsonValue, toLiteral } from "../json/json-document.js";
import { isObject } from "../json/shape.js";

const maxDepth = 20;

/** A marked number becomes a number where that loses no digit, else its text. Deeper than 20 levels it becomes null. */
export function unmarkNumbers(value: JsonValue, numberMark: string, depth = 0): JsonValue {
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) return value.map((item) => unmarkNumbers(item, numberMark, depth + 1));
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, item]) => [
      key,
      unmarkNumbers(item, numberMark, depth + 1),
    ]);
    return Object.fromEntries(members);
  }
  const isLiteral: boolean = isNumberLiteral(value, numberMark);
  if (!isLiteral || typeof value !== "string") return value;
  const literal = toLiteral(value);
  const isExact = !/^-?\d+$/.test(literal) || Number.isSafeInteger(Number(literal));
  return isExact && Number.isFinite(Number(literal)) ? Number(literal) : literal;
}
