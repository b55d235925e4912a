/** The functions of the JMESPath community's specification: each charges what it reads and what it makes. */

import { type JsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import type { Budget } from "./budget.js";
import { type Argument, Call, type FunctionRun, type QueryFunction } from "./function-call.js";
import { areEqual, compareOrdered, kindOf } from "./kinds.js";
import { applyOperator, applyRounding, applySum } from "./numbers.js";
import { readLength, spendSearch, textFunctions } from "./text-functions.js";

const listFunctions: Readonly<Record<string, QueryFunction>> = {
  abs: [
    1,
    1,
    (call) => (Number(call.number(0)) < 0 ? applyOperator("Minus", 0, call.number(0)) : call.number(0)),
  ],
  avg: [1, 1, averageOf],
  ceil: [1, 1, (call) => applyRounding(call.number(0), "ceil")],
  contains: [2, 2, contains],
  floor: [1, 1, (call) => applyRounding(call.number(0), "floor")],
  group_by: [2, 2, groupBy],
  items: [1, 1, (call) => call.members(0).map(([key, value]) => makePair(key, value))],
  keys: [1, 1, (call) => call.members(0).map(([key]) => key)],
  length: [1, 1, lengthOf],
  map: [2, 2, (call) => call.list(1).map(call.expression(0))],
  max: [1, 1, (call) => pickBest(call, 1)],
  max_by: [2, 2, (call) => pickBest(call, 1)],
  merge: [1, 99, merge],
  min: [1, 1, (call) => pickBest(call, -1)],
  min_by: [2, 2, (call) => pickBest(call, -1)],
  not_null: [1, 99, (call) => call.args.map((_, at) => call.any(at)).find((value) => value !== null) ?? null],
  reverse: [1, 1, reverse],
  sort: [1, 1, sortBy],
  sort_by: [2, 2, sortBy],
  sum: [1, 1, (call) => applySum(call.numbers(0))],
  to_array: [1, 1, (call) => (Array.isArray(call.args[0]) ? call.any(0) : [call.any(0)])],
  to_number: [1, 1, (call) => call.toNumber(0)],
  to_string: [1, 1, (call) => writeString(call.any(0), call.budget)],
  type: [1, 1, (call) => kindOf(call.any(0))],
  values: [1, 1, (call) => call.members(0).map(([, value]) => value)],
  zip: [1, 99, zip],
};

const functions = new Map(Object.entries({ ...listFunctions, ...textFunctions }));

/** What a hint proposes to models that write something else. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^(?:add|subtract|multiply|divide)$/, "Numbers are computed with operators, such as (a - b) * `2`. "],
  [/^round$/, "floor(number * `100` + `0.5`) / `100` rounds to two decimals. "],
  [/^(?:count|len|size)$/, "length(@) counts. "],
  [/^(?:unique|distinct)$/, "keys(group_by(items,&field)) lists the distinct values. "],
];

/** @throws what `refuse` makes, for a name that is not a function or for too few or too many arguments. */
export function checkCall(
  name: string,
  count: number,
  refuse: (message: string, hint: string) => Error,
): void {
  const [fewest, most] = functions.get(name) ?? [0, -1];
  if (most < 0)
    throw refuse(
      `select calls ${name.slice(0, 80)}(), which is not a function.`,
      `${advice.find(([names]) => names.test(name))?.[1] ?? ""}The functions are: ${[...functions.keys()].sort().join(", ")}.`,
    );
  if (count < fewest || count > most)
    throw refuse(
      `select gives ${name}() ${count} arguments; it takes ${fewest === most ? fewest : `${fewest} to ${most}`}.`,
      name.endsWith("_by") ? `Such as ${name}(items,&field).` : "Write f(@) for the value at that place.",
    );
}

/** Runs a function whose call `checkCall` has accepted. @throws TypeError for an argument of another kind. */
export function applyFunction(name: string, args: readonly Argument[], run: FunctionRun): JsonValue {
  return functions.get(name)?.[2](new Call(name, args, run)) ?? null;
}

function averageOf(call: Call): JsonValue {
  const list = call.numbers(0);
  return list.length === 0 ? null : applyOperator("Divide", applySum(list), list.length);
}

function contains(call: Call): JsonValue {
  if (Array.isArray(call.any(0)))
    return call.list(0).some((item) => areEqual(item, call.any(1), call.budget));
  const [text, pattern] = [call.string(0, "a string or a list"), writeString(call.any(1), call.budget)];
  spendSearch(text, pattern, call.budget);
  return text.includes(pattern);
}

function lengthOf(call: Call): JsonValue {
  const value = call.any(0);
  if (typeof value === "string") return readLength(call.string(0));
  return Array.isArray(value) ? value.length : call.members(0, "a string, a list or an object").length;
}

function merge(call: Call): JsonValue {
  const members = call.args.flatMap((_, position) => call.members(position));
  return makeObject(call, members);
}

function reverse(call: Call): JsonValue {
  if (typeof call.any(0) !== "string") return call.list(0).toReversed();
  call.budget.spend(call.string(0).length);
  return Array.from(call.string(0)).reverse().join("");
}

function zip(call: Call): JsonValue {
  const [first = [], ...others] = call.args.map((_, index) => call.list(index));
  const length = Math.min(first.length, ...others.map((list) => list.length));
  return first.slice(0, length).map((item, index) => [item, ...others.map((list) => list[index] ?? null)]);
}

/** Rows without the field can't be the largest; the specification's error would lose the rows that have it. */
function pickBest(call: Call, direction: 1 | -1): JsonValue {
  const keyOf = call.keyToOrder(1);
  let best: { readonly item: JsonValue; readonly key: JsonValue } | undefined;
  for (const item of call.list(0)) {
    const key = keyOf(item);
    if (key === null) continue;
    if (best === undefined || compareOrdered(key, best.key, call.budget) * direction > 0)
      best = { item, key };
  }
  return best?.item ?? null;
}

/** Stable; rows whose key is null come last. */
function sortBy(call: Call): JsonValue {
  const keyOf = call.keyToOrder(1);
  call.budget.spend(2 * call.list(0).length);
  const keyed = call.list(0).map((item) => ({ item, key: keyOf(item) }));
  keyed.sort((one, other) => {
    call.budget.spend(0.5);
    if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
    return compareOrdered(one.key, other.key, call.budget);
  });
  return keyed.map(({ item }) => item);
}

/** Under the key as a string: models group by numbers and flags too, which the specification refuses. */
function groupBy(call: Call): JsonValue {
  const keyOf = call.expression(1);
  const groups = new Map<string, JsonValue[]>();
  for (const item of call.list(0)) {
    const name = writeString(keyOf(item), call.budget);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return makeObject(call, [...groups]);
}

const pairs = new WeakSet<JsonValue[]>();

function makePair(key: JsonValue, value: JsonValue): JsonValue[] {
  const pair = [key, value];
  pairs.add(pair);
  return pair;
}

/** Whether `items` made it: `[]` keeps such a pair whole before something else, since keys and values in turn are of no use. */
export function isPair(item: JsonValue[]): boolean {
  return pairs.has(item);
}

/** Writing a value takes as long as looking at it several times; so does a member of a new object. */
const writingWeight = 5;
const memberWeight = 8;

function writeString(value: JsonValue, budget: Budget): string {
  if (typeof value === "string") return value;
  budget.spend(4 * writingWeight);
  budget.spendWhole(value, writingWeight);
  return writeJson(value);
}

/** From pairs, because an assignment to `__proto__` would set the prototype. */
function makeObject({ budget }: Call, members: readonly (readonly [string, JsonValue])[]): JsonObject {
  budget.spend(members.length * memberWeight);
  return Object.fromEntries(members);
}
