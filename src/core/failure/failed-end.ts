/** Finds what the end of a stream reports: an event for errors, a document that is an error, or an answer that ended with one. */

import type { JsonValue } from "../base/exact-number.js";
import { isBlank, isObject, type JsonObject, toText } from "../base/shape.js";
import { stripGuard } from "../body/read-json-text.js";
import type { ResponseBody } from "../body/response-body.js";
import { hasHiddenFailure, isErrorAlone } from "./hidden-failure.js";

/** Media types of JSON documents that follow each other. */
const sequenceType = /event-stream|nd-?json|jsonl|json-?lines|json-seq|stream\+json/;
/** The rows at the end that are looked at: marks and signs of life may follow the last one that says something. */
const maxMarks = 5;

/** Takes the body of a 2xx. Returns what the last row with any content reports, where that is a failure. */
export function findFailedEnd(body: ResponseBody): JsonValue | undefined {
  const { document, contentType = "" } = body;
  if (!Array.isArray(document)) return undefined;
  if (!isSequence(body)) return findRpcError(document.at(-1));
  const areEvents = contentType.endsWith("event-stream");
  for (const row of document.slice(-maxMarks).reverse()) {
    if (!isObject(row)) return undefined;
    const failed = areEvents ? findFailedEvent(row) : findFailedDocument(row);
    if (failed !== undefined || !isEndMark(row)) return failed;
  }
  return undefined;
}

/** Whether a list was made of documents or events, and is none of the API's own, which may be guarded or within a JSON string. */
function isSequence({ kind, text, contentType = "" }: ResponseBody): boolean {
  const isOwnList = /^"?\s*\[/.test(stripGuard(text.slice(0, 200)));
  return kind === "json" && (sequenceType.test(contentType) || !isOwnList);
}

/** The last element of a list that Google streams: a google.rpc.Status in place of a row. */
function findRpcError(row: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(row) || !isObject(row["error"]) || !isFailedDocument(row)) return undefined;
  const { code, status } = row["error"];
  const isStatus = typeof code === "number" && /^[A-Z_]+$/.test(toText(status) ?? "");
  return isStatus ? row : undefined;
}

/** The name of an event, or the type of its document, that reports the failure of all. */
const errorName = /^error$/i;
/** Names that may be about a record, too: the document has to report the error. */
const [errorEnd, failedEnd] = [/[._:-]error$/i, /[._:-]failed$/i] as const;
/** Events without content: OpenAI's `[DONE]`, GraphQL's `complete`, LangGraph's `end`, Anthropic's `ping`. */
const markName = /^(?:complete|done|end|heartbeat|keep-?alive|ping)$/i;

/** Every event has `data`; a document without it is a row. */
function isEndMark({ event, data }: JsonObject): boolean {
  if (data === undefined) return false;
  return isBlank(data) || data === "[DONE]" || markName.test(toText(event) ?? "");
}

/** An event has its document in `data`, or a text. An application names its error events: `EventSource` itself sends none over the wire. */
function findFailedEvent({ event, data }: JsonObject): JsonValue | undefined {
  if (isBlank(data)) return undefined;
  const name = toText(event) ?? "";
  if (!isObject(data)) return errorName.test(name) ? data : undefined;
  const names = [name, toText(data["type"]) ?? "", toText(data["event"]) ?? ""];
  if (names.some((each) => errorName.test(each)) || isFailedChunk(data)) return readReport(data);
  return findNamedFailure(names, data) ?? findFailedDocument(data);
}

/** OpenRouter sends an error beside the choices of the last chunk. */
function isFailedChunk({ choices, error }: JsonObject): boolean {
  return Array.isArray(choices) && isObject(error) && toText(error["message"]) !== undefined;
}

/**
 * OpenAI's `response.failed` and `thread.run.failed` have the error in the response, or as the last one of the run; `build.failed` is about a
 * build. Mistral's `conversation.response.error` and AG-UI's `RUN_ERROR` are nothing but the error.
 */
function findNamedFailure(names: readonly string[], document: JsonObject): JsonValue | undefined {
  if (names.some((each) => failedEnd.test(each))) {
    const { response, last_error: ofRun } = document;
    const report = isObject(response) ? response["error"] : ofRun;
    return isObject(report) ? report : undefined;
  }
  const isNamed = names.some((each) => errorEnd.test(each));
  return isNamed && isErrorAlone(document) ? document : undefined;
}

function findFailedDocument(document: JsonObject): JsonValue | undefined {
  if (isFailedDocument(document)) return document;
  return findWatchError(document) ?? findFailedFinish(document);
}

function isFailedDocument(document: JsonObject): boolean {
  return hasHiddenFailure({ kind: "json", document });
}

/** The `Status` in the last event of a watch of Kubernetes: `{"type":"ERROR","object":{"kind":"Status",…}}`. */
function findWatchError({ type, object }: JsonObject): JsonValue | undefined {
  const isStatus = isObject(object) && object["kind"] === "Status";
  return type === "ERROR" && isStatus ? object : undefined;
}

/** A generation that ended with an error: Cohere names the reason beside it, Mistral none. */
function findFailedFinish(document: JsonObject): JsonValue | undefined {
  const choices = Array.isArray(document["choices"]) ? document["choices"].slice(0, 10) : [];
  const parts = [document, document["delta"], ...choices].filter(isObject);
  const part = parts.find((each) => /^error(?:_|$)/i.test(toText(each["finish_reason"]) ?? ""));
  if (part === undefined) return undefined;
  const message = `The answer ended with finish_reason ${toText(part["finish_reason"])}.`;
  return isBlank(part["error"]) ? { message } : { error: part["error"] ?? message };
}

/** The error in the document of a failed event, without the records beside it. */
function readReport(document: JsonObject): JsonValue {
  const { error } = document;
  return isObject(error) ? error : document;
}

/** The note about a stream whose last event says that the answer is cut off (OpenAI's `response.incomplete`). */
export function describeIncompleteEnd(rows: readonly JsonValue[]): string[] {
  const last = rows.at(-1);
  if (!isObject(last) || !isObject(last["data"])) return [];
  const { type, response } = last["data"];
  if (![last["event"], type].includes("response.incomplete")) return [];
  const details = isObject(response) ? response["incomplete_details"] : undefined;
  const reason = isObject(details) ? toText(details["reason"]) : undefined;
  return [`The stream ended as incomplete${reason === undefined ? "" : `: ${reason}`}.`];
}
