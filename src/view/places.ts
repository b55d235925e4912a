/** The fields of a document, found from a sample: a tree of places, where all rows of a list, or values of a map, share one. */

import {
  ExactNumber,
  isJsonContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../json/exact-number.js";
import { writeKey } from "../query/find-in-document.js";

/** The path of the whole body. */
export const wholePath = "@";

/** What the plain values of a place are, the most useful first. */
export type Kind = "identity" | "reference" | "fact" | "time" | "text" | "prose" | "same" | "link" | "blob";

/** All values at one path. */
export interface Place {
  /** JMESPath; `orders[].id` for the ids of all rows. */
  readonly path: string;
  readonly key: string;
  readonly parent: Place | undefined;
  /** Whether it is in a row of some list or map: its values can be compared. */
  readonly isInTable: boolean;
  /** Values of the sample, and those of them that are null, `""`, `[]` or `{}`. */
  seen: number;
  empty: number;
  readonly types: Set<string>;
  /** How often each of the first different values occurs; long ones are compared by their ends and length. */
  readonly distinct: Map<string, number>;
  /** The first plain values, long ones by their beginning. */
  readonly samples: string[];
  characters: number;
  longest: number;
  /** Objects that are not maps, and their fields. */
  records: number;
  readonly fields: Map<string, Place>;
  /** Of lists and maps: their rows, how many there are, and whether some are not in the sample. */
  element: Place | undefined;
  rows: number;
  isPart: boolean;
  isMap: boolean | undefined;
  // Filled in by `resolveRanks`.
  kind: Kind;
  /** What its values add to the rank of the row around them. */
  rank: number;
  /** What identifies a row, and what it refers to: shown as soon as the row is. */
  isEssential: boolean;
  /** The rank of the first value in it that most rows have. */
  minimumRank: number;
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
const longestDistinct = 200;

interface Open {
  readonly value: JsonValue;
  readonly place: Place;
  readonly depth: number;
  /** In how many lists or maps it is. */
  readonly tables: number;
}

/** Takes a document of any size and depth. Returns its root's place. */
export function readPlaces(document: JsonValue): Place {
  const root = createPlace(undefined, "", wholePath, false);
  const open: Open[] = [];
  let read = 0;
  const take = (item: Open): void => {
    read += 1;
    if (readValue(item.place, item.value) && item.depth < mostDepth) open.push(item);
  };
  take({ value: document, place: root, depth: 0, tables: 0 });
  // Level by level: the first rows and fields are read before what is deep inside one of them.
  for (const at of open) {
    if (read >= mostValues) root.isPart = true;
    else takeInside(at, take);
  }
  return root;
}

// Literals, not spreads: they run once for every value of the sample.
function takeInside({ value, place, depth, tables }: Open, take: (item: Open) => void): void {
  const keys = Array.isArray(value) ? undefined : Object.keys(value ?? {});
  const itemAt = (key: string | number): JsonValue => (value as JsonObject)[key] ?? null;
  if (keys !== undefined && !isMapHere(place, value as JsonObject, keys)) {
    place.records += 1;
    for (const key of keys)
      take({ value: itemAt(key), place: findField(place, key), depth: depth + 1, tables });
    return;
  }
  const length = keys?.length ?? (value as JsonValue[]).length;
  const most = mostRows[Math.min(tables, mostRows.length - 1)] ?? 0;
  place.rows += length;
  place.isPart ||= length > most;
  place.element ??= createPlace(place, "", nameRows(place.path, keys !== undefined), true);
  for (const index of pickIndexes(length, most))
    take({
      value: itemAt(keys?.[index] ?? index),
      place: place.element,
      depth: depth + 1,
      tables: tables + 1,
    });
}

/** All of them, or the first half of `most` and the rest spread evenly. */
function pickIndexes(length: number, most: number): number[] {
  const first = length <= most ? length : Math.floor(most / 2);
  const step = (length - first) / Math.max(1, most - first);
  return Array.from({ length: Math.min(length, most) }, (_, index) =>
    index < first ? index : first + Math.floor((index - first) * step),
  );
}

function createPlace(parent: Place | undefined, key: string, path: string, isInTable: boolean): Place {
  const counts = { seen: 0, empty: 0, characters: 0, longest: 0, records: 0, rows: 0 };
  const values = { types: new Set<string>(), distinct: new Map<string, number>(), samples: [] };
  const inside = { fields: new Map<string, Place>(), element: undefined, isPart: false, isMap: undefined };
  const rank = { kind: "fact", rank: 0, isEssential: false, minimumRank: 0 } as const;
  return { parent, key, path, isInTable, ...counts, ...values, ...inside, ...rank };
}

/** The place of a field; very long keys, and those beyond the first `mostFields`, share one without a key. */
export function findField(place: Place, key: string): Place {
  const found = place.fields.get(key);
  if (found !== undefined) return found;
  const name = place.fields.size < mostFields && key.length <= longestKey ? key : "";
  const field =
    place.fields.get(name) ?? createPlace(place, name, nameField(place.path, name), place.isInTable);
  place.fields.set(name, field);
  return field;
}

/** Adds a value to its place; true when it is a container that is not empty. */
function readValue(place: Place, value: JsonValue): boolean {
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
  const short =
    text.length <= longestDistinct ? text : `${text.length}…${text.slice(0, 100)}…${text.slice(-30)}`;
  if (place.distinct.has(short) || place.distinct.size < mostDistinct)
    place.distinct.set(short, (place.distinct.get(short) ?? 0) + 1);
  if (place.samples.length < mostSamples) place.samples.push(text.slice(0, 160));
  return false;
}

/** Nothing to look up in it: null, `""`, `[]`, `{}`. */
export function isEmpty(value: JsonValue): boolean {
  if (!isJsonContainer(value)) return value === null || value === "";
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

/** Whether the objects of a place are maps, whose keys are data: the first one decides for all. */
export function isMapHere(place: Place, value: JsonObject, keys: readonly string[]): boolean {
  place.isMap ??= keys.length > mostFields || (keys.length >= 5 && isMapOfLikes(value, keys));
  return place.isMap;
}

/** Records with mostly the same keys, forty records of any kind, or twenty scalars of one type. */
function isMapOfLikes(value: JsonObject, keys: readonly string[]): boolean {
  const some = keys.slice(0, 30).map((key) => value[key] ?? null);
  const types = new Set(some.map((item) => (isJsonObject(item) ? "record" : typeof item)));
  if (types.size !== 1) return false;
  if (!types.has("record"))
    return keys.length >= 20 && !keys.some((key) => /^(?:id|name|title)$|_id$/i.test(key));
  const counts = new Map<string, number>();
  for (const key of some.flatMap((record) => Object.keys(record ?? {}).slice(0, mostFields)))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count >= some.length * 0.6);
  return keys.length >= 40 || common.length * 2 >= Math.max(1, counts.size);
}

export function nameField(path: string, key: string): string {
  return path === wholePath ? writeKey(key) : `${path}.${writeKey(key)}`;
}

/** The rows of a list, or the values of a map. */
function nameRows(path: string, isMap: boolean): string {
  if (path === wholePath) return isMap ? "*" : "[]";
  return `${path}${isMap ? ".*" : "[]"}`;
}
