/** Says what to change or do next after a failed call, by its category. */

import type { ErrorCategory } from "../errors.js";
import { cleanText } from "./clean-text.js";
import { hintForConflict } from "./hint-for-conflict.js";
import { hintForForbidden, hintForUnauthorized } from "./hint-for-credential.js";
import { hintForNotFound } from "./hint-for-not-found.js";
import { hintForInvalid, hintForMethod, hintForTooLarge } from "./hint-for-request.js";
import { hintForRateLimit, hintForRedirect, hintForServerError } from "./hint-for-server.js";
import type { HintInput } from "./hint-input.js";

const maxHintChars = 1_000;

/** A quoted text that ends with a full stop of its own, before the sentence's. */
const doubledStop = /([^\s./])\.\.(?=\s|$)/g;

const byCategory: Partial<Record<ErrorCategory, (input: HintInput) => string>> = {
  bad_request: hintForInvalid,
  validation: hintForInvalid,
  unauthorized: hintForUnauthorized,
  forbidden: hintForForbidden,
  not_found: hintForNotFound,
  method_not_allowed: hintForMethod,
  conflict: hintForConflict,
  too_large: hintForTooLarge,
  rate_limited: hintForRateLimit,
  server_error: hintForServerError,
  timeout: hintForServerError,
  unexpected_content: hintForRedirect,
};

/** One to four sentences, at most 1,000 characters. */
export function writeHint(input: HintInput): string {
  const write = byCategory[input.category] ?? hintForInvalid;
  return cleanText(write(input).replace(doubledStop, "$1."), maxHintChars);
}
