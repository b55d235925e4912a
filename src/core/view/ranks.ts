/** How early each place of a document is shown: each place has a rank, by what its values are good for (their name and a sample show it), its depth and its cost. */

import { findCopies } from "./copies.js";
import { findKind, isHumanName, isMostly, isOpaque, kinds, simplify } from "./kinds.js";
import type { Place } from "./places.js";
import type { WordFinder } from "./searched-words.js";
import { rankSentMembers } from "./sent-members.js";

export const emptyRank = 9;
/** The rank that a nested container adds. A row adds the logarithm of its number. */
export const nesting = 1.2;
/** A fact of more characters than these, its key included, comes later: of twice as many, as much as a row of twice the number. */
const cheap = 16;
/** How far inside a row its identity is looked for: `{kind, data: {id}}`, `{node: {title: {rendered}}}`. */
const reach = 3;
/** Fields come in three groups, so that many rows have the same ones: the useful ones up to so many characters, others, links and blobs. */
const useful = { rank: 0, maxRank: 4.2, maxCharacters: 300 } as const;
const others = { rank: 3.5, maxRank: 7.5 } as const;
/** Lists of records in a row come before the long texts of it; short ones, such as labels, with the useful fields. */
const nested = { rank: 3, fewRows: 2, rowCharacters: 30 } as const;
const proseRank = 7;
/** A search may find a row by one of several texts: at least one in so many has a word of it. */
const leastFound = 3;
const lastRank = 8;
/** A text that begins like another one is shown when all else is. */
const copyRank = 12;
/** A list of more plain values is not shown as one value. */
export const mostPlain = 24;
/** Nor is one of longer texts: each would be shown whole or not at all. */
const longestPlain = 400;
/** Members that hold the words of a message, a commit or an event that has no name. */
const headlineName = /^(?:message|text|body|content|description|snippet)$/;
/** The endings of an identifier without a known name: `sid`, `ts`, `iCalUID`. */
const identifierName = /(?:id|^ts|ref|key)$/;

/**
 * Gives every place of the tree its rank.
 *
 * @param words - Finds the words of the request.
 * @param members - Names of the members that a write sent.
 */
export function resolveRanks(
  root: Place,
  words?: WordFinder,
  members: readonly string[] = [],
): void {
  rankPlace(root, 0, words);
  if (members.length > 0) rankSentMembers(root, new Set(members));
  setMinimumRanks(root);
}

/** @param base - What the containers between the row around it and the place add. */
function rankPlace(place: Place, base: number, words: WordFinder | undefined): void {
  const { parent, element, fields } = place;
  place.kind = findKind(isPlainList(place) ? (element ?? place) : place);
  place.rank = base + (isValue(place) ? kinds[place.kind].rank + findCost(place) : 0);
  for (const field of fields.values())
    rankPlace(field, base + (isValue(field) ? 0 : nesting), words);
  for (const [copy, copied] of findCopies([...fields.values()].filter(isText)))
    Object.assign(copy, { copied, kind: "blob", rank: base + copyRank });
  if (element !== undefined) rankPlace(element, element.element === undefined ? 0 : nesting, words);
  if (parent?.element === place && place.records > 0) groupFields(place, words);
}

/** Words, not a name or a value. */
const isText = ({ kind }: Place): boolean => kind === "text" || kind === "prose";

/** Bottom up, when all ranks are known: of a container the rank of the first value that most of them have. */
function setMinimumRanks(place: Place): void {
  const { element, fields, records } = place;
  alignColumns(place);
  for (const field of fields.values()) setMinimumRanks(field);
  if (element !== undefined) setMinimumRanks(element);
  const common = [...fields.values()].filter((field) => countValues(field) * 2 >= records);
  const rows =
    element === undefined || isPlainList(place) ? emptyRank : place.rank + element.minimumRank;
  const own = isValue(place) ? place.rank : emptyRank;
  place.minimumRank = Math.min(own, rows, ...common.map(({ minimumRank }) => minimumRank));
}

/** Values that are not empty. */
export const countValues = ({ seen, empty }: Place): number => seen - empty;

/** Whether a place has values that are shown whole or not at all, but for long strings. */
export function isValue(place: Place): boolean {
  return place.samples.length > 0 || isPlainList(place);
}

/** Lists in the rows of a table that hold a few plain values each: tags, `[longitude, latitude]`, a candle. */
export function isPlainList(place: Place): boolean {
  const { tables, element, rows, records, isMap } = place;
  if (tables === 0 || element === undefined || records > 0 || isMap === true) return false;
  const isShortText = element.longest <= longestPlain;
  return (
    isShortText &&
    element.fields.size === 0 &&
    element.element === undefined &&
    rows <= countValues(place) * mostPlain
  );
}

/** Nothing for what is shown with its row, and for long strings, which are truncated. */
function findCost(place: Place): number {
  if (!["fact", "time", "same"].includes(place.kind)) return 0;
  return Math.log2(Math.max(1, countCharacters(place) / cheap));
}

/** The average cost of a value with its key. */
function countCharacters(place: Place): number {
  const { key, kind, element, characters, rows } = place;
  if (isShortTable(place)) return key.length + nested.rowCharacters * (rows / countValues(place));
  const inside = isPlainList(place) ? (element?.characters ?? 0) + rows : characters;
  return (
    key.length + 4 + Math.min(inside / Math.max(1, countValues(place)), kinds[kind].maxCharacters)
  );
}

/** Lists of one length beside each other are columns of one table: they end at the same index. */
function alignColumns({ fields }: Place): void {
  const columns = new Map<string, Place>();
  for (const list of fields.values()) {
    const { rows, seen, element } = list;
    if (
      element === undefined ||
      element.samples.length === 0 ||
      element.longest > kinds.fact.maxCharacters
    )
      continue;
    const first = columns.get(`${rows} ${seen}`) ?? list;
    columns.set(`${rows} ${seen}`, first);
    list.rank = first.rank;
    element.rank = first.element?.rank ?? element.rank;
  }
}

/** The plain values and lists of records, then of the records in them, and so on. */
function listLevels(records: readonly Place[]): Place[][] {
  const fields = records.flatMap((record) => [...record.fields.values()]);
  if (fields.length === 0) return [];
  const columns = fields.filter(
    ({ samples, element }) => samples.length > 0 || element !== undefined,
  );
  return [columns, ...listLevels(fields)];
}

/** Puts the fields of a row into groups by their rank, so that whole stretches of rows have the same fields. */
function groupFields(row: Place, words: WordFinder | undefined): void {
  const levels = listLevels([row]);
  const columns = levels.flat();
  const essentials = listEssentials(levels, row.records);
  for (const place of essentials) Object.assign(place, { isEssential: true, rank: 0 });
  for (const place of columns.filter(isSearched))
    Object.assign(place, { isEssential: true, rank: 0, words });
  const isHash = ({ samples }: Place): boolean => isMostly(samples, isOpaque);
  const hasHash = essentials.some(isHash);
  let left: number = row.tables > 1 ? 0 : useful.maxCharacters;
  for (const list of columns.filter(isShortTable)) list.rank = kinds.text.rank;
  for (const place of columns
    .filter(({ isEssential, copied }) => !isEssential && copied === undefined)
    .sort((a, b) => a.rank - b.rank)) {
    left -= (countCharacters(place) * countValues(place)) / row.records;
    // The cost of a list of records is not known by its key; the hash of a part of a row is rarely asked for beside that of the row.
    const isUseful =
      left >= 0 && place.rank <= useful.maxRank && isShort(place) && !(hasHash && isHash(place));
    if (place.rank > others.maxRank) place.rank = lastRank;
    else place.rank = isUseful ? useful.rank : findOtherRank(place);
  }
}

/** The rank of a field that is shown when the useful ones are. */
function findOtherRank(place: Place): number {
  if (place.kind === "prose") return proseRank;
  return isShort(place) ? others.rank : nested.rank;
}

/** A text by which a search may have found many of the rows. A copy of one has another kind. */
const isSearched = (place: Place): boolean =>
  isText(place) && place.found > 0 && place.found * leastFound >= countValues(place);

/** A value, or a list of plain rows, which is shown from its beginning, or of a few records. */
const isShort = (place: Place): boolean =>
  isValue(place) ||
  (place.element !== undefined && isPlainList(place.element)) ||
  isShortTable(place);

/** A list in rows that has a few records with names in each, such as labels. */
const isShortTable = ({ element, rows, seen, empty }: Place): boolean =>
  element !== undefined &&
  rows <= (seen - empty) * nested.fewRows &&
  [...element.fields.values()].some((field) => field.kind === "identity" && isHumanName(field));

/** Members that identify a row, name it for a person, or refer to others: each from the outermost records that have it. */
function listEssentials(levels: readonly Place[][], records: number): Place[] {
  const plain = levels.map((level) => level.filter(({ element }) => element === undefined));
  const common = plain.map((level) => level.filter((place) => countValues(place) * 2 >= records));
  const identities = common.slice(0, reach).map(findIdentities);
  const names = common.slice(0, reach).map(findNames);
  const depth = identities.findIndex(({ length }) => length > 0);
  const references = plain.slice(0, depth < 0 ? reach : depth + 1).flat();
  return [
    ...(identities[depth] ?? []),
    ...(names.find(({ length }) => length > 0) ?? []),
    ...references.filter(({ kind }) => kind === "reference"),
  ];
}

/** The known names; without one, or with a hash only, a field by evidence. */
function findIdentities(level: readonly Place[]): Place[] {
  const known = level.filter(({ kind }) => kind === "identity");
  if (known.length === 0) return findUnique(level);
  if (known.some(({ samples }) => !isMostly(samples, isOpaque))) return known;
  return [...known, ...findUnique(level.filter(({ kind }) => kind === "fact" || kind === "text"))];
}

/** The row's name for a person: its names, or the words of a message without one. */
function findNames(level: readonly Place[]): Place[] {
  const names = level.filter((place) => place.kind === "identity" && isHumanName(place));
  const words = level.find(
    ({ key, samples, copied }) =>
      copied === undefined &&
      headlineName.test(key) &&
      isMostly(samples, (text) => /\s/.test(text)),
  );
  return words === undefined || names.some(({ parent }) => parent === words.parent)
    ? names
    : [words];
}

/** The short field in which all rows differ that looks most like an identifier. */
function findUnique(fields: readonly Place[]): Place[] {
  const weigh = ({ key, rank, types }: Place): number =>
    (identifierName.test(simplify(key)) ? -1 : rank) + (types.has("number") ? 10 : 0);
  const isUnique = ({ kind, longest, distinct, seen, empty }: Place): boolean =>
    seen >= 3 &&
    empty === 0 &&
    longest <= kinds[kind].maxCharacters &&
    Math.max(...distinct.values()) === 1;
  return fields
    .filter(isUnique)
    .sort((a, b) => weigh(a) - weigh(b))
    .slice(0, 1);
}
