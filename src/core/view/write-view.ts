/** Writes all of a document that has a rank up to a threshold; the caller searches the threshold. */

import {
  isJsonContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import { clipAtCharacter, clipMark } from "../base/text.js";
import { isOpaque, kinds } from "./kinds.js";
import {
  type Container,
  countRows,
  findField,
  isEmpty,
  isMapHere,
  mostDepth,
  type Place,
  readRow,
} from "./places.js";
import { countValues, emptyRank, isPlainList, mostPlain } from "./ranks.js";

/** The part of a place that a view shows. */
export class Tally {
  /** Values in what is shown around them; of these, those shown whole; those truncated, and where the last of them was. */
  visited = 0;
  whole = 0;
  truncated = 0;
  truncatedTo = 0;
  /** Null, `""`, `[]` and `{}` that are not shown. */
  empty = 0;
  /** Rows shown of its lists or maps, and all rows of those. */
  rows = 0;
  visitedRows = 0;
  /** The most rows shown of one of them. */
  mostRows = 0;
  /** The outermost row that has the last value shown, from 0, and how many values were visited up to it. */
  lastRow = 0;
  visitedToLast = 0;
}
export type Tallies = Map<Place, Tally>;

/** A string is not truncated for fewer characters. */
const leastSaved = 20;
/** A longer key comes later, as a long value does. */
const longKey = 80;

/** How much more is shown of a text outside of rows. */
const singleText = 16;
/** How many characters follow a word of the request, and how far into a text one is shown. */
const behindWord = 20;
const mostToWord = 240;
/** Where at least one in so many rows has a value, the others show that they have none. */
const leastShare = 4;
type Shown = string | undefined;

/** A document as far as one threshold. */
export class View {
  /** Compact JSON; undefined when it has more than about `left` characters. */
  readonly text: string | undefined;
  /** The text that was written before there were more. */
  readonly part: string | undefined;
  readonly tallies: Tallies = new Map();
  private row = 0;

  constructor(
    document: JsonValue,
    root: Place,
    private readonly threshold: number,
    private left: number,
    /** Whether only what identifies a row, and what it refers to, is shown. */
    private readonly isEssentialAlone: boolean = false,
  ) {
    const inside = isJsonContainer(document) ? this.writeInside(document, root, 0) : undefined;
    this.part = inside;
    this.text = this.left < 0 ? undefined : (inside ?? writeEmpty(document));
  }

  /** The shown part of a container in a row of rank `around`: the first rows of a list or map, as far as the threshold. */
  private writeInside(value: Container, place: Place, around: number): Shown {
    if (place.depth > mostDepth) return undefined;
    if (Array.isArray(value)) return this.writeRows(value, undefined, place, around);
    const keys = listKeys(value);
    if (isMapHere(place, value, keys)) return this.writeRows(value, keys, place, around);
    return this.writeRecord(value, keys, place, around);
  }

  private writeRecord(
    value: JsonObject,
    keys: readonly string[],
    place: Place,
    around: number,
  ): Shown {
    const members: string[] = [];
    for (const key of keys) {
      if (this.left < 0) break;
      const field = findField(place, key);
      const text = this.writeField(value[key] ?? null, field, around + findLateness(key));
      if (text !== undefined) members.push(this.spend(writeLabel(key, field)) + text);
    }
    return members.length === 0 ? undefined : `{${members.join(",")}}`;
  }

  /** @param keys - Those of a map; undefined for a list. */
  private writeRows(
    value: Container,
    keys: readonly string[] | undefined,
    place: Place,
    around: number,
  ): Shown {
    const length = countRows(value, keys);
    const members: string[] = [];
    for (let index = 0; index < length && this.left >= 0; index += 1) {
      const key = keys?.[index] ?? "";
      if (place.tables === 0) this.row = index;
      const late = around + findLateness(key) + Math.log2(1 + index / 4);
      const text = this.writeRow(readRow(value, keys, index), place, late);
      if (text === undefined) break;
      members.push(keys === undefined ? text : this.spend(`${JSON.stringify(key)}:`) + text);
    }
    if (place.element !== undefined) {
      const tally = this.tally(place);
      tally.rows += members.length;
      tally.visitedRows += length;
      tally.mostRows = Math.max(tally.mostRows, members.length);
    }
    if (members.length === 0) return undefined;
    return keys === undefined ? `[${members.join(",")}]` : `{${members.join(",")}}`;
  }

  private writeField(value: JsonValue, place: Place, row: number): Shown {
    if (!isEmpty(value)) return this.writeValue(value, place, row);
    const isIdentity = place.isEssential && place.kind === "identity";
    // Beside the values of other rows, null and [] mean that this row has none.
    const isOptional = value !== "" && countValues(place) * leastShare >= place.seen;
    const own = isOptional ? place.minimumRank : emptyRank;
    const rank = isIdentity ? row : row + own;
    if (rank <= this.threshold) return this.spend(writeEmpty(value));
    this.tally(place).empty += 1;
    return undefined;
  }

  /** A record of which nothing is shown is shown empty: the rows after it keep their number. A list would look as if it were empty. */
  private writeRow(value: JsonValue, { element, rank }: Place, around: number): Shown {
    if (element === undefined || around + rank + element.minimumRank > this.threshold)
      return undefined;
    const text = isEmpty(value) ? undefined : this.writeValue(value, element, around + rank);
    return (
      text ?? (isEmpty(value) || isJsonObject(value) ? this.spend(writeEmpty(value)) : undefined)
    );
  }

  private writeValue(value: JsonValue, place: Place, row: number): Shown {
    if (!isJsonContainer(value) || isPlainRow(value, place))
      return this.writePlain(value, place, row + place.rank);
    const text = this.writeInside(value, place, row);
    if (text === undefined) this.tally(place).visited += 1;
    return text;
  }

  /** A string may be truncated; a few plain values in a list are shown together or not at all. */
  private writePlain(value: JsonValue, place: Place, rank: number): string | undefined {
    const tally = this.tally(place);
    tally.visited += 1;
    if (rank > this.threshold || (this.isEssentialAlone && !place.isEssential)) return undefined;
    const text = Array.isArray(value) ? "" : String(value);
    const most = this.findMostCharacters(text, place, rank);
    const isWhole = text.length < most + leastSaved;
    const isTruncated =
      !isWhole && typeof value === "string" && (isReadable(text) || isElement(place));
    if (!isWhole && !isTruncated) return undefined;
    tally.lastRow = this.row;
    tally.visitedToLast = tally.visited;
    if (isWhole) {
      tally.whole += 1;
      return this.spend(writeScalar(value));
    }
    const truncated = truncateAtWord(text, most);
    tally.truncated += 1;
    tally.truncatedTo = truncated.length;
    return this.spend(JSON.stringify(truncated + clipMark));
  }

  /** How many characters of a text are shown. Nearly all are short: for them the power and the search for words are not computed. */
  private findMostCharacters(text: string, place: Place, rank: number): number {
    const { maxCharacters, rank: ordinary } = kinds[place.kind];
    // The one text of a document, such as a README, is not a column of a table.
    const least = maxCharacters * (place.tables === 0 ? singleText : 1);
    if (text.length < least + leastSaved) return least;
    const above = this.threshold - rank - (place.isEssential ? ordinary : 0);
    const toWord = place.words === undefined ? 0 : place.words.findEnd(text) + behindWord;
    return Math.max(least * 2 ** Math.max(0, above), Math.min(toWord, mostToWord));
  }

  private tally(place: Place): Tally {
    const known = this.tallies.get(place);
    if (known !== undefined) return known;
    const tally = new Tally();
    this.tallies.set(place, tally);
    return tally;
  }

  private spend(text: string): string {
    this.left -= text.length + 1;
    return text;
  }
}

/** The shown form of an empty value, or of a container with nothing that is shown. */
function writeEmpty(value: JsonValue): string {
  if (Array.isArray(value)) return "[]";
  return isJsonObject(value) ? "{}" : JSON.stringify(value);
}

function writeScalar(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Array.isArray(value) ? `[${value.map(writeScalar).join(",")}]` : String(value);
}

/** The key of a field and a colon. Those of fields beyond the first share a place without a key. */
function writeLabel(key: string, field: Place): string {
  return field.key === key ? field.label : `${JSON.stringify(key)}:`;
}

function isPlainRow(value: Container, place: Place): value is JsonValue[] {
  return (
    Array.isArray(value) &&
    value.length <= mostPlain &&
    isPlainList(place) &&
    !value.some((item) => isJsonContainer(item))
  );
}

/** The beginnings of a list of texts are shown: else nothing of it would be. */
const isElement = (place: Place): boolean => place.parent?.element === place;

function findLateness(key: string): number {
  return key.length <= longKey ? 0 : 2 * Math.log2(key.length / longKey);
}

/** Only words may be truncated: half an id, a cursor or a URL is worthless, and looks whole. */
function isReadable(text: string): boolean {
  const head = text.slice(0, 400);
  if (isOpaque(head)) return false;
  return /\s/.test(head) || (/[^\0-\x7f]/.test(head) && !/^[a-z][a-z0-9+.-]*:/i.test(head));
}

/** The longest beginning of at most so many characters that ends with a word, where one ends near. */
function truncateAtWord(text: string, length: number): string {
  const truncated = clipAtCharacter(text, length);
  const end = Math.max(truncated.lastIndexOf(" "), truncated.lastIndexOf("\n"));
  return end >= length * 0.7 ? truncated.slice(0, end) : truncated;
}
