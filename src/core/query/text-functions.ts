/** What queries do with strings; lengths and positions in slices are code points, as the specification counts. */

import type { JsonValue } from "../base/exact-number.js";
import type { Budget } from "./budget.js";
import type { Call, QueryFunction } from "./function-call.js";

export const textFunctions: Readonly<Record<string, QueryFunction>> = {
  ends_with: [2, 2, (call) => call.string(0).endsWith(call.string(1))],
  starts_with: [2, 2, (call) => call.string(0).startsWith(call.string(1))],
  join: [2, 2, (call) => joinWithin(call.budget, call.strings(1), call.string(0))],
  lower: [1, 1, (call) => call.string(0).toLowerCase()],
  upper: [1, 1, (call) => call.string(0).toUpperCase()],
  replace: [3, 4, (call) => joinWithin(call.budget, split(call, call.integer(3, 0)), call.string(2))],
  split: [2, 3, (call) => split(call, call.integer(2, 0))],
  trim: [1, 1, (call) => call.string(0).trim()],
};

/** The engine's search is linear for short patterns only: a longer one costs both lengths multiplied. */
const linearPattern = 200;
const comparedPerStep = 200;
const copiedPerStep = 32;

/** Charges a search, which is done next. */
export function spendSearch(text: string, pattern: string, budget: Budget): void {
  budget.spendText(text.length);
  if (pattern.length > linearPattern) budget.spend((text.length * pattern.length) / comparedPerStep);
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
