/** What queries do with strings; lengths and positions in slices are code points, as the specification counts. */

import type { JsonValue } from "../json/exact-number.js";
import type { Budget } from "./budget.js";
import { type Call, type QueryFunction, takes } from "./function-call.js";

export const textFunctions: Readonly<Record<string, QueryFunction>> = {
  ends_with: takes(2, 2, (call) => call.string(0).endsWith(call.string(1))),
  starts_with: takes(2, 2, (call) => call.string(0).startsWith(call.string(1))),
  find_first: takes(2, 4, (call) => find(call, "indexOf")),
  find_last: takes(2, 4, (call) => find(call, "lastIndexOf")),
  join: takes(2, 2, (call) => joinWithin(call.budget, call.strings(1), call.string(0))),
  lower: takes(1, 1, (call) => call.string(0).toLowerCase()),
  upper: takes(1, 1, (call) => call.string(0).toUpperCase()),
  pad_left: takes(2, 3, (call) => call.string(0).padStart(...readPadding(call))),
  pad_right: takes(2, 3, (call) => call.string(0).padEnd(...readPadding(call))),
  replace: takes(3, 4, (call) => joinWithin(call.budget, split(call, call.count(3)), call.string(2))),
  split: takes(2, 3, (call) => split(call, call.count(2))),
  trim: takes(1, 2, (call) => trim(call, true, true)),
  trim_left: takes(1, 2, (call) => trim(call, true, false)),
  trim_right: takes(1, 2, (call) => trim(call, false, true)),
};

/** The engine's search is linear for short patterns only: a longer one, or one looked for from the end, costs both lengths multiplied. */
const linearPattern = 200;
const comparedPerStep = 200;

/** Charges a search, which is done next. */
export function spendSearch(text: string, pattern: string, budget: Budget, isBackward = false): void {
  budget.spendText(text.length);
  if (isBackward || pattern.length > linearPattern)
    budget.spend((text.length * pattern.length) / comparedPerStep);
}

function find(call: Call, search: "indexOf" | "lastIndexOf"): JsonValue {
  const [text, pattern] = [call.string(0), call.string(1)];
  const start = Math.max(0, call.integer(2) ?? 0);
  const part = text.slice(start, Math.max(start, call.integer(3) ?? text.length));
  spendSearch(part, pattern, call.budget, search === "lastIndexOf");
  const found = pattern === "" ? -1 : part[search](pattern);
  return found === -1 ? null : found + start;
}

function joinWithin(budget: Budget, strings: readonly string[], glue: string): string {
  budget.spendText(strings.reduce((sum, { length }) => sum + length + glue.length, 0));
  return strings.join(glue);
}

function readPadding(call: Call): [number, string] {
  const width = call.count(1) ?? 0;
  const padding = call.args.length > 2 ? call.string(2) : " ";
  if (padding.length !== 1) throw new TypeError(`${call.name}() pads with a single character`);
  call.budget.spendText(width);
  return [width, padding];
}

/** At no more than `most` places; an empty pattern stands between any two characters. */
function split(call: Call, most?: number): string[] {
  const [text, pattern] = [call.string(0), call.string(1)];
  spendSearch(text, pattern, call.budget);
  if (pattern === "") call.budget.spend(text.length);
  const pieces = pattern === "" ? Array.from(text) : text.split(pattern);
  call.budget.spend(pieces.length);
  if (most === undefined || pieces.length <= most + 1) return pieces;
  return [...pieces.slice(0, most), pieces.slice(most).join(pattern)];
}

function trim(call: Call, fromStart: boolean, fromEnd: boolean): string {
  const text = call.string(0);
  const isTrimmed =
    call.args.length > 1 && call.args[1] !== ""
      ? (character: string) => call.string(1).includes(character)
      : (character: string) => character.trim() === "";
  call.budget.spend(text.length / 4);
  const points = Array.from(text);
  const start = fromStart ? points.findIndex((point) => !isTrimmed(point)) : 0;
  const end = fromEnd ? points.findLastIndex((point) => !isTrimmed(point)) + 1 : points.length;
  return start === -1 ? "" : points.slice(start, end).join("");
}

/** How many code points a string has. */
export function readLength(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

export interface SliceBounds {
  readonly start: number | null;
  readonly stop: number | null;
  /** Not 0. */
  readonly step: number;
}

/** Takes `[start:stop:step]` of a list or a string. */
export function readSlice(value: string | JsonValue[], bounds: SliceBounds, budget: Budget): JsonValue {
  if (typeof value !== "string") return listSliced(value, bounds);
  budget.spendText(value.length);
  const { start, stop, step } = bounds;
  if (step === 1 && readLength(value) === value.length) return value.slice(start ?? 0, stop ?? value.length);
  budget.spend(value.length);
  return listSliced(Array.from(value), bounds).join("");
}

function listSliced<Item>(items: readonly Item[], { start, stop, step }: SliceBounds): Item[] {
  const { length } = items;
  const [low, high] = step < 0 ? [-1, length - 1] : [0, length];
  const resolve = (bound: number | null, otherwise: number): number =>
    bound === null ? otherwise : Math.min(high, Math.max(low, bound < 0 ? bound + length : bound));
  const [first, last] =
    step < 0 ? [resolve(start, high), resolve(stop, low)] : [resolve(start, low), resolve(stop, high)];
  const count = Math.max(0, Math.ceil((last - first) / step));
  return Array.from({ length: count }, (_, index) => items[first + index * step]).filter(
    (item) => item !== undefined,
  );
}
