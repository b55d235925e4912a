/** Writes what a plan shows of a document, and counts what it leaves out on the way. */

import {
  type ExactNumber,
  isJsonContainer,
  isJsonNumber,
  type JsonObject,
  type JsonValue,
} from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import { clipAtGrapheme, clipMark } from "../text.js";
import { isShort } from "./is-short.js";
import type { Plan } from "./plan.js";
import { openElement, openField } from "./plan-early.js";
import { noteName, openTally, type Tally } from "./tally.js";

export interface WrittenView {
  readonly text: string;
  readonly tallies: ReadonlyMap<Plan, Tally>;
  /** Characters of the body's compact JSON of which every short value is shown. */
  readonly covered: number;
}

interface Writer {
  readonly tallies: Map<Plan, Tally>;
  left: number;
  /** Characters of the body's compact JSON still to come of which every short value is shown. */
  ahead: number;
  /** What that was behind the last value so shown. */
  behind: number;
  depth: number;
}

/** The beginning is not followed deeper than this. */
const deepest = 200;

/**
 * Writes the view; undefined when it would be longer than `maxLength` characters. Of the first `beginning` characters of the
 * body's compact JSON every short value is shown, whatever the plan says.
 */
export function writeView(
  document: JsonValue,
  plan: Plan,
  maxLength: number,
  beginning: number = Number.NEGATIVE_INFINITY,
): WrittenView | undefined {
  const writer: Writer = {
    tallies: new Map(),
    left: maxLength,
    ahead: beginning,
    behind: beginning,
    depth: 0,
  };
  const text = write(writer, document, plan) ?? writePlaceholder(document);
  if (writer.left < 0) return undefined;
  return { text, tallies: writer.tallies, covered: beginning - writer.behind };
}

/** The JSON of a value; undefined when nothing of it is shown. */
function write(writer: Writer, value: JsonValue, plan: Plan): string | undefined {
  if (writer.left < 0) return "null";
  const isBeginning = writer.ahead > 0;
  writer.ahead -= lengthOf(value);
  if (isBeginning) writer.behind = writer.ahead;
  if (value === null || value === "") return value === null ? "null" : '""';
  let text: string | undefined;
  if (isJsonContainer(value)) text = writeInner(writer, value, plan);
  else if (isJsonNumber(value)) text = isBeginning || plan.scalars ? writeNumber(writer, value) : undefined;
  else if (isBeginning && isShort(value)) text = writeLeaf(writer, value, plan, Number.POSITIVE_INFINITY);
  else if (plan.scalars) text = writeLeaf(writer, value, plan, plan.clip);
  if (plan.isEarly && text !== undefined) openTally(writer.tallies, plan).early += 1;
  return text;
}

function writeInner(writer: Writer, value: JsonValue[] | JsonObject, plan: Plan): string | undefined {
  if (writer.depth > deepest) return leaveBeginning(writer);
  writer.depth += 1;
  let text: string | undefined;
  if (Array.isArray(value)) text = writeRows(writer, value, plan);
  else if (plan.shape.isMap) text = writeMap(writer, value, plan);
  else text = writeRecord(writer, value, plan);
  writer.depth -= 1;
  return text;
}

/** The characters of a scalar's JSON, escapes aside; of anything else the brackets, less the comma that its first item lacks. */
function lengthOf(value: JsonValue): number {
  if (typeof value === "string") return value.length + 2;
  return isJsonContainer(value) ? 1 : String(value).length;
}

function writeNumber(writer: Writer, value: number | ExactNumber): string {
  const text = writeJson(value);
  writer.left -= text.length;
  return text;
}

function writeLeaf(writer: Writer, value: string | boolean, plan: Plan, clip: number): string {
  let text: string;
  if (typeof value === "string" && value.length > clip) {
    text = writeClipped(writer, value, clip, plan);
  } else {
    // A string far over what is left need not be written to know that it does not fit.
    const isHopeless = typeof value === "string" && value.length > writer.left;
    text = isHopeless ? "" : writeJson(value);
    if (isHopeless) writer.left = -1;
  }
  writer.left -= text.length;
  return text;
}

function writeClipped(writer: Writer, value: string, clip: number, plan: Plan): string {
  const clipped = clipAtGrapheme(value, clip);
  const tally = openTally(writer.tallies, plan);
  tally.clipped += 1;
  tally.longest = Math.max(tally.longest, value.length);
  tally.clippedTo = clipped.length;
  tally.clippedOf = value.length;
  return JSON.stringify(clipped + clipMark);
}

/** What comes behind something left out is not the beginning any more. */
function leaveBeginning(writer: Writer): undefined {
  writer.ahead = Number.NEGATIVE_INFINITY;
}

function countRows(writer: Writer, plan: Plan, shown: number, of: number): void {
  const tally = openTally(writer.tallies, plan);
  tally.shown += shown;
  tally.of += of;
  tally.most = Math.max(tally.most, of);
  if (shown < of) leaveBeginning(writer);
}

/** Whether a row is shown: it is one of the plan's, or it begins within the beginning. */
function hasRow(writer: Writer, plan: Plan, index: number): boolean {
  return writer.left >= 0 && (index < plan.rows || writer.ahead > 0);
}

function writeRows(writer: Writer, rows: readonly JsonValue[], plan: Plan): string | undefined {
  if (rows.length === 0) return "[]";
  if (!hasRow(writer, plan, 0)) return leaveBeginning(writer);
  const element = openElement(plan);
  let text = "[";
  let index = 0;
  for (; index < rows.length && hasRow(writer, plan, index); index += 1) {
    const row = rows[index] ?? null;
    text += `${index > 0 ? "," : ""}${write(writer, row, element) ?? writePlaceholder(row)}`;
    writer.left -= 1;
    writer.ahead -= 1;
  }
  countRows(writer, plan, index, rows.length);
  return `${text}]`;
}

/** What stands for a row of which nothing is shown: rows can't be left out in between. */
function writePlaceholder(value: JsonValue): string {
  if (typeof value === "string") return JSON.stringify(clipMark);
  if (!isJsonContainer(value)) return writeJson(value);
  return Array.isArray(value) ? "[]" : "{}";
}

function writeMap(writer: Writer, value: { [key: string]: JsonValue }, plan: Plan): string | undefined {
  if (!hasRow(writer, plan, 0)) return leaveBeginning(writer);
  const element = openElement(plan);
  const keys = Object.keys(value);
  let text = "{";
  let index = 0;
  for (; index < keys.length && hasRow(writer, plan, index); index += 1) {
    const key = keys[index] ?? "";
    const row = value[key] ?? null;
    const name = JSON.stringify(key);
    writer.left -= name.length + 2;
    writer.ahead -= name.length + 2;
    text += `${index > 0 ? "," : ""}${name}:${write(writer, row, element) ?? writePlaceholder(row)}`;
  }
  countRows(writer, plan, index, keys.length);
  return `${text}}`;
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  if (!isJsonContainer(value)) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function writeRecord(writer: Writer, value: { [key: string]: JsonValue }, plan: Plan): string | undefined {
  const keys = Object.keys(value);
  let text = "";
  for (const key of keys) {
    const isBeginning = writer.ahead > 0;
    const field = isBeginning ? openField(plan, key) : plan.fields?.get(key);
    writer.ahead -= key.length + 4;
    const item = value[key] ?? null;
    if (field === undefined) {
      if (!plan.shape.fields.has(key)) noteName(openTally(writer.tallies, plan).unseen, key);
      continue;
    }
    if (isEmpty(item)) {
      if (!field.isEarly) noteName(openTally(writer.tallies, plan).emptied, key);
      continue;
    }
    const written = write(writer, item, field);
    if (written === undefined) continue;
    field.name ??= JSON.stringify(key);
    const { name } = field;
    writer.left -= name.length + 2;
    text += `${text === "" ? "" : ","}${name}:${written}`;
  }
  return text === "" ? undefined : `{${text}}`;
}
