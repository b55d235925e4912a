/** Reads text that is JSON in one of the forms APIs send: one document, several, guarded, an event stream, or truncated. */

import type { JsonValue } from "../base/exact-number.js";
import { readPlainJson } from "../base/input.js";
import { parseJson, scanJson } from "../base/parse-json.js";
import { closeTruncatedJson, splitDocuments } from "../base/salvage-json.js";
import { checkTreeSize, stepLength, toNextTurn, treeLimits } from "./response-body.js";

export interface JsonReading {
  readonly document: JsonValue;
  /** Why the document does not hold the whole text. */
  readonly missing?: string;
}

/** What servers put before JSON so that a script tag can't run it. */
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
 * Takes text. Returns its document when it is wholly JSON: one document, or two and more that are objects or arrays.
 *
 * @throws TooLargeError for what is larger than `treeLimits`, sound or not, before anything of it is built
 */
export async function readSoundJson(text: string): Promise<JsonReading | undefined> {
  const stripped = stripGuard(text);
  const scan = scanJson(stripped, treeLimits);
  checkTreeSize(scan);
  if (stripped.length > stepLength) await toNextTurn();
  try {
    return { document: parseJson(stripped, scan) };
  } catch {
    const several = readSeveral(stripped);
    return several?.missing === undefined ? several : undefined;
  }
}

/**
 * Takes text that should be JSON. Returns its document, or what can be had of it: up to the last complete row of what
 * arrived, the complete documents of NDJSON, the events of an event stream. `undefined` when it is nothing of that kind.
 *
 * @throws TooLargeError like `readSoundJson`
 */
export async function readJsonText(text: string): Promise<JsonReading | undefined> {
  const stripped = stripGuard(text);
  return (
    (await readSoundJson(stripped)) ??
    (await readEventStream(stripped)) ??
    readSeveral(stripped) ??
    readTruncated(stripped)
  );
}

/** NDJSON and similar formats: an array of the documents when there are two, or one and the beginning of the next. */
function readSeveral(text: string): JsonReading | undefined {
  const { texts, unfinished } = splitDocuments(text) ?? { texts: [] };
  if (texts.length === 0 || texts.length + (unfinished === undefined ? 0 : 1) < 2) return undefined;
  try {
    const document = parseJson(`[${texts.join(",")}]`);
    if (unfinished === undefined) return { document };
    const missing = `The last JSON document, after ${texts.length} complete ones, does not end.`;
    return { document, missing };
  } catch {
    return undefined;
  }
}

interface ServerEvent {
  event?: string;
  id?: string;
  data?: string;
}

/**
 * Server-sent events (WHATWG HTML, section 9.2), one row for each: `{event?, id?, data}`, `data` as JSON when it is JSON, else as
 * text. `undefined` when the text does not look like a stream.
 */
async function readEventStream(text: string): Promise<JsonReading | undefined> {
  if (!streamStart.test(text)) return undefined;
  const rows: string[] = [];
  let event: ServerEvent = {};
  let nextTurn = stepLength;
  for (const { 1: line = "", index } of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    if (line !== "") readField(line, event);
    // An empty line ends an event, and so does the text.
    if (line === "" || index + line.length === text.length) {
      if (event.data !== undefined) rows.push(writeEvent(event));
      event = {};
    }
    if (index < nextTurn) continue;
    await toNextTurn();
    nextTurn = index + stepLength;
  }
  checkTreeSize({ containers: rows.length });
  return rows.length === 0 ? undefined : { document: parseJson(`[${rows.join(",")}]`) };
}

function readField(line: string, into: ServerEvent): void {
  const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === "data") into.data = into.data === undefined ? value : `${into.data}\n${value}`;
  else if (name === "event" || name === "id") into[name] = value;
}

function writeEvent({ event, id, data = "" }: ServerEvent): string {
  const isDocument = /^[ \t\n]*[[{"]/.test(data) && readPlainJson(data) !== undefined;
  const about = JSON.stringify({ event, id, data: isDocument ? 0 : data });
  return isDocument ? `${about.slice(0, -2)}${data}}` : about;
}

function readTruncated(text: string): JsonReading | undefined {
  const closed = closeTruncatedJson(text);
  try {
    const missing = "The JSON ends in the middle; up to the last complete row it is shown.";
    return closed === undefined ? undefined : { document: parseJson(closed), missing };
  } catch {
    return undefined;
  }
}
