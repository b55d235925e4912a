/** Writes what of a document has a rank up to a threshold: the whole algorithm of a view, but for the search of the threshold. */

import { ExactNumber, isJsonContainer, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { clipAtGrapheme, clipMark } from "../text.js";
import { findField, isEmpty, isMapHere, mostDepth, type Place } from "./places.js";
import { emptyRank, kinds, nesting } from "./ranks.js";

/** What a view shows of a place. */
export interface Tally {
  /** Values in what is shown around them; of these, those shown whole; those clipped, and where the last of them was. */
  met: number;
  whole: number;
  clipped: number;
  clippedTo: number;
  /** Rows shown of its lists or maps. */
  rows: number;
}
export type Tallies = Map<Place, Tally>;

/** What is around a value: the rank that its own is added to, the rank of the row it belongs to, and how deep it stands. */
interface Around {
  readonly base: number;
  readonly row: number;
  readonly depth: number;
}

/** A clip that saves fewer characters isn't made. */
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
    const around = { base: 0, row: 0, depth: 0 };
    const inside = isJsonContainer(this.document)
      ? this.writeInside(this.document, this.root, around)
      : undefined;
    if (this.left < 0) return undefined;
    return inside ?? (Array.isArray(this.document) ? "[]" : "{}");
  }

  /** What is shown of a container; undefined when it is nothing. */
  private writeInside(value: JsonValue[] | JsonObject, place: Place, around: Around): string | undefined {
    if (around.depth > mostDepth) return undefined;
    if (Array.isArray(value)) return this.writeRows(value, place, around);
    const keys = Object.keys(value);
    if (isMapHere(place, value, keys)) return this.writeRows(value, place, around, keys);
    const members: string[] = [];
    for (const key of keys) {
      const base = around.base + lateness(key);
      const text = this.writeMember(value[key] ?? null, findField(place, key), { ...around, base });
      if (text !== undefined) members.push(this.spend(`${JSON.stringify(key)}:`) + text);
      if (this.left < 0) break;
    }
    return members.length === 0 ? undefined : `{${members.join(",")}}`;
  }

  private writeMember(value: JsonValue, place: Place, around: Around): string | undefined {
    const { base, row, depth } = around;
    if (isEmpty(value)) {
      const rank = place.isEssential && place.kind === "identity" ? row : base + emptyRank;
      return rank > this.threshold ? undefined : this.spend(JSON.stringify(value));
    }
    if (!isJsonContainer(value))
      return this.writeScalar(value, place, place.isEssential ? row : base + place.rank);
    // A wrapper such as `data` or `node`, in which a row has its identity, is the row.
    const inner = place.leadsToEssential ? base : base + nesting;
    const isShown = place.leadsToEssential || inner + place.floor <= this.threshold;
    const text = isShown ? this.writeInside(value, place, { base: inner, row, depth: depth + 1 }) : undefined;
    if (text === undefined) this.tally(place).met += 1;
    return text;
  }

  /** A prefix of a list or map: row after row, until one is beyond the threshold. */
  private writeRows(
    value: JsonValue[] | JsonObject,
    place: Place,
    around: Around,
    keys?: readonly string[],
  ): string | undefined {
    const { element } = place;
    if (element === undefined) return undefined;
    const rows: string[] = [];
    const count = keys?.length ?? (value as JsonValue[]).length;
    for (let index = 0; index < count && this.left >= 0; index += 1) {
      const key = keys?.[index] ?? "";
      const item = (Array.isArray(value) ? value[index] : value[key]) ?? null;
      const base = around.base + Math.log2(1 + index / 4) + lateness(key);
      const text = this.writeRow(item, element, { ...around, base, row: base + element.floor });
      if (text === undefined) break;
      rows.push(keys === undefined ? text : this.spend(`${JSON.stringify(key)}:`) + text);
    }
    this.tally(place).rows += rows.length;
    if (rows.length === 0) return undefined;
    return keys === undefined ? `[${rows.join(",")}]` : `{${rows.join(",")}}`;
  }

  private writeRow(item: JsonValue, element: Place, around: Around): string | undefined {
    if (around.row > this.threshold) return undefined;
    if (isEmpty(item)) return this.spend(JSON.stringify(item));
    if (!isJsonContainer(item)) return this.writeScalar(item, element, around.row);
    const inner = around.base + (Array.isArray(item) ? nesting : 0);
    const inside = this.writeInside(item, element, { ...around, base: inner, depth: around.depth + 1 });
    return inside ?? this.spend(Array.isArray(item) ? "[]" : "{}");
  }

  private writeScalar(value: JsonValue, place: Place, rank: number): string | undefined {
    const tally = this.tally(place);
    tally.met += 1;
    if (rank > this.threshold) return undefined;
    const room = kinds[place.kind].room * 2 ** (this.threshold - rank);
    const text = typeof value === "string" ? value : String(value);
    if (text.length < room + leastSaved) {
      tally.whole += 1;
      return this.spend(value instanceof ExactNumber ? text : JSON.stringify(value));
    }
    if (typeof value !== "string" || !isReadable(text)) return undefined;
    const clipped = clipAtWord(text, room);
    tally.clipped += 1;
    tally.clippedTo = clipped.length;
    return this.spend(JSON.stringify(clipped + clipMark));
  }

  private tally(place: Place): Tally {
    const tally = this.tallies.get(place) ?? { met: 0, whole: 0, clipped: 0, clippedTo: 0, rows: 0 };
    this.tallies.set(place, tally);
    return tally;
  }

  private spend(text: string): string {
    this.left -= text.length + 1;
    return text;
  }
}

function lateness(key: string): number {
  return key.length <= longKey ? 0 : 2 * Math.log2(key.length / longKey);
}

/** Only what is read as words may be clipped: half an id, a cursor or a URL is worth nothing, and looks whole. */
function isReadable(text: string): boolean {
  const head = text.slice(0, 400);
  return /\s/.test(head) || (/[^\0-\x7f]/.test(head) && !/^[a-z][a-z0-9+.-]*:/i.test(head));
}

/** The longest beginning of at most so many characters that ends with a word, where one ends near. */
function clipAtWord(text: string, length: number): string {
  const clipped = clipAtGrapheme(text, length);
  const end = Math.max(clipped.lastIndexOf(" "), clipped.lastIndexOf("\n"));
  return end >= length * 0.7 ? clipped.slice(0, end) : clipped;
}
