/** Orders the columns of a record by what a reader needs per token; what identifies the record comes first. */

import { isMostly } from "./classify-column.js";
import { longestShort } from "./is-short.js";
import { type Column, listColumns } from "./list-columns.js";
import { maxDistinct, type Shape } from "./shape.js";

export interface RankedColumns {
  /** The one or two columns that tell records apart; shown with every row. */
  readonly identity: readonly Column[];
  /** The columns by which a record is likely asked for; those of a lone record are none. */
  readonly labels: readonly Column[];
  /** Short columns, the most telling per token first. */
  readonly facts: readonly Column[];
  readonly texts: readonly Column[];
  readonly rows: readonly Column[];
  /** Links, hashes, blobs and repeated columns. */
  readonly noise: readonly Column[];
}

/** Each further column of times tells less. */
const worthOfNextTime = 0.8;
const namingKey =
  /^(?:.*[_.-])?(?:name|title|label|subject|headline|summary|symbol|login|email|username|.*Name|.*Title)$/i;
const plainName = /^(?:(?:full|display)[_-]?)?name$|^title$|^label$/i;
const keyingKey =
  /^(?:_?id|key|slug|number|code|sku|ref|reference|identifier|.*_(?:id|key|code|number)|.*(?:Id|Key|Code|Number))$/;
/** A further name of a record may be the one that it is asked by; a further key says nothing to a reader. */
const worthOfFurtherName = 2.5;
const worthOfFurtherKey = 0.45;
const longestIdentity = 34;
/** Mean characters of a column that a record may be asked by. */
const longestLabel = 60;
/** The second column of an identity is not dearer than this; a name may take more than a key. */
const secondPrice = { name: 20, key: 9 } as const;

const cache = new WeakMap<Shape, RankedColumns>();

/** Ranks the columns of a record; the same shape is ranked once. */
export function rankFields(record: Shape): RankedColumns {
  const known = cache.get(record);
  if (known !== undefined) return known;
  const ranked = rank(record);
  cache.set(record, ranked);
  return ranked;
}

function rank(record: Shape): RankedColumns {
  const columns = listColumns(record);
  const identity = record.seen > 1 ? pickIdentity(record, columns) : [];
  const chosen = new Set(identity);
  const repeated = record.seen > 1 ? findRepeated(columns, chosen) : new Set<Column>();
  const byKind = (kind: Column["kind"]): Column[] =>
    columns.filter((column) => column.kind === kind && !chosen.has(column) && !repeated.has(column));
  return {
    identity,
    labels: record.seen > 1 ? listLabels(columns, identity) : [],
    facts: orderFacts(byKind("fact")),
    texts: byKind("text"),
    rows: byKind("rows"),
    noise: byDensity([...byKind("noise"), ...repeated]),
  };
}

function density(column: Column): number {
  return column.worth / Math.max(0.5, column.price);
}

function byDensity(columns: readonly Column[]): Column[] {
  const scored = columns.map((column) => ({ column, score: density(column) }));
  return scored.sort((a, b) => b.score - a.score).map(({ column }) => column);
}

function orderFacts(columns: readonly Column[]): Column[] {
  let factor = 1;
  const scored = byDensity(columns).map((column) => {
    let score = density(column) * weighNaming(column);
    if (isMostly(column.shape.scalars.times, column.shape.scalars)) {
      score *= factor;
      factor *= worthOfNextTime;
    }
    return { column, score };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ column }) => column);
}

/** What a column that names things is worth beside others: another name of the record more, a key of anything less. */
function weighNaming({ chain, level, shape, presence }: Column): number {
  const key = chain.at(-1)?.key ?? "";
  const { scalars } = shape;
  const differs = scalars.distinct.size >= 0.9 * scalars.count && scalars.count > 1;
  if (!isMostly(scalars.worded, scalars)) return differs && keyingKey.test(key) ? worthOfFurtherKey : 1;
  return level === 0 && differs && presence > 0.85 && namingKey.test(key) ? worthOfFurtherName : 1;
}

/** Columns that say again what an earlier one says (`id` and `id_str`), row by row in the sample. */
function findRepeated(columns: readonly Column[], identity: ReadonlySet<Column>): Set<Column> {
  const seen = new Map<string, Column>();
  const repeated = new Set<Column>();
  for (const column of [...identity, ...columns.filter((one) => !identity.has(one))]) {
    const { distinct, count } = column.shape.scalars;
    if (distinct.size < 4 || column.kind === "text") continue;
    const signature = `${count}|${[...distinct.keys()].join("|")}`;
    if (seen.has(signature)) repeated.add(column);
    else seen.set(signature, column);
  }
  return repeated;
}

/** What identifies, what is plainly called a name, and the keys where what identifies may be too long to ask by. */
function listLabels(columns: readonly Column[], identity: readonly Column[]): Column[] {
  const isSure = identity.some(({ shape }) => shape.scalars.longest <= longestShort);
  const isLabel = (column: Column): boolean => {
    const key = column.chain.at(-1)?.key ?? "";
    return differs(column) && (plainName.test(key) || (!isSure && keyingKey.test(key)));
  };
  const level = identity[0]?.level ?? Math.min(...columns.filter(isLabel).map((column) => column.level));
  return columns.filter((column) => identity.includes(column) || (column.level <= level && isLabel(column)));
}

function differs({ shape, presence }: Column): boolean {
  const { distinct, count, length } = shape.scalars;
  if (count === 0 || presence < 0.85 || length > longestLabel * count) return false;
  return distinct.size >= 0.9 * Math.min(count, maxDistinct);
}

/** The best name and the best key, the better one first; the second only where it is cheap. */
function pickIdentity(record: Shape, columns: readonly Column[]): Column[] {
  const scored = columns
    .map((column, place) => ({ column, ...scoreIdentity(record, column, place / columns.length) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const first = scored[0];
  if (first === undefined) return [];
  const second = scored.find(
    ({ isName, column }) =>
      isName !== first.isName &&
      column.level === first.column.level &&
      column.price <= (isName ? secondPrice.name : secondPrice.key),
  );
  return second === undefined ? [first.column] : [first.column, second.column];
}

/** A column identifies when it is there in (nearly) every row, short, and nowhere the same. */
function scoreIdentity(record: Shape, column: Column, place: number): { score: number; isName: boolean } {
  const stats = column.shape.scalars;
  const key = column.chain.at(-1)?.key ?? "";
  const isKey = keyingKey.test(key);
  const isName = isMostly(stats.worded, stats) && !isKey;
  const unfit =
    column.presence < 0.85 ||
    stats.count === 0 ||
    isMostly(stats.booleans, stats) ||
    isMostly(stats.fractions, stats) ||
    isMostly(stats.links, stats);
  if (unfit || column.price > longestIdentity) return { score: 0, isName };
  const hint = isKey || (isName && namingKey.test(key)) ? 1 : 0;
  if (hint === 0 && isMostly(stats.times, stats)) return { score: 0, isName };
  const difference = stats.distinct.size / Math.min(stats.count, 64);
  const least = record.seen < 4 ? 0 : 0.7;
  if (difference < least) return { score: 0, isName };
  const score =
    2 * difference +
    (difference < 0.9 ? 0 : hint) +
    (isName ? 0.3 : 0) -
    0.9 * column.level -
    0.5 * place -
    column.price / 24;
  return { score: Math.max(0.01, score), isName };
}
