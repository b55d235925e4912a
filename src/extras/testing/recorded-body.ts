/** A request's body in the form in which it is recorded and compared: text, parts of a multipart body, or the hash of bytes. */

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/base/exact-number.js";
import { parseJson } from "../../core/base/parse-json.js";
import { writeJson } from "../../core/base/write-json.js";
import type { HashedBytes, RecordedBody, RecordedPart } from "./recording-format.js";

export function recordBody(bytes: Uint8Array, contentType: string = ""): RecordedBody {
  const boundary = /^\s*multipart\/form-data\b.*?;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary !== undefined) return { parts: readParts(Buffer.from(bytes), boundary) };
  return isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : hashBytes(bytes);
}

/** One text for all bodies that mean the same: JSON with its members in order, a form with its pairs in order. */
export function writeComparable(body: RecordedBody | undefined, contentType: string = ""): string {
  if (typeof body !== "string") return body === undefined ? "" : JSON.stringify(body);
  if (/\bx-www-form-urlencoded\b/i.test(contentType)) return body.split("&").sort().join("&");
  const document = parseBody(body);
  return document === undefined ? body : writeJson(document);
}

/** The body as a document whose members are in order; undefined when it is not JSON. */
export function parseBody(body: string): JsonValue | undefined {
  try {
    return sortMembers(parseJson(body));
  } catch {
    // Not JSON, or nested deeper than the stack: compared as text.
    return undefined;
  }
}

function sortMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  const sorted: JsonObject = Object.create(null);
  for (const [name, member] of members) sorted[name] = sortMembers(member);
  return sorted;
}

function hashBytes(bytes: Uint8Array): HashedBytes {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** RFC 7578 over RFC 2046: the boundary is random, so it is not part of what is compared. */
function readParts(bytes: Buffer, boundary: string): RecordedPart[] {
  const parts: RecordedPart[] = [];
  const mark = Buffer.from(`--${boundary}`);
  let start = bytes.indexOf(mark);
  while (start >= 0) {
    const next = bytes.indexOf(mark, start + mark.length);
    if (next < 0) break;
    // Behind the mark and its line break, up to the line break before the next mark.
    parts.push(readPart(bytes.subarray(start + mark.length + 2, next - 2)));
    start = next;
  }
  return parts;
}

function readPart(part: Buffer): RecordedPart {
  const end = part.indexOf("\r\n\r\n");
  const head = part.subarray(0, Math.max(0, end)).toString("utf8");
  const content = part.subarray(end + 4);
  const name = /\bname="([^"]*)"/i.exec(head)?.[1] ?? "";
  const filename = /\bfilename="([^"]*)"/i.exec(head)?.[1];
  const type = /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim();
  return {
    name,
    ...{ filename, type },
    content: filename === undefined && isUtf8(content) ? content.toString("utf8") : hashBytes(content),
  };
}
