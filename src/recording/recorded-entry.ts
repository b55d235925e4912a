/** Makes the recorded form of an attempt: redacted by value, without the credential. */

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { dropUndefined } from "../drop-undefined.js";
import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import { writeJson } from "../json/write-json.js";
import { redactHeaders } from "../secrets/redact-headers.js";
import type { ObservedAttempt, ObservedRequest } from "../transport/observed-attempt.js";
import { recordBody } from "./recorded-body.js";
import type { RecordedEntry, RecordedRequest, RecordedResponse } from "./recording-format.js";

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

/** Members of RFC 6749 (tokens, errors), RFC 8628 (devices) and RFC 8414 (metadata) that are not credentials. */
const publicMember =
  /^(?:token_type|issued_token_type|scope|error|error_description|issuer|interval|verification_uri)$|(?:_endpoint|_supported|_uri)$|expire|lifetime|_in$/i;
/** It is signed: a made-up one would be refused, and no call needs it. */
const signedMember = "id_token";

/**
 * The response of a token call without its tokens: values are made up, so that a replayed login or refresh works.
 *
 * @param text - The redacted body: JSON, a form as some servers send it, or the token alone.
 * @param mark - Makes the made-up values different from those of any other response: a renewed token is another token.
 */
function replaceTokens(text: string, mark: string): string {
  // Long enough for the redactor: a replayed answer hides it where the recorded one hid the real token.
  const name = (member: string): string => `recorded-${member === "" ? "token" : member}-${mark}`;
  try {
    return writeJson(replaceLeaves(parseJson(text), "", name));
  } catch {
    return /^[\w.-]+=/.test(text) ? replacePairs(text, name) : name("");
  }
}

type NameToken = (member: string) => string;

function replaceLeaves(value: JsonValue, name: string, nameToken: NameToken): JsonValue {
  if (Array.isArray(value)) return value.map((each) => replaceLeaves(each, name, nameToken));
  if (isJsonObject(value)) {
    const members = Object.entries(value).filter(([member]) => member !== signedMember);
    const replaced: JsonObject = Object.create(null);
    for (const [member, given] of members) replaced[member] = replaceLeaves(given, member, nameToken);
    return replaced;
  }
  const isValue = typeof value === "string" || isJsonNumber(value);
  return isValue && !publicMember.test(name) ? nameToken(name) : value;
}

function replacePairs(text: string, nameToken: NameToken): string {
  const pairs = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
    name,
    publicMember.test(name) ? value : nameToken(name),
  ]);
  return new URLSearchParams(pairs).toString();
}

/** Headers that contain a point in time: when a quota resets, when to come back, until when a response is fresh. */
const timedHeader = /reset|retry-?after|^expires$/i;
/** A number that is a point in time and not a duration: seconds or milliseconds since 2001. */
const epochSeconds = /^\d{10}(?:\.\d+)?$/;
const epochMilliseconds = /^\d{13}$/;
const mark = /^\{now([+-]\d+) (s|ms|date)\}$/;

/**
 * Writes a time relative to when the response arrived, so that a replay on another day gives the same answer.
 *
 * @returns `{now+37 s}` in place of a point in time; any other value unchanged.
 */
function writeRelativeTimes(name: string, value: string, nowMs: number): string {
  if (!timedHeader.test(name)) return value;
  const write = (atMs: number, unit: string): string => {
    const seconds = Math.round((atMs - nowMs) / 1_000);
    return `{now${seconds < 0 ? "" : "+"}${seconds} ${unit}}`;
  };
  if (epochSeconds.test(value)) return write(Number(value) * 1_000, "s");
  if (epochMilliseconds.test(value)) return write(Number(value), "ms");
  const dateMs = /[A-Za-z]{3},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? value : write(dateMs, "date");
}

/** The value as the API would send it now. */
export function readRelativeTimes(value: string, nowMs: number): string {
  const [, seconds, unit] = mark.exec(value) ?? [];
  if (seconds === undefined) return value;
  const atMs = nowMs + Number(seconds) * 1_000;
  if (unit === "date") return new Date(atMs).toUTCString();
  return String(unit === "ms" ? atMs : Math.floor(atMs / 1_000));
}
