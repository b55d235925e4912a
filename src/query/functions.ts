/** The functions of the JMESPath community's specification: each charges what it reads and what it makes. */

import { isJsonContainer, isJsonNumber, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import type { Budget } from "./budget.js";
import { type Argument, Call, type FunctionRun, type QueryFunction, takes } from "./function-call.js";
import { areEqual, compareOrdered, kindOf } from "./kinds.js";
import { applyOperator, applyRounding, applySum, parseNumber } from "./numbers.js";
import { readLength, spendSearch, textFunctions } from "./text-functions.js";

const listFunctions: Readonly<Record<string, QueryFunction>> = {
  abs: takes(1, 1, (call) => {
    const value = call.number(0);
    return Number(value) < 0 ? applyOperator("Minus", 0, value) : value;
  }),
  avg: takes(1, 1, (call) => {
    const list = call.numbers(0);
    return list.length === 0 ? null : applyOperator("Divide", applySum(list), list.length);
  }),
  ceil: takes(1, 1, (call) => applyRounding(call.number(0), "ceil")),
  contains: takes(2, 2, (call) => {
    const [subject, searched] = [call.any(0), call.any(1)];
    if (Array.isArray(subject)) return call.list(0).some((item) => areEqual(item, searched, call.budget));
    const [text, pattern] = [call.string(0, "a string or a list"), writeString(searched, call.budget)];
    spendSearch(text, pattern, call.budget);
    return text.includes(pattern);
  }),
  floor: takes(1, 1, (call) => applyRounding(call.number(0), "floor")),
  from_items: takes(1, 1, (call) => {
    const pairs = call.list(0).map((item) => toPair(item, call.budget));
    return makeObject(pairs, call.budget);
  }),
  group_by: takes(2, 2, groupBy),
  items: takes(1, 1, (call) => call.members(0).map(([key, value]) => [readKey(call, key), value])),
  keys: takes(1, 1, (call) => call.members(0).map(([key]) => readKey(call, key))),
  length: takes(1, 1, (call) => {
    const value = call.any(0);
    if (typeof value === "string") return readLength(call.string(0));
    return Array.isArray(value) ? value.length : call.members(0, "a string, a list or an object").length;
  }),
  map: takes(2, 2, (call) => call.list(1).map(call.expression(0))),
  max: takes(1, 1, (call) => pickBest(call, (item) => item, 1)),
  max_by: takes(2, 2, (call) => pickBest(call, call.expression(1), 1)),
  merge: takes(1, 99, (call) => {
    const members = call.args.flatMap((_, index) => call.members(index));
    return makeObject(members, call.budget);
  }),
  min: takes(1, 1, (call) => pickBest(call, (item) => item, -1)),
  min_by: takes(2, 2, (call) => pickBest(call, call.expression(1), -1)),
  not_null: takes(1, 99, (call) => {
    const values = call.args.map((_, index) => call.any(index));
    return values.find((value) => value !== null) ?? null;
  }),
  reverse: takes(1, 1, (call) => {
    if (typeof call.any(0) !== "string") return [...call.list(0)].reverse();
    call.budget.spend(call.string(0).length);
    return Array.from(call.string(0)).reverse().join("");
  }),
  sort: takes(1, 1, (call) => sortBy(call, (item) => item)),
  sort_by: takes(2, 2, (call) => sortBy(call, call.expression(1))),
  sum: takes(1, 1, (call) => applySum(call.numbers(0))),
  to_array: takes(1, 1, (call) => {
    const value = call.any(0);
    return Array.isArray(value) ? value : [value];
  }),
  to_number: takes(1, 1, (call) => {
    const value = call.any(0);
    if (typeof value === "string") return parseNumber(call.string(0)) ?? null;
    return isJsonNumber(value) ? value : null;
  }),
  to_string: takes(1, 1, (call) => writeString(call.any(0), call.budget)),
  type: takes(1, 1, (call) => kindOf(call.any(0))),
  values: takes(1, 1, (call) => call.members(0).map(([, value]) => value)),
  zip: takes(1, 99, (call) => {
    const lists = call.args.map((_, index) => call.list(index));
    const length = Math.min(...lists.map((list) => list.length));
    return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
  }),
};

const functions = new Map(Object.entries({ ...listFunctions, ...textFunctions }));

/** Writing a value takes as long as looking at it several times; so does a member of a new object. */
const writingWeight = 5;
const memberWeight = 8;

const operators = "Numbers are computed with operators, such as (a - b) * `2`.";
const counting = "length(@) counts.";
const grouping = "keys(group_by(items,&field)) lists what is different.";

/** What models write instead. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ...["add", "subtract", "multiply", "divide"].map((name) => [name, operators] as const),
  ...["count", "len", "size"].map((name) => [name, counting] as const),
  ...["unique", "distinct"].map((name) => [name, grouping] as const),
  ["round", "floor(number * `100` + `0.5`) / `100` rounds to two decimals."],
]);

/** @throws what `refuse` makes, for a name that is no function or for too few or too many arguments. */
export function checkCall(
  name: string,
  count: number,
  refuse: (message: string, hint: string) => Error,
): void {
  const known = functions.get(name);
  if (known === undefined) {
    const names = `The functions are: ${[...functions.keys()].sort().join(", ")}.`;
    const advice = otherNames.get(name);
    throw refuse(
      `select calls ${name.slice(0, 80)}(), which is no function.`,
      advice === undefined ? names : `${advice} ${names}`,
    );
  }
  const [fewest, most] = known;
  if (count < fewest || count > most)
    throw refuse(
      `select gives ${name}() ${count} arguments; it takes ${fewest === most ? fewest : `${fewest} to ${most}`}.`,
      name.endsWith("_by") ? `Such as ${name}(items,&field).` : "Write f(@) for the value at that place.",
    );
}

/** Runs a function whose call `checkCall` has accepted. @throws TypeError for an argument of another kind. */
export function applyFunction(name: string, args: readonly Argument[], run: FunctionRun): JsonValue {
  const known = functions.get(name);
  if (known === undefined) throw new TypeError(`${name}() is no function`);
  return known[2](new Call(name, args, run));
}

/** Rows without the field can't be the largest; the specification's error would lose the rows that have it. */
function pickBest(call: Call, keyOf: (item: JsonValue) => JsonValue, direction: 1 | -1): JsonValue {
  let best: { readonly item: JsonValue; readonly key: JsonValue } | undefined;
  for (const item of call.list(0)) {
    const key = call.asOrdered(keyOf(item));
    if (key === null) continue;
    if (best === undefined || compareOrdered(key, best.key, call.budget) * direction > 0)
      best = { item, key };
  }
  return best?.item ?? null;
}

/** Stable; rows whose key is null come last. */
function sortBy(call: Call, keyOf: (item: JsonValue) => JsonValue): JsonValue {
  call.budget.spend(2 * call.list(0).length);
  const keyed = call.list(0).map((item) => ({ item, key: call.asOrdered(keyOf(item)) }));
  keyed.sort((one, other) => {
    call.budget.spend(0.5);
    if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
    return compareOrdered(one.key, other.key, call.budget);
  });
  return keyed.map(({ item }) => item);
}

/** By what the members of a grouped object were grouped where that was no string: `items` and `keys` give it back. */
const groupKeys = new WeakMap<JsonObject, ReadonlyMap<string, JsonValue>>();

/** Under the key as a string: models group by numbers and flags too, which the specification refuses. */
function groupBy(call: Call): JsonValue {
  const keyOf = call.expression(1);
  const groups = new Map<string, JsonValue[]>();
  const keys = new Map<string, JsonValue>();
  for (const item of call.list(0)) {
    const key = keyOf(item);
    const name = writeString(key, call.budget);
    const group = groups.get(name);
    if (group !== undefined) group.push(item);
    else {
      groups.set(name, [item]);
      if (typeof key !== "string") keys.set(name, key);
    }
  }
  const grouped = makeObject([...groups], call.budget);
  groupKeys.set(grouped, keys);
  return grouped;
}

function readKey(call: Call, name: string): JsonValue {
  const key = groupKeys.get(call.any(0) as JsonObject)?.get(name);
  return key === undefined ? name : key;
}

function writeString(value: JsonValue, budget: Budget): string {
  if (typeof value === "string") return value;
  budget.spend(4 * writingWeight);
  budget.spendWhole(value, writingWeight);
  return writeJson(value);
}

/** From pairs, because an assignment to `__proto__` would set the prototype. */
function makeObject(pairs: readonly (readonly [string, JsonValue])[], budget: Budget): JsonObject {
  budget.spend(pairs.length * memberWeight);
  return Object.fromEntries(pairs);
}

/** A key may be what `items` gave of a group: a number, a flag or null. */
function toPair(item: JsonValue, budget: Budget): readonly [string, JsonValue] {
  const [key, value] = Array.isArray(item) && item.length === 2 ? item : [];
  if (key === undefined || isJsonContainer(key))
    throw new TypeError("from_items() takes pairs of a key and a value");
  return [writeString(key, budget), value ?? null];
}
