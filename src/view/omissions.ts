/** Names what a view leaves out: rows first, then every field, the most useful first. */

import { type Place, wholePath } from "./places.js";
import { emptyRank, kinds, nesting } from "./ranks.js";
import type { CountTokens, Omission } from "./summary.js";
import type { Tallies } from "./write-view.js";

/** Something of which a part is left out, and how early it would be missed. */
export interface Finding {
  readonly place: Place;
  readonly omission: Omission;
  /** What it shares with others when many are named at once: `string x60`. */
  readonly group: string;
  readonly rank: number;
}

/** More fields are counted only. */
const mostNamed = 250;
/** So early stand rows of which some are not shown. */
const rowsRank = -100;

/** Everything of which some is left out. With empty `tallies` that is all there is. */
export function findOmissions(root: Place, tallies: Tallies): Finding[] {
  const findings: Finding[] = [];
  const visit = (place: Place, depth: number, isAroundHidden: boolean): void => {
    const tally = tallies.get(place);
    const isFull = tally !== undefined && !isAroundHidden && tally.whole === tally.met;
    // Only of a container that is not shown is the meeting counted.
    const isHidden = isAroundHidden || ((tally?.met ?? 0) > 0 && place.samples.length === 0);
    const rank = depth * nesting + (place.empty < place.seen ? place.rank : emptyRank);
    const rows = tally?.rows ?? 0;
    if (rows < place.rows) findings.push(describeRows(place, rows, place.isInTable ? rank : rowsRank + rank));
    const isNamed = place.key !== "" || (tally?.clipped ?? 0) > 0;
    if (isNamed && !isFull && (place.samples.length > 0 || place.empty === place.seen))
      findings.push(describeField(place, tallies, rank));
    if (place.element !== undefined) visit(place.element, depth + 1, isHidden || rows === 0);
    for (const field of place.fields.values()) {
      if (field.key === "") findings.push(describeOthers(place, field, rank));
      else visit(field, depth + 1, isHidden);
    }
  };
  visit(root, 0, false);
  return findings.sort((a, b) => a.rank - b.rank);
}

/** What naming all of them in few words costs. */
export function countNaming(findings: readonly Finding[], countTokens: CountTokens): number {
  return countTokens(JSON.stringify(joinOmissions(findings.slice(0, mostNamed), countRows(findings, 3))));
}

function countRows(findings: readonly Finding[], most: number): number {
  return findings.slice(0, most).filter(({ rank }) => rank < 0).length;
}

function describeRows(place: Place, shown: number, rank: number): Finding {
  const what = place.isMap === true ? "keys" : "rows";
  const scalars = [...(place.element?.types ?? [])].join(" or ");
  const about = scalars === "" ? what : `${what}, each a ${scalars}`;
  // The rows of the lists in all rows together stand at the path of one of them.
  const path = place.isInTable ? (place.element?.path ?? place.path) : place.path;
  const counts = place.isInTable && isSampled(place) ? {} : { shown, of: place.rows };
  return { place, omission: { path, ...counts, about }, group: what, rank };
}

function describeOthers(parent: Place, { seen }: Place, rank: number): Finding {
  const about = `${seen} values under other keys`;
  return { place: parent, omission: { path: parent.path, about }, group: about, rank: rank + emptyRank };
}

function describeField(place: Place, tallies: Tallies, rank: number): Finding {
  const { whole = 0, clipped = 0, clippedTo = 0 } = tallies.get(place) ?? {};
  const of = place.seen - place.empty;
  const type = of === 0 ? "null or empty" : describeTypes(place);
  const describe = (omission: Omit<Omission, "path">, group = type): Finding => ({
    ...{ place, omission: { path: place.path, ...omission }, group, rank },
  });
  if (of === 0) return describe({ about: type });
  if (!place.isInTable)
    return describe(
      clipped === 0 ? { about: type } : { shown: clippedTo, of: place.longest, about: "string, characters" },
    );
  const about = clipped === 0 ? type : `${type}; ${clipped} more clipped`;
  if (!isSampled(place)) return describe({ shown: whole, of, about }, `${type} x${of}`);
  const rows = listRows(place)[0]?.seen ?? of;
  const share = of >= rows ? "in all rows sampled" : `in about ${Math.ceil((100 * of) / rows)} % of the rows`;
  return describe({ about: `${about}, ${share}` }, `${type} ${share}`);
}

/** Whether not all rows around it were looked at: then its count is unknown. */
function isSampled(place: Place): boolean {
  return listAround(place).some(({ isPart }) => isPart);
}

function describeTypes({ types: found, kind, longest, samples }: Place): string {
  const types = [...found].join(" or ");
  // A query compares with the value: a number or boolean must not look like a string.
  const constant = types === "string" ? JSON.stringify(samples[0]) : samples[0];
  if (kind === "same") return `always ${longest <= 40 ? constant : types}`;
  if (kind === "link") return "URL";
  if (kind === "time") return `${types}, time`;
  if (types !== "string" || longest <= kinds.text.room) return types;
  return `string, up to ${Number(longest.toPrecision(2)).toLocaleString("en")} characters`;
}

/**
 * The findings in entries of their own as far as there is room, the rest by type in one entry for each table; where that is too much,
 * only the first by one word each and the rest counted.
 */
export function fitOmissions(
  findings: readonly Finding[],
  maxTokens: number,
  countTokens: CountTokens,
): Omission[] {
  const { length } = findings;
  const fits = (omitted: Omission[]): boolean => countTokens(JSON.stringify(omitted)) <= maxTokens;
  for (const own of length <= mostNamed ? [length, Math.ceil(length / 2), 12, 3, 1, 0] : []) {
    const omitted = own <= length ? joinOmissions(findings, own) : undefined;
    if (omitted !== undefined && fits(omitted)) return omitted;
  }
  const brief = findings.slice(0, mostNamed).map((each) => ({
    ...each,
    group: each.group.replace(/^always .*|[ ,].*/s, "") || "constant",
  }));
  for (let left = Math.min(length - 1, mostNamed); left >= 0; left = Math.ceil(left * 0.85) - 1) {
    const more = { path: wholePath, about: `and ${length - left} more` };
    const omitted = [...joinOmissions(brief.slice(0, left), countRows(findings, Math.min(left, 1))), more];
    if (fits(omitted)) return omitted;
  }
  return [];
}

/** The first `count` in entries of their own. */
function joinOmissions(findings: readonly Finding[], count: number): Omission[] {
  const tables = new Map<string, Map<string, string[]>>();
  for (const { place, group, omission } of findings.slice(count)) {
    const table = listRows(place).at(-1)?.path ?? wholePath;
    const groups = tables.get(table) ?? new Map<string, string[]>();
    const own = table === wholePath ? place.path : place.path.slice(table.length + 1);
    const names = groups.get(group) ?? [];
    names.push(
      place.rows > 0 && omission.of !== undefined ? `${own} (${omission.shown} of ${omission.of})` : own,
    );
    tables.set(table, groups.set(group, names));
  }
  const joined = [...tables].map(([path, groups]) => ({
    path,
    about: `also ${[...groups].map(([group, names]) => `${group}: ${joinNames(names)}`).join("; ")}`,
  }));
  return [...findings.slice(0, count).map(({ omission }) => omission), ...joined];
}

/** `id, user.{id, name}`: what is in one record stands together. */
function joinNames(names: readonly string[]): string {
  const records = new Map<string, string[]>();
  for (const name of names) {
    const dot = name.lastIndexOf(".", name.indexOf(" ") < 0 ? name.length : name.indexOf(" "));
    const record = name.includes('"') ? "" : name.slice(0, dot + 1);
    records.set(record, [...(records.get(record) ?? []), name.slice(record.length)]);
  }
  const joined = [...records].map(([record, fields]) =>
    fields.length > 1 && record !== "" ? `${record}{${fields.join(", ")}}` : record + fields.join(", "),
  );
  return joined.join(", ");
}

/** The rows that a place is in, those of the innermost list or map first. */
function listRows(place: Place): Place[] {
  return listAround(place).filter((at) => at.parent?.element === at);
}

/** From its parent to the whole. */
function listAround({ parent }: Place): Place[] {
  return parent === undefined ? [] : [parent, ...listAround(parent)];
}
