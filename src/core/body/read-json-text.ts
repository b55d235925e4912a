/** Reads text that is JSON in one of the forms APIs send: one document, several, guarded, an event stream, or truncated. */

import type { JsonValue } from "../base/exact-number.js";
import { readPlainJson } from "../base/input.js";
import { parseJson } from "../base/parse-json.js";
import { skipString } from "../base/scan-json.js";
import { parseWithinLimits, scanLarge } from "./parse-within-limits.js";
import { readSequence } from "./read-sequence.js";
import { describeReplaced, replaceNonNumbers } from "./replace-non-numbers.js";
import {
  checkTreeSize,
  type Reading,
  stepLength,
  TooLargeError,
  toNextTurn,
  treeLimits,
} from "./response-body.js";

/** Prefixes that servers put before JSON so that a script tag can't run it. */
const guard = /^(?:\)\]\}'?,?|while ?\(1\);?|for ?\(;;\);?|\{\}&&|throw 1;)\s*(?=[[{])/;
/** A line of an event stream: a field or a comment. */
const streamStart = /^(?:(?:data|event|id|retry):|:)/;

/** Takes text. Returns it without byte order marks and without a guard against script inclusion. */
export function stripGuard(text: string): string {
  const isPadded = text.charCodeAt(0) === 0xfeff || text.charCodeAt(0) <= 32;
  const start = isPadded ? text.replace(/^[\ufeff\s]+/, "") : text;
  return start.slice(guard.exec(start.slice(0, 64))?.[0].length ?? 0);
}

/**
 * Takes text. Returns its document when it is wholly JSON: one document, or two and more that are objects or lists.
 *
 * @throws TooLargeError for what is larger than `treeLimits`, sound or not, before anything of it is built
 */
export async function readSoundJson(text: string): Promise<Reading | undefined> {
  const stripped = stripGuard(text);
  const scan = scanLarge(stripped);
  if (scan !== undefined) await toNextTurn();
  try {
    return openString(parseWithinLimits(stripped, scan));
  } catch (error) {
    if (error instanceof TooLargeError) throw error;
    const several = await readSequence(stripped);
    if (several?.missing === undefined && several !== undefined) return several;
  }
  const finite = replaceNonNumbers(stripped);
  if (finite.replaced === 0) return undefined;
  const reading = await readSoundJson(finite.text);
  return reading && withWarnings(reading, describeReplaced(finite));
}

/** Reads a text of one step that is one JSON document: most answers are. Undefined for every other text, which `readJsonText` reads. */
export function readSmallJson(text: string): Reading | undefined {
  if (text.length > stepLength) return undefined;
  const stripped = stripGuard(text);
  // Each level has a character of its own.
  const isSmall = stripped.length <= treeLimits.depth;
  try {
    return openString(isSmall ? parseJson(stripped) : parseWithinLimits(stripped));
  } catch {
    return undefined;
  }
}

/** A JSON string whose text is an object or a list is read as that: some gateways encode a body twice. */
function openString(document: JsonValue): Reading {
  if (typeof document !== "string" || !/^\s*[[{]/.test(document)) return { document };
  try {
    const warnings = ["The body is a JSON string that contains JSON: data is what it contains."];
    return { document: parseWithinLimits(document), warnings };
  } catch (error) {
    if (error instanceof TooLargeError) throw error;
    return { document };
  }
}

function withWarnings(reading: Reading, more: readonly string[]): Reading {
  return more.length === 0
    ? reading
    : { ...reading, warnings: [...(reading.warnings ?? []), ...more] };
}

/**
 * Takes text that should be JSON. Returns its document, or what can be had of it: up to the last complete row of what
 * arrived, the complete documents of NDJSON, the events of an event stream. `undefined` when it is nothing of that kind.
 *
 * @throws TooLargeError like `readSoundJson`
 */
export async function readJsonText(text: string): Promise<Reading | undefined> {
  const stripped = stripGuard(text);
  const sound = (await readSoundJson(stripped)) ?? (await readEventStream(stripped));
  if (sound !== undefined) return sound;
  const finite = replaceNonNumbers(stripped);
  const part = (await readSequence(finite.text)) ?? readTruncated(finite.text);
  return part && withWarnings(part, describeReplaced(finite));
}

type ServerEvent = Partial<Record<"event" | "id" | "data", string>>;

/**
 * Server-sent events (WHATWG HTML, section 9.2), one row for each: `{event?, id?, data}`, `data` as JSON when it is JSON, else as
 * text. `undefined` when the text does not look like a stream.
 */
async function readEventStream(text: string): Promise<Reading | undefined> {
  if (!streamStart.test(text)) return undefined;
  const rows: string[] = [];
  let event: ServerEvent = {};
  let isOpen = false;
  let nextTurn = stepLength;
  for (const { 1: line = "", index } of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    if (line !== "") readField(line, event);
    const isTextEnd = index + line.length === text.length;
    // An empty line ends an event. One that the text ends is shown, and may be a part.
    if (line === "" || isTextEnd) {
      if (event.data !== undefined) {
        rows.push(writeEvent(event));
        isOpen = isTextEnd;
      }
      event = {};
    }
    if (index < nextTurn) continue;
    await toNextTurn();
    nextTurn = index + stepLength;
  }
  checkTreeSize({ containers: rows.length });
  if (rows.length === 0) return undefined;
  const document = parseJson(`[${rows.join(",")}]`);
  return isOpen ? { document, doubt: "the last event of a page does not end" } : { document };
}

function readField(line: string, into: ServerEvent): void {
  const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === "data") into.data = into.data === undefined ? value : `${into.data}\n${value}`;
  else if (name === "event" || name === "id") into[name] = value;
}

function writeEvent({ event, id, data = "" }: ServerEvent): string {
  const finite = replaceNonNumbers(data).text;
  const isDocument = /^[ \t\n]*[[{"]/.test(data) && readPlainJson(finite) !== undefined;
  const about = JSON.stringify({ event, id, data: isDocument ? 0 : data });
  return isDocument ? `${about.slice(0, -2)}${finite}}` : about;
}

function readTruncated(text: string): Reading | undefined {
  const closed = closeTruncatedJson(text);
  try {
    const missing = "The JSON ends in the middle; up to the last complete row it is shown.";
    return closed === undefined ? undefined : { document: parseJson(closed), missing };
  } catch {
    return undefined;
  }
}

/** A container that is open where the text ends. */
interface OpenContainer {
  readonly isArray: boolean;
  /** The place behind its last complete row or member; 0 without one. */
  end: number;
}

/**
 * Takes JSON text that ends in the middle. Returns it up to its last complete row, and closed: the row of its outermost list, or a member
 * where there is no list. `undefined` when more than half of the text would go: a long unfinished value is of more use as text. The syntax
 * of what is left is not checked.
 */
export function closeTruncatedJson(text: string): string | undefined {
  const open = listOpenContainers(text);
  const isMost = ({ end }: OpenContainer): boolean => end * 2 > text.length;
  const list = open.findIndex((container) => container.isArray && isMost(container));
  const level = list < 0 ? open.findLastIndex(isMost) : list;
  const { end = 0 } = open[level] ?? {};
  if (end === 0) return undefined;
  const kept = open.slice(0, level + 1);
  return (
    text.slice(0, end) +
    kept.reduceRight((closing, { isArray }) => closing + (isArray ? "]" : "}"), "")
  );
}

/** Outermost first; none where a bracket closes what is not open. */
function listOpenContainers(text: string): readonly OpenContainer[] {
  const open: OpenContainer[] = [];
  for (let position = 0; position < text.length; ) {
    const unit = text.charCodeAt(position);
    position = unit === 34 ? skipString(text, position) : position + 1;
    const isEnd = unit === 93 || unit === 125;
    if (unit === 91 || unit === 123) open.push({ isArray: unit === 91, end: 0 });
    if (isEnd && open.pop()?.isArray !== (unit === 93)) return [];
    const container = open.at(-1);
    if (container !== undefined && (isEnd || unit === 44))
      container.end = isEnd ? position : position - 1;
  }
  return open;
}
