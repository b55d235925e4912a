/**
 * Functions that the library computes wrongly on our documents: numbers may be literals, `sort` of numbers must not be by
 * text, `max_by` of texts must not be null, keys may be `__proto__`, and the work must be counted.
 */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import { areEqual, compareTexts, type QueryNumber, type QueryNumbers } from "./numbers.js";
import type { CountSteps } from "./step-counter.js";

/** Runs an expression reference (`&field`) on a value. */
export type RunReference = (reference: JsonValue, value: JsonValue) => JsonValue;

export interface FunctionTools {
  readonly numbers: QueryNumbers;
  readonly count: CountSteps;
  readonly run: RunReference;
}

type QueryFunction = (args: readonly JsonValue[], tools: FunctionTools) => JsonValue;

/** Longest text that `pad_left` and `pad_right` may make. */
const maxPadding = 10_000;

/** By name; a function that is not here is the library's. Types of arguments were checked before. */
export const queryFunctions: Readonly<Record<string, QueryFunction>> = {
  abs: ([value], { numbers }) => Math.abs(toNative(value, numbers)),
  ceil: ([value], { numbers }) => Math.ceil(toNative(value, numbers)),
  floor: ([value], { numbers }) => Math.floor(toNative(value, numbers)),
  sum: ([list], tools) => sumOf(toList(list), tools),
  avg: ([list], tools) =>
    toList(list).length === 0 ? null : sumOf(toList(list), tools) / toList(list).length,
  max: ([list], tools) => pickBest(toList(list), (item) => item, 1, tools),
  min: ([list], tools) => pickBest(toList(list), (item) => item, -1, tools),
  max_by: ([list, key], tools) => pickBest(toList(list), (item) => tools.run(key ?? null, item), 1, tools),
  min_by: ([list, key], tools) => pickBest(toList(list), (item) => tools.run(key ?? null, item), -1, tools),
  sort: ([list], tools) => sortBy(toList(list), (item) => item, tools),
  sort_by: ([list, key], tools) => sortBy(toList(list), (item) => tools.run(key ?? null, item), tools),
  group_by: ([list, key], tools) => groupBy(toList(list), (item) => tools.run(key ?? null, item), tools),
  map: ([key, list], tools) => toList(list).map((item) => tools.run(key ?? null, item)),
  contains: ([subject = null, searched = null], tools) =>
    Array.isArray(subject)
      ? subject.some((item) => areEqual(item, searched, tools.numbers))
      : typeof subject === "string" && typeof searched === "string" && subject.includes(searched),
  to_string: ([value = null], { numbers }) =>
    typeof value === "string" && !numbers.isNumber(value) ? value : numbers.print(value),
  merge: (args) => fromPairs(args.flatMap((value) => Object.entries(toObject(value)))),
  from_items: ([list]) => fromPairs(toList(list).map(toPair)),
};

/** Width arguments that would make a text of any size. */
export function refusesArguments(name: string, args: readonly JsonValue[], numbers: QueryNumbers): boolean {
  const width = args[1];
  return (
    (name === "pad_left" || name === "pad_right") &&
    numbers.isNumber(width) &&
    numbers.toNative(width) > maxPadding
  );
}

function sumOf(list: readonly JsonValue[], { numbers, count }: FunctionTools): number {
  count(list.length);
  return list.reduce((sum: number, item) => sum + toNative(item, numbers), 0);
}

type Key = (item: JsonValue) => JsonValue;

/** @throws Error when keys are not all numbers or all texts. */
function compareKeys(one: JsonValue, other: JsonValue, numbers: QueryNumbers): number {
  if (numbers.isNumber(one) && numbers.isNumber(other)) return numbers.compare(one, other);
  if (isText(one, numbers) && isText(other, numbers)) return compareTexts(one, other);
  throw new TypeError("Invalid type: the keys must be all numbers or all strings, and not null");
}

function pickBest(
  list: readonly JsonValue[],
  keyOf: Key,
  direction: 1 | -1,
  { numbers, count }: FunctionTools,
): JsonValue {
  count(list.length);
  let best: { item: JsonValue; key: JsonValue } | undefined;
  for (const item of list) {
    const key = keyOf(item);
    // Rows without the field can't be the largest; the specification's error would lose the rows that have it.
    if (key === null) continue;
    if (best === undefined || compareKeys(key, best.key, numbers) * direction > 0) best = { item, key };
  }
  return best?.item ?? null;
}

/** Stable. Rows whose key is null come last. */
function sortBy(list: readonly JsonValue[], keyOf: Key, { numbers, count }: FunctionTools): JsonValue[] {
  count(list.length * 2);
  const keyed = list.map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((one, other) => {
    if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
    return compareKeys(one.key, other.key, numbers);
  });
  return keyed.map(({ item }) => item);
}

/** Groups under the key's text: models group by numbers and flags too, which the library refuses. */
function groupBy(list: readonly JsonValue[], keyOf: Key, { numbers, count }: FunctionTools): JsonValue {
  count(list.length);
  const groups = new Map<string, JsonValue[]>();
  for (const item of list) {
    const key = keyOf(item);
    const name = isText(key, numbers) ? key : numbers.print(key);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return fromPairs([...groups]);
}

/** An object with own members only: an assignment to `__proto__` would set the prototype. */
export function fromPairs(pairs: Iterable<readonly [string, JsonValue]>): { [key: string]: JsonValue } {
  return Object.fromEntries(pairs);
}

function toPair(item: JsonValue): [string, JsonValue] {
  if (Array.isArray(item) && item.length === 2 && typeof item[0] === "string")
    return [item[0], item[1] ?? null];
  throw new TypeError("Invalid value: from_items takes pairs of a string and a value");
}

function isText(value: JsonValue, numbers: QueryNumbers): value is string {
  return typeof value === "string" && !numbers.isNumber(value);
}

function toNative(value: JsonValue | undefined, numbers: QueryNumbers): number {
  return numbers.isNumber(value) ? numbers.toNative(value as QueryNumber) : Number.NaN;
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function toObject(value: JsonValue): { [key: string]: JsonValue } {
  return isJsonObject(value) ? value : {};
}
