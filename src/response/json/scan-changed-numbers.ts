/** Finds the numbers that `JSON.parse` would change by reading the whole text, strings skipped. */

import type { NumberSpans } from "./guess-changed-numbers.js";
import { isChangedNumber, isJsonSpace, isNumberUnit } from "./number-literal.js";

/**
 * Takes JSON text. Returns the spans of all literals to keep. The text need not be valid: what is no number by the
 * grammar, or stands where a key belongs, is not among them, so that marking never makes broken text valid.
 */
export function scanChangedNumbers(text: string): NumberSpans {
  const spans: number[] = [];
  const { length } = text;
  let position = 0;
  while (position < length) {
    const unit = text.charCodeAt(position);
    if (unit === 34) {
      position = skipString(text, position, length);
    } else if (unit <= 57 && (unit >= 48 || unit === 45)) {
      position = readNumber(text, position, spans);
    } else {
      position += 1;
    }
  }
  return spans;
}

function skipString(text: string, start: number, length: number): number {
  let position = start + 1;
  while (position < length) {
    const unit = text.charCodeAt(position);
    if (unit === 34) return position + 1;
    position += unit === 92 ? 2 : 1;
  }
  return length;
}

function readNumber(text: string, start: number, spans: number[]): number {
  let end = start + 1;
  let plain = text.charCodeAt(start) !== 45;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (!isNumberUnit(unit)) break;
    if (unit < 48 || unit > 57) plain = false;
    end += 1;
  }
  if ((!plain || end - start > 15) && isChangedNumber(text, start, end) && !isKey(text, end))
    spans.push(start, end);
  return end;
}

function isKey(text: string, end: number): boolean {
  let after = end;
  while (isJsonSpace(text.charCodeAt(after))) after += 1;
  return text.charCodeAt(after) === 58;
}
