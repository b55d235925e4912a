/** Step 7 of a call: from a response to its `error`, and to the same cause in words for a person; and from a job that failed. */

import type { CallError } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { dropUndefined } from "../base/input.js";
import { isObject } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { dropQuery, listAnswerFacts } from "./answer-facts.js";
import { callerCauses } from "./caller-causes.js";
import { findCategory, isRetryable, squeeze } from "./categories.js";
import { findCause, maxHintCharacters, writeCause, writeHint } from "./cause.js";
import { type ErrorBody, readErrorBody } from "./error-body.js";
import { stateWord } from "./error-keys.js";
import { type AnswerFacts, type FailedAnswer, readErrorHeaders } from "./facts.js";
import { findFailedPart } from "./failed-part.js";
import { findBrokenJson, hasAskedForPage, readPage } from "./page.js";
import { requestCauses } from "./request-causes.js";
import { cleanText, clipJson, dropStack, maxTexts, reasonPhrase } from "./shown-text.js";

const maxMessageCharacters = 600;
const maxCodeCharacters = 100;
const maxDetailsCharacters = 1_900;
const maxTextCharacters = 20_000;
const emptyBody: ErrorBody = { texts: [], codes: [], fields: new Map(), particulars: new Map() };

/**
 * Reads a response: whether the call failed, what the API reported, and what to change.
 *
 * @returns undefined when the call succeeded: a 2xx or 304 whose body is an API's response that reports no failure, or a write answered
 * with 303. `message` is at most 600 characters, `details` 2,000 characters of JSON, `code` 100, `hint` 1,000.
 */
export function readError(facts: AnswerFacts): ReturnType<typeof write> | undefined {
  const { status, body, request } = facts;
  const isPointer = status === 304 || (status === 303 && request.method !== "GET");
  if (isPointer && facts.isExpired !== true) return undefined;
  const isRefused = status < 200 || status >= 300;
  const part = isRefused ? body.document : findFailedPart(body, status, request.method);
  const isFailure = isRefused || part !== undefined;
  if (isFailure || facts.errorRule !== undefined || facts.isExpired === true) {
    const own = readBody(facts, part ?? body.document);
    const field = facts.isExpired === true ? "expiredWhen" : "errorWhen";
    const byRecord = isFailure
      ? undefined
      : `The call failed: the record's ${field} is true for the body.`;
    const answer = readFailure(facts, own, byRecord);
    return write(answer, own);
  }
  const page = readPage(body);
  if (page !== undefined && !hasAskedForPage(request)) {
    const title = page.title === undefined ? "" : `: ${page.title}`;
    const answer = refuse(facts, `The API answered with an HTML page${title}`, false);
    return write(answer, emptyBody);
  }
  const broken = facts.isTruncated === true ? undefined : findBrokenJson(body);
  if (broken === undefined) return undefined;
  const answer = refuse(facts, broken, body.partial !== undefined && request.method === "GET");
  return write(answer, emptyBody);
}

/** A body under 2xx that is not an API's response. */
function refuse(facts: AnswerFacts, why: string, retryable: boolean): FailedAnswer {
  const message = cleanText(why, maxMessageCharacters);
  return { ...facts, category: "unexpected_content", retryable, message, codes: [], fields: [] };
}

/** The report in the body of a failed call, for every kind of body. */
function readBody({ body }: AnswerFacts, part: JsonValue | undefined): ErrorBody {
  const { kind, text } = body;
  if (kind === "html" || kind === "text" || kind === "csv") {
    const shown = text.slice(0, kind === "html" ? 2_000 : maxTextCharacters);
    const message = kind === "html" ? (readPage(body)?.message ?? shown) : shown;
    return message === "" ? emptyBody : { ...emptyBody, message };
  }
  if (kind === "binary" || part === undefined || part === "") return emptyBody;
  return typeof part === "string" ? { ...emptyBody, message: part } : readErrorBody(part);
}

const causes = { ...callerCauses, ...requestCauses };

/**
 * One row for a model, one for a person; nearly always the same. The message of the cause begins with the request and the status, such as
 * `GET https://api.example.com/user answered 401: "Bad credentials".`
 */
function write(answer: FailedAnswer, body: ErrorBody) {
  const { message, category, retryable, retryAfterSeconds, codes, request, status } = answer;
  const facts = listAnswerFacts(answer);
  const situation = { category, status, codes: codes.map(squeeze), facts };
  const [code, ...others] = codes;
  const error = dropUndefined({
    message: message === "" ? writeFallback(answer) : message,
    category,
    retryable,
    retryAfterSeconds,
    code: code && cleanText(code, maxCodeCharacters),
    details: writeDetails(body, others),
    hint: writeHint(findCause(causes, situation, "model"), facts),
  });
  // A person has not seen the response.
  const answered = `${request.method} ${dropQuery(request.url)} answered ${status}`;
  const cause = writeCause(findCause(causes, situation, "person"), facts);
  const page = cause.verdict === "not_an_api" ? readPage(answer.body) : undefined;
  const title = page?.title === undefined ? "" : ` ("${clipText(page.title, 120)}")`;
  const reply = page === undefined ? quoteMessage(message) : ` with a web page${title}.`;
  return { error, cause: { ...cause, message: `${answered}${reply} ${cause.message}` } };
}

function quoteMessage(message: string): string {
  if (message === "") return " and no message.";
  return `: "${clipText(message.replace(/^"(.*)"$/s, "$1").replace(/\.$/, ""), 200)}".`;
}

/**
 * The report of the response, and its category.
 *
 * @param fallback - The message where the body has none; without one, that of a header.
 */
function readFailure(facts: AnswerFacts, body: ErrorBody, fallback?: string): FailedAnswer {
  const { status, headers, rateLimit } = facts;
  const own = readErrorHeaders(headers);
  const all = [...body.codes, ...(own.code ? [own.code] : [])];
  const codes = rankCodes(all, status);
  const message = cleanText(
    dropStack(facts.errorRule?.message ?? body.message ?? fallback ?? own.message ?? ""),
    maxMessageCharacters,
  );
  const { category, code: decidedBy } = findCategory(facts, codes, body);
  // The code that decided comes first of several; codes of a wrong input are the most general.
  const isSpecific = decidedBy !== undefined && category !== "validation";
  const ranked = isSpecific ? [decidedBy, ...codes.filter((code) => code !== decidedBy)] : codes;
  const retryable = isRetryable(facts, codes, category);
  const reset =
    category === "rate_limited" && rateLimit?.remaining === 0
      ? rateLimit.resetInSeconds
      : undefined;
  // A wait holds for a write, too, which is not repeated without a look. A wait of 0 seconds is not shown.
  const isWaiting = retryable || category === "server_error" || category === "timeout";
  const retryAfterSeconds = (isWaiting && (rateLimit?.retryAfterSeconds || reset)) || undefined;
  const fields = [...body.fields.keys()];
  return { ...facts, message, codes: ranked, category, retryable, retryAfterSeconds, fields };
}

/** The side that is at fault (SOAP 1.1, section 4.4.1; SOAP 1.2 part 1, section 5.4.6), and a word that says no more than the status. */
const generalCode = /^(?:(?:\w+:)?(?:client|server|sender|receiver)|exception)$/i;

/** A code that only repeats the status goes, and one that does not say what failed comes last: `INVALID_ARGUMENT` is more specific than `400`. */
function rankCodes(codes: readonly string[], status: number): readonly string[] {
  const specific = codes.filter((code) => code !== String(status));
  if (specific.length === 0) return codes.slice(0, 1);
  const isGeneral = (code: string): boolean => generalCode.test(code);
  return [...specific.filter((code) => !isGeneral(code)), ...specific.filter(isGeneral)];
}

/** The error with every part within its bound, for errors of other rooms. */
export function applyErrorBounds(error: CallError): CallError {
  const { message, code, details, hint: advice } = error;
  return dropUndefined({
    ...error,
    message: cleanText(message, maxMessageCharacters),
    code: code && cleanText(code, maxCodeCharacters),
    details: details === undefined ? undefined : clipDetails(details as JsonValue),
    hint: cleanText(advice, maxHintCharacters),
  });
}

/**
 * `{fields?, messages?, codes?, …}`: the problems of each field, every text where the message has not all of them, the other codes, and the
 * other scalars of the error under the API's own names; undefined when it has nothing else.
 */
function writeDetails(
  { fields, particulars, texts }: ErrorBody,
  others: readonly string[],
): JsonValue | undefined {
  const aboutFields = [...fields.values()].flat();
  const codes = others.filter(
    (code) => !reasonPhrase.test(code) && !stateWord.test(code) && !aboutFields.includes(code),
  );
  const isCut = texts.length > 1 && texts.join("; ").length > maxMessageCharacters;
  const messages = isCut || texts.length > maxTexts ? texts : [];
  const byField = Object.fromEntries(
    [...fields].map(([field, messages]) => [field, [...messages]]),
  );
  const details = {
    ...(fields.size === 0 ? {} : { fields: byField }),
    ...(messages.length === 0 ? {} : { messages: messages.map(dropStack) }),
    ...(codes.length === 0 ? {} : { codes }),
    ...Object.fromEntries(particulars),
  };
  return Object.keys(details).length === 0 ? undefined : clipDetails(details);
}

/** `truncated: true`: a part is omitted. */
function clipDetails(details: JsonValue): JsonValue {
  const { value, truncated } = clipJson(details, maxDetailsCharacters);
  return truncated && isObject(value) ? { ...value, truncated: true } : value;
}

/** The server's reason phrase is never shown: it may contain anything. */
function writeFallback({ status, body }: AnswerFacts): string {
  const isUnread = body.kind === "binary" || body.kind === "html";
  const excerpt = JSON.stringify(clipJson(isUnread ? null : (body.document ?? null), 300).value);
  const shown = /^(?:null|""|\{\}|\[\])$/.test(excerpt)
    ? " and no message."
    : `: ${cleanText(excerpt, 400)}`;
  return `The API answered with status ${status}${shown}`;
}

/** Members of a body that repeat the request, the status, or the time. */
const repeatedKey = /^(?:timestamp|time|date|path|instance|jsonrpc|ok|success)$/i;
/** A larger body is not compared. */
const maxComparedCharacters = 4_000;

/**
 * Whether an error already contains everything in the body it was read from: then the body is not shown again.
 *
 * @param status - Of the response: a body often repeats it.
 */
export function isContained(document: JsonValue, error: CallError, status: number): boolean {
  const { value, truncated } = clipJson(document, maxComparedCharacters);
  if (truncated) return false;
  const shown = JSON.stringify([error.message, error.code, error.details, status]);
  let isShown = true;
  JSON.stringify(value, (key, member: unknown) => {
    if (repeatedKey.test(key)) return undefined;
    const text = typeof member === "object" ? "" : String(member);
    isShown &&=
      text === "" || reasonPhrase.test(text) || stateWord.test(text) || isWordOf(shown, text);
    return member;
  });
  return isShown;
}

/** Not as a part of a longer word or number, unless it is long itself. */
function isWordOf(shown: string, text: string): boolean {
  const at = shown.indexOf(JSON.stringify(text).slice(1, -1));
  const isWhole = !/\w/.test(shown.charAt(at - 1) + shown.charAt(at + text.length));
  return at >= 0 && (text.length > 3 || isWhole);
}

/** Members that describe the job rather than its failure. */
const stateMembers = new Set(["status", "state", "id", "name", "done", "metadata"]);

/**
 * Describes a failed job.
 *
 * @param document - The last response of the job.
 * @param word - The state as the API writes it.
 */
export function explainFailedJob(
  document: JsonValue | undefined,
  word: string | undefined,
): CallError {
  const members = isObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => !stateMembers.has(name)))
    : null;
  const { message, codes } = readErrorBody(members);
  const state = word === undefined ? "failed" : `"${word}"`;
  return applyErrorBounds({
    message: `The job ended as ${state}${message === undefined ? "." : `: ${message}`}`,
    category: "job_failed",
    retryable: false,
    ...(codes[0] === undefined ? {} : { code: codes[0] }),
    hint: "The request that started the job was accepted; the job itself failed. Correct the named reason before you start another job.",
  });
}
