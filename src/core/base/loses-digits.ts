/** Decides whether a double loses digits of a number of JSON. */

/** A double holds every number of so many digits (IEEE 754, DBL_DIG) whose exponent is far from its ends. */
const safeDigits = 15;
const safeExponent = 300;
/** No double needs more digits to be told from all others (IEEE 754, `%.17g`). */
const mostDigits = 17;
/** JavaScript writes an integer of more digits with an exponent. */
const mostIntegerDigits = 21;

/**
 * Takes the place of a number in a text. Returns whether its double, written with as many digits, has other ones: `19.90` and
 * `-65.613616999999977` are doubles, `9999999999999.9999` and `1e400` are none. An integer is a double where JavaScript writes the same one.
 * Other text loses nothing.
 */
export function losesDigits(text: string, start: number, end: number): boolean {
  const decimal = readDecimal(text, start, end);
  const { digits, isInteger } = decimal;
  const significant = digits - decimal.endingZeros;
  const isWide = isInteger
    ? digits > mostIntegerDigits
    : Math.abs(digits - decimal.scale) > safeExponent;
  if (significant === 0 || (significant <= safeDigits && !isWide)) return false;
  const difference = measureDifference(decimal);
  if (difference < half - doubt) return false;
  const literal = text.slice(start, end);
  if (significant > mostDigits) return isNumber(literal);
  const double = Number(literal);
  if (String(double) === literal || !isNumber(literal)) return false;
  if (isInteger || difference > half + doubt) return true;
  return !hasDigits(double, literal, significant);
}

/** A number as it is written, without its sign: its digits as an integer, times `10 ** -scale`. */
interface Decimal {
  /** The first digits, without zeros before them, and those behind them, each as an integer. More than 17 are not in it. */
  readonly first: number;
  readonly rest: number;
  /** How many digits there are, without zeros before them, and how many of them are zeros at the end. */
  readonly digits: number;
  readonly endingZeros: number;
  readonly scale: number;
  /** Whether it has neither a point nor an exponent. */
  readonly isInteger: boolean;
}

/** Two integers of so many digits, and of the rest of 17, are doubles, and so is the first times the power of ten that is due to it. */
const firstDigits = 9;

function readDecimal(text: string, start: number, end: number): Decimal {
  let [first, rest, digits, endingZeros, scale] = [0, 0, 0, 0, 0];
  let point = -1;
  let position = text.charCodeAt(start) === 45 ? start + 1 : start;
  for (; position < end; position += 1) {
    const unit = text.charCodeAt(position);
    if (unit === 46) point = position;
    else if (unit < 48 || unit > 57) break;
    else if (unit !== 48 || digits > 0) {
      if (digits < firstDigits) first = first * 10 + unit - 48;
      else if (digits < mostDigits) rest = rest * 10 + unit - 48;
      digits += 1;
      endingZeros = unit === 48 ? endingZeros + 1 : 0;
    }
  }
  if (point >= 0) scale = position - point - 1;
  // An exponent follows the `e`; what else ends the digits is no number.
  if (position < end) scale -= Number(text.slice(position + 1, end));
  return { first, rest, digits, endingZeros, scale, isInteger: point < 0 && position === end };
}

/** A double that differs by more than half a unit of the last digit has another one there. The reckoning may be wrong by far less than the doubt. */
const [half, doubt] = [0.5, 0.001];
/** The powers of ten that are doubles. */
const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Returns by how much the nearest double differs from a number, in units of its last digit that is no zero; NaN where this cannot tell. By
 * arithmetic of doubles alone: to write half a million of them with `toPrecision` would take a tenth of a second and more.
 */
function measureDifference(decimal: Decimal): number {
  const { first, rest, digits, endingZeros, scale, isInteger } = decimal;
  if (digits > mostDigits) return Number.NaN;
  const beginning = first * (powersOfTen[Math.max(0, digits - firstDigits)] ?? 1);
  const integer = beginning + rest;
  // JavaScript may write an integer beyond with fewer digits than the double has.
  if (isInteger) return Number.isSafeInteger(integer) ? 0 : Number.NaN;
  const power = powersOfTen[scale];
  if (power === undefined) return Number.NaN;
  // The sum of the digits may have more bits than a double: this is what it lost (Dekker 1971).
  const lost = rest - (integer - beginning);
  const near = integer / power;
  const difference = integer - near * power - findProductError(near, power) + lost;
  // Two roundings may have led to the double beside the nearest one.
  const nearest = near + difference / power;
  const least = Math.abs(difference - (nearest - near) * power);
  return least / (powersOfTen[endingZeros] ?? 1);
}

/** Returns exactly what the product of two doubles lost (Dekker 1971, with the split by Veltkamp). */
function findProductError(left: number, right: number): number {
  const [leftHigh, rightHigh] = [takeHighBits(left), takeHighBits(right)];
  const [leftLow, rightLow] = [left - leftHigh, right - rightHigh];
  const high = leftHigh * rightHigh - left * right;
  return high + leftHigh * rightLow + leftLow * rightHigh + leftLow * rightLow;
}

/** The upper 26 of the 53 bits. */
function takeHighBits(double: number): number {
  const shifted = double * (2 ** 27 + 1);
  return shifted - (shifted - double);
}

/** Whether a text is a number of JSON (RFC 8259, section 6). Not by a pattern: one may run out of stack on millions of digits. */
function isNumber(literal: string): boolean {
  const first = literal.startsWith("-") ? 1 : 0;
  let end = skipDigits(literal, first);
  const hasLeadingZero = literal.charCodeAt(first) === 48 && end > first + 1;
  if (end === first || hasLeadingZero) return false;
  if (literal.charCodeAt(end) === 46) {
    const fraction = end + 1;
    end = skipDigits(literal, fraction);
    if (end === fraction) return false;
  }
  if (literal.charAt(end).toLowerCase() === "e") {
    const sign = literal.charAt(end + 1);
    const exponent = sign === "+" || sign === "-" ? end + 2 : end + 1;
    end = skipDigits(literal, exponent);
    if (end === exponent) return false;
  }
  return end === literal.length;
}

function skipDigits(text: string, start: number): number {
  let position = start;
  while (text.charCodeAt(position) >= 48 && text.charCodeAt(position) <= 57) position += 1;
  return position;
}

/** Whether a double, written with as many digits as a decimal has, is that decimal. */
function hasDigits(double: number, literal: string, significant: number): boolean {
  const written = double.toPrecision(significant);
  return readSignificantDigits(written) === readSignificantDigits(literal);
}

/** Returns the digits of a number, but not its sign, point, exponent, and the zeros at both ends. */
function readSignificantDigits(literal: string): string {
  const [mantissa = ""] = literal.split(/[eE]/);
  const digits = mantissa.replace(/[^\d]/g, "");
  let [start, end] = [0, digits.length];
  while (digits.charCodeAt(start) === 48) start += 1;
  while (end > start && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(start, end);
}
