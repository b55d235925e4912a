/** Reads JSON text up to its end or its first error, and remembers where it could be closed. */

import { matchAt, skipNumber, skipSpaces } from "./parse-json.js";

/** A container that is open where reading stopped. */
export interface OpenContainer {
  readonly isArray: boolean;
  /** Index of its bracket. */
  readonly start: number;
  /** Complete elements or members so far. */
  count: number;
  /** Index behind the last complete one; behind the bracket when there is none. */
  end: number;
}

/** A small thing that JSON does not allow but whose meaning is plain. */
export interface Repair {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface JsonOutline {
  /** Whether the text is one whole document (once repaired). */
  readonly complete: boolean;
  /** Index where reading stopped: the end of the text or the first character that fits nowhere. */
  readonly stop: number;
  /** What is still open there, outermost first. */
  readonly open: readonly OpenContainer[];
  /** The string value that the text ends in, and where it could be closed: not within an escape, not between two surrogates. */
  readonly openString?: { readonly start: number; readonly end: number };
  readonly repairs: readonly Repair[];
}

type Expected = "value" | "valueOrEnd" | "keyOrEnd" | "key" | "colon" | "commaOrEnd" | "nothing";

interface Reading {
  readonly text: string;
  readonly open: OpenContainer[];
  readonly repairs: Repair[];
  expected: Expected;
  position: number;
  openString: JsonOutline["openString"];
}

/** More are not made: each of them is remembered. */
const maxRepairs = 10_000;
const word = /(?:true|false|null)(?![A-Za-z0-9_$])/y;
/** What Python, JavaScript and others write although JSON has no such number. */
const notNumber = /(?:NaN|-?Infinity)(?![A-Za-z0-9_$])/y;
/** The beginning of a word at the end of the text. */
const wordStart = /^-?[A-Za-z]{0,8}$/;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** The beginning of an escape, or nothing, at the end of the text. */
const escapeStart = /(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/y;
const highSurrogate = /[\ud800-\udbff]$|^\\u[dD][89abAB]/;

/** Takes a text that should be one JSON document. Never throws; any depth; one pass. */
export function outlineJson(text: string): JsonOutline {
  const reading: Reading = {
    text,
    open: [],
    repairs: [],
    expected: "value",
    position: 0,
    openString: undefined,
  };
  while (readOne(reading)) {
    // Goes on until the end or the first error.
  }
  const { open, repairs, position, openString } = reading;
  const complete = reading.expected === "nothing" && position === text.length;
  return { complete, stop: position, open, repairs, ...(openString === undefined ? {} : { openString }) };
}

/** Reads one token; false at the end of the text or at an error. */
function readOne(reading: Reading): boolean {
  const { text } = reading;
  reading.position = skipSpaces(text, reading.position);
  if (reading.position >= text.length) return false;
  const unit = text.charCodeAt(reading.position);
  switch (reading.expected) {
    case "nothing":
      return false;
    case "colon":
      return unit === 58 && step(reading, "value");
    case "commaOrEnd":
      return unit === 44 ? readComma(reading) : close(reading, unit);
    case "keyOrEnd":
      return unit === 125 ? close(reading, unit) : readKey(reading, unit);
    case "key":
      return readKey(reading, unit);
    case "valueOrEnd":
      return unit === 93 ? close(reading, unit) : readValue(reading, unit);
    default:
      return readValue(reading, unit);
  }
}

/** False when there were so many already that this is no JSON with small mistakes. */
function repair({ repairs }: Reading, start: number, end: number, text: string): boolean {
  return repairs.length < maxRepairs && repairs.push({ start, end, text }) > 0;
}

function step(reading: Reading, expected: Expected): true {
  reading.position += 1;
  reading.expected = expected;
  return true;
}

/** A comma before the closing bracket is repaired away. */
function readComma(reading: Reading): boolean {
  const { text } = reading;
  const isArray = reading.open.at(-1)?.isArray === true;
  const comma = reading.position;
  const after = skipSpaces(text, comma + 1);
  const unit = text.charCodeAt(after);
  if (unit === (isArray ? 93 : 125)) {
    if (!repair(reading, comma, comma + 1, "")) return false;
    reading.position = after;
    return close(reading, unit);
  }
  return step(reading, isArray ? "value" : "key");
}

function close(reading: Reading, unit: number): boolean {
  const container = reading.open.at(-1);
  if (container === undefined || unit !== (container.isArray ? 93 : 125)) return false;
  reading.open.pop();
  reading.position += 1;
  return finishValue(reading);
}

function finishValue(reading: Reading): true {
  const parent = reading.open.at(-1);
  if (parent === undefined) {
    reading.expected = "nothing";
  } else {
    parent.count += 1;
    parent.end = reading.position;
    reading.expected = "commaOrEnd";
  }
  return true;
}

function readKey(reading: Reading, unit: number): boolean {
  if (unit !== 34 || !readString(reading)) return false;
  reading.expected = "colon";
  return true;
}

function readValue(reading: Reading, unit: number): boolean {
  const start = reading.position;
  if (unit === 123 || unit === 91) {
    reading.open.push({ isArray: unit === 91, start, count: 0, end: start + 1 });
    return step(reading, unit === 91 ? "valueOrEnd" : "keyOrEnd");
  }
  if (unit === 34) return readString(reading, true) && finishValue(reading);
  return readWord(reading, unit) && finishValue(reading);
}

function readWord(reading: Reading, unit: number): boolean {
  const { text } = reading;
  const start = reading.position;
  const isNumber = unit === 45 ? text.charCodeAt(start + 1) !== 73 : unit >= 48 && unit <= 57;
  const isOdd = !isNumber && (unit === 45 || unit === 73 || unit === 78);
  const end = matchAt(isNumber ? number : isOdd ? notNumber : word, text, start);
  // What the text ends with may have lost its last characters.
  const isCut =
    end === undefined ? wordStart.test(text.slice(start, start + 10)) : isNumber && end === text.length;
  if (isCut && reading.open.length > 0) reading.position = text.length;
  if (end === undefined || (isCut && reading.open.length > 0)) return false;
  const after = isNumber ? skipNumber(text, end) : end;
  // A number goes on with characters it can't have; at the end of the text these may be its lost rest.
  if (after > end && after === text.length) reading.position = after;
  if (after > end) return false;
  if (isOdd && !repair(reading, start, end, JSON.stringify(text.slice(start, end)))) return false;
  reading.position = end;
  return true;
}

/** Moves behind a string; at its error or the end of the text false, the position where the sound part ends. */
function readString(reading: Reading, isValue = false): boolean {
  const { text } = reading;
  const start = reading.position;
  let position = start + 1;
  let before = position;
  for (;;) {
    const from = position;
    let unit = text.charCodeAt(position);
    while (unit >= 32 && unit !== 34 && unit !== 92) {
      position += 1;
      unit = text.charCodeAt(position);
    }
    if (position > from) before = position - 1;
    if (unit === 34) break;
    const end = unit === 92 ? matchAt(escapePattern, text, position) : position + 1;
    const isRaw = unit < 32 && repair(reading, position, position + 1, escapeRaw(text.charAt(position)));
    if (end === undefined || (unit !== 92 && !isRaw)) {
      const isEnd = matchAt(escapeStart, text, position) !== undefined;
      reading.position = isEnd ? text.length : position;
      const isSplit = highSurrogate.test(text.slice(before, position));
      if (isValue && isEnd) reading.openString = { start, end: isSplit ? before : position };
      return false;
    }
    before = position;
    position = end;
  }
  reading.position = position + 1;
  return true;
}

function escapeRaw(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
