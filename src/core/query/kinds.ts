/** What kind of value something is to a query, what counts as true, and how two values compare. */

import { ExactNumber, isJsonContainer, isJsonNumber, type JsonValue } from "../base/exact-number.js";
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
  return !isJsonContainer(value) || (Array.isArray(value) ? value : Object.keys(value)).length > 0;
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
  return index === length ? one.length - other.length : one.charCodeAt(index) - other.charCodeAt(index);
}

/** Whether two values are equal as JSON: numbers by value, members in any order. @throws RangeError beyond any depth of a body */
export function areEqual(first: JsonValue, second: JsonValue, budget: Budget): boolean {
  if (typeof first === "string" && typeof second === "string" && first.length === second.length)
    budget.spendText(first.length);
  if (first === second) return true;
  if (isJsonNumber(first) && isJsonNumber(second)) return compareOrdered(first, second, budget) === 0;
  if (!isJsonContainer(first) || !isJsonContainer(second) || Array.isArray(first) !== Array.isArray(second))
    return false;
  const [keys, others] = [Object.keys(first), Object.keys(second)];
  budget.spend(keys.length + others.length);
  const [left, right] = [first as Record<string, JsonValue>, second as Record<string, JsonValue>];
  const isSame = (key: string): boolean =>
    Object.hasOwn(right, key) && areEqual(left[key] ?? null, right[key] ?? null, budget);
  return keys.length === others.length && keys.every(isSame);
}
