/** Finds parts of a successful answer that failed: a bulk write of which some rows were refused is a success to its status alone. */

import type { JsonValue } from "../json/exact-number.js";
import { isEmpty, isObject, type JsonObject, normalizeKey, toShape } from "../json/shape.js";
import { plural } from "../text.js";
import { readErrorBody } from "./error-body.js";
import { cleanText } from "./shown-text.js";

const maxRows = 1_000;
const maxMembers = 60;
const maxNotes = 3;

/**
 * Sentences about what failed: rows that say `success: false`, rows with an error where the top says `errors: true` or `hasErrors: true`, a
 * list of errors beside the data. Empty when nothing of the kind is said. Reads the top of the document and the first 1,000 rows of its lists.
 *
 * @example
 * findPartialFailures({ results: [{ id: 1, success: true }, { id: 2, success: false, message: "No such user" }] });
 * // ["1 of 2 rows in results failed; the first is results[1]: No such user."]
 */
export function findPartialFailures(tree: JsonValue): string[] {
  if (Array.isArray(tree)) return describeRows("the answer", tree, false);
  if (!isObject(tree)) return [];
  const shape = toShape(tree);
  const flags = ["errors", "haserrors", "haserror", "partialfailure"].map((key) => shape.get(key));
  const flag = flags.find((entry) => entry?.value === true);
  const rows = Object.entries(tree)
    .slice(0, maxMembers)
    .flatMap(([key, value]) => (Array.isArray(value) ? describeRows(key, value, flag !== undefined) : []));
  if (rows.length > 0) return rows.slice(0, maxNotes);
  if (flag !== undefined)
    return [`The answer says ${cleanText(flag.key, 60)}: true, so a part of it failed.`];
  const errors = shape.get("errors")?.value;
  if (!Array.isArray(errors) || errors.length === 0) return [];
  return [`The answer lists ${plural(errors.length, "error")} beside its data${writeReason(errors)}.`];
}

function describeRows(name: string, rows: readonly JsonValue[], isFlagged: boolean): string[] {
  const seen = rows.slice(0, maxRows);
  const failed = seen.flatMap((row, index) =>
    isObject(row) && isFailed(row, isFlagged) ? [{ row, index }] : [],
  );
  const [first] = failed;
  if (first === undefined) return [];
  const list = cleanText(name, 60);
  const place = `${name === "the answer" ? "" : list}[${first.index}]`;
  const of = rows.length > maxRows ? `the first ${maxRows}` : `${rows.length}`;
  return [
    `${failed.length} of ${of} rows in ${list} failed; the first is ${place}${writeReason(first.row)}.`,
  ];
}

/** A bulk answer may wrap each row in its operation: `{"index":{"status":400,"error":{…}}}`. */
function isFailed(row: JsonObject, isFlagged: boolean): boolean {
  const [only, ...others] = Object.values(row);
  const own = others.length === 0 && isObject(only) ? only : row;
  for (const key in own) {
    const value = own[key];
    // Of thousands of rows only the few keys are normalised whose value may say something.
    const isNo = value === false && /^(?:success|succeeded|issuccess|ok)$/.test(normalizeKey(key));
    const isError = isFlagged && !isEmpty(value) && (typeof value === "string" || typeof value === "object");
    if (isNo || (isError && /^errors?$/.test(normalizeKey(key)))) return true;
  }
  return false;
}

function writeReason(part: JsonValue): string {
  const { message } = readErrorBody(part);
  return message === undefined ? "" : `: ${cleanText(message, 200).replace(/\.$/, "")}`;
}
