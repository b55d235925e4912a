/**
 * The parsed form of a body in which no number is lost.
 *
 * `JSON.parse` would print `19.90` as `19.9` and `12345678901234567890` as `…567000`. A number literal that it
 * would change stands in the tree as a string: the document's `numberMark` (one character that occurs nowhere
 * in the text) followed by the literal. Every other number is a native one.
 */

import type { LiteralFinder } from "./find-literals.js";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

export interface JsonDocument {
  readonly value: JsonValue;
  /** The character that marks a number literal; `""` when the document holds none. */
  readonly numberMark: string;
  /** The cheaper form of a large text; where it is there, `value` is made when it is first asked for. */
  readonly native?: NativeJson;
}

/** What `JSON.parse` gives, whose numbers may have lost digits or zeros, and where these can be had. */
export interface NativeJson {
  readonly value: JsonValue;
  readonly literals: LiteralFinder;
}

/** The document with native numbers where that is cheaper: for whoever only looks at it, or looks numbers up. */
export function glanceAt(document: JsonDocument): JsonDocument {
  const { native } = document;
  return native === undefined ? document : { value: native.value, numberMark: "", native };
}

/** Whether a value of this document is a number literal kept as text. */
export function isNumberLiteral(value: JsonValue, numberMark: string): value is string {
  return numberMark !== "" && typeof value === "string" && value.startsWith(numberMark);
}

/** The literal as the wire had it, such as `19.90`. */
export function toLiteral(marked: string): string {
  return marked.slice(1);
}
