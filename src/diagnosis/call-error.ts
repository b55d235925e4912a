/** From a cause to the `error` of an answer: every part within its own bound, and what did not fit is said. */

import type { CallError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { isObject } from "../json/shape.js";
import type { AnswerCause } from "./cause.js";
import { hintForAnswer } from "./describe-answer.js";
import type { ErrorBody } from "./error-body.js";
import { maxHintCharacters } from "./explanation.js";
import type { AnswerFacts } from "./facts.js";
import { maxMessageCharacters, readCause } from "./read-cause.js";
import { cleanText, clipJson } from "./shown-text.js";

const maxCodeCharacters = 100;
const maxDetailsCharacters = 1_900;

/** Why a call failed, twice: understood, and put in words for a model. */
export interface ReadError {
  readonly cause: AnswerCause;
  readonly error: CallError;
}

/**
 * Reads an answer as a decision: whether the call failed, what the API said, and what to change.
 *
 * @returns undefined when the call succeeded. `message` is at most 600 characters, `details` 2,000 characters of JSON, `code` 100, `hint` 1,000.
 */
export function readError(facts: AnswerFacts): ReadError | undefined {
  const read = readCause(facts);
  if (read === undefined) return undefined;
  const { cause, body } = read;
  const { message, category, retryable, retryAfterSeconds, codes } = cause;
  const details = writeDetails(body);
  return {
    cause,
    error: {
      message: message === "" ? writeFallback(facts) : message,
      category,
      retryable,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(codes[0] === undefined ? {} : { code: cleanText(codes[0], maxCodeCharacters) }),
      ...(details === undefined ? {} : { details }),
      hint: hintForAnswer(cause, facts),
    },
  };
}

/** The error with every part within its bound, for errors that other rooms made. */
export function applyErrorBounds(error: CallError): CallError {
  const { message, code, details, hint: advice } = error;
  return {
    ...error,
    message: cleanText(message, maxMessageCharacters),
    ...(code === undefined ? {} : { code: cleanText(code, maxCodeCharacters) }),
    ...(details === undefined ? {} : { details: clipDetails(details as JsonValue) }),
    hint: cleanText(advice, maxHintCharacters),
  };
}

/** `{fields?, …}` with the other scalars of the error under the API's own names; undefined when there are none. */
function writeDetails({ fields, particulars }: ErrorBody): JsonValue | undefined {
  const byField = Object.fromEntries([...fields].map(([field, messages]) => [field, [...messages]]));
  const details = { ...(fields.size === 0 ? {} : { fields: byField }), ...Object.fromEntries(particulars) };
  return Object.keys(details).length === 0 ? undefined : clipDetails(details);
}

/** `truncated: true` says that something was left out. */
function clipDetails(details: JsonValue): JsonValue {
  const { value, truncated } = clipJson(details, maxDetailsCharacters);
  return truncated && isObject(value) ? { ...value, truncated: true } : value;
}

/** The server's reason phrase is never shown: it may hold anything. */
function writeFallback({ status, body }: AnswerFacts): string {
  const start = `The API answered with status ${status}`;
  if (body.kind === "binary" || body.kind === "html" || body.document === undefined)
    return `${start} and no message.`;
  const excerpt = JSON.stringify(clipJson(body.document, 300).value);
  return /^(?:null|""|\{\}|\[\])$/.test(excerpt)
    ? `${start} and no message.`
    : `${start}: ${cleanText(excerpt, 400)}`;
}
