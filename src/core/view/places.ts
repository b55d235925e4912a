/** The fields of a document, found from a sample: a tree of places, where all rows of a list, or values of a map, share one. */

import {
  ExactNumber,
  isJsonContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import { writeKey } from "../query/find-in-document.js";
import type { WordFinder } from "./searched-words.js";

/** The path of the whole body. */
export const wholePath = "@";

export type Container = JsonValue[] | JsonObject;

/** The kinds of plain values of a place, the most useful first. */
export type Kind =
  | "identity"
  | "reference"
  | "fact"
  | "time"
  | "text"
  | "prose"
  | "same"
  | "link"
  | "blob";

/** All values at one path. */
export class Place {
  /** JMESPath; `orders[].id` for the ids of all rows. */
  readonly path: string = wholePath;
  /** In how many containers it is, and how many of them are lists or maps: in a row of one its values can be compared. */
  readonly depth: number = 0;
  readonly tables: number = 0;
  /** The key and a colon, as JSON. */
  readonly label: string;
  /** Values of the sample, and those of them that are null, `""`, `[]` or `{}`. */
  seen = 0;
  empty = 0;
  readonly types: Set<string> = new Set();
  /** How often each of the first different values occurs; long ones are compared by their ends and length. */
  readonly distinct: Map<string, number> = new Map();
  /** The first plain values, long ones by their beginning. */
  readonly samples: string[] = [];
  characters = 0;
  longest = 0;
  /** How many values have a word of the request. */
  found = 0;
  /** Objects that are not maps, and their fields. */
  records = 0;
  readonly fields: Map<string, Place> = new Map();
  /** The rows of a list or map, how many there are, and whether some are not in the sample. */
  element: Place | undefined;
  rows = 0;
  isPart = false;
  isMap: boolean | undefined;
  // Filled in by `resolveRanks`.
  kind: Kind = "fact";
  /** The rank that its values add to that of the row around them. */
  rank = 0;
  /** Whether it identifies a row, or is what the row refers to: it is shown as soon as the row is. */
  isEssential = false;
  /** Set where many texts have a word of the request: they are shown to its end. */
  words: WordFinder | undefined;
  /** The text beside it that begins with the same words, such as `body` of `body_html`. */
  copied: Place | undefined;
  /** The rank of the first value in it that most rows have. */
  minimumRank = 0;

  /** @param step - What the path has after that of `parent`: `.id`, `[]`, `.*`. */
  constructor(
    readonly parent?: Place,
    readonly key: string = "",
    step: string = "",
    isRow: boolean = false,
  ) {
    this.label = `${JSON.stringify(key)}:`;
    if (parent === undefined) return;
    this.path = parent.path === wholePath ? step.replace(/^\./, "") : parent.path + step;
    this.depth = parent.depth + 1;
    this.tables = parent.tables + (isRow ? 1 : 0);
  }
}

/** Enough to read every row of most pages; beyond it the cost of a view does not grow with its body. */
const mostValues = 40_000;
/** Rows looked at of a list, of a list in its rows, and further in. */
const mostRows = [400, 40, 12] as const;
/** Containers further in are neither looked at nor shown. */
export const mostDepth = 40;
/** An object with more keys is a map. */
const mostFields = 200;
const longestKey = 200;
const mostDistinct = 33;
const mostSamples = 60;
const longestSample = 160;
const longestDistinct = 200;

/**
 * Takes a document of any size and depth. Returns its root's place.
 *
 * @param words - Finds the words of the request.
 */
export function readPlaces(document: JsonValue, words?: WordFinder): Place {
  const root = new Place();
  const open: [Container, Place][] = [];
  let read = 0;
  const take = (value: JsonValue, place: Place): void => {
    read += 1;
    if (readValue(place, value, words) && place.depth < mostDepth) open.push([value, place]);
  };
  take(document, root);
  // Level by level: the first rows and fields are read before what is deep inside one of them.
  for (const [value, place] of open) {
    if (read < mostValues) readInside(value, place, take);
    else root.isPart = true;
  }
  return root;
}

type Take = (value: JsonValue, place: Place) => void;

function readInside(value: Container, place: Place, take: Take): void {
  if (Array.isArray(value)) {
    readRows(value, undefined, place, take);
    return;
  }
  const keys = listKeys(value);
  if (isMapHere(place, value, keys)) {
    readRows(value, keys, place, take);
    return;
  }
  place.records += 1;
  for (const key of keys) take(value[key] ?? null, findField(place, key));
}

/** @param keys - Those of a map; undefined for a list. */
function readRows(
  value: Container,
  keys: readonly string[] | undefined,
  place: Place,
  take: Take,
): void {
  const length = countRows(value, keys);
  const most = mostRows[Math.min(place.tables, mostRows.length - 1)] ?? 0;
  place.rows += length;
  place.isPart ||= length > most;
  place.element ??= new Place(place, "", keys === undefined ? "[]" : ".*", true);
  // All of them, or the first half of `most` and the rest spread evenly.
  const first = length <= most ? length : Math.floor(most / 2);
  const step = (length - first) / Math.max(1, most - first);
  for (let index = 0; index < Math.min(length, most); index += 1) {
    const at = index < first ? index : first + Math.floor((index - first) * step);
    take(readRow(value, keys, at), place.element);
  }
}

/** How many elements a list has, or a map with these keys. */
export function countRows(value: Container, keys: readonly string[] | undefined): number {
  return Array.isArray(value) ? value.length : (keys?.length ?? 0);
}

/** An element of a list, or a value of a map with these keys. */
export function readRow(
  value: Container,
  keys: readonly string[] | undefined,
  index: number,
): JsonValue {
  const row = Array.isArray(value) ? value[index] : value[keys?.[index] ?? ""];
  return row ?? null;
}

/** The place of a field; very long keys, and those beyond the first `mostFields`, share one without a key. */
export function findField(place: Place, key: string): Place {
  const found = place.fields.get(key);
  if (found !== undefined) return found;
  const name = place.fields.size < mostFields && key.length <= longestKey ? key : "";
  const field = place.fields.get(name) ?? new Place(place, name, `.${writeKey(name)}`);
  place.fields.set(name, field);
  return field;
}

/** Adds a value to its place; true when it is a container that is not empty. */
function readValue(
  place: Place,
  value: JsonValue,
  words: WordFinder | undefined,
): value is Container {
  place.seen += 1;
  if (isEmpty(value)) {
    place.empty += 1;
    return false;
  }
  if (isJsonContainer(value)) return true;
  const text = String(value);
  place.types.add(value instanceof ExactNumber ? "number" : typeof value);
  place.characters += text.length;
  place.longest = Math.max(place.longest, text.length);
  if (words !== undefined && words.findEnd(text) >= 0) place.found += 1;
  const short =
    text.length <= longestDistinct
      ? text
      : `${text.length}…${text.slice(0, 100)}…${text.slice(-30)}`;
  const count = place.distinct.get(short) ?? 0;
  if (count > 0 || place.distinct.size < mostDistinct) place.distinct.set(short, count + 1);
  if (place.samples.length < mostSamples) place.samples.push(text.slice(0, longestSample));
  return false;
}

/** Nothing to look up in it: null, `""`, `[]`, `{}`. */
export function isEmpty(value: JsonValue): boolean {
  if (!isJsonContainer(value)) return value === null || value === "";
  return (Array.isArray(value) ? value : listKeys(value)).length === 0;
}

/** Whether the objects of a place are maps, whose keys are data: the first one decides for all. */
export function isMapHere(place: Place, value: JsonObject, keys: readonly string[]): boolean {
  place.isMap ??= keys.length > mostFields || (keys.length >= 5 && isMapOfLikes(value, keys));
  return place.isMap;
}

/** Records with mostly the same keys, forty records of any kind, or twenty scalars of one type. */
function isMapOfLikes(value: JsonObject, keys: readonly string[]): boolean {
  const all = keys.map((key) => value[key] ?? null);
  const some = all.slice(0, 30);
  // A wide row may begin with many values of one type: figures of each year before the names.
  const types = new Set(all.map((item) => (isJsonObject(item) ? "record" : typeof item)));
  if (types.size !== 1) return false;
  if (!types.has("record"))
    return keys.length >= 20 && !keys.some((key) => /^(?:id|name|title)$|_id$/i.test(key));
  const counts = new Map<string, number>();
  for (const key of some.flatMap((record) =>
    isJsonObject(record) ? listKeys(record).slice(0, mostFields) : [],
  ))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count >= some.length * 0.6);
  return keys.length >= 40 || common.length * 2 >= Math.max(1, counts.size);
}
