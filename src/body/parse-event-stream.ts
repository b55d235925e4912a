/** Reads server-sent events as rows. */

import { parseJson } from "../json/parse-json.js";
import type { JsonReading } from "./read-json-text.js";

/** A line of the format: a field or a comment. */
const streamStart = /^(?:(?:data|event|id|retry):|:)/;

/**
 * Takes the text of an event stream (WHATWG HTML, section 9.2). Returns one row per event: `{event?, id?, data}`, `data`
 * as JSON when it is JSON, else as text. `undefined` when the text does not look like one.
 */
export function parseEventStream(text: string): JsonReading | undefined {
  if (!streamStart.test(text)) return undefined;
  const rows = text
    .split(/(?:\r\n|\n|\r)(?:\r\n|\n|\r)+/)
    .map(writeEvent)
    .filter((row) => row !== undefined);
  if (rows.length === 0) return undefined;
  return { document: parseJson(`[${rows.join(",")}]`), oddities: [] };
}

function writeEvent(block: string): string | undefined {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  const data = fields.get("data")?.join("\n");
  if (data === undefined) return undefined;
  const members = ["event", "id"].flatMap((name) => {
    const value = fields.get(name)?.at(-1);
    return value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`];
  });
  return `{${[...members, `"data":${writeData(data)}`].join(",")}}`;
}

function writeData(data: string): string {
  if (/^\s*[[{"]/.test(data)) {
    try {
      JSON.parse(data);
      return data;
    } catch {
      // Such as `[DONE]`.
    }
  }
  return JSON.stringify(data);
}
