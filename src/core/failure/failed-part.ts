/** Finds the part of a 2xx body that reports the failure of the whole call: the body itself, the end of a stream, or a batch all of whose members failed. */

import { type JsonValue, listMembers } from "../base/exact-number.js";
import { isBlank, isObject, type JsonObject, toShape, toText } from "../base/shape.js";
import type { ResponseBody } from "../body/response-body.js";
import { hasHiddenFailure } from "./hidden-failure.js";
import { isBareError, unwrap } from "./partial-failures.js";

/** Media types of JSON documents that follow each other. */
const sequenceType = /event-stream|nd-?json|jsonl|json-?lines|json-seq|stream\+json/;
/** Rows of a batch, and lists in which one is looked for. */
const [maxRows, maxLists] = [1_000, 60] as const;

/**
 * Takes the body of a 2xx. Returns what reports that the call failed, to be read as an error body; `undefined` when nothing does. The rows
 * before the end of a stream, and those of a batch of which one succeeded, are data.
 */
export function findFailedPart(body: ResponseBody, status: number): JsonValue | undefined {
  const { document } = body;
  if (hasHiddenFailure(body)) return document;
  const end = Array.isArray(document) && isSequence(body) ? findFailedEnd(document) : undefined;
  return end ?? findFailedBatch(document, status);
}

/** Whether a list was made of documents or events, and is none of the API's own. */
function isSequence({ kind, text, contentType = "" }: ResponseBody): boolean {
  return kind === "json" && (sequenceType.test(contentType) || !/^\s*\[/.test(text.slice(0, 200)));
}

/** What the last row reports that has any content: an event has its document in `data`. */
function findFailedEnd(rows: readonly JsonValue[]): JsonValue | undefined {
  const last = rows.findLast((row) => !isEndMark(row));
  if (!isObject(last)) return undefined;
  const { event, data } = last;
  // An application names its error events so; `EventSource` itself sends none over the wire.
  if (event === "error" && data !== undefined) return data;
  if (isFailedDocument(data)) return data;
  return isFailedDocument(last) ? last : findWatchError(last);
}

/** An event without content that ends a stream: OpenAI's `[DONE]`, GraphQL's `complete`. */
function isEndMark(row: JsonValue): boolean {
  return isObject(row) && (row["data"] === "" || row["data"] === "[DONE]");
}

function isFailedDocument(document: JsonValue | undefined): boolean {
  return isObject(document) && hasHiddenFailure({ kind: "json", document });
}

/** The `Status` in the last event of a watch of Kubernetes: `{"type":"ERROR","object":{"kind":"Status",…}}`. */
function findWatchError({ type, object }: JsonObject): JsonValue | undefined {
  const isStatus = isObject(object) && object["kind"] === "Status";
  return type === "ERROR" && isStatus ? object : undefined;
}

/** The rows of a batch of which each one failed, without the operation around each. */
function findFailedBatch(document: JsonValue | undefined, status: number): JsonValue[] | undefined {
  if (Array.isArray(document)) {
    const isBatch = status === 207 || document.slice(0, maxRows).every(isRpcAnswer);
    return isBatch ? readFailedRows(document) : undefined;
  }
  if (!isObject(document)) return undefined;
  const shape = toShape(document);
  const isFlagged = [shape.get("errors"), shape.get("haserrors")].some(
    (each) => each?.value === true,
  );
  for (const [key, rows] of listMembers(document, maxLists)) {
    if (!Array.isArray(rows)) continue;
    const isBatch =
      status === 207 ||
      isFlagged ||
      key === "responses" ||
      (key === "results" && rows.slice(0, maxRows).every(isBareError));
    const failed = isBatch ? readFailedRows(rows) : undefined;
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function isRpcAnswer(row: JsonValue): boolean {
  return isObject(row) && typeof row["jsonrpc"] === "string";
}

function readFailedRows(rows: readonly JsonValue[]): JsonValue[] | undefined {
  if (rows.length === 0 || rows.length > maxRows) return undefined;
  const members = rows.flatMap((row) => (isObject(row) ? [unwrap(row)] : []));
  return members.length === rows.length && members.every(isRefused) ? members : undefined;
}

/** Whether a row has an error, or an HTTP status of one. */
function isRefused(row: JsonObject): boolean {
  const shape = toShape(row);
  const hasError = ["error", "errors"].some((name) => {
    const value = shape.get(name)?.value;
    return !isBlank(value) && value !== true;
  });
  const hasStatus = ["status", "statuscode", "httpstatuscode", "code"].some((name) =>
    /^[45]\d\d$/.test(toText(shape.get(name)?.value) ?? ""),
  );
  return hasError || hasStatus;
}
