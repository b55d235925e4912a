/** Writes all of a document that has a rank up to a threshold; the caller searches the threshold. */

import { ExactNumber, isJsonContainer, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { clipAtGrapheme, clipMark } from "../text.js";
import { kinds } from "./kinds.js";
import { findField, isEmpty, isMapHere, mostDepth, type Place } from "./places.js";
import { emptyRank, isPlainList, mostPlain } from "./ranks.js";

/** What a view shows of a place. */
export interface Tally {
  /** Values in what is shown around them; of these, those shown whole; those truncated, and where the last of them was. */
  visited: number;
  whole: number;
  truncated: number;
  truncatedTo: number;
  /** Rows shown of its lists or maps, and all rows of those. */
  rows: number;
  visitedRows: number;
}
export type Tallies = Map<Place, Tally>;

/** A string is not truncated for fewer characters. */
const leastSaved = 20;
/** A longer key comes later, as a long value does. */
const longKey = 80;

/** Writes one document for any threshold. */
export class ViewWriter {
  /** What the last view shows. */
  tallies: Tallies = new Map();
  private threshold = 0;
  private left = 0;

  constructor(
    private readonly document: JsonValue,
    private readonly root: Place,
  ) {}

  /** The view as compact JSON; undefined when it has more than about `maxCharacters`. */
  write(threshold: number, maxCharacters: number): string | undefined {
    this.tallies = new Map();
    this.threshold = threshold;
    this.left = maxCharacters;
    const inside = isJsonContainer(this.document)
      ? this.writeInside(this.document, this.root, 0, 0)
      : undefined;
    if (this.left < 0) return undefined;
    return inside ?? (Array.isArray(this.document) ? "[]" : "{}");
  }

  /** What is shown of a container in a row of rank `row`; undefined when it is nothing. */
  private writeInside(
    value: JsonValue[] | JsonObject,
    place: Place,
    row: number,
    depth: number,
  ): string | undefined {
    if (depth > mostDepth) return undefined;
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    if (keys === undefined || isMapHere(place, value as JsonObject, keys))
      return this.writeRows(value, place, row, depth, keys);
    const members: string[] = [];
    for (const key of keys) {
      const [item, field] = [(value as JsonObject)[key] ?? null, findField(place, key)];
      const text = this.writeMember(item, field, row + findLateness(key), depth);
      if (text !== undefined) members.push(this.spend(`${JSON.stringify(key)}:`) + text);
      if (this.left < 0) break;
    }
    return members.length === 0 ? undefined : `{${members.join(",")}}`;
  }

  private writeMember(value: JsonValue, place: Place, row: number, depth: number): string | undefined {
    if (isEmpty(value)) {
      const rank = place.isEssential && place.kind === "identity" ? row : row + emptyRank;
      return rank <= this.threshold ? this.spend(JSON.stringify(value)) : undefined;
    }
    if (!isJsonContainer(value) || isPlainRow(value, place))
      return this.writePlain(value, place, row + place.rank);
    const text = this.writeInside(value, place, row, depth + 1);
    if (text === undefined) this.tally(place).visited += 1;
    return text;
  }

  /** A beginning of a list or map: row after row, until one is beyond the threshold. */
  private writeRows(
    value: JsonValue[] | JsonObject,
    place: Place,
    around: number,
    depth: number,
    keys?: readonly string[],
  ): string | undefined {
    const { element } = place;
    if (element === undefined) return undefined;
    const rows: string[] = [];
    const count = keys?.length ?? (value as JsonValue[]).length;
    for (let index = 0; index < count && this.left >= 0; index += 1) {
      const key = keys?.[index] ?? "";
      const item = (value as JsonObject)[keys === undefined ? index : key] ?? null;
      const row = around + place.rank + Math.log2(1 + index / 4) + findLateness(key);
      if (row + element.minimumRank > this.threshold) break;
      const text = isEmpty(item) ? JSON.stringify(item) : this.writeMember(item, element, row, depth);
      if (text === undefined && !isJsonContainer(item)) break;
      const name = keys === undefined ? "" : `${JSON.stringify(key)}:`;
      rows.push(this.spend(name) + (text ?? (Array.isArray(item) ? "[]" : "{}")));
    }
    this.tally(place).rows += rows.length;
    this.tally(place).visitedRows += count;
    if (rows.length === 0) return undefined;
    return keys === undefined ? `[${rows.join(",")}]` : `{${rows.join(",")}}`;
  }

  /** A string may be truncated; a few plain values in a list are shown together or not at all. */
  private writePlain(value: JsonValue, place: Place, rank: number): string | undefined {
    const tally = this.tally(place);
    tally.visited += 1;
    if (rank > this.threshold) return undefined;
    const { maxCharacters, rank: ordinary } = kinds[place.kind];
    const above = this.threshold - rank - (place.isEssential ? ordinary : 0);
    const most = maxCharacters * 2 ** Math.max(0, above);
    const text = Array.isArray(value) ? "" : String(value);
    if (text.length < most + leastSaved) {
      tally.whole += 1;
      return this.spend(writeScalar(value));
    }
    if (typeof value !== "string" || !isReadable(text)) return undefined;
    const truncated = truncateAtWord(text, most);
    tally.truncated += 1;
    tally.truncatedTo = truncated.length;
    return this.spend(JSON.stringify(truncated + clipMark));
  }

  private tally(place: Place): Tally {
    let tally = this.tallies.get(place);
    if (tally === undefined) {
      tally = { visited: 0, whole: 0, truncated: 0, truncatedTo: 0, rows: 0, visitedRows: 0 };
      this.tallies.set(place, tally);
    }
    return tally;
  }

  private spend(text: string): string {
    this.left -= text.length + 1;
    return text;
  }
}

function writeScalar(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(writeScalar).join(",")}]`;
  return value instanceof ExactNumber ? String(value) : JSON.stringify(value);
}

function isPlainRow(value: JsonValue[] | JsonObject, place: Place): value is JsonValue[] {
  return (
    Array.isArray(value) &&
    value.length <= mostPlain &&
    isPlainList(place) &&
    !value.some((item) => isJsonContainer(item))
  );
}

function findLateness(key: string): number {
  return key.length <= longKey ? 0 : 2 * Math.log2(key.length / longKey);
}

/** Only words may be truncated: half an id, a cursor or a URL is worthless, and looks whole. */
function isReadable(text: string): boolean {
  const head = text.slice(0, 400);
  return /\s/.test(head) || (/[^\0-\x7f]/.test(head) && !/^[a-z][a-z0-9+.-]*:/i.test(head));
}

/** The longest beginning of at most so many characters that ends with a word, where one ends near. */
function truncateAtWord(text: string, length: number): string {
  const truncated = clipAtGrapheme(text, length);
  const end = Math.max(truncated.lastIndexOf(" "), truncated.lastIndexOf("\n"));
  return end >= length * 0.7 ? truncated.slice(0, end) : truncated;
}
