/** Finds the numbers that `JSON.parse` would change by reading the whole text, strings skipped. */

import type { NumberSpans } from "./guess-changed-numbers.js";
import {
  isChangedFraction,
  isChangedInteger,
  isChangedNumber,
  isJsonSpace,
  isNumberUnit,
} from "./number-literal.js";
import { toCodeUnits } from "./to-code-units.js";

interface Scan {
  readonly text: string;
  readonly units: Uint8Array | Uint16Array;
  /** Grown by doubling; off the heap, for documents that are nothing but such numbers. */
  spans: Int32Array;
  count: number;
}

/**
 * Takes JSON text. Returns the spans of all literals to keep. The text need not be valid: what is no number by the
 * grammar, or stands where a key belongs, is not among them, so that marking never makes broken text valid.
 */
export function scanChangedNumbers(text: string): NumberSpans {
  const units = toCodeUnits(text);
  const scan: Scan = { text, units, spans: new Int32Array(1024), count: 0 };
  const { length } = units;
  let position = 0;
  while (position < length) {
    const unit = units[position] ?? 0;
    if (unit === 34) {
      position = skipString(units, position + 1, length);
    } else if (unit <= 57 && (unit >= 48 || unit === 45)) {
      position = readNumber(scan, position);
    } else {
      position += 1;
    }
  }
  return scan.spans.subarray(0, scan.count);
}

function skipString(units: Uint8Array | Uint16Array, start: number, length: number): number {
  let position = start;
  while (position < length) {
    const unit = units[position];
    if (unit === 34) return position + 1;
    position += unit === 92 ? 2 : 1;
  }
  return length;
}

function readNumber(scan: Scan, start: number): number {
  const { text, units } = scan;
  const first = units[start] === 45 ? start + 1 : start;
  const point = skipDigits(units, first);
  const hasPoint = units[point] === 46;
  let end = hasPoint ? skipDigits(units, point + 1) : point;
  const isPlain = !isNumberUnit(units[end] ?? 0) && point > first && (!hasPoint || end > point + 1);
  let isChanged: boolean;
  if (isPlain && (units[first] !== 48 || point === first + 1)) {
    isChanged = hasPoint
      ? isChangedFraction(text, first, point, end)
      : isChangedInteger(text, start, first, end);
  } else {
    while (isNumberUnit(units[end] ?? 0)) end += 1;
    isChanged = isChangedNumber(text, start, end);
  }
  if (isChanged && !isKey(units, end)) addSpan(scan, start, end);
  return Math.max(end, start + 1);
}

function skipDigits(units: Uint8Array | Uint16Array, start: number): number {
  let position = start;
  let unit = units[position] ?? 0;
  while (unit >= 48 && unit <= 57) {
    position += 1;
    unit = units[position] ?? 0;
  }
  return position;
}

function isKey(units: Uint8Array | Uint16Array, end: number): boolean {
  let after = end;
  while (isJsonSpace(units[after] ?? 0)) after += 1;
  return units[after] === 58;
}

function addSpan(scan: Scan, start: number, end: number): void {
  if (scan.count === scan.spans.length) {
    const grown = new Int32Array(scan.count * 2);
    grown.set(scan.spans);
    scan.spans = grown;
  }
  scan.spans[scan.count] = start;
  scan.spans[scan.count + 1] = end;
  scan.count += 2;
}
