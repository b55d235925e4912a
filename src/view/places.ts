/** What a document is made of, told from a sample: a tree of places, where all rows of a list, or values of a map, share one. */

import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { nameField, nameRows, wholePath } from "./name-path.js";

/** All values that stand at one path. */
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
  readonly types: Map<string, number>;
  /** How often each of the first different short values occurs; a longer one counts as another by its length. */
  readonly distinct: Map<string, number>;
  /** The first scalars, long ones by their beginning. */
  readonly samples: string[];
  characters: number;
  longest: number;
  records: number;
  readonly fields: Map<string, Place>;
  /** Set where lists or maps stand: all of their rows. */
  element?: Place;
  /** How many rows those of the sample have. */
  rows: number;
  isMap?: boolean;
  /** Whether some of the rows here were not looked at. */
  isPart: boolean;
}

/** Enough to see every row of most pages; the cost of a view does not grow with its body beyond it. */
const mostValues = 40_000;
/** Rows looked at of a list, of a list in its rows, and further in. */
const mostRows = [400, 40, 12] as const;
/** Containers further in are neither looked at nor shown. */
export const mostDepth = 40;
/** An object with more keys is a map. */
const mostFields = 200;
const longestName = 200;
const mostDistinct = 33;
const mostSamples = 60;
const sampledCharacters = 160;

interface Open {
  readonly value: JsonValue[] | JsonObject;
  readonly place: Place;
  readonly depth: number;
  /** In how many lists or maps it stands. */
  readonly tables: number;
}

/** Takes a document of any size and depth. Returns its root's place. */
export function readPlaces(document: JsonValue): Place {
  const root = createPlace(undefined, "", wholePath, false);
  const open: Open[] = [];
  let left = mostValues;
  const take = (value: JsonValue, place: Place, depth: number, tables: number): void => {
    left -= 1;
    if (readValue(place, value) && depth < mostDepth) open.push({ value, place, depth, tables });
  };
  take(document, root, 0, 0);
  // Level by level: the first rows and fields are seen before what is deep inside one of them.
  for (let next = 0; next < open.length; next += 1) {
    const at = open[next];
    if (at === undefined || left <= 0) {
      root.isPart = true;
      break;
    }
    enter(at, take);
  }
  return root;
}

function enter(
  { value, place, depth, tables }: Open,
  take: (value: JsonValue, place: Place, depth: number, tables: number) => void,
): void {
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  if (keys !== undefined && !isMapHere(place, value as JsonObject, keys)) {
    place.records += 1;
    for (const key of keys)
      take((value as JsonObject)[key] ?? null, findField(place, key), depth + 1, tables);
    return;
  }
  const rows = keys ?? (value as JsonValue[]);
  place.rows += rows.length;
  place.element ??= createPlace(place, "", nameRows(place.path, place.isMap === true), true);
  const most = mostRows[Math.min(tables, mostRows.length - 1)] ?? 0;
  if (rows.length > most) place.isPart = true;
  for (const index of pickIndexes(rows.length, most)) {
    const item =
      keys === undefined ? (value as JsonValue[])[index] : (value as JsonObject)[keys[index] ?? ""];
    take(item ?? null, place.element, depth + 1, tables + 1);
  }
}

/** The first half of them, and the rest spread evenly. */
function pickIndexes(length: number, most: number): number[] {
  const count = Math.min(length, most);
  const first = length <= most ? count : Math.floor(most / 2);
  const step = (length - first) / Math.max(1, count - first);
  return Array.from({ length: count }, (_, index) =>
    index < first ? index : first + Math.floor((index - first) * step),
  );
}

function createPlace(parent: Place | undefined, key: string, path: string, isInTable: boolean): Place {
  return {
    ...{
      path,
      key,
      parent,
      isInTable,
      seen: 0,
      empty: 0,
      types: new Map(),
      distinct: new Map(),
      samples: [],
    },
    ...{ characters: 0, longest: 0, records: 0, fields: new Map(), rows: 0, isPart: false },
  };
}

/** The place of a field; of those beyond the most that are told apart, and of endless keys, one for all. */
export function findField(place: Place, key: string): Place {
  const found = place.fields.get(key);
  if (found !== undefined) return found;
  const name = place.fields.size < mostFields && key.length <= longestName ? key : "";
  const field =
    place.fields.get(name) ?? createPlace(place, name, nameField(place.path, name), place.isInTable);
  place.fields.set(name, field);
  return field;
}

/** Adds a value to its place; true when it is a container with something in it. */
function readValue(place: Place, value: JsonValue): value is JsonValue[] | JsonObject {
  place.seen += 1;
  if (isEmpty(value)) {
    place.empty += 1;
    return false;
  }
  const type = describeType(value);
  place.types.set(type, (place.types.get(type) ?? 0) + 1);
  if (type === "list" || type === "record") return true;
  const text = String(value);
  place.characters += text.length;
  place.longest = Math.max(place.longest, text.length);
  const short = text.length <= 60 ? text : `${text.slice(0, 50)}…${text.length}`;
  if (place.distinct.has(short) || place.distinct.size < mostDistinct)
    place.distinct.set(short, (place.distinct.get(short) ?? 0) + 1);
  if (place.samples.length < mostSamples) place.samples.push(text.slice(0, sampledCharacters));
  return false;
}

/** Nothing to look up in it: null, `""`, `[]`, `{}`. */
export function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}

export function describeType(value: JsonValue): string {
  if (Array.isArray(value)) return "list";
  if (value instanceof ExactNumber) return "number";
  return typeof value === "object" ? "record" : typeof value;
}

/** Whether the objects of a place are maps, whose keys are data: decided by the first, for all. */
export function isMapHere(place: Place, value: JsonObject, keys: readonly string[]): boolean {
  place.isMap ??= keys.length > mostFields || isMapOfLikes(keys, value);
  return place.isMap;
}

/** Five records or more with mostly the same keys, or twenty scalars of one type. */
function isMapOfLikes(keys: readonly string[], value: JsonObject): boolean {
  if (keys.length < 5) return false;
  const some = keys.slice(0, 30).map((key) => value[key] ?? null);
  const types = new Set(some.map(describeType));
  if (types.size !== 1) return false;
  if (!types.has("record"))
    return keys.length >= 20 && !keys.some((key) => /^(?:id|name|title)$|_id$/i.test(key));
  if (keys.length >= 40) return true;
  const counts = new Map<string, number>();
  let total = 0;
  for (const record of some) {
    for (const key of Object.keys(record ?? {}).slice(0, mostFields)) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
    }
  }
  const common = [...counts.values()].filter((count) => count >= some.length * 0.6);
  return common.length > 0 && common.reduce((sum, count) => sum + count, 0) >= total * 0.6;
}
