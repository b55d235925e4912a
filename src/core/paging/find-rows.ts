/** Knows which list of a document has its rows: a list of the answer's own, and not one inside of a single record. */

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listMembers,
} from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";

export interface Rows {
  /** The keys from the root of the document to the list; none when the document is the list. */
  readonly path: readonly string[];
  readonly items: readonly JsonValue[];
}

/** The rows at a path; one row alone (XML has no lists) is a list of one. */
export function rowsAt(document: JsonValue, path: readonly string[]): readonly JsonValue[] {
  return findRowsAt(document, path) ?? [];
}

/** Like `rowsAt`; undefined where the document does not have that path. */
export function findRowsAt(
  document: JsonValue,
  path: readonly string[],
): readonly JsonValue[] | undefined {
  const found = findAt(document, path);
  if (found === undefined || Array.isArray(found)) return found;
  return found === null ? [] : [found];
}

const rowNames: readonly string[] = [
  ..."data items results records rows value values entries entry list content hits documents docs".split(
    " ",
  ),
  ..."elements members member objects resources nodes edges children tables contents features".split(
    " ",
  ),
];
/** Names of lists that are beside the rows where there is another list. */
const sideNames =
  /^(?:links?|errors?|warnings?|messages?|included|includes|facets|aggregations|filters?|filtergroups|sort|sorts|columns|fields|contexts?)$/;

/** The list called like the path's last segment, then lists of records before others, usual names first, the longest first. */
export function rankLists(lists: readonly Rows[], requestPath: string): Rows[] {
  const rank = ({ path, items }: Rows): number => {
    const name = nameOf(path);
    // A list of plain values is a page only where nothing better is there.
    const kind = items.length === 0 || isJsonObject(items[0]) ? 0 : 100;
    if (isRequested(path, requestPath)) return kind;
    const isSide = sideNames.test(name) || nameOf(path.slice(0, -1)) === "links";
    if (isSide) return kind + 200;
    const usual = rowNames.indexOf(name);
    return kind + 1 + (usual < 0 ? rowNames.length : usual);
  };
  // Sorting is stable: of equals the shallower one stays first.
  return [...lists].sort(
    (one, other) => rank(one) - rank(other) || other.items.length - one.items.length,
  );
}

/** Last segments that say what is done with the list before them: `/transactions/get`. */
const verbs = /\/(?:get|list|search|query|find|scan)\/?$/i;

function isRequested(path: readonly string[], requestPath: string): boolean {
  const place = requestPath.slice(-100).replace(verbs, "");
  const segment = /([^/]{1,80}?)(?:\.\w{1,5})?\/?$/.exec(place)?.[1] ?? "";
  return nameOf(path) !== "" && nameOf(path) === normalizeKey(segment);
}

/** Whether two lists of records have the same name in objects beside each other: `tracks.items` and `albums.items`. */
function isSibling(rows: Rows, other: Rows): boolean {
  const [one, two] = [rows.path, other.path];
  if (one.length < 2 || one.length !== two.length || nameOf(one) !== nameOf(two)) return false;
  const isBeside = one.slice(0, -2).join("\n") === two.slice(0, -2).join("\n");
  const holders = [one, two].map((path) => nameOf(path.slice(0, -1)));
  return isBeside && isJsonObject(other.items[0]) && !holders.some((name) => sideNames.test(name));
}

export function findOtherList(
  [rows, ...others]: readonly Rows[],
  requestPath: string,
): Rows["path"] | undefined {
  if (rows !== undefined && !isRequested(rows.path.slice(0, -1), requestPath)) {
    const sibling = others.find((other) => isSibling(rows, other));
    if (sibling !== undefined) return sibling.path;
  }
  if (
    rows === undefined ||
    rowNames.includes(nameOf(rows.path)) ||
    isRequested(rows.path, requestPath)
  )
    return undefined;
  const holder = rows.path.slice(0, -1).join("\n");
  return others.find(
    ({ path, items }) =>
      path.slice(0, -1).join("\n") === holder &&
      isJsonObject(items[0]) &&
      !sideNames.test(nameOf(path)),
  )?.path;
}

function nameOf(path: readonly string[]): string {
  return normalizeKey(path.at(-1) ?? "");
}

export function isRecord(object: JsonObject): boolean {
  return Object.hasOwn(object, "id") || Object.hasOwn(object, "_id");
}

/** XML has no lists: one row alone is an object, known by the name of what is around it (`orders.order`, `feed.entry`, RSS' `channel.item`). */
export function isSingleRow(path: readonly string[], key: string): boolean {
  const [around, name] = [nameOf(path), normalizeKey(key)];
  const isPlural =
    [`${name}s`, `${name}es`, name.replace(/y$/, "ies")].includes(around) && around !== name;
  return name !== "" && (isPlural || /^(?:feed\.entry|channel\.item)$/.test(`${around}.${name}`));
}

/** As many records of a dictionary are compared. */
const maxCompared = 20;

/**
 * Whether an object has records by their ids: two or more objects that have most members in common. Connections (`nodes`, `items`) and links
 * are none.
 */
export function isDictionary(object: JsonObject): boolean {
  const values = listMembers(object, maxCompared).map(([, value]) => value);
  const [first, ...others] = values.filter(isJsonObject);
  if (first === undefined || others.length === 0 || others.length + 1 < values.length) return false;
  const members = Object.keys(first);
  if (members.length < 2 || members.some((name) => isListName(first, name))) return false;
  return others.every((other) => {
    const shared = members.filter((name) => Object.hasOwn(other, name));
    return 2 * shared.length > members.length;
  });
}

function isListName(object: JsonObject, name: string): boolean {
  const isList = Array.isArray(object[name]) && rowNames.includes(normalizeKey(name));
  return isList || name === "href";
}

/** Lists of plain values that are an answer's own, by the end of their names: `ids`, `tableNames`. */
const plainListName = /(?:ids?|keys|names|arns|urls|list)$/;

/**
 * Whether a list is the answer's own: no object around it has an id, and it has records, a usual name of a list, or the name that was
 * requested. The `tags` of a to-do are not.
 */
export function isOwn(
  document: JsonValue | undefined,
  { path, items }: Rows,
  requestPath: string,
): boolean {
  if (path.length === 0) return true;
  const around = path.map((_, depth) => findAt(document, path.slice(0, depth)));
  if (around.some((object) => isJsonObject(object) && isRecord(object))) return false;
  const name = nameOf(path);
  if (isJsonObject(items[0]) || rowNames.includes(name) || isRequested(path, requestPath))
    return true;
  return plainListName.test(name);
}

/** The value at a path; undefined where the document does not have it. */
export function findAt(
  document: JsonValue | undefined,
  path: readonly string[],
): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => {
    // A rule of the record may name a place in a list: `[meta, rows]`.
    if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? value[Number(name)] : undefined;
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, document);
}

/** The member names of a rule's `rows`; none for `@`, the document itself. */
export function readRowsPath(rows: string): readonly string[] {
  if (rows === "@") return [];
  return [...rows.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
}

const memberPath = /^(?:\w+|"[^"\\]+")(?:\.(?:\w+|"[^"\\]+"))*$/;

/**
 * Whether a document has the member that an expression names. False for any other expression: its null does not show whether it fits the
 * answer.
 */
export function hasMember(document: JsonValue, expression: string): boolean {
  return (
    memberPath.test(expression) && findRowsAt(document, readRowsPath(expression)) !== undefined
  );
}
