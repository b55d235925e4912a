/** Proposes queries that get what a view leaves out; each was run on the body before it is shown. */

import type { JsonValue } from "../json/exact-number.js";
import { writeKey } from "../query/find-in-document.js";
import { isEmpty, type Kind, nameField, type Place, wholePath } from "./places.js";
import { kinds } from "./ranks.js";
import type { RunSelect } from "./summary.js";
import type { Tallies } from "./write-view.js";

const mostProposals = 3;
const mostRuns = 6;
/** A query that reads every row of more is not run only to be proposed. */
const mostFiltered = 5_000;
const sliceLength = 20;
const mostValues = 12;
const mostColumns = 5;
/** What nobody asks for without a reason of their own. */
const dullKinds: readonly Kind[] = ["same", "link", "blob"];
/** What rows are mostly counted by. */
const sortingName = /stat(?:e|us)$|type$|kind$|categor|priorit|severity|role$|plan$|^level$/i;

/**
 * Gives up to three expressions, the most useful first.
 *
 * @param fits - Whether the result of a query is small enough to be answered whole.
 */
export function proposeQueries(
  root: Place,
  tallies: Tallies,
  runSelect: RunSelect,
  fits: (result: JsonValue) => boolean,
): string[] {
  const accepted: string[] = [];
  for (const expression of listCandidates(root, tallies).slice(0, mostRuns)) {
    if (accepted.length >= mostProposals) break;
    const result = runSelect(expression);
    if (result !== undefined && !isEmpty(result) && fits(result)) accepted.push(expression);
  }
  return accepted;
}

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
  readonly keys: readonly string[];
  /** As JMESPath. */
  readonly name: string;
}

function listColumns(row: Place, keys: readonly string[] = []): Column[] {
  return [...row.fields.values()].flatMap((place) => {
    if (place.key === "" || place.key.length > 60 || keys.length > 3) return [];
    const own = [...keys, place.key];
    const column = { place, keys: own, name: own.map(writeKey).join(".") };
    return place.samples.length > 0 ? [column] : listColumns(place, own);
  });
}

function listCandidates(root: Place, tallies: Tallies): string[] {
  const table = findMainTable(root);
  const isMissed = (place: Place): boolean => !dullKinds.includes(place.kind) && !isShown(place, tallies);
  const rest = [...root.fields.values()]
    .filter((field) => field.samples.length > 0 && isMissed(field))
    .map(({ key }) => nameField(wholePath, key));
  if (table?.element === undefined) return rest;
  const rows = table.isMap === true ? `values(${table.path})` : table.path;
  const rankOf = ({ place, keys }: Column): number => place.rank + (place.isEssential ? -9 : keys.length);
  const columns = listColumns(table.element).sort((a, b) => rankOf(a) - rankOf(b));
  const ids = columns.filter(({ place }) => place.isEssential).slice(0, 2);
  const isShort = ({ place }: Column): boolean => place.rank < kinds.text.rank;
  const facts = columns
    .filter((column) => isShort(column) && !ids.includes(column))
    .slice(0, mostColumns - ids.length);
  const half = table.element.records / 2;
  const hidden = columns.find(({ place }) => place.seen - place.empty > half && isMissed(place));
  const shown = tallies.get(table)?.rows ?? 0;
  const slice = `${shown}:${Math.min(table.rows, shown + sliceLength)}`;
  const further = within(rows, slice) + (columns.length > 0 ? `.${pick([...ids, ...facts])}` : "");
  return [
    ...(table.rows <= mostFiltered ? listGroupings(rows, columns, [...ids, ...facts.slice(0, 3)]) : []),
    ...(hidden === undefined ? [] : [`${within(rows, "0:3")}.${pick([...ids, hidden])}`]),
    ...(shown === table.rows ? [] : [further]),
    `length(${rows})`,
    ...rest,
  ];
}

/** Counts the rows by a field that has few values, and picks those with the rarest. */
function listGroupings(rows: string, columns: readonly Column[], shown: readonly Column[]): string[] {
  const groups = columns.filter(hasFewValues);
  const texts = groups.filter(({ place }) => place.types.has("string"));
  const group = texts.find(({ place }) => sortingName.test(place.key)) ?? texts[0] ?? groups[0];
  if (group === undefined) return [];
  const { place, name } = group;
  const [rarest, count] = [...place.distinct].reduce((least, entry) => (entry[1] < least[1] ? entry : least));
  const literal = place.types.has("string") ? quoteText(rarest) : `\`${rarest}\``;
  const filter = within(rows, `?${name}==${literal}`);
  const others = shown.filter((column) => column !== group).slice(0, mostColumns - 1);
  return [
    `items(group_by(${rows},&${name}))[*].{${writeKey(place.key)}:[0],count:length([1])}`,
    `${filter}.${pick(others)}${count > sliceLength ? ` | [:${sliceLength}]` : ""}`,
  ];
}

/** Something in brackets behind a list, such as a filter, an index or a slice. */
function within(rows: string, inside: string): string {
  return `${rows === wholePath ? "" : rows}[${inside}]`;
}

/** A string as a JMESPath literal. */
function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}

function isShown(place: Place, tallies: Tallies): boolean {
  const tally = tallies.get(place);
  return tally !== undefined && tally.whole > 0 && tally.clipped === 0;
}

/** Whether a column sorts the rows into a few kinds. */
function hasFewValues({ place: { distinct, types, seen, empty, longest } }: Column): boolean {
  if (types.size !== 1 || !(types.has("string") || types.has("boolean"))) return false;
  return (
    distinct.size >= 2 && distinct.size <= mostValues && distinct.size * 3 <= seen - empty && longest <= 40
  );
}

/** A multi-select of columns under their own last names; under both where two are the same. */
function pick(columns: readonly Column[]): string {
  const named = new Map<string, string>();
  for (const { keys, name } of columns) {
    const own = keys.at(-1) ?? "";
    named.set(named.has(own) ? keys.slice(-2).join("_") : own, name);
  }
  return `{${[...named].map(([name, chain]) => `${writeKey(name)}:${chain}`).join(",")}}`;
}
