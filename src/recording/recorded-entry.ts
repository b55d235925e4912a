/** Makes the recorded form of an attempt: redacted by value, without the credential. */

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { dropUndefined } from "../drop-undefined.js";
import { redactHeaders } from "../secrets/redact-headers.js";
import type { ObservedAttempt, ObservedRequest } from "../transport/observed-attempt.js";
import { replaceTokens } from "./made-up-tokens.js";
import { recordBody } from "./recorded-body.js";
import type { RecordedEntry, RecordedRequest, RecordedResponse } from "./recording-format.js";
import { writeRelativeTimes } from "./relative-times.js";

/** The request in the form in which it is recorded and compared. */
export function toRecordedRequest(request: ObservedRequest): RecordedRequest {
  const { method, contentType, body, isTokenCall, redactor } = request;
  const url = redactor.redact(writeUrl(request));
  if (isTokenCall) return { method, url, isTokenCall };
  const recorded = body && recordBody(redactor.redactBytes(body), contentType);
  return dropUndefined({ method, url, contentType: contentType?.split(";", 1)[0], body: recorded });
}

/** @param nowMs - When the response arrived: times in its headers are written relative to it. */
export function toRecordedEntry(attempt: ObservedAttempt, nowMs: number): RecordedEntry {
  const { request: observed, ms, status, code, body, isTruncated } = attempt;
  const request = toRecordedRequest(observed);
  if (status === undefined) return { request, failure: code === undefined ? {} : { code }, ms };
  const headers = toRecordedHeaders(attempt, nowMs);
  const bytes = body === undefined || body.length === 0 ? undefined : body;
  const response = dropUndefined({
    status,
    headers,
    body: bytes && toRecordedText(observed, bytes),
    isTruncated: isTruncated === true || undefined,
  });
  return { request, response, ms };
}

function toRecordedText(request: ObservedRequest, bytes: Uint8Array): RecordedResponse["body"] {
  const redacted = request.redactor.redactBytes(bytes);
  if (!isUtf8(redacted)) return { base64: Buffer.from(redacted).toString("base64") };
  const text = Buffer.from(redacted).toString("utf8");
  return request.isTokenCall ? replaceTokens(text, randomUUID().slice(0, 8)) : text;
}

/** They describe the connection, or a coding that was undone before the body was recorded. */
const connectionHeaders = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function toRecordedHeaders(
  { headers = {}, request }: ObservedAttempt,
  nowMs: number,
): RecordedResponse["headers"] {
  const kept = Object.entries(headers).flatMap(([name, given]) => {
    if (given === undefined || connectionHeaders.has(name)) return [];
    const values = [given].flat().map((value) => {
      if (name === "set-cookie") return value.replace(/^([^=;]*)=[^;]*/, "$1=recorded");
      const isElsewhere = name === "location" && !isBelow(value, request);
      return writeRelativeTimes(name, isElsewhere ? replaceQueryValues(value) : value, nowMs);
    });
    return [[name, typeof given === "string" ? (values[0] ?? "") : values] as const];
  });
  return redactHeaders(Object.fromEntries(kept), request.redactor);
}

/** A URL of another host may be signed: its query then is a credential that no one has named. */
function writeUrl(request: ObservedRequest): string {
  const { url, baseUrl, isTokenCall } = request;
  if (isTokenCall || !isBelow(url, request)) return replaceQueryValues(url);
  const below = url.slice(baseUrl.replace(/\/+$/, "").length);
  return below.startsWith("/") ? below : `/${below}`;
}

function isBelow(url: string, { baseUrl, url: from }: ObservedRequest): boolean {
  const target = URL.canParse(url, from) ? new URL(url, from).href : url;
  const base = baseUrl.replace(/\/+$/, "");
  return target === base || ["/", "?"].some((next) => target.startsWith(base + next));
}

function replaceQueryValues(url: string): string {
  const [address = "", query] = url.split("?", 2);
  return query === undefined ? url : `${address}?${query.replace(/=[^&#]*/g, "=recorded")}`;
}
