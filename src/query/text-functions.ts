/** What queries do with strings, each in one pass; positions in slices and lengths are code points, as the specification counts. */

import type { JsonValue } from "../json/exact-number.js";
import type { Budget } from "./budget.js";
import { type Call, type QueryFunction, takes } from "./function-call.js";

/** Longer patterns are searched by Knuth, Morris and Pratt: the engine's own search takes a time of both lengths multiplied. */
const maxNativePattern = 8;
/** What JavaScript and Unicode take for white space. */
const whiteSpace = new Set(
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
);

export const textFunctions: Readonly<Record<string, QueryFunction>> = {
  ends_with: takes(2, 2, (call) => call.string(0).endsWith(call.string(1))),
  starts_with: takes(2, 2, (call) => call.string(0).startsWith(call.string(1))),
  find_first: takes(2, 4, (call) => findWithin(call, (text, pattern) => createSearch(pattern)(text))),
  find_last: takes(2, 4, (call) => findWithin(call, findLast)),
  join: takes(2, 2, (call) => {
    const [glue, strings] = [call.string(0), call.strings(1)];
    call.budget.spendText(strings.reduce((sum, { length }) => sum + length + glue.length, 0));
    return strings.join(glue);
  }),
  lower: takes(1, 1, (call) => call.string(0).toLowerCase()),
  upper: takes(1, 1, (call) => call.string(0).toUpperCase()),
  pad_left: takes(2, 3, (call) => call.string(0).padStart(...readPadding(call))),
  pad_right: takes(2, 3, (call) => call.string(0).padEnd(...readPadding(call))),
  replace: takes(3, 4, (call) => {
    const by = call.string(2);
    const pieces = split(call, call.count(3));
    call.budget.spendText(by.length * (pieces.length - 1));
    return pieces.join(by);
  }),
  split: takes(2, 3, (call) => split(call, call.count(2))),
  trim: takes(1, 2, (call) => trim(call, true, true)),
  trim_left: takes(1, 2, (call) => trim(call, true, false)),
  trim_right: takes(1, 2, (call) => trim(call, false, true)),
};

function findWithin(call: Call, find: (text: string, pattern: string) => number): JsonValue {
  const [text, pattern] = [call.string(0), call.string(1)];
  const start = Math.max(0, call.integer(2) ?? 0);
  const found =
    pattern === "" ? -1 : find(text.slice(start, Math.max(start, call.integer(3) ?? text.length)), pattern);
  return found === -1 ? null : found + start;
}

function readPadding(call: Call): [number, string] {
  const width = call.count(1) ?? 0;
  const padding = call.args.length > 2 ? call.string(2) : " ";
  if (padding.length !== 1) throw new TypeError(`${call.name}() pads with a single character`);
  call.budget.spendText(width);
  return [width, padding];
}

/** At no more than `most` places; an empty pattern stands between any two characters. */
function split(call: Call, most = Number.POSITIVE_INFINITY): string[] {
  const [text, pattern] = [call.string(0), call.string(1)];
  if (text === "" && pattern === "") return [];
  const search = createSearch(pattern);
  const pieces: string[] = [];
  let read = 0;
  for (let found = 0; pieces.length < most; ) {
    found = pattern === "" ? read + (isPair(text, read) ? 2 : 1) : search(text, read);
    if (found === -1 || (pattern === "" && found >= text.length)) break;
    call.budget.spend(1);
    pieces.push(text.slice(read, found));
    read = found + pattern.length;
  }
  return [...pieces, text.slice(read)];
}

function trim(call: Call, fromStart: boolean, fromEnd: boolean): string {
  const text = call.string(0);
  const characters = call.args.length > 1 && call.args[1] !== "" ? new Set(call.string(1)) : whiteSpace;
  const isTrimmed = (index: number, width: number): boolean => {
    call.budget.spend(0.5);
    return characters.has(text.slice(index, index + width));
  };
  let [start, end] = [0, text.length];
  for (let width = 0; fromStart && start < end; start += width) {
    width = isPair(text, start) ? 2 : 1;
    if (!isTrimmed(start, width)) break;
  }
  for (let width = 0; fromEnd && end > start; end -= width) {
    width = end > 1 && isPair(text, end - 2) ? 2 : 1;
    if (!isTrimmed(end - width, width)) break;
  }
  return text.slice(start, end);
}

/** A search for one pattern, in a time of the lengths added. Returns -1 for none. */
export function createSearch(pattern: string): (text: string, from?: number) => number {
  if (pattern.length <= maxNativePattern) return (text, from = 0) => text.indexOf(pattern, from);
  const [units, borders] = listBorders(pattern);
  return (text, from = 0) => {
    for (let index = from, matched = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      while (matched > 0 && units[matched] !== unit) matched = borders[matched - 1] ?? 0;
      if (units[matched] === unit) matched += 1;
      if (matched === units.length) return index + 1 - matched;
    }
    return -1;
  };
}

/** The pattern's code units, and for each beginning of it how long the longest is that it also ends with. */
function listBorders(pattern: string): readonly [Uint16Array, Uint32Array] {
  const units = new Uint16Array(pattern.length);
  for (let index = 0; index < pattern.length; index += 1) units[index] = pattern.charCodeAt(index);
  const borders = new Uint32Array(pattern.length);
  for (let index = 1, matched = 0; index < pattern.length; index += 1) {
    while (matched > 0 && units[matched] !== units[index]) matched = borders[matched - 1] ?? 0;
    if (units[matched] === units[index]) matched += 1;
    borders[index] = matched;
  }
  return [units, borders];
}

function findLast(text: string, pattern: string): number {
  if (pattern.length <= maxNativePattern) return text.lastIndexOf(pattern);
  const found = createSearch(readReversed(pattern))(readReversed(text));
  return found === -1 ? -1 : text.length - found - pattern.length;
}

/** The string backwards, its pairs of surrogates as they were. */
export function readReversed(text: string): string {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1)
    units[text.length - 1 - index] = text.charCodeAt(index);
  for (let index = 0; index + 1 < units.length; index += 1) {
    const [low = 0, high = 0] = [units[index], units[index + 1]];
    if ((low & 0xfc00) === 0xdc00 && (high & 0xfc00) === 0xd800) units.set([high, low], index);
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

/** How many code points a string has. */
export function readLength(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) if (isPair(text, index)) pairs += 1;
  return text.length - pairs;
}

function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

export interface SliceBounds {
  readonly start: number | null;
  readonly stop: number | null;
  /** Not 0. */
  readonly step: number;
}

/** Takes `[start:stop:step]` of a list or a string. */
export function readSlice(value: string | JsonValue[], bounds: SliceBounds, budget: Budget): JsonValue {
  if (typeof value !== "string")
    return listPositions(value.length, bounds).map((position) => value[position] ?? null);
  budget.spendText(value.length);
  const total = readLength(value);
  const { start, stop, step } = bounds;
  if (total === value.length && step === 1) return value.slice(start ?? 0, stop ?? total);
  budget.spend(total);
  const points = Array.from(value);
  return listPositions(total, bounds)
    .map((position) => points[position])
    .join("");
}

function listPositions(length: number, { start, stop, step }: SliceBounds): number[] {
  const [low, high] = step < 0 ? [-1, length - 1] : [0, length];
  const resolve = (bound: number): number =>
    Math.min(high, Math.max(low, bound < 0 ? bound + length : bound));
  const first = start === null ? (step < 0 ? high : low) : resolve(start);
  const last = stop === null ? (step < 0 ? low : high) : resolve(stop);
  const positions: number[] = [];
  for (let index = first; step > 0 ? index < last : index > last; index += step) positions.push(index);
  return positions;
}
