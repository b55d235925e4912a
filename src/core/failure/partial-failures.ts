/** The notes about the parts of a successful response that failed. */

import { type JsonValue, listKeys, listMembers } from "../base/exact-number.js";
import { isBlank, isObject, type JsonObject, toShape, toText } from "../base/shape.js";
import { plural } from "../base/text.js";
import { readErrorBody } from "./error-body.js";
import { isFailureFlag } from "./hidden-failure.js";
import { cleanText } from "./shown-text.js";

const maxRows = 1_000;
/** Members of the document in which lists are looked for. */
const maxLists = 60;
/** A row of more members is data. */
const maxKeys = 200;
const maxNotes = 3;
const maxNamed = 3;

/**
 * Sentences about the parts of a successful response that failed: rows with `success: false` or an `httpStatusCode` of an error; rows with an error or
 * an HTTP error status in a 207, in a list called `responses`, or beside `errors: true`; a flag of a failure, or a list of errors, beside the
 * data. Reads the top of the document and the first 1,000 rows of its lists.
 *
 * @param status - Of the response. @default 200
 * @example
 * findPartialFailures({ results: [{ id: "P1", success: true }, { id: "P2", success: false, error: "locked" }] });
 * // ["1 succeeded, 1 failed: P2 (locked)."]
 */
export function findPartialFailures(tree: JsonValue, status = 200): string[] {
  if (Array.isArray(tree)) return describeRows("", tree, status === 207);
  if (!isObject(tree)) return [];
  const shape = toShape(tree);
  const isBatch =
    status === 207 ||
    [shape.get("errors"), shape.get("haserrors")].some((each) => each?.value === true);
  const rows = listMembers(tree, maxLists).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return [];
    const hasBareError = key === "results" && value.slice(0, maxRows).some(isBareError);
    return describeRows(key, value, isBatch || key === "responses" || hasBareError);
  });
  if (rows.length > 0) return rows.slice(0, maxNotes);
  // At the top, or in an object that may hold the outcome of the whole.
  const inner = ["data", "messages", "response", "result", "meta"].map(
    (name) => shape.get(name)?.value,
  );
  const [failed] = [shape, ...inner.filter(isObject).map(toShape)].flatMap((each) =>
    [...each].flatMap(([name, entry]) => (isFailureFlag(name, entry.value) ? entry : [])),
  );
  if (failed !== undefined)
    return [
      `The response has ${cleanText(failed.key, 60)}: ${String(failed.value)}, so all or a part of it may have failed.`,
    ];
  const errors = shape.get("errors")?.value;
  if (!Array.isArray(errors) || errors.length === 0) return [];
  return [
    `The response lists ${plural(errors.length, "error")} beside its data${quoteReason(errors, ": ", 200)}.`,
  ];
}

/** A result that has nothing but an error, and perhaps its number (InfluxDB, FCM). */
export function isBareError(row: JsonValue): boolean {
  return isObject(row) && listKeys(row).length < 3 && typeof row["error"] === "string";
}

/** Such as `8 succeeded, 1 failed: P14884 (locked).` */
function describeRows(name: string, rows: readonly JsonValue[], isBatch: boolean): string[] {
  const read = rows.slice(0, maxRows);
  const failed = read.flatMap((row, index) =>
    isObject(row) && isFailedRow(row, isBatch) ? [{ row, index }] : [],
  );
  if (failed.length === 0) return [];
  const named = failed
    .slice(0, maxNamed)
    .map(({ row, index }) => describeRow(unwrap(row), `${cleanText(name, 60)}[${index}]`));
  const more = failed.length > maxNamed ? ` and ${failed.length - maxNamed} more` : "";
  const first = rows.length > maxRows ? `Of the first ${maxRows}: ` : "";
  return [
    `${first}${read.length - failed.length} succeeded, ${failed.length} failed: ${named.join(", ")}${more}.`,
  ];
}

/** A batch may wrap each row in its operation: `{"index":{"status":400,"error":{…}}}`. */
export function unwrap(row: JsonObject): JsonObject {
  const [[, only] = [], ...others] = listMembers(row, 2);
  return others.length === 0 && isObject(only) ? only : row;
}

function isFailedRow(row: JsonObject, isBatch: boolean): boolean {
  const members = listMembers(unwrap(row), maxKeys + 1);
  if (members.length > maxKeys) return false;
  return members.some(([key, value]) => {
    const name = key.toLowerCase();
    if (value === false) return name === "success" || name === "ok";
    if (name === "httpstatuscode") return /^[45]\d\d$/.test(toText(value) ?? "");
    if (!isBatch) return false;
    if (name === "error" || name === "errors") return !isBlank(value) && value !== true;
    return (
      /^status(?:code)?$|^code$/.test(name) &&
      /^(?:[45]\d\d|failed|failure|error)$/.test(toText(value) ?? "")
    );
  });
}

const identity = /^(?:_?id|key|sku|number|ref|name|href|path|uri|uuid)$|[a-z]_?id$/i;

/** The identity of the row with its reason; its place where it has none. */
function describeRow(row: JsonObject, place: string): string {
  const name = listKeys(row).find((key) => identity.test(key) && toText(row[key]) !== undefined);
  const id = name === undefined ? place : cleanText(toText(row[name]) ?? place, 60);
  const reason = quoteReason(row, " (", 100);
  return reason === "" ? id : `${id}${reason})`;
}

function quoteReason(value: JsonValue, before: string, maxCharacters: number): string {
  const { message } = readErrorBody(value);
  return message === undefined
    ? ""
    : `${before}${cleanText(message, maxCharacters).replace(/\.$/, "")}`;
}
