/** Makes documents of text that is not one JSON document: truncated, broken, or several documents in a row. */

import type { JsonValue } from "./exact-number.js";
import { type JsonOutline, type OpenContainer, outlineJson, type Repair } from "./outline-json.js";
import { parseJson } from "./parse-json.js";
import { skipSpaces, skipString } from "./scan-json.js";

export interface SalvagedJson {
  readonly document: JsonValue;
  /** Whether nothing is missing: all that was wrong could be repaired. */
  readonly complete: boolean;
  /** Index of the first character that fits nowhere; the text's length when it just ends. */
  readonly stop: number;
  /** How many small things were repaired: `NaN`, a comma before a bracket, a raw line break in a string. */
  readonly repairs: number;
}

/** An unfinished element is dropped unless it is this many times longer than the finished ones are on average. */
const loneLength = 4;

/**
 * Takes JSON text that was truncated anywhere or is broken in the middle. Returns a document of what is complete before that; `undefined`
 * when it does not begin with `{` or `[`. An array loses its unfinished last row, unless that row is the only one or far
 * longer than the finished ones; an object loses its unfinished last member. An unfinished string is dropped,
 * unless it is more than half of the whole text: then its beginning stays, ended by `…`.
 */
export function salvageBrokenJson(text: string): SalvagedJson | undefined {
  const outline = outlineJson(text);
  const salvaged = outline.open.length === 0 ? closedText(text, outline) : truncatedText(text, outline);
  if (salvaged === undefined) return undefined;
  const { complete, stop, repairs } = outline;
  return { document: parseJson(salvaged), complete, stop, repairs: repairs.length };
}

/** The top-level value is complete; more text may follow it. */
function closedText(text: string, outline: JsonOutline): string | undefined {
  return /^[ \t\r\n]*[[{]/.test(text) ? applyRepairs(text, outline.repairs, outline.stop) : undefined;
}

function truncatedText(text: string, outline: JsonOutline): string {
  const { open, openString, repairs } = outline;
  if (openString !== undefined && (outline.stop - openString.start) * 2 > text.length)
    return `${applyRepairs(text, repairs, openString.end)}\\u2026"${closers(open)}`;
  const level = chooseLevel(open, outline.stop);
  const kept = open.slice(0, level + 1);
  return applyRepairs(text, repairs, kept.at(-1)?.end ?? 0) + closers(kept);
}

/** The outermost array whose unfinished element can go; else the innermost container. */
function chooseLevel(open: readonly OpenContainer[], stop: number): number {
  for (let level = 0; level < open.length - 1; level += 1) {
    const container = open[level];
    const child = open[level + 1];
    if (container === undefined || child === undefined || !container.isArray || container.count === 0)
      continue;
    const average = (container.end - container.start) / container.count;
    if (stop - child.start <= average * loneLength) return level;
  }
  return open.length - 1;
}

function closers(open: readonly OpenContainer[]): string {
  return open.reduce((text, { isArray }) => (isArray ? "]" : "}") + text, "");
}

function applyRepairs(text: string, repairs: readonly Repair[], end: number): string {
  let written = "";
  let read = 0;
  for (const repair of repairs) {
    if (repair.end > end) break;
    written += text.slice(read, repair.start) + repair.text;
    read = repair.end;
  }
  return read === 0 ? text.slice(0, end) : written + text.slice(read, end);
}

export interface SplitDocuments {
  readonly texts: readonly string[];
  /** The text of the last document when it does not end. */
  readonly unfinished?: string;
}

/** RFC 7464 puts this before each document. */
const recordSeparator = 0x1e;

/**
 * Takes NDJSON, a JSON text sequence (RFC 7464), or documents written one after the other, also over several lines.
 * Returns their texts; `undefined` when anything in between is neither an object nor an array, or without a
 * document. A document's own syntax is not checked.
 */
export function splitDocuments(text: string): SplitDocuments | undefined {
  const texts: string[] = [];
  let position = 0;
  for (;;) {
    position = skipSpaces(text, position);
    while (text.charCodeAt(position) === recordSeparator) position = skipSpaces(text, position + 1);
    if (position >= text.length) return texts.length === 0 ? undefined : { texts };
    const unit = text.charCodeAt(position);
    if (unit !== 123 && unit !== 91) return undefined;
    const end = documentEnd(text, position);
    if (end === undefined) return { texts, unfinished: text.slice(position) };
    texts.push(text.slice(position, end));
    position = end;
  }
}

function documentEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let position = start; position < text.length; ) {
    const unit = text.charCodeAt(position);
    position = unit === 34 ? skipString(text, position) : position + 1;
    if (unit === 123 || unit === 91) depth += 1;
    if (unit === 125 || unit === 93) depth -= 1;
    if (depth === 0) return position;
  }
  return undefined;
}
