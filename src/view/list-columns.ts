/** Lays the fields of a record, those of its nested records included, side by side as columns. */

import { type ColumnKind, classifyColumn } from "./classify-column.js";
import { type Field, filled, meanRows, type Shape, wholeTokens } from "./shape.js";

export interface Column {
  /** Fields from the record down to this one. */
  readonly chain: readonly Step[];
  /** Levels below the record; an object that is nearly all of its record (`{node: {…}}`) is no level of its own. */
  readonly level: number;
  readonly shape: Shape;
  readonly kind: ColumnKind | "rows";
  /** The share of records that have a value here. */
  readonly presence: number;
  /** Mean tokens per record of the values with their keys, without the records around them. */
  readonly cost: number;
  /** What it is worth per record; compare with `price`. */
  readonly worth: number;
  /** `cost` with a share of the keys around it. */
  readonly price: number;
}

export interface Step {
  readonly key: string;
  readonly field: Field;
  /** Mean tokens per record of this key and its marks. */
  readonly cost: number;
}

/** Arrays up to this size are shown with the short fields, not with the long ones. */
const smallRowsTokens = 14;
const worthOfSmallRows = 0.7;
const worthPerLevel = 0.75;
const mostSmallRows = 12;
/** Above 1: what only few records have is worth less than its share. */
const sparseness = 1.5;
/** Columns of one record that are told apart. */
const maxColumns = 1_200;

interface Place {
  readonly record: Shape;
  readonly chain: readonly Step[];
  readonly level: number;
}

export function listColumns(record: Shape): Column[] {
  const columns: Column[] = [];
  const pending: { shape: Shape; place: Place }[] = [
    { shape: record, place: { record, chain: [], level: 0 } },
  ];
  for (
    let next = pending.shift();
    next !== undefined && columns.length < maxColumns;
    next = pending.shift()
  ) {
    const { shape: parent, place } = next;
    for (const [key, field] of parent.fields) {
      const { shape } = field;
      const cost = (field.keyTokens * filled(shape)) / Math.max(1, record.seen);
      const chain = [...place.chain, { key, field, cost }];
      const here = { record, chain, level: place.level };
      if (shape.scalars.count > 0) columns.push(toScalarColumn(shape, here));
      if (shape.rows > 0) columns.push(toRowsColumn(shape, here));
      const level = place.level + (isWrapper(parent, shape) ? 0 : 1);
      if (shape.objects > 0) pending.push({ shape, place: { record, chain, level } });
    }
  }
  return columns;
}

function toScalarColumn(shape: Shape, { record, chain, level }: Place): Column {
  const records = Math.max(1, record.seen);
  const presence = shape.scalars.count / records;
  const { kind, worth } = classifyColumn(shape);
  const cost = ownKeyCost(chain) + shape.scalars.tokens / records;
  const price = cost + shareOfKeys(chain);
  return {
    chain,
    level,
    shape,
    kind,
    presence,
    cost,
    price,
    worth: worth * presence * worthPerLevel ** level,
  };
}

function toRowsColumn(shape: Shape, { record, chain, level }: Place): Column {
  const presence = shape.rows / Math.max(1, record.seen);
  const cost = ownKeyCost(chain) + wholeTokens(shape) * presence;
  const isSmall = record.seen > 1 && cost <= smallRowsTokens && meanRows(shape) <= mostSmallRows;
  return {
    chain,
    level,
    shape,
    kind: isSmall ? "fact" : "rows",
    presence,
    cost,
    price: cost + shareOfKeys(chain),
    worth: worthOfSmallRows * presence ** sparseness * worthPerLevel ** level,
  };
}

function ownKeyCost(chain: readonly Step[]): number {
  return chain.at(-1)?.cost ?? 0;
}

/** Whether an object holds nearly all that its parent has to say: then it is the record. */
function isWrapper(parent: Shape, child: Shape): boolean {
  return parent.fields.size <= 5 && child.fields.size >= parent.fields.size;
}

/** The keys around a column are paid once; each of the first few columns below them is charged a part. */
function shareOfKeys(chain: readonly Step[]): number {
  let share = 0;
  for (const { field, cost } of chain.slice(0, -1))
    share += cost / Math.max(1, Math.min(3, field.shape.fields.size));
  return share;
}

/** What the keys around a column cost, as far as those fields are not opened yet. */
export function costOfOpening(column: Column, opened: ReadonlySet<object>): number {
  let cost = 0;
  for (const step of column.chain.slice(0, -1)) if (!opened.has(step.field)) cost += step.cost + 1;
  return cost;
}
