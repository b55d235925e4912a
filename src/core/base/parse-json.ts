/** Reads JSON text without changing a number or a key: scanned once for its size and for what `JSON.parse` may change, then parsed. */

import { randomBytes } from "node:crypto";
import {
  applyToScalars,
  ExactNumber,
  isJsonContainer,
  type JsonObject,
  type JsonValue,
  writeMember,
} from "./exact-number.js";
import { type JsonScan, scanJson } from "./scan-json.js";

/**
 * Precedes a number that is passed through `JSON.parse` as a string, and a key that is passed in hexadecimal. No one outside of this
 * process can know it, so no string of a body begins with it.
 */
const mark = `\u0080${randomBytes(6).toString("base64url")}`;
/** Pieces that are joined at once: a chain of all of them would cost many times the text. */
const piecesAtOnce = 2_000;

/**
 * Takes one JSON text (RFC 8259). Returns its value; a number that a double can't hold is an `ExactNumber`. Any depth;
 * of members with the same key the last one stays; a `__proto__` member is an own property.
 *
 * @param scan - The result of `scanJson` for the text, where the caller has it already.
 * @throws SyntaxError when the text is not one JSON document. Its message quotes the text: don't show it.
 *
 * @example
 * parseJson('{"id":12345678901234567890,"price":19.90}'); // { id: ExactNumber("12345678901234567890"), price: 19.9 }
 */
export function parseJson(text: string, { changed }: JsonScan = scanJson(text)): JsonValue {
  if (changed.length === 0) return JSON.parse(text);
  const marked = markChanged(text, changed);
  return applyToScalars(
    marked.hasKeys ? restoreKeys(JSON.parse(marked.text)) : JSON.parse(marked.text),
    (scalar) =>
      typeof scalar === "string" && isMarked(scalar) ? new ExactNumber(scalar.slice(mark.length)) : scalar,
  );
}

function isMarked(text: string): boolean {
  return text.charCodeAt(0) === 0x80 && text.startsWith(mark);
}

function markChanged(
  text: string,
  spans: readonly number[],
): { readonly text: string; readonly hasKeys: boolean } {
  const joined: string[] = [];
  let pieces: string[] = [];
  let read = 0;
  let hasKeys = false;
  for (let index = 0; index < spans.length; index += 2) {
    const start = spans[index] ?? 0;
    const end = spans[index + 1] ?? 0;
    const given = text.slice(start, end);
    const isKey = given.charCodeAt(0) === 34;
    const written = isKey ? writeKey(given) : mark + given;
    hasKeys ||= isKey && isMarked(written);
    pieces.push(text.slice(read, start), written);
    read = end;
    if (pieces.length < piecesAtOnce) continue;
    joined.push(pieces.join('"'));
    pieces = [];
  }
  return { text: [...joined, ...pieces, text.slice(read)].join('"'), hasKeys };
}

/**
 * `JSON.parse` of Node.js 24 and 26 reads a key with an escape as an earlier key with a backslash, of this document or of any before:
 * `{"\\n":1}` after `{"\\\\":1}` has the key of that one (https://github.com/nodejs/node/issues/63785).
 *
 * @returns the key without an escape: as it is, or in hexadecimal where it cannot be written without one.
 */
function writeKey(quoted: string): string {
  const key = String(JSON.parse(quoted));
  const needsEscape = [...key].some(
    (character) => character < " " || character === '"' || character === "\\",
  );
  return needsEscape ? mark + Buffer.from(key, "utf16le").toString("hex") : key;
}

function readKey(written: string): string {
  return isMarked(written) ? Buffer.from(written.slice(mark.length), "hex").toString("utf16le") : written;
}

function restoreKeys(document: JsonValue): JsonValue {
  const whole = [document];
  const open: (JsonValue[] | JsonObject)[] = [whole];
  for (let container = open.pop(); container !== undefined; container = open.pop())
    for (const [key, item] of Object.entries(container)) {
      if (!isJsonContainer(item)) continue;
      const restored = restoreOwnKeys(item);
      // An own `__proto__` is an own property: this assigns to it and sets no prototype.
      if (restored !== item) Reflect.set(container, key, restored);
      open.push(restored);
    }
  return whole[0] ?? null;
}

function restoreOwnKeys(container: JsonValue[] | JsonObject): JsonValue[] | JsonObject {
  if (Array.isArray(container) || !Object.keys(container).some(isMarked)) return container;
  const restored: JsonObject = {};
  for (const [key, member] of Object.entries(container)) writeMember(restored, readKey(key), member);
  return restored;
}
