/** Reads an answer to a batch in parts (multipart/mixed of application/http): each part is the response to one request of it. */

import { type JsonObject, type JsonValue, writeMember } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { checkTreeSize, type MediaType, type Reading } from "./response-body.js";

/** Where a boundary is looked for: text before the first part is no part (RFC 2046, section 5.1.1). */
const maxPreamble = 2_000;
/** Changesets of OData are batches within a batch. */
const maxDepth = 3;

/** Whether a body may be such an answer. */
export function isBatchType({ name }: MediaType): boolean {
  return name === "multipart/mixed";
}

/**
 * Takes the text of such a body. Returns a row for each response, `{id?, status, body?}`: `id` from `Content-ID`, `body` as JSON where it
 * is JSON, else as text. `undefined` where a part is no response of HTTP (RFC 9112, section 10.2).
 */
export function readBatch(text: string): Reading | undefined {
  const rows = readParts(text, 0);
  return rows === undefined || rows.length === 0 ? undefined : { document: rows };
}

function readParts(text: string, depth: number): JsonValue[] | undefined {
  const boundary = /(?:^|\n)(--[^\r\n]{1,70})\r?\n/
    .exec(text.slice(0, maxPreamble))?.[1]
    ?.trimEnd();
  if (boundary === undefined || depth > maxDepth) return undefined;
  const parts = `\n${text}`.split(`\n${boundary}`).slice(1);
  const rows: JsonValue[] = [];
  for (const part of parts) {
    // Two hyphens end the last part.
    if (part.startsWith("--")) break;
    const read = readPart(part.slice(part.indexOf("\n") + 1), depth);
    if (read === undefined) return undefined;
    for (const row of read) rows.push(row);
    checkTreeSize({ containers: rows.length });
  }
  return rows;
}

function readPart(part: string, depth: number): JsonValue[] | undefined {
  const { head, body } = splitHead(part);
  if (/^content-type:\s*multipart\/mixed/im.test(head)) return readParts(body, depth + 1);
  const { head: innerHead, body: content } = splitHead(body.trimStart());
  const status = /^HTTP\/1\.[01] (\d{3})(?!\d)/.exec(innerHead)?.[1];
  if (status === undefined) return undefined;
  const row: JsonObject = {};
  const id = /^content-id:\s*<?([^>\r\n]{1,200})/im.exec(head)?.[1]?.trim();
  if (id !== undefined) writeMember(row, "id", id);
  writeMember(row, "status", Number(status));
  const text = content.trim();
  if (text !== "") writeMember(row, "body", readContent(text));
  return [row];
}

/** The head of a message, and what follows its empty line. */
interface Message {
  readonly head: string;
  readonly body: string;
}

function splitHead(message: string): Message {
  // A part without headers begins with the empty line.
  const start = /^\r?\n/.exec(message)?.[0].length ?? 0;
  if (start > 0) return { head: "", body: message.slice(start) };
  const found = /\r?\n\r?\n/.exec(message);
  if (found === null) return { head: message, body: "" };
  return {
    head: message.slice(0, found.index),
    body: message.slice(found.index + found[0].length),
  };
}

function readContent(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text.toWellFormed();
  }
}
