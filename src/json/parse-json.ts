/** Reads JSON text without losing a number, near the speed of `JSON.parse`. */

import { randomBytes } from "node:crypto";
import { applyToScalars, ExactNumber, type JsonValue } from "./exact-number.js";

/**
 * Stands before a number that is handed through `JSON.parse` as a string. Nobody outside of this process can know it, so no
 * string of a body begins with it.
 */
const mark = `\u0080${randomBytes(6).toString("base64url")}`;

/** RFC 8259 section 6. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** Decimal digits that a double always gives back. */
const safeDigits = 15;

/**
 * Takes one JSON text (RFC 8259). Returns its value; a number that JavaScript would print differently is an `ExactNumber`. Any depth;
 * of members with the same key the last one stays; a `__proto__` member is an own property.
 *
 * @throws SyntaxError when the text is not one JSON document. Its message quotes the text: don't show it.
 *
 * @example
 * parseJson('{"price":19.90,"count":3}'); // { price: ExactNumber("19.90"), count: 3 }
 */
export function parseJson(text: string): JsonValue {
  const spans = findChangedNumbers(text);
  if (spans.length === 0) return JSON.parse(text);
  return applyToScalars(JSON.parse(markNumbers(text, spans)), (scalar) =>
    typeof scalar === "string" && scalar.charCodeAt(0) === 0x80 && scalar.startsWith(mark)
      ? new ExactNumber(scalar.slice(mark.length))
      : scalar,
  );
}

/** Starts and ends of the literals that a double would print differently, alternating. The text need not be valid. */
function findChangedNumbers(text: string): number[] {
  const spans: number[] = [];
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    if (unit === 34) {
      position = skipString(text, position);
    } else if (isDigit(unit) || unit === 45) {
      const end = skipNumber(text, position);
      // A number where a key belongs is no JSON, and must not become some by the mark.
      if (isChanged(text, position, end) && !isBeforeColon(text, end)) spans.push(position, end);
      position = end;
    } else {
      position += 1;
    }
  }
  return spans;
}

/** Takes the index of an opening quote. Returns the index behind the closing one; the text's length when there is none. */
export function skipString(text: string, start: number): number {
  let position = start + 1;
  for (;;) {
    const unit = text.charCodeAt(position);
    if (unit === 34) return position + 1;
    if (unit === 92) position += 2;
    else if (position < text.length) position += 1;
    else return text.length;
  }
}

function skipNumber(text: string, start: number): number {
  let end = start + 1;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (!isDigit(unit) && unit !== 46 && unit !== 45 && unit !== 43 && unit !== 101 && unit !== 69)
      return end;
    end += 1;
  }
}

/** Most numbers are known to be safe by their length and their digits; the others are printed and compared. */
function isChanged(text: string, start: number, end: number): boolean {
  if (isPlain(text, start, end)) return false;
  const literal = text.slice(start, end);
  return jsonNumber.test(literal) && String(Number(literal)) !== literal;
}

/** Whether it is short, positive, at most one point among digits, no zero behind the point's digits or right behind `0.`. */
function isPlain(text: string, start: number, end: number): boolean {
  if (end - start > safeDigits) return false;
  let points = 0;
  for (let position = start; position < end; position += 1) {
    const unit = text.charCodeAt(position);
    if (unit === 46) points += 1;
    else if (!isDigit(unit)) return false;
  }
  if (points === 0) return true;
  const isTiny = text.charCodeAt(start) === 48 && text.charCodeAt(start + 2) === 48;
  return points === 1 && !isTiny && text.charCodeAt(end - 1) !== 48;
}

/** Whether a code unit can stand in a number: a digit, `+`, `-`, `.`, `e`, `E`. */
export function isNumberUnit(unit: number): boolean {
  if (unit <= 57) return unit >= 48 || unit === 45 || unit === 46 || unit === 43;
  return unit === 101 || unit === 69;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isBeforeColon(text: string, end: number): boolean {
  let after = end;
  while (isJsonSpace(text.charCodeAt(after))) after += 1;
  return text.charCodeAt(after) === 58;
}

/** Whether a code unit is JSON white space. */
export function isJsonSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}

function markNumbers(text: string, spans: readonly number[]): string {
  const pieces: string[] = [];
  let read = 0;
  for (let index = 0; index < spans.length; index += 2) {
    const start = spans[index] ?? 0;
    const end = spans[index + 1] ?? 0;
    pieces.push(text.slice(read, start), text.slice(start, end));
    read = end;
  }
  pieces.push(text.slice(read));
  return pieces.reduce(
    (written, piece, index) => written + (index === 0 ? "" : index % 2 === 1 ? `"${mark}` : '"') + piece,
    "",
  );
}
