/** What kind of value something is to a query, what counts as true, and how two values compare. */

import { isJsonContainer, isJsonNumber, type JsonValue } from "../json/exact-number.js";
import type { Budget } from "./budget.js";
import { compareNumbers } from "./numbers.js";

export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

export function kindOf(value: JsonValue): Kind {
  if (value === null) return "null";
  if (isJsonNumber(value)) return "number";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "string" | "object";
}

/** In JMESPath all is true but null, false, and the empty string, list and object. */
export function isJmespathTrue(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  return !isJsonContainer(value) || (Array.isArray(value) ? value.length : Object.keys(value).length) > 0;
}

/**
 * Orders two numbers by value or two strings by code point, as the specification sorts (UTF-16 differs above U+FFFF).
 *
 * @throws TypeError for anything else.
 */
export function compareOrdered(first: JsonValue, second: JsonValue, budget: Budget): number {
  if (isJsonNumber(first) && isJsonNumber(second)) return compareNumbers(first, second, budget);
  if (typeof first === "string" && typeof second === "string") return compareStrings(first, second, budget);
  throw new TypeError(
    `${kindOf(first)} and ${kindOf(second)} have no order: all must be numbers, or all strings`,
  );
}

function compareStrings(one: string, other: string, budget: Budget): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  budget.spendText(index);
  if (index === length) return one.length - other.length;
  return liftSurrogate(one.charCodeAt(index)) - liftSurrogate(other.charCodeAt(index));
}

/** Above the rest of the plane, where the characters that they stand for are. */
function liftSurrogate(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether two values are equal as JSON: numbers by value, members in any order. Any depth. */
export function areEqual(first: JsonValue, second: JsonValue, budget: Budget): boolean {
  const isDeep = isJsonContainer(first) && isJsonContainer(second);
  return isDeep ? arePartsEqual(first, second, budget) : areScalarsEqual(first, second, budget);
}

function areScalarsEqual(one: JsonValue, other: JsonValue, budget: Budget): boolean {
  if (typeof one === "string" && typeof other === "string" && one.length === other.length)
    budget.spendText(one.length);
  if (one === other) return true;
  return isJsonNumber(one) && isJsonNumber(other) && compareNumbers(one, other, budget) === 0;
}

function arePartsEqual(first: JsonValue, second: JsonValue, budget: Budget): boolean {
  const open: JsonValue[] = [first, second];
  while (open.length > 0) {
    const other = open.pop() ?? null;
    const one = open.pop() ?? null;
    if (!areScalarsEqual(one, other, budget) && !addParts(one, other, open, budget)) return false;
  }
  return true;
}

/** False for values that can't be equal, whatever their parts are. */
function addParts(one: JsonValue, other: JsonValue, open: JsonValue[], budget: Budget): boolean {
  if (!isJsonContainer(one) || !isJsonContainer(other) || Array.isArray(one) !== Array.isArray(other))
    return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  budget.spend(keys.length + others.length);
  if (keys.length !== others.length) return false;
  const [left, right] = [one as Record<string, JsonValue>, other as Record<string, JsonValue>];
  for (const key of keys) {
    if (!Object.hasOwn(right, key)) return false;
    open.push(left[key] ?? null, right[key] ?? null);
  }
  return true;
}
