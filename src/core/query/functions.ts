/** The functions of queries, by the JMESPath community's specification: each charges what it reads and what it makes. Lengths and positions in strings are code points. */

import { type JsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import type { Budget } from "./budget.js";
import { type Argument, Call, type FunctionRun, type QueryFunction } from "./function-call.js";
import {
  applyOperator,
  applyRounding,
  applySum,
  areEqual,
  compareOrdered,
  kindOf,
  makePair,
} from "./kinds.js";

const functionsByName: Readonly<Record<string, QueryFunction>> = {
  abs: [
    1,
    1,
    (call) =>
      Number(call.number(0)) < 0 ? applyOperator("Minus", 0, call.number(0)) : call.number(0),
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
  not_null: [
    1,
    99,
    (call) => call.args.map((_, at) => call.any(at)).find((value) => value !== null) ?? null,
  ],
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
  ends_with: [2, 2, (call) => call.string(0).endsWith(call.string(1))],
  starts_with: [2, 2, (call) => call.string(0).startsWith(call.string(1))],
  join: [2, 2, (call) => joinWithin(call.budget, call.strings(1), call.string(0))],
  lower: [1, 1, (call) => call.string(0).toLowerCase()],
  upper: [1, 1, (call) => call.string(0).toUpperCase()],
  replace: [3, 4, (call) => joinWithin(call.budget, split(call, call.count(3)), call.string(2))],
  split: [2, 3, (call) => split(call, call.count(2))],
  trim: [1, 1, (call) => call.string(0).trim()],
};

const functions = new Map(Object.entries(functionsByName));

/** The form that a hint proposes to models that write another. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:add|subtract|multiply|divide)$/,
    "Numbers are computed with operators, such as (a - b) * `2`. ",
  ],
  [/^round$/, "floor(number * `100` + `0.5`) / `100` rounds to two decimals. "],
  [/^(?:count|len|size)$/, "length(@) counts. "],
  [/^(?:unique|distinct)$/, "keys(group_by(items,&field)) lists the distinct values. "],
];

/** @throws what `refuse` makes, for a name that is not a function or for too few or too many arguments. */
export function checkCall(
  name: string,
  count: number,
  refuse: (what: string, hint: string) => Error,
): void {
  const [fewest, most] = functions.get(name) ?? [0, -1];
  if (most < 0)
    throw refuse(
      `calls ${name.slice(0, 80)}(), which is not a function.`,
      `${advice.find(([names]) => names.test(name))?.[1] ?? ""}The functions are: ${[...functions.keys()].sort().join(", ")}.`,
    );
  if (count < fewest || count > most)
    throw refuse(
      `gives ${name}() ${count} arguments; it takes ${fewest === most ? fewest : `${fewest} to ${most}`}.`,
      name.endsWith("_by")
        ? `Such as ${name}(items,&field).`
        : "Write f(@) for the value at that place.",
    );
}

/** Runs a function whose call `checkCall` has accepted. @throws TypeError for an argument of another kind. */
export function applyFunction(
  name: string,
  args: readonly Argument[],
  run: FunctionRun,
): JsonValue {
  return functions.get(name)?.[2](new Call(name, args, run)) ?? null;
}

function averageOf(call: Call): JsonValue {
  const list = call.numbers(0);
  return list.length === 0 ? null : applyOperator("Divide", applySum(list), list.length);
}

function contains(call: Call): JsonValue {
  if (Array.isArray(call.any(0)))
    return call.list(0).some((item) => areEqual(item, call.any(1), call.budget));
  const [text, pattern] = [
    call.string(0, "a string or a list"),
    writeString(call.any(1), call.budget),
  ];
  spendSearch(text, pattern, call.budget);
  return text.includes(pattern);
}

function lengthOf(call: Call): JsonValue {
  const value = call.any(0);
  if (typeof value === "string") return readLength(call.string(0));
  return Array.isArray(value)
    ? value.length
    : call.members(0, "a string, a list or an object").length;
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
  return first
    .slice(0, length)
    .map((item, index) => [item, ...others.map((list) => list[index] ?? null)]);
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
    if (one.key === null || other.key === null)
      return Number(one.key === null) - Number(other.key === null);
    return compareOrdered(one.key, other.key, call.budget);
  });
  return keyed.map(({ item }) => item);
}

/** Under the key as a string: models group by numbers and flags too, which the specification refuses. */
function groupBy(call: Call): JsonValue {
  const keyOf = call.expression(1);
  const groups = new Map<string, JsonValue[]>();
  let withoutKey = 0;
  for (const item of call.list(0)) {
    const key = keyOf(item);
    withoutKey += key === null ? 1 : 0;
    const name = writeString(key, call.budget);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  call.run.diagnostics.groupedByNull(withoutKey);
  return makeObject(call, [...groups]);
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
function makeObject(
  { budget }: Call,
  members: readonly (readonly [string, JsonValue])[],
): JsonObject {
  budget.spend(members.length * memberWeight);
  return Object.fromEntries(members);
}

/** The engine's search is linear for short patterns only: a longer one costs both lengths multiplied. */
const linearPattern = 200;
const comparedPerStep = 200;
const copiedPerStep = 32;

/** Charges a search, which is done next. */
function spendSearch(text: string, pattern: string, budget: Budget): void {
  budget.spendText(text.length);
  if (pattern.length > linearPattern)
    budget.spend((text.length * pattern.length) / comparedPerStep);
}

function joinWithin(budget: Budget, strings: readonly string[], glue: string): string {
  budget.spendText(strings.reduce((sum, { length }) => sum + length + glue.length, 0));
  return strings.join(glue);
}

/** At no more than `most` places; an empty pattern matches between any two characters. */
function split(call: Call, most: number = Number.POSITIVE_INFINITY): string[] {
  const [text, pattern] = [call.string(0), call.string(1)];
  spendSearch(text, pattern, call.budget);
  if (pattern === "") call.budget.spend(text.length);
  const pieces = pattern === "" ? Array.from(text) : text.split(pattern);
  call.budget.spend(pieces.length);
  if (pieces.length <= most + 1) return pieces;
  return [...pieces.slice(0, most), pieces.slice(most).join(pattern)];
}

/** How many code points a string has. */
function readLength(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** `null` where the bound is left out. */
interface SliceBounds {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** Takes `[start:stop:step]` of a list or a string. @throws TypeError for a step of 0 */
export function readSlice(
  value: string | JsonValue[],
  bounds: SliceBounds,
  budget: Budget,
): JsonValue {
  const { start, stop, step } = bounds;
  if (step === 0) throw new TypeError("the step of a slice can't be 0");
  if (typeof value !== "string") return sliceItems(value, bounds, budget);
  budget.spendText(value.length);
  const isPlain = (step ?? 1) === 1 && readLength(value) === value.length;
  if (isPlain) return value.slice(start ?? 0, stop ?? value.length);
  budget.spend(value.length);
  return sliceItems(Array.from(value), bounds, budget).join("");
}

function sliceItems<Item>(
  items: readonly Item[],
  { start, stop, step }: SliceBounds,
  budget: Budget,
): Item[] {
  const stride = step ?? 1;
  // Backwards, a slice takes the part after its stop, up to and with its start.
  const behind = (bound: number | null, otherwise: number): number => {
    if (bound === null) return otherwise;
    return bound === -1 ? items.length : bound + 1;
  };
  const [from, to] =
    stride > 0
      ? [start ?? 0, stop ?? items.length]
      : [behind(stop, 0), behind(start, items.length)];
  const taken = items.slice(from, to);
  budget.spend(taken.length / copiedPerStep);
  if (stride === 1) return taken;
  const length = Math.ceil(taken.length / Math.abs(stride));
  return Array.from(
    { length },
    (_, index) => taken.at(stride > 0 ? index * stride : index * stride - 1) as Item,
  );
}
