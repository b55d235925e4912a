/** The notes about the parts of a successful response that failed. */

import { type JsonValue, listKeys } from "../base/exact-number.js";
import { isBlank, isObject, type JsonObject, type Shape, toShape, toText } from "../base/shape.js";
import { plural } from "../base/text.js";
import type { HttpMethod } from "../record/api-source.js";
import {
  createFailureTest,
  listOutcomes,
  maxRows,
  type OutcomeList,
  unwrap,
} from "./batch-rows.js";
import { readErrorBody } from "./error-body.js";
import { describeIncompleteEnd } from "./failed-end.js";
import { isFailureFlag } from "./hidden-failure.js";
import { cleanText } from "./shown-text.js";

const maxNotes = 3;
const maxNamed = 3;

/**
 * Sentences about the parts of a successful response that failed: rows with `success: false` or an `httpStatusCode` of an error; rows with an error or
 * an HTTP error status in a 207, in a list called `responses`, or beside `errors: true`; a flag of a failure, or a list of errors, beside the
 * data. Reads the top of the document and the first 1,000 rows of its lists.
 *
 * @param status - Of the response. @default 200
 * @param method - Of the request: the rows of a GET report failures only where the response states that they are outcomes. @default POST
 * @example
 * findPartialFailures({ results: [{ id: "P1", success: true }, { id: "P2", success: false, error: "locked" }] });
 * // ["1 succeeded, 1 failed: P2 (locked)."]
 */
export function findPartialFailures(
  tree: JsonValue,
  status = 200,
  method: HttpMethod = "POST",
): string[] {
  const lists = listOutcomes(tree, status);
  // A GET is no batch: its rows may be checks or deliveries that failed, which the response only lists.
  const outcomes = method === "GET" ? lists.filter(isStatedBatch) : lists;
  const rows = outcomes.flatMap(describeRows);
  if (rows.length > 0) return rows.slice(0, maxNotes);
  if (Array.isArray(tree)) return describeIncompleteEnd(tree);
  if (!isObject(tree)) return [];
  const shape = toShape(tree);
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
  return [...describeErrors(shape), ...describeUnprocessed(shape)];
}

function isStatedBatch({ isStated, succeeded }: OutcomeList): boolean {
  return isStated || succeeded !== undefined;
}

/** A list of errors beside the data: GraphQL's and JSON:API's `errors`, BigQuery's `insertErrors`. */
function describeErrors(shape: Shape): string[] {
  const errors = (shape.get("errors") ?? shape.get("inserterrors"))?.value;
  if (!Array.isArray(errors) || errors.length === 0) return [];
  return [
    `The response lists ${plural(errors.length, "error")} beside its data${quoteReason(errors, ": ", 200)}.`,
  ];
}

/** Members in which DynamoDB and others list what was left undone (`UnprocessedItems`, `UnprocessedKeys`), to be sent again. */
function describeUnprocessed(shape: Shape): string[] {
  const left = [...shape].filter(
    ([name, { value }]) =>
      /^unprocessed/.test(name) && typeof value === "object" && !isBlank(value),
  );
  return left.map(
    ([, { key }]) => `${cleanText(key, 60)} was not processed: send what it lists again.`,
  );
}

/** Such as `8 succeeded, 1 failed: P14884 (locked).` */
function describeRows(list: OutcomeList): string[] {
  const { name, rows } = list;
  const isFailed = createFailureTest(list);
  const read = rows.slice(0, maxRows);
  const failed: { readonly row: JsonObject; readonly index: number }[] = [];
  for (const [index, row] of read.entries())
    if (isObject(row) && isFailed(row)) failed.push({ row, index });
  if (failed.length === 0) return [];
  const named = failed
    .slice(0, maxNamed)
    .map(({ row, index }) => describeRow(unwrap(row), `${cleanText(name, 60)}[${index}]`));
  const more = failed.length > maxNamed ? ` and ${failed.length - maxNamed} more` : "";
  const first = rows.length > maxRows ? `Of the first ${maxRows}: ` : "";
  const succeeded = read.length - failed.length + (list.succeeded?.length ?? 0);
  return [`${first}${succeeded} succeeded, ${failed.length} failed: ${named.join(", ")}${more}.`];
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
