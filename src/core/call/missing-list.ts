/** Knows whether a page without the list of the first page is an empty one (Go and proto3 leave empty lists out), or failed. */

import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { findAt, findRowsAt } from "../paging/find-rows.js";
import type { Page } from "./running-call.js";

/** Members that report how a request ended. */
const outcomeName = /^(?:status|statuscode|code|message|msg|success|ok)$|error|fault/;
/** Deeper no answer reports how it ended. */
const maxDepth = 4;
const maxQuoted = 200;

/** Why a page is not the next page of a list: it has no list, and is no empty page either. Undefined where it may be added. */
export function findMissingList(
  first: Page,
  { body }: Page,
  path: readonly string[],
): string | undefined {
  const known = first.body.document ?? null;
  const document = body.document ?? null;
  if (body.bytes === 0 || first.rows === undefined) return undefined;
  // One line of NDJSON is a value and no list.
  const isLines = /nd-?json|json-?l/.test(body.contentType ?? "");
  if (path.length === 0) {
    if (body.kind === "csv") return findOtherColumns(first.body, body);
    if (Array.isArray(document) || isLines) return undefined;
    return describe(document, path);
  }
  const value = findAt(document, path);
  if (value === undefined || value === null) {
    const isEmptyPage = hasKnownNames(known, document, path) && !hasOtherOutcome(known, document);
    return isEmptyPage ? undefined : describe(document, path);
  }
  // One row alone is no list in XML; a text in the place of records is none anywhere.
  const [row] = findRowsAt(known, path) ?? [];
  if (!isJsonObject(row) || Array.isArray(value)) return undefined;
  const wasList = Array.isArray(findAt(known, path));
  const isRow = isJsonObject(value) && (!wasList || haveCommonName(row, value));
  return isRow ? undefined : describe(document, path);
}

/** A page of CSV without a line of names: its first row is read as those. */
function findOtherColumns(first: Page["body"], body: Page["body"]): string | undefined {
  const [row, other] = [findAt(first.document, ["0"]), findAt(body.document, ["0"])];
  if (!isJsonObject(row)) return undefined;
  const line = readFirstLine(body.text);
  // A line alone is that of the names, without a row, or a row that was read as one.
  const isOfList = isJsonObject(other)
    ? haveCommonName(row, other)
    : line === readFirstLine(first.text);
  if (isOfList) return undefined;
  return `the next page has no column of the first page; its first line is: ${clipText(line, maxQuoted)}`;
}

function readFirstLine(text: string): string {
  const [line = ""] = text.trimStart().split(/[\r\n]/, 1);
  return line;
}

/** An object in the place of the list is a row alone only if it has a member of a row. */
function haveCommonName(row: JsonObject, other: JsonObject): boolean {
  return Object.keys(other).some((name) => Object.hasOwn(row, name));
}

/** Whether every name on each level on the way to the rows was on the first page, too. */
function hasKnownNames(known: JsonValue, document: JsonValue, path: readonly string[]): boolean {
  return path.every((_, depth) => {
    const way = path.slice(0, depth);
    const [before, after] = [findAt(known, way), findAt(document, way)];
    // An empty element of XML is an empty text, and PHP writes an empty object as an empty list.
    const isEmpty = after === "" || (Array.isArray(after) && after.length === 0);
    if (after === undefined || after === null || isEmpty) return true;
    if (!isJsonObject(before) || !isJsonObject(after)) return false;
    return Object.keys(after).every((name) => Object.hasOwn(before, name));
  });
}

/** Whether a member that reports how the request ended is another one than on the first page. */
function hasOtherOutcome(known: JsonValue, document: JsonValue, depth = 0): boolean {
  if (!isJsonObject(document) || depth > maxDepth) return false;
  const before: JsonObject = isJsonObject(known) ? known : {};
  return Object.entries(document).some(([name, value]) => {
    const other = Object.hasOwn(before, name) ? (before[name] ?? null) : null;
    if (outcomeName.test(normalizeKey(name))) return writeJson(value) !== writeJson(other);
    return hasOtherOutcome(other, value, depth + 1);
  });
}

function describe(document: JsonValue, path: readonly string[]): string {
  const where = path.length === 0 ? "" : ` at \`${path.join(".")}\``;
  return `the next page has no list of rows${where}: ${clipText(writeJson(document), maxQuoted)}`;
}
