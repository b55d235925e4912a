/** Makes the recorded form of an attempt: redacted by value, without the credential; what a token or login call answers is made up. */

import { isUtf8 } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeJson,
} from "../../core/base/exact-number.js";
import { dropUndefined } from "../../core/base/input.js";
import { parseJson } from "../../core/base/parse-json.js";
import { type ResponseHeaders, readHeader } from "../../core/http/limits/rate-limit.js";
import type { ObservedAttempt, ObservedRequest } from "../../core/http/own-transport.js";
import {
  isCredentialLike,
  isLiving,
  isPublicMember,
  listHeaderTokens,
  listIssuedLeaves,
  listSetCookies,
} from "../../core/secrets/issued-secrets.js";
import { redactHeaders } from "../../core/secrets/redactor.js";
import { Secret } from "../../core/secrets/secret.js";
import type {
  RecordedBody,
  RecordedEntry,
  RecordedRequest,
  RecordedResponse,
} from "./recordings.js";

/** The request in the form in which it is recorded and compared. */
export function toRecordedRequest(request: ObservedRequest): RecordedRequest {
  const { method, contentType, body, isTokenCall, redactor } = request;
  const url = redactor.redact(writeUrl(request));
  if (isTokenCall) return { method, url, isTokenCall };
  const recorded = body && recordBody(redactor.redactBody(body), contentType);
  return { method, url, contentType: contentType?.split(";", 1)[0], body: recorded };
}

function recordBody(given: Uint8Array, contentType: string = ""): RecordedBody {
  const boundary = /^\s*multipart\/form-data\b.*?;\s*boundary="?([^";]+)/i.exec(contentType)?.[1];
  // In Latin-1 each byte is a character, and stays the byte that it is.
  const text = Buffer.from(given).toString("latin1");
  const steady = boundary === undefined ? text : text.replaceAll(boundary, "boundary");
  const bytes = Buffer.from(steady, "latin1");
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** @param nowMs - When the response arrived: times in its headers are written relative to it. */
export function toRecordedEntry(attempt: ObservedAttempt, nowMs: number): RecordedEntry {
  const { request: observed, status, code, isTruncated } = attempt;
  const request = toRecordedRequest(observed);
  if (status === undefined) return { request, failure: code === undefined ? {} : { code } };
  const headers = toRecordedHeaders(attempt, nowMs);
  const body = toRecordedBody(attempt);
  const answer = observed.isTokenCall ? toTokenAnswer(attempt, headers) : { headers, body };
  const response = { status, ...answer, isTruncated: isTruncated === true || undefined };
  return { request, response };
}

function toRecordedBody({ request, body }: ObservedAttempt): RecordedResponse["body"] {
  if (body === undefined || body.length === 0) return undefined;
  const redacted = request.redactor.redactBody(body);
  if (!isUtf8(redacted)) return { base64: Buffer.from(redacted).toString("base64") };
  return Buffer.from(redacted).toString("utf8");
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
    if (name === "set-cookie") return [[name, listMadeUpCookies(headers, nowMs)] as const];
    const values = [given].flat().map((value) => {
      const shown =
        name === "location" ? writeTarget(value, request) : hideAddresses(value, request);
      return writeRelativeTimes(name, shown, nowMs);
    });
    return [[name, typeof given === "string" ? (values[0] ?? "") : values] as const];
  });
  return redactHeaders(Object.fromEntries(kept), request.redactor);
}

/** A cookie keeps its name and its end. */
function listMadeUpCookies(headers: ResponseHeaders, nowMs: number): string[] {
  return listSetCookies(headers, nowMs).map((cookie) => {
    const { name, endMs } = cookie;
    const end = endMs === undefined ? "" : `; Max-Age=${Math.ceil((endMs - nowMs) / 1_000)}`;
    return `${name}=${isLiving(cookie, nowMs) ? "recorded" : ""}${end}`;
  });
}

function writeUrl(request: ObservedRequest): string {
  const { url, baseUrl, isTokenCall } = request;
  if (isTokenCall) return replaceQueryValues(url);
  if (!isBelow(url, request)) return hideAddress(url);
  const below = url.slice(baseUrl.replace(/\/+$/, "").length);
  return below.startsWith("/") ? below : `/${below}`;
}

function isBelow(url: string, { baseUrl, url: from }: ObservedRequest): boolean {
  const target = URL.canParse(url, from) ? new URL(url, from).href : url;
  const base = baseUrl.replace(/\/+$/, "");
  return target === base || ["/", "?"].some((next) => target.startsWith(base + next));
}

/** Where a redirect leads. */
function writeTarget(value: string, request: ObservedRequest): string {
  if (isBelow(value, request)) return value;
  return hideAddress(URL.canParse(value, request.url) ? new URL(value, request.url).href : value);
}

/** The addresses in a header that are not below the base URL. */
function hideAddresses(value: string, request: ObservedRequest): string {
  return value.replace(/https?:\/\/[^\s<>"',;]+/gi, (url) =>
    isBelow(url, request) ? url : hideAddress(url),
  );
}

/** An address that was hidden: a replayed redirect leads to it. */
const hiddenPath = /^\/recorded-[0-9a-f]{16}$/;

/** Replaces all but the origin of an address that is not below the base URL by a hash: path and query of a download may be a credential that no one has named. */
function hideAddress(url: string): string {
  const { origin, pathname, search } = URL.canParse(url)
    ? new URL(url)
    : { origin: "", pathname: url, search: "" };
  if (search === "" && hiddenPath.test(pathname)) return url;
  const hash = createHash("sha256")
    .update(pathname + search)
    .digest("hex");
  return `${origin}/recorded-${hash.slice(0, 16)}`;
}

function replaceQueryValues(url: string): string {
  const [address = "", query] = url.split("?", 2);
  return query === undefined ? url : `${address}?${query.replace(/=[^&#]*/g, "=recorded")}`;
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

type Headers = RecordedResponse["headers"];

/**
 * The recorded form of what a token or login call answers: every value is made up but those that anyone may know. A replayed login or refresh works
 * with it. What is kept may repeat what was made up: there it is redacted.
 *
 * @param headers - As they are recorded of any other call.
 */
function toTokenAnswer(
  { request: { redactor }, body = new Uint8Array() }: ObservedAttempt,
  headers: Headers,
): Pick<RecordedResponse, "headers" | "body"> {
  const replaced: string[] = [];
  // As the call itself reads it, whatever its charset: of bytes that are not UTF-8 the tokens are made up, too.
  const text = replaceTokens(Buffer.from(body).toString("utf8"), (value) => replaced.push(value));
  const local = redactor.with(replaced.filter(isCredentialLike).map((value) => new Secret(value)));
  const kept = local.redact(keepHeaders(headers));
  return { headers: kept, body: body.length === 0 ? undefined : local.redact(text) };
}

/**
 * Lists what an answer issues: cookies, and members of a token or login answer, headers and parameters that are named for a secret. Another member, such as
 * the id of an account, may be a part of any later request: without it that could not be replayed.
 */
export function listIssued({
  request,
  headers = {},
  body = new Uint8Array(),
}: ObservedAttempt): string[] {
  const cookies = listSetCookies(headers, 0).map(({ value }) => value);
  const leaves = request.isTokenCall ? listIssuedLeaves(Buffer.from(body).toString("utf8")) : [];
  return [...cookies.filter(isCredentialLike), ...leaves, ...listHeaderTokens(headers)];
}

function keepHeaders(headers: Headers): Headers {
  const place = readHeader(headers, "location")?.replace(
    /[?#].*$|;[^/?#]*|(?<=\/\/)[^/?#]*@/gs,
    "",
  );
  const media = readHeader(headers, "content-type")?.split(";", 1)[0];
  const { "retry-after": wait, "set-cookie": cookies } = headers;
  return dropUndefined({
    "content-type": media,
    location: place,
    "retry-after": wait,
    "set-cookie": cookies,
  });
}

/** It is signed: a made-up one would be refused, and no call needs it. */
const signedMember = "id_token";
/** A member that is called so is listed by a token or an id. */
const nameWithId = /^(?=(?:.*\d){3}).{16}/s;

/**
 * Makes up the values: of JSON, of a form as some servers send it, or of the token alone.
 *
 * @param onReplace - Receives what was there, and the name of its member.
 */
function replaceTokens(text: string, onReplace: (value: string, member: string) => void): string {
  // A renewed token is another token.
  const mark = randomUUID().slice(0, 8);
  // Long enough for the redactor: a replayed answer hides it where the recorded one hid the real token.
  const replace = (member: string, value: string): string => {
    if (isPublicMember(member)) return value;
    onReplace(value, member);
    return `recorded-${member === "" ? "token" : member}-${mark}`;
  };
  const replaceLeaves = (value: JsonValue, name: string): JsonValue => {
    if (Array.isArray(value)) return value.map((each) => replaceLeaves(each, name));
    if (!isJsonObject(value))
      return !isPublicMember(name) && (typeof value === "string" || isJsonNumber(value))
        ? replace(name, String(value))
        : value;
    const made: JsonObject = Object.create(null);
    for (const [member, given] of Object.entries(value)) {
      const key = nameWithId.test(member) ? replace("", member) : member;
      if (key !== signedMember) made[key] = replaceLeaves(given, key);
    }
    return made;
  };
  try {
    return writeJson(replaceLeaves(parseJson(text), ""));
  } catch {
    if (!/^[\w.-]+=/.test(text)) return replace("", text.trim());
    const pairs = [...new URLSearchParams(text)].map(([name, value]): [string, string] => [
      name,
      replace(name, value),
    ]);
    return new URLSearchParams(pairs).toString();
  }
}
