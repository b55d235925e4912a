/** Numbers of a query: native ones, and literals kept as marked text because a double would change them. */

import { type ExactNumber, isJsonContainer, isJsonNumber, type JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";

export type QueryNumber = number | ExactNumber;

/** Knows which values of one document are numbers. */
export interface QueryNumbers {
  isNumber(value: unknown): value is QueryNumber;
  /** The nearest double, to compute with. */
  toNative(value: QueryNumber): number;
  /** The number as text, as the wire had it. */
  toText(value: QueryNumber): string;
  /** Any value as JSON text, its numbers as the wire had them. */
  print(value: JsonValue): string;
  /** Negative, zero or positive. Integers of any size compare exactly. */
  compare(first: QueryNumber, second: QueryNumber): number;
}

const integer = /^-?\d+$/;

export function createQueryNumbers(): QueryNumbers {
  return {
    isNumber: isJsonNumber,
    toNative: Number,
    toText: String,
    print: writeJson,
    compare(first, second) {
      const difference = Number(first) - Number(second);
      if (typeof first === "number" && typeof second === "number") return difference;
      const [one, other] = [String(first), String(second)];
      if (integer.test(one) && integer.test(other)) return compareIntegers(BigInt(one), BigInt(other));
      // Two literals that overflow a double differ by NaN: they compare as equal infinities.
      return Number.isNaN(difference) ? 0 : difference;
    },
  };
}

function compareIntegers(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Order of texts by code point, as the JMESPath specification sorts (UTF-16 order differs above U+FFFF). */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  if (index === length) return one.length - other.length;
  return orderOf(one.charCodeAt(index)) - orderOf(other.charCodeAt(index));
}

/** Lifts surrogates above the rest of the plane below them. */
function orderOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether two values are equal as JSON: numbers by value, whatever their spelling. */
export function areEqual(first: JsonValue, second: JsonValue, numbers: QueryNumbers): boolean {
  if (numbers.isNumber(first) || numbers.isNumber(second)) {
    return numbers.isNumber(first) && numbers.isNumber(second) && numbers.compare(first, second) === 0;
  }
  if (first === second) return true;
  if (!isJsonContainer(first) || !isJsonContainer(second)) return false;
  if (Array.isArray(first) || Array.isArray(second)) {
    if (!Array.isArray(first) || !Array.isArray(second) || first.length !== second.length) return false;
    return first.every((item, index) => areEqual(item, second[index] ?? null, numbers));
  }
  const keys = Object.keys(first);
  return (
    keys.length === Object.keys(second).length &&
    keys.every(
      (key) => Object.hasOwn(second, key) && areEqual(first[key] ?? null, second[key] ?? null, numbers),
    )
  );
}
