/** Reads several JSON documents that follow each other: lines (NDJSON), a text sequence (RFC 7464), or objects and lists with nothing but white space between them. */

import type { JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { skipString } from "../base/scan-json.js";
import { plural } from "../base/text.js";
import { type Reading, stepLength, toNextTurn } from "./response-body.js";

/** Where a document begins, and the index behind its end. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The documents of a text. */
interface Sequence {
  readonly whole: readonly Span[];
  /** Where one begins that does not end. */
  readonly unfinished?: number;
}

/**
 * Takes text. Returns a list of its documents, each parsed alone: objects, lists, and lines that are another value of JSON; the last of several
 * may not end. `undefined` for anything else.
 */
export async function readSequence(text: string): Promise<Reading | undefined> {
  const found = findDocuments(text);
  if (found === undefined || !isSequence(text, found)) return undefined;
  const document: JsonValue[] = [];
  let nextTurn = stepLength;
  for (const { start, end } of found.whole) {
    const parsed = parseAlone(text.slice(start, end));
    if (parsed === undefined) return undefined;
    document.push(parsed);
    if (end < nextTurn) continue;
    await toNextTurn();
    nextTurn = end + stepLength;
  }
  if (found.unfinished === undefined) return { document };
  const missing = `The last JSON document, after ${document.length} complete ones, does not end.`;
  return { document, missing };
}

const mostNamedLines = 10;

/** The lines of a text, each parsed alone, with a note about those that are not JSON. `undefined` where no line is. */
export async function readLines(text: string): Promise<Reading | undefined> {
  const document: JsonValue[] = [];
  const broken: number[] = [];
  let number = 0;
  let nextTurn = stepLength;
  for (const { 1: line = "", index } of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    number += 1;
    if (line.trim() === "") continue;
    const parsed = parseAlone(line);
    if (parsed === undefined) broken.push(number);
    else document.push(parsed);
    if (index < nextTurn) continue;
    await toNextTurn();
    nextTurn = index + stepLength;
  }
  if (document.length === 0) return undefined;
  if (broken.length === 0) return { document };
  return { document, doubt: "lines of a page can't be read", warnings: [describeBroken(broken)] };
}

function describeBroken(lines: readonly number[]): string {
  const named = lines.slice(0, mostNamedLines).join(", ");
  const more = lines.length > mostNamedLines ? ", …" : "";
  return `${plural(lines.length, "line")} of the body (${named}${more}) can't be read as JSON: \`data\` has the others.`;
}

function parseAlone(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A document that breaks off is the last one: in lines it is a line, and further lines behind it would be lost. */
function isSequence(text: string, { whole, unfinished }: Sequence): boolean {
  if (whole.length === 0) return false;
  if (unfinished === undefined) return whole.length > 1;
  const areLines = !whole.some(({ start, end }) => /[\r\n]/.test(text.slice(start, end)));
  return !(areLines && /[\r\n]\s*[[{]/.test(text.slice(unfinished)));
}

/** White space, a record separator (RFC 7464), or the byte order mark of a file that was appended. */
const between: ReadonlySet<number> = new Set([9, 10, 13, 32, 0x1e, 0xfeff]);

/** `undefined` where something else than what may be there is between two documents. */
function findDocuments(text: string): Sequence | undefined {
  const whole: Span[] = [];
  let isLineStart = true;
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    if (between.has(unit)) {
      isLineStart ||= unit !== 9 && unit !== 32;
      position += 1;
      continue;
    }
    const isTree = unit === 91 || unit === 123;
    if (!isTree && !isLineStart) return undefined;
    const end = isTree ? findEnd(text, position) : findLineEnd(text, position);
    if (end === undefined) return { whole, unfinished: position };
    whole.push({ start: position, end });
    isLineStart = false;
    position = end;
  }
  return { whole };
}

function findLineEnd(text: string, start: number): number {
  let position = start;
  while (position < text.length && !isLineBreak(text.charCodeAt(position))) position += 1;
  return position;
}

function isLineBreak(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x1e;
}

/** The index behind the bracket that closes the one at `start`; `undefined` without one. Whether the kinds of brackets match is not checked. */
function findEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let position = start; position < text.length; ) {
    const unit = text.charCodeAt(position);
    position = unit === 34 ? skipString(text, position) : position + 1;
    if (unit === 91 || unit === 123) depth += 1;
    if (unit === 93 || unit === 125) depth -= 1;
    if (depth === 0) return position;
  }
  return undefined;
}
