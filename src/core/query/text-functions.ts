/** What queries do with strings; lengths and positions in slices are code points, as the specification counts. */

import type { JsonValue } from "../base/exact-number.js";
import type { Budget } from "./budget.js";
import type { Call, QueryFunction } from "./function-call.js";

export const textFunctions: Readonly<Record<string, QueryFunction>> = {
  ends_with: [2, 2, (call) => call.string(0).endsWith(call.string(1))],
  starts_with: [2, 2, (call) => call.string(0).startsWith(call.string(1))],
  find_first: [2, 4, (call) => find(call, "indexOf")],
  find_last: [2, 4, (call) => find(call, "lastIndexOf")],
  join: [2, 2, (call) => joinWithin(call.budget, call.strings(1), call.string(0))],
  lower: [1, 1, (call) => call.string(0).toLowerCase()],
  upper: [1, 1, (call) => call.string(0).toUpperCase()],
  pad_left: [2, 3, (call) => call.string(0).padStart(...readPadding(call))],
  pad_right: [2, 3, (call) => call.string(0).padEnd(...readPadding(call))],
  replace: [3, 4, (call) => joinWithin(call.budget, split(call, call.integer(3, 0)), call.string(2))],
  split: [2, 3, (call) => split(call, call.integer(2, 0))],
  trim: [1, 2, (call) => trim(call, true, true)],
  trim_left: [1, 2, (call) => trim(call, true, false)],
  trim_right: [1, 2, (call) => trim(call, false, true)],
};

/** The engine's search is linear for short patterns only: a longer one, or one looked for from the end, costs both lengths multiplied. */
const linearPattern = 200;
const comparedPerStep = 200;
const copiedPerStep = 32;

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
  const width = call.integer(1, 0) ?? 0;
  const padding = call.args.length > 2 ? call.string(2) : " ";
  if (padding.length !== 1) throw new TypeError(`${call.name}() pads with a single character`);
  call.budget.spendText(width);
  return [width, padding];
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

function trim(call: Call, fromStart: boolean, fromEnd: boolean): string {
  const points = Array.from(call.string(0));
  const trimmed = new Set(call.args.length > 1 ? call.string(1) : "");
  call.budget.spend((points.length + trimmed.size) / 4);
  const isKept = (point: string): boolean => (trimmed.size === 0 ? point.trim() !== "" : !trimmed.has(point));
  const start = fromStart ? points.findIndex(isKept) : 0;
  const end = fromEnd ? points.findLastIndex(isKept) + 1 : points.length;
  return start === -1 ? "" : points.slice(start, end).join("");
}

/** How many code points a string has. */
export function readLength(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** `null` where the bound is left out. */
export interface SliceBounds {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** Takes `[start:stop:step]` of a list or a string. @throws TypeError for a step of 0 */
export function readSlice(value: string | JsonValue[], bounds: SliceBounds, budget: Budget): JsonValue {
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
  const behind = (bound: number | null, otherwise: number): number =>
    bound === null ? otherwise : bound === -1 ? items.length : bound + 1;
  const [from, to] =
    stride > 0 ? [start ?? 0, stop ?? items.length] : [behind(stop, 0), behind(start, items.length)];
  const taken = items.slice(from, to);
  budget.spend(taken.length / copiedPerStep);
  if (stride === 1) return taken;
  const length = Math.ceil(taken.length / Math.abs(stride));
  return Array.from(
    { length },
    (_, index) => taken.at(stride > 0 ? index * stride : index * stride - 1) as Item,
  );
}
