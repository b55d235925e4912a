/** Names what a view omits: rows first, then the fields of which nothing is shown, the most useful first. */

import { writeKey } from "../query/find-in-document.js";
import { isMostly, isOpaque } from "./kinds.js";
import { type Place, wholePath } from "./places.js";
import { countValues, emptyRank, isPlainList, isValue, nesting } from "./ranks.js";
import type { CountTokens, Omission } from "./summary.js";
import type { Tallies, Tally } from "./write-view.js";

/** Something of which a part is omitted. */
interface Omitted {
  readonly path: string;
  /** The path of the rows around it, those of the outermost list or map. */
  readonly table: string;
  /** Names its kind where many are named at once: `string`, `rows`. */
  readonly group: string;
  readonly rank: number;
  readonly counts?: { readonly shown: number; readonly of: number };
}
type Found = Pick<Omitted, "group" | "rank" | "counts">;

/** More fields are only counted. */
const mostNamed = 250;
/** Truncated lists outside of rows come first, then fields of which nothing is shown, then those shown in a part of the rows. */
const rowsRank = -100;
const partlyRank = 100;
/** A name or id that is not whole in each row is named before the fields, and so are the first fields that are left out where they are empty. */
const essentialRank = -60;
const emptyFieldRank = -50;
const mostEmptyFields = 6;
const longestConstant = 40;

/** Everything of which some is omitted, the most useful first. */
export function findOmissions(root: Place, tallies: Tallies): Omitted[] {
  const findings: Omitted[] = [];
  const leftOut: Omitted[] = [];
  const visit = (place: Place, isAroundHidden: boolean): void => {
    const { path, element, fields, depth } = place;
    const tally = tallies.get(place);
    const isNull = place.empty === place.seen;
    const isField = isValue(place) || isNull;
    const isHidden = isAroundHidden || (!isField && (tally?.visited ?? 0) > 0);
    const found = isField ? describeField(place, tally, isHidden) : describeRows(place, tally);
    const rows = listRows(place);
    const table = rows.at(-1)?.path ?? wholePath;
    // A column that only few rows have is named earlier: the rows that are shown may have none of it.
    const isRare = countValues(place) * 2 < (rows[0]?.seen ?? 0);
    const rank = depth * nesting + (isNull ? emptyRank : place.rank) - (isRare ? nesting : 0);
    if (found !== undefined) findings.push({ path, table, ...found, rank: found.rank + rank });
    if (!isHidden && isLeftOutWhereEmpty(place, tally))
      leftOut.push({ path, table, group: leftOutGroup, rank });
    if (element !== undefined && !isPlainList(place)) visit(element, isHidden);
    for (const field of fields.values()) visit(field, isHidden);
  };
  visit(root, false);
  const byRank = (a: Omitted, b: Omitted): number => a.rank - b.rank;
  const empties = leftOut.sort(byRank).map((each, index) => ({
    ...each,
    rank: each.rank + (index < mostEmptyFields ? emptyFieldRank : partlyRank),
  }));
  return [...findings, ...empties].sort(byRank);
}

const leftOutGroup = "left out where null or empty";

/** A field of rows that is shown wherever it has a value: a row without it lacks the field, or has null, `""`, `[]` or `{}` there. */
function isLeftOutWhereEmpty(place: Place, tally: Tally | undefined): boolean {
  if (tally === undefined || tally.empty === 0 || place.tables === 0) return false;
  const { whole, truncated, rows, visited } = tally;
  return isValue(place) ? whole > 0 && whole + truncated === visited : rows > 0 && visited === 0;
}

function describeRows(place: Place, tally: Tally | undefined): Found | undefined {
  const shown = tally?.rows ?? 0;
  const of = (place.tables > 0 ? tally?.visitedRows : undefined) ?? place.rows;
  if (shown >= of) return undefined;
  if (place.tables === 0)
    return { group: place.isMap === true ? "keys" : "rows", rank: rowsRank, counts: { shown, of } };
  const most = tally?.mostRows ?? 0;
  return { group: most === 0 ? "lists" : `of each row at most the first ${most}`, rank: 0 };
}

function describeField(
  place: Place,
  tally: Tally | undefined,
  isHidden: boolean,
): Found | undefined {
  const shown = tally === undefined ? 0 : tally.whole + tally.truncated;
  if (tally === undefined || shown === 0)
    return place.parent?.element === place ? undefined : { group: describeValues(place), rank: 0 };
  if (tally.whole === tally.visited && !isHidden) return undefined;
  const counts = { shown: tally.truncatedTo, of: place.longest };
  if (place.tables === 0) return { group: "string, characters", rank: rowsRank, counts };
  const rank = place.isEssential && place.kind === "identity" ? essentialRank : partlyRank;
  if (shown === tally.visited && !isHidden) return { group: "truncated", rank };
  // Rows without the constant of the rows before them do not lack it.
  const first =
    tally.visitedToLast === shown ? `only in rows 0 to ${tally.lastRow}` : "in some of these rows";
  const group = place.kind === "same" ? describeValues(place) : first;
  return { group, rank };
}

/** The type of the values, and how many rows have one where not all have. */
function describeValues(place: Place): string {
  const of = countValues(place);
  if (place.key === "") return `${of} values under other keys`;
  if (of === 0) return "null or empty";
  const isSampled = listAround(place).some(({ isPart }) => isPart);
  if (place.copied !== undefined) {
    const rows = isSampled || of > place.samples.length ? " in all rows sampled" : "";
    return `same beginning as ${writeKey(place.copied.key)}${rows}`;
  }
  const type = describeType(place);
  const [row] = listRows(place);
  if (row === undefined) return type;
  if (of >= row.seen) return isSampled ? `${type} in all rows sampled` : type;
  return isSampled
    ? `${type} in about ${Math.ceil((100 * of) / row.seen)} % of the rows`
    : `${type} x${of}`;
}

function describeType({ types: found, kind, longest, samples, element }: Place): string {
  const types = [...(samples.length === 0 ? (element?.types ?? []) : found)].join(" or ");
  if (samples.length === 0) return `list of ${types}`;
  if (kind === "blob" && longest > longestConstant && isMostly(samples, isOpaque))
    return `encoded, up to ${longest} characters`;
  // A query compares with the value: a number or boolean must not look like a string.
  const constant = types === "string" ? JSON.stringify(samples[0]) : samples[0];
  if (kind === "same") return `always ${longest <= longestConstant ? constant : types}`;
  return { link: "URL", time: "time", text: "text", prose: "text" }[kind as string] ?? types;
}

/** As many of the findings, the first ones, as there is room for; the others are counted. */
export function fitOmissions(
  findings: readonly Omitted[],
  maxTokens: number,
  countTokens: CountTokens,
): Omission[] {
  for (
    let named = Math.min(findings.length, mostNamed);
    named > 0;
    named = Math.floor(named * 0.85)
  ) {
    const omitted = joinFindings(findings.slice(0, named));
    if (named < findings.length)
      omitted.push({ path: wholePath, about: `and ${findings.length - named} more fields` });
    if (countTokens(JSON.stringify(omitted)) <= maxTokens) return omitted;
  }
  return findings.length === 0
    ? []
    : [{ path: wholePath, about: `${findings.length} fields and lists` }];
}

/** One entry for each truncated list, and one for the fields of each table. */
function joinFindings(findings: readonly Omitted[]): Omission[] {
  const own: Omission[] = [];
  const tables = new Map<string, Map<string, string[]>>();
  for (const { path, table, group, counts, rank } of findings) {
    if (counts !== undefined && rank < 0) {
      own.push({ path, ...counts, about: group });
      continue;
    }
    const groups = tables.get(table) ?? new Map<string, string[]>();
    const name = table === wholePath ? path : path.slice(table.length).replace(/^\./, "");
    tables.set(table, groups.set(group, [...(groups.get(group) ?? []), name]));
  }
  const describe = ([group, names]: [string, string[]]): string => `${group}: ${names.join(", ")}`;
  const joined = [...tables].map(([path, groups]) => ({
    path,
    about: [...groups].map(describe).join("; "),
  }));
  return [...own, ...joined];
}

/** The places around one, from the innermost, and those of them that are rows of a list or map. */
const listAround = ({ parent }: Place): Place[] =>
  parent === undefined ? [] : [parent, ...listAround(parent)];
const listRows = (place: Place): Place[] =>
  listAround(place).filter((at) => at.parent?.element === at);
