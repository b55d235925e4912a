/** Writes what a plan shows of a document, and counts what it leaves out on the way. */

import type { LiteralFinder } from "../json/find-literals.js";
import { isNumberLiteral, type JsonDocument, type JsonValue } from "../json-document.js";
import { clipAtGrapheme, clipMark } from "./clip-string.js";
import type { Plan } from "./plan.js";
import { printNumber, rootSpot, type Spot } from "./spot.js";
import { writeScalar } from "./write-whole.js";

/** What writing found at one place. */
export interface Tally {
  /** Arrays or map-like objects written here. */
  arrays: number;
  /** Elements they show, and have; and the most that one has. */
  shown: number;
  of: number;
  most: number;
  /** Strings that were clipped, and the longest of them; the characters shown and had by the last. */
  clipped: number;
  longest: number;
  clippedTo: number;
  clippedOf: number;
  /** Null or empty fields that were left out. */
  readonly emptied: Set<string>;
  /** Fields that no sample had. */
  readonly unseen: Set<string>;
  /** Fields behind the end of the view. */
  readonly behind: Set<string>;
}

export interface WrittenView {
  readonly text: string;
  readonly tallies: ReadonlyMap<Plan, Tally>;
}

interface Writer {
  readonly numberMark: string;
  /** Where numbers of a native tree are written as they were; its value's places go along with the values. */
  readonly literals: LiteralFinder | undefined;
  readonly tallies: Map<Plan, Tally>;
  left: number;
  /** Whether the view ends where nothing is left, rather than being given up. */
  readonly ends: boolean;
  /** Whether empty fields count as if they were written. */
  readonly countsEmpty: boolean;
}

/** Names kept of the fields left out at one place. */
const maxNames = 24;

/** Writes the view; undefined when it would be longer than `maxLength` characters. */
export function writeView(document: JsonDocument, plan: Plan, maxLength: number): WrittenView | undefined {
  const writer = createWriter(document, maxLength, false, false);
  const text = writeRoot(writer, document.value, plan);
  return writer.left < 0 ? undefined : { text, tallies: writer.tallies };
}

/**
 * Writes the view in the body's order until it is about `length` characters long, and closes what is open. With
 * `countsEmpty` it ends where the compact JSON of the body would.
 */
export function writeBeginning(
  document: JsonDocument,
  plan: Plan,
  length: number,
  countsEmpty = false,
): WrittenView {
  const writer = createWriter(document, length, true, countsEmpty);
  const text = writeRoot(writer, document.value, plan);
  return { text, tallies: writer.tallies };
}

function writeRoot(writer: Writer, value: JsonValue, plan: Plan): string {
  const spot = rootSpot();
  return write(writer, value, spot, plan) ?? writePlaceholder(writer, value, spot);
}

function createWriter(
  { numberMark, native }: JsonDocument,
  left: number,
  ends: boolean,
  countsEmpty: boolean,
): Writer {
  return { numberMark, literals: native?.literals, tallies: new Map(), left, ends, countsEmpty };
}

function tallyOf(writer: Writer, plan: Plan): Tally {
  let tally = writer.tallies.get(plan);
  if (tally === undefined) {
    tally = {
      arrays: 0,
      shown: 0,
      of: 0,
      most: 0,
      clipped: 0,
      longest: 0,
      clippedTo: 0,
      clippedOf: 0,
      emptied: new Set(),
      unseen: new Set(),
      behind: new Set(),
    };
    writer.tallies.set(plan, tally);
  }
  return tally;
}

/** The JSON of a value; undefined when the plan shows nothing of it. */
function write(writer: Writer, value: JsonValue, spot: Spot, plan: Plan): string | undefined {
  if (writer.left < 0 && !writer.ends) return "null";
  if (value === null || value === "") return value === null ? "null" : '""';
  if (typeof value === "number") return plan.scalars ? writeNumber(writer, value, spot) : undefined;
  if (typeof value !== "object") return plan.scalars ? writeLeaf(writer, value, plan) : undefined;
  if (Array.isArray(value)) return value.length === 0 ? "[]" : writeRows(writer, value, spot, plan);
  return plan.shape.isMap && plan.element !== undefined
    ? writeMap(writer, value, spot, plan)
    : writeRecord(writer, value, spot, plan);
}

function writeNumber(writer: Writer, value: number, spot: Spot): string {
  const text = printNumber(writer.literals, value, spot);
  writer.left -= text.length;
  return text;
}

/** No string is clipped shorter where a view ends. */
const shortest = 40;

function writeLeaf(writer: Writer, value: string | boolean, plan: Plan): string {
  const clip = writer.ends ? Math.min(plan.clip, Math.max(shortest, writer.left)) : plan.clip;
  let text: string;
  if (typeof value === "string" && value.length > clip && !isNumberLiteral(value, writer.numberMark)) {
    text = writeClipped(writer, value, clip, plan);
  } else {
    // A string far over what is left need not be written to know that it does not fit.
    const isHopeless = !writer.ends && typeof value === "string" && value.length > writer.left;
    text = isHopeless ? "" : writeScalar(value, writer.numberMark);
    if (isHopeless) writer.left = -1;
  }
  writer.left -= text.length;
  return text;
}

function writeClipped(writer: Writer, value: string, clip: number, plan: Plan): string {
  const clipped = clipAtGrapheme(value, clip);
  const tally = tallyOf(writer, plan);
  tally.clipped += 1;
  tally.longest = Math.max(tally.longest, value.length);
  tally.clippedTo = clipped.length;
  tally.clippedOf = value.length;
  return JSON.stringify(clipped + clipMark);
}

function countRows(writer: Writer, plan: Plan, shown: number, of: number): void {
  const tally = tallyOf(writer, plan);
  tally.arrays += 1;
  tally.shown += shown;
  tally.of += of;
  tally.most = Math.max(tally.most, of);
}

function writeRows(writer: Writer, rows: JsonValue[], spot: Spot, plan: Plan): string | undefined {
  const { element } = plan;
  if (element === undefined) return undefined;
  const shown = Math.min(rows.length, plan.rows);
  let text = "[";
  let index = 0;
  for (; index < shown && writer.left >= 0; index += 1) {
    const row = rows[index] ?? null;
    const at = { parent: spot, index, count: 0 };
    text += `${index > 0 ? "," : ""}${write(writer, row, at, element) ?? writePlaceholder(writer, row, at)}`;
    writer.left -= 1;
  }
  countRows(writer, plan, index, rows.length);
  return `${text}]`;
}

/** What stands for a row of which nothing is shown: rows can't be left out in between. */
function writePlaceholder(writer: Writer, value: JsonValue, spot: Spot): string {
  if (typeof value === "number") return printNumber(writer.literals, value, spot);
  if (typeof value === "string" && !isNumberLiteral(value, writer.numberMark))
    return JSON.stringify(clipMark);
  if (typeof value !== "object" || value === null) return writeScalar(value, writer.numberMark);
  return Array.isArray(value) ? "[]" : "{}";
}

function writeMap(writer: Writer, value: { [key: string]: JsonValue }, spot: Spot, plan: Plan): string {
  const { element } = plan;
  const keys = Object.keys(value);
  const shown = element === undefined ? 0 : Math.min(keys.length, plan.rows);
  let text = "{";
  let index = 0;
  for (; index < shown && element !== undefined && writer.left >= 0; index += 1) {
    const key = keys[index] ?? "";
    const row = value[key] ?? null;
    const at = { parent: spot, index, key, count: keys.length };
    const name = JSON.stringify(key);
    writer.left -= name.length + 2;
    text += `${index > 0 ? "," : ""}${name}:${write(writer, row, at, element) ?? writePlaceholder(writer, row, at)}`;
  }
  countRows(writer, plan, index, keys.length);
  return `${text}}`;
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function writeRecord(
  writer: Writer,
  value: { [key: string]: JsonValue },
  spot: Spot,
  plan: Plan,
): string | undefined {
  const { fields } = plan;
  if (fields === undefined) return undefined;
  const keys = Object.keys(value);
  let text = "";
  for (const [index, key] of keys.entries()) {
    const isOver = writer.ends && writer.left < 0;
    const field = isOver ? plan.core?.fields?.get(key) : fields.get(key);
    if (field === undefined) {
      if (isOver && fields.has(key)) note(tallyOf(writer, plan).behind, key);
      else if (!plan.shape.fields.has(key)) note(tallyOf(writer, plan).unseen, key);
      continue;
    }
    const item = value[key] ?? null;
    if (isEmpty(item)) {
      note(tallyOf(writer, plan).emptied, key);
      if (writer.countsEmpty) writer.left -= key.length + 7;
      continue;
    }
    const written = write(writer, item, { parent: spot, index, key, count: keys.length }, field);
    if (written === undefined) continue;
    const name = JSON.stringify(key);
    writer.left -= name.length + 2;
    text += `${text === "" ? "" : ","}${name}:${written}`;
  }
  return text === "" ? undefined : `{${text}}`;
}

function note(names: Set<string>, name: string): void {
  if (names.size < maxNames) names.add(name);
}
