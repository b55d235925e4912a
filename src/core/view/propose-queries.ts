/** Proposes queries that find what a view omits: written from its sample, not executed. */

import { writeKey } from "../query/find-in-document.js";
import { kinds } from "./kinds.js";
import { type Place, wholePath } from "./places.js";
import type { Tallies } from "./write-view.js";

const sliceLength = 20;
const mostValues = 12;
const mostColumns = 4;
/** By such fields rows are mostly counted. */
const groupName = /stat(?:e|us)$|type$|kind$|categor|priorit|severity|role$|plan$|^level$/i;

/** The list or map that most of a document consists of, at one place. */
function findMainTable(root: Place): Place | undefined {
  const weigh = (place: Place): number => place.rows * (1 + (place.element?.fields.size ?? 0));
  let best = root;
  const visit = (place: Place): void => {
    if (weigh(place) > weigh(best)) best = place;
    place.fields.forEach(visit);
  };
  visit(root);
  return best.element === undefined ? undefined : best;
}

/** A field of a row, or of a record in it. */
interface Column {
  readonly place: Place;
  /** Its JMESPath in the row. */
  readonly name: string;
}

function listColumns(row: Place, record: Place = row): Column[] {
  return [...record.fields.values()].flatMap((place) => {
    if (place.key === "" || place.key.length > 60 || place.depth > row.depth + 4) return [];
    if (place.samples.length === 0) return listColumns(row, place);
    return [{ place, name: place.path.slice(row.path.length + 1) }];
  });
}

/** Gives up to two expressions, the most useful first: counts by a field of few values, and the rows that come next. */
export function proposeQueries(root: Place, tallies: Tallies): string[] {
  const table = findMainTable(root);
  if (table?.element === undefined) return [];
  const rows = table.isMap === true ? `values(${table.path})` : table.path;
  const rankOf = ({ place }: Column): number =>
    place.rank + (place.isEssential ? -99 : place.depth);
  const columns = listColumns(table.element).sort((a, b) => rankOf(a) - rankOf(b));
  const groups = columns.filter(hasFewValues);
  const texts = groups.filter(({ place }) => place.types.has("string"));
  const group = texts.find(({ place }) => groupName.test(place.key)) ?? texts[0] ?? groups[0];
  const counted = group === undefined ? [] : [writeCounts(rows, group)];
  const shown = tallies.get(table)?.rows ?? 0;
  const short = columns
    .filter(({ place }) => place.isEssential || kinds[place.kind].rank < kinds.text.rank)
    .slice(0, mostColumns);
  const slice = `${rows === wholePath ? "" : rows}[${shown}:${Math.min(table.rows, shown + sliceLength)}]`;
  const next = short.length === 0 ? slice : `${slice}.${pick(short)}`;
  const further = shown < table.rows ? [next] : [];
  const queries = [...counted, ...further];
  return queries.length === 0 ? [`length(${rows})`] : queries;
}

/** How many rows have each value of a field. */
function writeCounts(rows: string, { place, name }: Column): string {
  return `items(group_by(${rows},&${name}))[*].{${writeKey(place.key)}:[0],count:length([1])}`;
}

/** Whether a column sorts the rows into a few kinds. */
function hasFewValues({ place: { distinct, types, seen, empty, longest } }: Column): boolean {
  if (types.size !== 1 || !(types.has("string") || types.has("boolean"))) return false;
  return (
    distinct.size >= 2 &&
    distinct.size <= mostValues &&
    distinct.size * 3 <= seen - empty &&
    longest <= 40
  );
}

/** A multi-select of columns under their own last names; under both where two are the same. */
function pick(columns: readonly Column[]): string {
  const named = new Map<string, string>();
  for (const { place, name } of columns) {
    const { key, parent } = place;
    named.set(named.has(key) ? `${parent?.key}_${key}` : key, name);
  }
  return `{${[...named].map(([name, chain]) => `${writeKey(name)}:${chain}`).join(",")}}`;
}
