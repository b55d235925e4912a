/**
 * The parsed form of a body in which no number is lost.
 *
 * `JSON.parse` would print `19.90` as `19.9` and `12345678901234567890` as `…567000`. A number literal that it
 * would change stands in the tree as a string: the document's `numberMark` (one character that occurs nowhere
 * in the text) followed by the literal. Every other number is a native one.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export interface JsonDocument {
  readonly value: JsonValue;
  /** The character that marks a number literal; `""` when the document holds none. */
  readonly numberMark: string;
}

/** Whether a value of this document is a number literal kept as text. */
export function isNumberLiteral(value: JsonValue, numberMark: string): value is string {
  return numberMark !== "" && typeof value === "string" && value.startsWith(numberMark);
}

/** The literal as the wire had it, such as `19.90`. */
export function toLiteral(marked: string): string {
  return marked.slice(1);
}
