/** What a JSON number literal looks like, and which ones `JSON.parse` would not give back as they were. */

/** Digits that a double always keeps. */
const safeDigits = 15;

/**
 * Takes a text and the bounds of a run of number characters in it. Returns whether that run is a JSON number
 * (RFC 8259 section 6) which JavaScript would print differently: over 15 significant digits, an exponent, a zero
 * at the end of the fraction, `-0`, or below 0.000001. Integers of 16 digits are exact up to 2^53.
 */
export function isChangedNumber(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) === 45 ? start + 1 : start;
  const afterInteger = skipDigits(text, first, end);
  if (afterInteger === first) return false;
  const leadingZero = text.charCodeAt(first) === 48;
  if (leadingZero && afterInteger > first + 1) return false;
  if (afterInteger === end) return isChangedInteger(text, start, first, end);
  let position = afterInteger;
  if (text.charCodeAt(position) === 46) {
    position = skipDigits(text, afterInteger + 1, end);
    if (position === afterInteger + 1) return false;
    if (position === end) return isChangedFraction(text, first, afterInteger, end);
  }
  return isExponent(text, position, end);
}

/** The same for the bounds of a literal that is known to be an integer; `first` is behind the sign. */
export function isChangedInteger(text: string, start: number, first: number, end: number): boolean {
  const digits = end - first;
  if (digits > safeDigits + 1) return true;
  if (digits > safeDigits) return !Number.isSafeInteger(Number(text.slice(first, end)));
  return first > start && digits === 1 && text.charCodeAt(first) === 48;
}

/** The same for a literal that is known to be a fraction without exponent; `point` is the index of its point. */
export function isChangedFraction(text: string, first: number, point: number, end: number): boolean {
  if (text.charCodeAt(end - 1) === 48) return true;
  const isBelowOne = text.charCodeAt(first) === 48;
  // The point is no digit, and a zero before it does not count.
  if (end - first > safeDigits + (isBelowOne ? 2 : 1)) return true;
  return isBelowOne && end - point > 7 && text.startsWith("000000", point + 1);
}

function isExponent(text: string, position: number, end: number): boolean {
  if ((text.charCodeAt(position) | 32) !== 101) return false;
  const sign = text.charCodeAt(position + 1);
  const digits = sign === 43 || sign === 45 ? position + 2 : position + 1;
  return digits < end && skipDigits(text, digits, end) === end;
}

function skipDigits(text: string, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const unit = text.charCodeAt(position);
    if (unit < 48 || unit > 57) break;
    position += 1;
  }
  return position;
}

/** Whether a code unit can stand in a number literal: a digit, `+`, `-`, `.`, `e`, `E`. */
export function isNumberUnit(unit: number): boolean {
  if (unit <= 57) return unit >= 48 || unit === 45 || unit === 46 || unit === 43;
  return unit === 101 || unit === 69;
}

/** Whether a code unit is JSON white space. */
export function isJsonSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}
