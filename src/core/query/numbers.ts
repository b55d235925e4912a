/** Numbers of a query: compared exactly whatever their size, and computed in decimal, so that money adds up. */

import { ExactNumber } from "../base/exact-number.js";

export type QueryNumber = number | ExactNumber;
export type Operator = "Plus" | "Minus" | "Multiply" | "Divide" | "Modulo" | "Div";

/** More digits or a larger exponent than any amount has: such a number is taken as the nearest double. */
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

/** @throws TypeError for a number beyond all doubles */
function toDecimal(value: QueryNumber): Decimal {
  if (typeof value === "number" && Number.isSafeInteger(value)) return { digits: BigInt(value), exponent: 0 };
  const text = String(value);
  const [, whole = "0", fraction = "", power = "0"] = parts.exec(text) ?? [];
  const exponent = Number(power) - fraction.length;
  if (typeof value === "number" || (text.length <= maxDigits && Math.abs(exponent) <= maxDigits))
    return { digits: BigInt(whole + fraction), exponent };
  return toDecimal(checkFinite(Number(text)));
}

function checkFinite(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError("a number or a result is too large to compute");
  return value;
}

/** Two numbers in the smaller of their units, and that unit's exponent. */
function align(one: Decimal, other: Decimal): readonly [bigint, bigint, number] {
  const exponent = Math.min(one.exponent, other.exponent);
  const scale = (decimal: Decimal): bigint => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return [scale(one), scale(other), exponent];
}

/** Integers keep all digits; a fraction that has more than a double holds is rounded to it. */
function fromDecimal(digits: bigint, exponent: number): QueryNumber {
  const unit = 10n ** BigInt(Math.abs(exponent));
  if (exponent < 0 && digits % unit !== 0n) return Number(`${digits}e${exponent}`);
  const text = String(exponent < 0 ? digits / unit : digits * unit);
  return text.length <= maxDigits ? toNumber(text) : checkFinite(Number(text));
}

/** Negative, zero or positive; exact for numbers of up to a hundred digits. */
export function compareNumbers(first: QueryNumber, second: QueryNumber): number {
  if (typeof first === "number" && typeof second === "number") return first - second;
  const difference = Number(first) - Number(second);
  // Two numbers beyond a double differ by NaN: they compare as equal infinities.
  if (!Number.isFinite(difference)) return Number.isNaN(difference) ? 0 : difference;
  const [one, other] = align(toDecimal(first), toDecimal(second));
  return one < other ? -1 : Number(one > other);
}

/** @throws TypeError for a division by zero, or a result beyond all numbers. */
export function applyOperator(operator: Operator, first: QueryNumber, second: QueryNumber): QueryNumber {
  const [one, other, exponent] = align(toDecimal(first), toDecimal(second));
  if (operator === "Plus") return fromDecimal(one + other, exponent);
  if (operator === "Minus") return fromDecimal(one - other, exponent);
  if (operator === "Multiply") return fromDecimal(one * other, 2 * exponent);
  if (other === 0n) throw new TypeError("a number is divided by zero");
  if (operator === "Modulo") return fromDecimal(one % other, exponent);
  if (operator === "Div") return fromDecimal((one - (((one % other) + other) % other)) / other, 0);
  const more = quotientDigits + String(other).length;
  return fromDecimal((one * 10n ** BigInt(more)) / other, -more);
}

/** The exact sum. @throws TypeError for one beyond all numbers. */
export function applySum(numbers: readonly QueryNumber[]): QueryNumber {
  let sum: Decimal = { digits: 0n, exponent: 0 };
  for (const number of numbers) {
    const [one, other, exponent] = align(sum, toDecimal(number));
    sum = { digits: one + other, exponent };
  }
  return fromDecimal(sum.digits, sum.exponent);
}

/** The next whole number in a direction; a whole number of any size stays as it is. */
export function applyRounding(value: QueryNumber, direction: "ceil" | "floor"): QueryNumber {
  const isWhole = typeof value !== "number" && /^-?\d+$/.test(value.text);
  return isWhole ? value : Math[direction](Number(value));
}
