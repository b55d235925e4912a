/** Estimates how many questions a view answers: a record is asked for by one of its names, and for one short value. */

import type { JsonValue } from "../json-document.js";
import type { Column } from "./list-columns.js";
import { rankFields } from "./rank-fields.js";
import { type Shape, wholeTokens } from "./shape.js";

/** Below 1: the names that a view shows are those most asked by. */
const likelihood = 0.3;
/** What a value of a record that has no like is worth; of one that nothing names, nothing can be asked. */
const worthOfLone = 0.25;
/** Fewer rows are no table. */
const fewestRows = 8;
/** Longer values are texts. */
const longest = 40;

export interface Facts {
  readonly all: number;
  /** Those of the rows of the body's largest table. */
  readonly ofLargest: number;
}

/**
 * Counts the short values of each record of a view, times the share of the record's possible names that stand beside them.
 * `shape` is the sample of the body that the view is of; both are walked together, no deeper than the sample.
 */
export function countFacts(view: JsonValue, shape: Shape): Facts {
  const largest = findLargest(shape)?.element;
  const facts = { all: 0, ofLargest: 0 };
  const pending: { value: JsonValue; shape: Shape }[] = [{ value: view, shape }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, shape: here } = next;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value) || here.isMap) {
      for (const row of Object.values(value))
        if (here.element) pending.push({ value: row, shape: here.element });
      continue;
    }
    const own = countShort(value, here, pending);
    const answered = own * (here.seen === 1 ? worthOfLone : shareOfNames(value, rankFields(here).labels));
    facts.all += answered;
    if (here === largest) facts.ofLargest += answered;
  }
  return facts;
}

/** The largest array (or map) of records that stands at one place. */
function findLargest(root: Shape): Shape | undefined {
  let largest: Shape | undefined;
  const pending = [root];
  for (let shape = pending.pop(); shape !== undefined; shape = pending.pop()) {
    const isTable = (shape.element?.objects ?? 0) > 0 && shape.rowsLength >= fewestRows;
    if (isTable && (largest === undefined || wholeTokens(shape) > wholeTokens(largest))) largest = shape;
    for (const field of shape.fields.values()) pending.push(field.shape);
  }
  return largest;
}

/** The short values of a record, those of its nested records included; what it holds of rows is put on the stack. */
function countShort(
  record: { [key: string]: JsonValue },
  shape: Shape,
  rows: { value: JsonValue; shape: Shape }[],
): number {
  let count = 0;
  for (const key of Object.keys(record)) {
    const value = record[key] ?? null;
    const field = shape.fields.get(key)?.shape;
    if (typeof value === "object" && value !== null) {
      if (field === undefined) continue;
      if (Array.isArray(value) || field.isMap) rows.push({ value, shape: field });
      else count += countShort(value, field, rows);
    } else if (isShort(value)) count += 1;
  }
  return count;
}

function isShort(value: string | number | boolean | null): boolean {
  if (typeof value !== "string") return value !== null;
  return value !== "" && value.length <= longest && !value.includes("://") && !value.endsWith("…");
}

function shareOfNames(record: JsonValue, labels: readonly Column[]): number {
  if (labels.length === 0) return 0;
  const shown = labels.filter(({ chain }) => {
    let at: JsonValue | undefined = record;
    for (const { key } of chain) {
      if (typeof at !== "object" || at === null || Array.isArray(at) || !Object.hasOwn(at, key)) return false;
      at = at[key];
    }
    return true;
  });
  return shown.length === 0 ? 0 : (shown.length / labels.length) ** likelihood;
}
