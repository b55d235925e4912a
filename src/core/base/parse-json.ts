/** Reads JSON text without changing a number or a key: cheap signs decide whether `JSON.parse` may change something of it. */

import { randomBytes } from "node:crypto";
import {
  ExactNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  replaceValues,
  writeMember,
} from "./exact-number.js";
import { isBeforeColon, type JsonScan, scanJson, skipString } from "./scan-json.js";

/**
 * Precedes a number that is passed through `JSON.parse` as a string, and a key that is passed in hexadecimal. No one outside of this
 * process can know it, so no string of a body begins with it.
 */
const mark = `\u0080${randomBytes(6).toString("base64url")}`;

/**
 * Takes one JSON text (RFC 8259). Returns its value; a number that a double can't hold is an `ExactNumber`. Any depth;
 * of members with the same key the last one stays; a `__proto__` member is an own property.
 *
 * @param scan - The result of `scanJson` for the text, where the caller has it already.
 * @throws SyntaxError when the text is not one JSON document. Its message quotes the text: don't show it.
 *
 * @example
 * parseJson('{"id":12345678901234567890,"price":19.90}'); // { id: ExactNumber("12345678901234567890"), price: 19.9 }
 */
export function parseJson(text: string, scan?: JsonScan): JsonValue {
  if (scan === undefined && !mayBeChanged(text)) return JSON.parse(text);
  const { changed } = scan ?? scanJson(text);
  if (changed.length === 0) return JSON.parse(text);
  const document: JsonValue = JSON.parse(markChanged(text, changed));
  return replaceValues(document, hasKey(text, changed) ? restoreAll : restoreNumber);
}

function restoreNumber(value: JsonValue): JsonValue {
  return typeof value === "string" && isMarked(value)
    ? new ExactNumber(value.slice(mark.length))
    : value;
}

function restoreAll(value: JsonValue): JsonValue {
  return isJsonObject(value) ? restoreKeys(value) : restoreNumber(value);
}

/** Whether one of the stretches is a key. */
function hasKey(text: string, spans: readonly number[]): boolean {
  return spans.some((place) => text.charCodeAt(place) === 34);
}

function isMarked(text: string): boolean {
  return text.charCodeAt(0) === 0x80 && text.startsWith(mark);
}

/** Pieces that are joined at once: what is soon garbage costs the collector little, millions of pieces that live cost it a second. */
const mostPieces = 1_024;

function markChanged(text: string, spans: readonly number[]): string {
  const parts: string[] = [];
  let pieces: string[] = [];
  let read = 0;
  for (let index = 0; index < spans.length; index += 2) {
    const [start = 0, end = 0] = [spans[index], spans[index + 1]];
    pieces.push(text.slice(read, start), '"');
    if (text.charCodeAt(start) === 34) pieces.push(writeKey(text.slice(start, end)));
    else pieces.push(mark, text.slice(start, end));
    pieces.push('"');
    read = end;
    if (pieces.length < mostPieces) continue;
    parts.push(pieces.join(""));
    pieces = [];
  }
  return [...parts, ...pieces, text.slice(read)].join("");
}

/**
 * The key without an escape: as it is, or in hexadecimal. `JSON.parse` of Node.js 24 and 26 reads a key with an escape as an earlier key with
 * a backslash, of this document or of any before: `{"\\n":1}` after `{"\\\\":1}` has the key of that one
 * (https://github.com/nodejs/node/issues/63785).
 */
function writeKey(quoted: string): string {
  const key = String(JSON.parse(quoted));
  return JSON.stringify(key) === `"${key}"`
    ? key
    : mark + Buffer.from(key, "utf16le").toString("hex");
}

function readKey(written: string): string {
  return isMarked(written)
    ? Buffer.from(written.slice(mark.length), "hex").toString("utf16le")
    : written;
}

function restoreKeys(object: JsonObject): JsonObject {
  if (!Object.keys(object).some(isMarked)) return object;
  const restored: JsonObject = {};
  for (const [key, member] of Object.entries(object)) writeMember(restored, readKey(key), member);
  return restored;
}

/**
 * Takes a JSON text. Returns whether it may have a number that a double can't hold, or a key with an escape. None is missed; a text in a string
 * may look like one.
 */
export function mayBeChanged(text: string): boolean {
  return hasLongNumber(text) || hasLongExponent(text) || hasEscapedKey(text);
}

/** A double holds fifteen digits (IEEE 754): with a point, as many characters as a number may have less than these. */
const longNumber = 16;
/** Two places of this grid are in a long number, wherever it begins. */
const stride = longNumber / 2;

function hasLongNumber(text: string): boolean {
  for (let at = 0; at + stride < text.length; at += stride) {
    if (!isDigitOrPoint(text, at) || !isDigitOrPoint(text, at + stride)) continue;
    const start = findDigits(text, at);
    let end = at + 1;
    while (isDigitOrPoint(text, end)) end += 1;
    if (end - start >= longNumber && isNumberStart(text, start)) return true;
    // No digit is looked at twice: a text may have millions of them.
    at += Math.floor((end - 1 - at) / stride) * stride;
  }
  return false;
}

/** An exponent of two digits is within the range of a double. */
const longExponent = /\d[eE][-+]?\d{3}/g;

function hasLongExponent(text: string): boolean {
  for (const { index } of text.matchAll(longExponent))
    if (isNumberStart(text, findDigits(text, index))) return true;
  return false;
}

function hasEscapedKey(text: string): boolean {
  let end = 0;
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", end)) {
    end = skipString(text, at);
    if (isBeforeColon(text, end)) return true;
  }
  return false;
}

/** The first of the digits and points around a place. */
function findDigits(text: string, at: number): number {
  let start = at;
  while (isDigitOrPoint(text, start - 1)) start -= 1;
  return start;
}

function isDigitOrPoint(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 48 && unit <= 57) || unit === 46;
}

/** Whether a number may begin with these digits: after its sign, a bracket, a colon, a comma or white space. In most strings a quote or a letter is before them. */
function isNumberStart(text: string, start: number): boolean {
  const isNegative = text.charCodeAt(start - 1) === 45;
  const before = text.charCodeAt(isNegative ? start - 2 : start - 1);
  const isInside = before > 32 && before !== 44 && before !== 58 && before !== 91;
  return !isInside;
}
