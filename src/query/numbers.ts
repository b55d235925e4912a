/** Numbers of a query: compared exactly whatever their size, and computed in decimal, so that money adds up. */

import { ExactNumber } from "../json/exact-number.js";

export type QueryNumber = number | ExactNumber;
export type Operator = "Plus" | "Minus" | "Multiply" | "Divide" | "Modulo" | "Div";

/** More digits or a larger exponent than any amount has: such numbers are taken as doubles. */
const maxDigits = 100;
/** Digits of a quotient before it is rounded to a double. */
const quotientDigits = 20;
const parts = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The number that a string spells as JSON does; undefined for any other string. */
export function parseNumber(text: string): QueryNumber | undefined {
  const trimmed = text.trim();
  return parts.test(trimmed) ? toNumber(trimmed) : undefined;
}

/** A double where it prints the same, else the text's own digits. */
function toNumber(text: string): QueryNumber {
  const native = Number(text);
  return String(native) === text ? native : new ExactNumber(text);
}

/** Its value is `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Undefined for a number that is taken as a double. */
function parseDecimal(value: QueryNumber): Decimal | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return { digits: BigInt(value), exponent: 0 };
  const text = String(value);
  const [, whole, fraction = "", power = "0"] = (text.length <= maxDigits && parts.exec(text)) || [];
  const exponent = Number(power) - fraction.length;
  if (whole === undefined || Math.abs(exponent) > maxDigits) return undefined;
  return { digits: BigInt(whole + fraction), exponent };
}

/** Two numbers in the smaller of their units; undefined when one is taken as a double. */
function align(first: QueryNumber, second: QueryNumber): readonly [bigint, bigint, number] | undefined {
  const [one, other] = [parseDecimal(first), parseDecimal(second)];
  if (one === undefined || other === undefined) return undefined;
  const exponent = Math.min(one.exponent, other.exponent);
  const scale = (decimal: Decimal): bigint => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return [scale(one), scale(other), exponent];
}

/** Negative, zero or positive; exact for numbers of up to a hundred digits. */
export function compareNumbers(first: QueryNumber, second: QueryNumber): number {
  const difference = Number(first) - Number(second);
  if (typeof first === "number" && typeof second === "number") return difference;
  const [one, other] = align(first, second) ?? [];
  // Two numbers beyond a double differ by NaN: they compare as equal infinities.
  if (one === undefined || other === undefined) return Number.isNaN(difference) ? 0 : difference;
  return one < other ? -1 : Number(one > other);
}

/** @throws TypeError for a division by zero, or a result beyond all numbers. */
export function applyOperator(operator: Operator, first: QueryNumber, second: QueryNumber): QueryNumber {
  const [one, other] = [Number(first), Number(second)];
  if (other === 0 && ["Divide", "Modulo", "Div"].includes(operator))
    throw new TypeError("a number is divided by zero");
  const native = applyNatively(operator, one, other);
  if ([one, other, native].every(Number.isSafeInteger)) return native;
  const aligned = align(first, second);
  return aligned === undefined ? checkFinite(native) : applyExactly(operator, ...aligned);
}

function applyNatively(operator: Operator, one: number, other: number): number {
  if (operator === "Plus") return one + other;
  if (operator === "Minus") return one - other;
  if (operator === "Multiply") return one * other;
  if (operator === "Modulo") return one % other;
  return operator === "Div" ? Math.floor(one / other) : one / other;
}

function checkFinite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError("a result is larger than any number");
  return value;
}

function applyExactly(operator: Operator, one: bigint, other: bigint, exponent: number): QueryNumber {
  if (operator === "Plus") return fromScaled(one + other, exponent);
  if (operator === "Minus") return fromScaled(one - other, exponent);
  if (operator === "Multiply") return fromScaled(one * other, 2 * exponent);
  if (operator === "Modulo") return fromScaled(one % other, exponent);
  if (operator === "Div") return fromScaled((one - (((one % other) + other) % other)) / other, 0);
  const more = quotientDigits + String(other).length;
  return fromScaled((one * 10n ** BigInt(more)) / other, -more);
}

/** Integers keep all digits; a fraction that has more than a double holds is rounded to it. */
function fromScaled(value: bigint, exponent: number): QueryNumber {
  if (exponent >= 0) return toNumber(String(value * 10n ** BigInt(exponent)));
  const unit = 10n ** BigInt(-exponent);
  return value % unit === 0n ? toNumber(String(value / unit)) : Number(`${value}e${exponent}`);
}

/** The exact sum. @throws TypeError for one beyond all numbers. */
export function applySum(numbers: readonly QueryNumber[]): QueryNumber {
  let [digits, exponent] = [0n, 0];
  for (const number of numbers) {
    const decimal = parseDecimal(number);
    if (decimal === undefined)
      return checkFinite(numbers.reduce<number>((sum, each) => sum + Number(each), 0));
    const unit = Math.min(exponent, decimal.exponent);
    digits =
      digits * 10n ** BigInt(exponent - unit) + decimal.digits * 10n ** BigInt(decimal.exponent - unit);
    exponent = unit;
  }
  return fromScaled(digits, exponent);
}

/** The next whole number in a direction; a whole number of any size stays as it is. */
export function applyRounding(value: QueryNumber, direction: "ceil" | "floor"): QueryNumber {
  const isWhole = typeof value !== "number" && /^-?\d+$/.test(value.text);
  return isWhole ? value : Math[direction](Number(value));
}
