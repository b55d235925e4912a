/** Counts the lookups that a view answers: a record is asked for by one of its labels, and for another short value. */

import { isJsonContainer, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { isShort } from "./is-short.js";
import type { Column } from "./list-columns.js";
import type { Plan } from "./plan.js";
import { rankFields } from "./rank-fields.js";
import { createShape, type Shape, wholeTokens } from "./shape.js";

/** Fewer rows are no table. */
const fewestRows = 8;

/** For each label of a table's rows the lookups by it. */
export type Lookups = ReadonlyMap<Shape, readonly number[]>;

const unknown: Shape = createShape();

interface Counter {
  readonly lookups: Map<Shape, number[]>;
  /** Characters of the body's compact JSON that may still be read. */
  ahead: number;
}

/** Counts what a plan shows. */
export function countPlanned(value: JsonValue, plan: Plan): Lookups {
  const counter = { lookups: new Map(), ahead: Number.POSITIVE_INFINITY };
  visit(counter, value, plan.shape, plan);
  return counter.lookups;
}

/** Counts what stands in the first `length` characters of a body's compact JSON. */
export function countBeginning(value: JsonValue, shape: Shape, length: number): Lookups {
  const counter = { lookups: new Map(), ahead: length };
  visit(counter, value, shape);
  return counter.lookups;
}

/** The largest array (or map) of records that stands at one place: the shape of its rows. */
export function findLargest(root: Shape): Shape {
  let largest: Shape | undefined;
  const pending = [root];
  for (let shape = pending.pop(); shape !== undefined; shape = pending.pop()) {
    const isTable = (shape.element?.objects ?? 0) > 0 && shape.rowsLength >= fewestRows;
    if (isTable && (largest === undefined || wholeTokens(shape) > wholeTokens(largest))) largest = shape;
    for (const field of shape.fields.values()) pending.push(field.shape);
  }
  return largest?.element ?? root;
}

/** Counts the short values of what is no array, and what its arrays answer on the way. Without a plan all is shown. */
function visit(counter: Counter, value: JsonValue, shape: Shape, plan?: Plan): number {
  if (!isJsonContainer(value)) {
    const length = value === null ? 4 : lengthOf(value);
    counter.ahead -= length;
    const isShown = plan === undefined || (plan.scalars && length <= plan.clip);
    return isShown && counter.ahead >= 0 && isShort(value) ? 1 : 0;
  }
  counter.ahead -= 1;
  if (Array.isArray(value) || shape.isMap) {
    visitRows(counter, value, shape, plan);
    return 0;
  }
  let count = 0;
  for (const key of Object.keys(value)) {
    if (counter.ahead < 0) break;
    counter.ahead -= key.length + 4;
    const item = value[key] ?? null;
    const inner = plan?.fields?.get(key);
    if (inner !== undefined) count += visit(counter, item, inner.shape, inner);
    // What no sample had stands in the beginning all the same.
    else if (plan === undefined) count += visit(counter, item, shapeOf(item, shape, key));
  }
  return count;
}

function shapeOf(value: JsonValue, record: Shape, key: string): Shape {
  return isJsonContainer(value) ? (record.fields.get(key)?.shape ?? unknown) : unknown;
}

function visitRows(counter: Counter, value: object, shape: Shape, plan?: Plan): void {
  const { element } = shape;
  if (element === undefined || (plan !== undefined && plan.element === undefined)) return;
  const labels = element.objects > 0 ? rankFields(element).labels : [];
  const clips = labels.map((label) => clipOf(label, plan?.element));
  const rows = Array.isArray(value) ? value : Object.values(value);
  const shown = Math.min(rows.length, plan?.rows ?? rows.length);
  const counts = counter.lookups.get(element) ?? labels.map(() => 0);
  counter.lookups.set(element, counts);
  for (let index = 0; index < shown && counter.ahead >= 0; index += 1) {
    const row: JsonValue = rows[index] ?? null;
    const facts = visit(counter, row, element, plan?.element) - 1;
    for (const [at, label] of labels.entries())
      if (facts > 0 && lengthOf(follow(row, label)) <= (clips[at] ?? 0))
        counts[at] = (counts[at] ?? 0) + facts;
  }
}

/** The characters that a plan shows of a column's values; all without a plan. */
export function clipOf({ chain }: Column, plan: Plan | undefined): number {
  if (plan === undefined) return Number.POSITIVE_INFINITY;
  let at: Plan | undefined = plan;
  for (const { key } of chain) at = at?.fields?.get(key);
  return at?.scalars === true ? at.clip : 0;
}

function lengthOf(value: JsonValue): number {
  if (typeof value === "string") return value.length;
  return isJsonContainer(value) ? Number.NaN : String(value).length;
}

function follow(row: JsonValue, { chain }: Column): JsonValue {
  let at: JsonValue | undefined = row;
  for (const { key } of chain) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return null;
    at = at[key];
  }
  return at ?? null;
}
