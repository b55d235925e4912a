/** Makes a valid document of JSON text that was cut off or is broken. */

import type { JsonValue } from "./exact-number.js";
import { type JsonOutline, type OpenContainer, outlineJson, type Repair } from "./outline-json.js";
import { parseJson } from "./parse-json.js";

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
 * Takes JSON text that was cut off anywhere or is broken in the middle. Returns a document of what is complete before that; `undefined`
 * when it does not begin with `{` or `[`. An array loses its unfinished last row, unless that row is the only one or far
 * longer than the finished ones; an object loses its unfinished last member. An unfinished string is dropped,
 * unless it is more than half of the whole text: then its beginning stays, ended by `…`.
 */
export function salvageBrokenJson(text: string): SalvagedJson | undefined {
  const outline = outlineJson(text);
  const salvaged = outline.open.length === 0 ? closedText(text, outline) : cutText(text, outline);
  if (salvaged === undefined) return undefined;
  const { complete, stop, repairs } = outline;
  return { document: parseJson(salvaged), complete, stop, repairs: repairs.length };
}

/** The top-level value is complete; more text may follow it. */
function closedText(text: string, outline: JsonOutline): string | undefined {
  const isContainer = /^[ \t\r\n]*[[{]/.test(text);
  return isContainer && outline.stop > 0 ? applyRepairs(text, outline.repairs, outline.stop) : undefined;
}

function cutText(text: string, outline: JsonOutline): string {
  const { open, openString, repairs } = outline;
  if (openString !== undefined && (outline.stop - openString) * 2 > text.length) {
    return `${applyRepairs(text, repairs, soundLength(text, openString))}\\u2026"${closers(open)}`;
  }
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
  return open
    .map((container) => (container.isArray ? "]" : "}"))
    .toReversed()
    .join("");
}

/** Where an unfinished string can end: not within an escape, not between two surrogates. */
function soundLength(text: string, start: number): number {
  const tail = Math.max(start + 1, text.length - 12);
  // Of several backslashes before the end only an odd one opens an escape.
  let slashes = text.length;
  const partial = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text.slice(tail));
  if (partial !== null) {
    slashes = tail + partial.index;
    let first = slashes;
    while (text.charCodeAt(first - 1) === 92) first -= 1;
    if ((slashes - first) % 2 === 1) slashes = text.length;
  }
  const high = /(?:[\ud800-\udbff]|\\u[dD][89abAB][0-9a-fA-F]{2})$/.exec(text.slice(tail, slashes));
  return high === null ? slashes : tail + high.index;
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
