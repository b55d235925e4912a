/** Finds the parts of a successful response that failed: a batch of which some items were refused is a success by its status alone. */

import type { JsonValue } from "../base/exact-number.js";
import {
  isBlank,
  isObject,
  type JsonObject,
  normalizeKey,
  type Shape,
  type ShapeEntry,
  toShape,
  toText,
} from "../base/shape.js";
import { plural } from "../base/text.js";
import { readErrorBody } from "./error-body.js";
import { cleanText } from "./shown-text.js";

const maxRows = 1_000;
/** A row of more members is data. */
const maxKeys = 200;
const maxMembers = 60;
const maxNotes = 3;
const maxNamed = 3;

/**
 * Sentences about what failed: rows with `success: false`; rows with an error or an HTTP error status in a 207, in a list called
 * `responses`, or beside `errors: true`, or with an `httpStatusCode`; a flag of a failure, or a list of errors, beside the data. Reads the top of the document and the first 1,000 rows of its lists.
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
  const flags = ["errors", "haserrors", "haserror", "partialfailure"].map((key) => shape.get(key));
  const flag = flags.find((entry) => entry?.value === true);
  const lists = Object.entries(tree).slice(0, maxMembers);
  const isBatch = (key: string): boolean => status === 207 || flag !== undefined || key === "responses";
  const rows = lists.flatMap(([key, value]) =>
    Array.isArray(value) ? describeRows(key, value, isBatch(key)) : [],
  );
  if (rows.length > 0) return rows.slice(0, maxNotes);
  if (flag !== undefined)
    return [`The response has ${cleanText(flag.key, 60)}: true, so a part of it failed.`];
  const failed = [shape, ...wrappers.map((name) => toInner(shape, name))].flatMap(listFailedFlags)[0];
  if (failed !== undefined)
    return [
      `The response has ${cleanText(failed.key, 60)}: ${String(failed.value)}: the call may have failed.`,
    ];
  const errors = shape.get("errors")?.value;
  if (!Array.isArray(errors) || errors.length === 0) return [];
  const { message } = readErrorBody(errors);
  const reason = message === undefined ? "" : `: ${cleanText(message, 200).replace(/\.$/, "")}`;
  return [`The response lists ${plural(errors.length, "error")} beside its data${reason}.`];
}

/** Objects that may hold the flag of the whole. */
const wrappers = ["data", "messages", "response", "result"];

function toInner(shape: Shape, name: string): Shape {
  const value = shape.get(name)?.value;
  return toShape(isObject(value) ? value : {});
}

/** `success: false`, `Ack: "Failure"`, `resultCode: "Error"`. */
function listFailedFlags(shape: Shape): ShapeEntry[] {
  const flags = ["success", "succeeded", "issuccess", "ack", "resultcode"].map((name) => shape.get(name));
  return flags.flatMap((entry) => {
    const isFailed = entry?.value === false || /^(?:error|fail|failure)$/i.test(toText(entry?.value) ?? "");
    return entry !== undefined && isFailed ? [entry] : [];
  });
}

/** Such as `8 succeeded, 1 failed: P14884 (locked).` */
function describeRows(name: string, rows: readonly JsonValue[], isBatch: boolean): string[] {
  const read = rows.slice(0, maxRows);
  const failed = read.flatMap((row, index) =>
    isObject(row) && isFailed(row, isBatch) ? [{ row, index }] : [],
  );
  if (failed.length === 0) return [];
  const named = failed
    .slice(0, maxNamed)
    .map(({ row, index }) => describeRow(row, `${cleanText(name, 60)}[${index}]`));
  const more = failed.length > maxNamed ? ` and ${failed.length - maxNamed} more` : "";
  const first = rows.length > maxRows ? `Of the first ${maxRows}: ` : "";
  return [
    `${first}${read.length - failed.length} succeeded, ${failed.length} failed: ${named.join(", ")}${more}.`,
  ];
}

/** A batch may wrap each row in its operation: `{"index":{"status":400,"error":{…}}}`. */
function unwrap(row: JsonObject): JsonObject {
  const [only, ...others] = Object.values(row);
  return others.length === 0 && isObject(only) ? only : row;
}

function isFailed(row: JsonObject, isBatch: boolean): boolean {
  if (Object.keys(row).length > maxKeys) return false;
  const own = unwrap(row);
  for (const key in own) {
    const value = own[key];
    // Of thousands of rows only the few keys are normalized whose value may report a failure.
    const isFalse = value === false && /^(?:success|succeeded|issuccess|ok)$/.test(normalizeKey(key));
    const isStatus =
      /^httpstatus(?:code)?$/.test(normalizeKey(key)) && /^[45]\d\d$/.test(toText(value) ?? "");
    if (isFalse || isStatus || (isBatch && value !== undefined && isFailure(key, value))) return true;
  }
  return false;
}

function isFailure(key: string, value: JsonValue): boolean {
  const isError = !isBlank(value) && (typeof value === "string" || typeof value === "object");
  if (isError && /^errors?$/.test(normalizeKey(key))) return true;
  const code = toText(value) ?? "";
  return (
    /^(?:[45]\d\d|failed|failure|error)$/.test(code) && /^(?:status|statuscode|code)$/.test(normalizeKey(key))
  );
}

const identity = /^(?:_?id|key|sku|number|ref|name|href|path|uri|uuid)$|[a-z]_?id$/i;

/** The identity of the row with its reason; its place where it has none. */
function describeRow(row: JsonObject, place: string): string {
  const own = unwrap(row);
  const name = Object.keys(own).find((key) => identity.test(key) && toText(own[key]) !== undefined);
  const id = name === undefined ? place : cleanText(toText(own[name]) ?? place, 60);
  const { message } = readErrorBody(own);
  return message === undefined ? id : `${id} (${cleanText(message, 100).replace(/\.$/, "")})`;
}
