/** Reads an answer as a decision: whether the call failed, what the API said, and what to change. */

import type { ResponseBody } from "../body/response-body.js";
import type { CallError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import type { RateLimit, ResponseHeaders } from "../limits/rate-limit.js";
import type { ApiSource } from "../source/api-source.js";
import { boundJson } from "./bound-json.js";
import { chooseCategory } from "./choose-category.js";
import { cleanText } from "./clean-text.js";
import { dropStack } from "./drop-stack.js";
import { findFailureUnderSuccess } from "./find-failure-under-success.js";
import { findUnexpectedContent, hintForUnexpectedContent } from "./find-unexpected-content.js";
import type { HintInput, SentRequest } from "./hint-input.js";
import { isRetryable } from "./is-retryable.js";
import { type ErrorFacts, readErrorFacts } from "./read-error-facts.js";
import { type HeaderFacts, readHeaderFacts } from "./read-header.js";
import { readHtmlPage } from "./read-html.js";
import { writeDetails } from "./write-details.js";
import { writeHint } from "./write-hint.js";

export interface ReadErrorInput {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Already redacted. */
  readonly body: ResponseBody;
  readonly request: SentRequest;
  readonly source: ApiSource;
  readonly rateLimit?: RateLimit | undefined;
  /** Whether only a part of the body arrived, as the exchange says: then what is missing at its end is no news. @default false */
  readonly bodyIsCut?: boolean | undefined;
  /** Whether the record's `errorWhen` is true of this body. */
  readonly errorWhenMatched?: boolean | undefined;
}

const maxMessageChars = 600;
const maxCodeChars = 100;
const noFacts: ErrorFacts = { codes: [], fields: new Map(), particulars: new Map() };

/**
 * Returns the error of a failed call: message at most 600 characters, `details` about 1,500 characters of JSON. Undefined when the call
 * succeeded, which is a 2xx or 304 whose body neither reports a failure nor is something else than an API's answer.
 * A body cut by the cap, the deadline or the connection is the exchange's own failure: say `bodyIsCut`.
 */
export function readError(input: ReadErrorInput): CallError | undefined {
  const { status, body, request } = input;
  if (status === 304) return undefined;
  if (status < 200 || status >= 300) return describeFailure(input, factsOf(body));
  const failed = findFailureUnderSuccess(body);
  if (failed !== undefined) return describeFailure(input, readErrorFacts(failed));
  if (input.errorWhenMatched === true) return describeMatched(input);
  const unexpected = findUnexpectedContent(body, request, input.bodyIsCut === true);
  return unexpected === undefined
    ? undefined
    : describeUnexpected(input, unexpected.message, unexpected.meaning);
}

/** What the body of a failed call says, whatever its kind. */
function factsOf(body: ResponseBody): ErrorFacts {
  if (body.kind === "html") {
    const { message } = readHtmlPage(body);
    return message === undefined ? noFacts : { ...noFacts, message };
  }
  if (body.kind === "text" || body.kind === "csv") return factsOfText(body.text);
  return body.kind === "binary" || body.document === undefined ? noFacts : readErrorFacts(body.document);
}

function factsOfText(text: string): ErrorFacts {
  const message = cleanText(dropStack(text), maxMessageChars);
  return message === "" ? noFacts : { ...noFacts, message };
}

function describeMatched(input: ReadErrorInput): CallError {
  const facts = factsOf(input.body);
  const message =
    facts.message ?? "The body says that the call failed (the record's errorWhen is true of it).";
  return describeFailure(input, { ...facts, message });
}

function describeFailure(input: ReadErrorInput, facts: ErrorFacts): CallError {
  const { status, request, rateLimit, body } = input;
  const header = readHeaderFacts(input.headers);
  const codes = codesOf(facts, header, status);
  const said = cleanText(dropStack(facts.message ?? header.message ?? ""), maxMessageChars);
  const words = { codes, message: said };
  const hasFields = facts.fields.size > 0;
  const category = chooseCategory({ ...words, status, hasFields, bodyStatus: facts.status, rateLimit });
  const retryable = isRetryable({ ...words, status, category, method: request.method });
  const retryAfterSeconds = rateLimit?.retryAfterSeconds ?? resetOf(category, rateLimit);
  const details = writeDetails(facts);
  const hint = writeHint({
    ...hintInput(input),
    ...words,
    category,
    retryable,
    retryAfterSeconds,
    fields: [...facts.fields.keys()],
  });
  const code = codes[0] === undefined ? undefined : cleanText(codes[0], maxCodeChars);
  return {
    message: said === "" ? writeFallback(status, body) : said,
    category,
    retryable,
    ...(retryable && retryAfterSeconds !== undefined ? { retryAfterSeconds } : {}),
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
    hint,
  };
}

function describeUnexpected(input: ReadErrorInput, message: string, meaning: string): CallError {
  const { body, request } = input;
  const retryable = body.partial !== undefined && request.method === "GET";
  const known = { category: "unexpected_content", retryable } as const;
  const hint = hintForUnexpectedContent(
    { ...hintInput(input), ...known, message, codes: [], fields: [] },
    meaning,
  );
  return { message: cleanText(message, maxMessageChars), ...known, hint };
}

function hintInput(
  input: ReadErrorInput,
): Omit<HintInput, "category" | "retryable" | "message" | "codes" | "fields"> {
  const { status, headers, request, source, rateLimit, body } = input;
  return { status, headers, request, source, rateLimit, kind: body.kind };
}

/** A code that only repeats the HTTP status comes last: `INVALID_ARGUMENT` tells more than `400`. */
function codesOf(facts: ErrorFacts, header: HeaderFacts, status: number): string[] {
  const all = [...facts.codes, ...(header.code === undefined ? [] : [header.code])];
  const telling = all.filter((code) => code !== String(status));
  return telling.length > 0 ? telling : all.slice(0, 1);
}

function resetOf(category: string, rateLimit: RateLimit | undefined): number | undefined {
  return category === "rate_limited" && rateLimit?.remaining === 0 ? rateLimit.resetInSeconds : undefined;
}

/** The server's reason phrase is never shown: it may hold anything. */
function writeFallback(status: number, body: ResponseBody): string {
  const start = `The API answered with status ${status}`;
  const { document } = body;
  if (body.kind === "binary" || document === undefined) return `${start} and no message.`;
  const excerpt = writeExcerpt(document);
  return excerpt === "" ? `${start} and no message.` : `${start}: ${excerpt}`;
}

function writeExcerpt(value: JsonValue): string {
  const text = JSON.stringify(boundJson(value, 300).value);
  return /^(?:null|""|\{\}|\[\])$/.test(text) ? "" : cleanText(text, 400);
}
