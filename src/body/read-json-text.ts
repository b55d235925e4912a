/** Reads text that is JSON in one of the forms APIs send: one document, several, guarded, broken, or cut off. */

import type { JsonValue } from "../json/exact-number.js";
import { findRepeatedKey } from "../json/find-repeated-key.js";
import { parseJson } from "../json/parse-json.js";
import { salvageBrokenJson } from "../json/salvage-json.js";
import { describePosition } from "./describe-position.js";
import { parseEventStream } from "./parse-event-stream.js";
import { parseNdjson } from "./parse-ndjson.js";

export interface JsonReading {
  readonly document: JsonValue;
  /** Why the document does not hold the whole text. */
  readonly missing?: string;
  /** How many documents the text holds, when it is more than one. */
  readonly several?: number;
  /** What a reader should be told. */
  readonly oddities: readonly string[];
}

/** What servers put before JSON so that a script tag can't run it. */
const guard = /^(?:\)\]\}'?,?|while ?\(1\);?|for ?\(;;\);?|\{\}&&|throw 1;)\s*(?=[[{])/;

/** Takes text. Returns it without byte order marks and without a guard against script inclusion. */
export function stripGuard(text: string): string {
  const start =
    text.charCodeAt(0) === 0xfeff || text.charCodeAt(0) <= 32 ? text.replace(/^[\ufeff\s]+/, "") : text;
  const found = guard.exec(start.slice(0, 64));
  return found === null ? start : start.slice(found[0].length);
}

/**
 * Takes text. Returns its document when it is wholly JSON: one document, or two and more that are objects or arrays.
 */
export function readSoundJson(text: string): JsonReading | undefined {
  const stripped = stripGuard(text);
  try {
    const document = parseJson(stripped);
    const repeated = findRepeatedKey(stripped);
    return { document, oddities: repeated === undefined ? [] : [describeRepeated(repeated)] };
  } catch {
    const several = parseNdjson(stripped);
    return several?.missing === undefined ? several : undefined;
  }
}

/**
 * Takes text that should be JSON. Returns its document, or what can be had of it: the part before an error or a
 * cut, the sound lines of NDJSON, the events of an event stream. `undefined` when it is nothing of that kind.
 */
export function readJsonText(text: string): JsonReading | undefined {
  return readSoundJson(text) ?? readUnsoundJson(text);
}

/** The same for text that is known not to be sound. */
export function readUnsoundJson(text: string): JsonReading | undefined {
  const stripped = stripGuard(text);
  return parseEventStream(stripped) ?? parseNdjson(stripped) ?? readBroken(stripped);
}

function readBroken(text: string): JsonReading | undefined {
  const salvaged = salvageBrokenJson(text);
  if (salvaged === undefined) return undefined;
  const { document, complete, stop, repairs } = salvaged;
  const oddities =
    repairs === 0
      ? []
      : ["Not quite JSON (NaN, a comma before a bracket, or a raw control character): repaired."];
  if (complete) return { document, oddities };
  const where = describePosition(text, stop);
  const missing =
    stop >= text.trimEnd().length
      ? `The JSON ends in the middle, at ${where}; what is complete before that is shown.`
      : `The JSON is broken at ${where}; what is complete before that is shown.`;
  return { document, missing, oddities };
}

function describeRepeated(key: string): string {
  const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  return `The key ${JSON.stringify(shown)} stands more than once in one object: the last value is shown, the others are in the kept text.`;
}
