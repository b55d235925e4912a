/** Values of a query: of which kind one is, what counts as true, how two compare, and how numbers are computed: ids are compared by all of their digits, and results are rounded to 15 digits, so that money adds up. */

import {
  ExactNumber,
  isJsonContainer,
  isJsonNumber,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import type { Budget } from "./budget.js";

type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

export function kindOf(value: JsonValue): Kind {
  if (value === null) return "null";
  if (isJsonNumber(value)) return "number";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "string" | "object";
}

/** In JMESPath all is true but null, false, and the empty string, list and object. */
export function isJmespathTrue(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  return !isJsonContainer(value) || (Array.isArray(value) ? value : listKeys(value)).length > 0;
}

/**
 * Orders two numbers by value or two strings by their characters.
 *
 * @throws TypeError for anything else.
 */
export function compareOrdered(first: JsonValue, second: JsonValue, budget: Budget): number {
  if (isJsonNumber(first) && isJsonNumber(second)) {
    // A number with more digits than a double costs as much to read as some hundred characters.
    if (first instanceof ExactNumber || second instanceof ExactNumber) budget.spend(20);
    return compareNumbers(first, second);
  }
  if (typeof first === "string" && typeof second === "string")
    return compareStrings(first, second, budget);
  throw new TypeError(
    `${kindOf(first)} and ${kindOf(second)} have no order: all must be numbers, or all strings`,
  );
}

function compareStrings(one: string, other: string, budget: Budget): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  budget.spendText(index);
  return index === length
    ? one.length - other.length
    : one.charCodeAt(index) - other.charCodeAt(index);
}

/** Whether two values are equal as JSON: numbers by value, members in any order. @throws RangeError beyond any depth of a body */
export function areEqual(first: JsonValue, second: JsonValue, budget: Budget): boolean {
  if (typeof first === "string" && typeof second === "string" && first.length === second.length)
    budget.spendText(first.length);
  if (first === second) return true;
  if (isJsonNumber(first) && isJsonNumber(second))
    return compareOrdered(first, second, budget) === 0;
  if (
    !isJsonContainer(first) ||
    !isJsonContainer(second) ||
    Array.isArray(first) !== Array.isArray(second)
  )
    return false;
  const [keys, others] = [Object.keys(first), Object.keys(second)];
  budget.spend(keys.length + others.length);
  const [left, right] = [first as Record<string, JsonValue>, second as Record<string, JsonValue>];
  const isSame = (key: string): boolean =>
    Object.hasOwn(right, key) && areEqual(left[key] ?? null, right[key] ?? null, budget);
  return keys.length === others.length && keys.every(isSame);
}

export type QueryNumber = number | ExactNumber;
type Operator = "Plus" | "Minus" | "Multiply" | "Divide" | "Modulo" | "Div";

/** As many a double keeps of any decimal: the dust of binary fractions is behind them. */
const soundDigits = 15;
/** A whole number of more digits is compared as the nearest double. */
const wholeNumber = /^-?\d{1,100}$/;

/** The number that a string spells as JSON does; undefined for any other string. */
export function parseNumber(text: string): QueryNumber | undefined {
  const trimmed = text.trim();
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return undefined;
  const native = Number(trimmed);
  return String(native) === trimmed ? native : new ExactNumber(trimmed);
}

/** Negative, zero or positive; exact for whole numbers of up to a hundred digits. */
function compareNumbers(first: QueryNumber, second: QueryNumber): number {
  if (typeof first === "number" && typeof second === "number") return first - second;
  const [one, other] = [String(first), String(second)];
  if (wholeNumber.test(one) && wholeNumber.test(other)) return Number(BigInt(one) - BigInt(other));
  // Two numbers beyond a double differ by NaN: they compare as equal infinities.
  return Number(first) - Number(second) || 0;
}

/** @throws TypeError for a division by zero, or a result beyond all numbers. */
export function applyOperator(operator: Operator, first: QueryNumber, second: QueryNumber): number {
  const [one, other] = [Number(first), Number(second)];
  const largest = Math.max(Math.abs(one), Math.abs(other));
  if (operator === "Plus") return round(one + other, largest);
  if (operator === "Minus") return round(one - other, largest);
  if (operator === "Multiply") return round(one * other);
  if (other === 0) throw new TypeError("a number is divided by zero");
  const quotient = round(one / other);
  if (operator === "Modulo") return round(one - other * Math.trunc(quotient), largest);
  return operator === "Div" ? Math.floor(quotient) : quotient;
}

/** @param largest - Of the numbers it was made of: what is lost of them is lost of the result. */
function round(result: number, largest: number = Math.abs(result)): number {
  if (!Number.isFinite(result)) throw new TypeError("a number or a result is too large to compute");
  if (Number.isInteger(result)) return result;
  const decimals = soundDigits - Math.ceil(Math.log10(largest));
  return Number(result.toFixed(Math.min(100, Math.max(0, decimals))));
}

/** The loss of each addition is added at the end (Neumaier). @throws TypeError for a sum beyond all numbers. */
export function applySum(numbers: readonly QueryNumber[]): number {
  let [sum, lost, largest] = [0, 0, 0];
  for (const number of numbers.map(Number)) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
    largest = Math.max(largest, Math.abs(next));
  }
  return round(sum + lost, largest);
}

/** The next whole number in a direction; a whole number of any size stays as it is. */
export function applyRounding(value: QueryNumber, direction: "ceil" | "floor"): QueryNumber {
  const isWhole = typeof value !== "number" && wholeNumber.test(value.text);
  return isWhole ? value : Math[direction](Number(value));
}

/** The pairs that `items` has made. */
const pairs = new WeakSet<JsonValue[]>();

export function makePair(key: JsonValue, value: JsonValue): JsonValue[] {
  const pair = [key, value];
  pairs.add(pair);
  return pair;
}

/** Whether `items` made it: `[]` keeps such a pair whole before something else, since keys and values in turn are of no use. */
export function isPair(item: JsonValue[]): boolean {
  return pairs.has(item);
}
