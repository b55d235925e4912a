/** Reads several JSON documents in one text as one array. */

import type { JsonValue } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import { splitDocuments } from "../json/split-documents.js";
import type { JsonReading } from "./read-json-text.js";

/**
 * Takes text. Returns an array of its documents when it holds at least two (or one and the beginning of the next);
 * a broken document among sound ones is shown as its text. `undefined` when it is nothing of that kind.
 */
export function parseNdjson(text: string): JsonReading | undefined {
  const split = splitDocuments(text);
  if (split === undefined) return undefined;
  const { texts, unfinished } = split;
  if (texts.length + (unfinished === undefined ? 0 : 1) < 2) return undefined;
  const { document, broken } = readAll(texts);
  if (broken === texts.length) return undefined;
  const oddities =
    broken === 0
      ? []
      : [`${broken} of the JSON documents ${broken === 1 ? "is" : "are"} broken and shown as text.`];
  const reading = { document, several: texts.length, oddities };
  if (unfinished === undefined) return reading;
  return {
    ...reading,
    missing: `The last JSON document, after ${texts.length} complete ones, does not end.`,
  };
}

function readAll(texts: readonly string[]): { document: JsonValue; broken: number } {
  try {
    return { document: parseJson(`[${texts.join(",")}]`), broken: 0 };
  } catch {
    const sound = texts.map((text) => (isJson(text) ? text : undefined));
    const broken = sound.filter((text) => text === undefined).length;
    const shown = sound.map((text, index) => text ?? JSON.stringify(texts[index]));
    return { document: parseJson(`[${shown.join(",")}]`), broken };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
