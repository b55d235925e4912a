/** Errors of the application's own code in words for its log: class, message and causes, without what could be a secret. */

import { clipText } from "../../core/base/text.js";

const maxCharacters = 500;
const maxCauses = 4;

/** @param redact - Replaces the secrets that are known. */
export function describeThrown(thrown: unknown, redact: (text: string) => string): string {
  return clipText(maskTokens(redact(nameError(thrown))), maxCharacters);
}

/** Names an error with its causes, which often say more than the error itself. */
function nameError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return typeof error;
  const hasCause = error.cause !== undefined && depth < maxCauses;
  const cause = hasCause ? `; cause: ${nameError(error.cause, depth + 1)}` : "";
  return `${error.name}: ${error.message}${cause}`;
}

/**
 * Hides words that could be secrets that no one has named yet (a token that the failing function was about to give): six characters
 * or more with a digit or a sign among them. What is left is prose, names of classes and hosts, codes such as ECONNREFUSED, and
 * addresses with their port.
 */
function maskTokens(text: string): string {
  return text.replace(/\S{6,}/g, (word) => (readableWord.test(word) ? word : "[hidden]"));
}

const readableWord =
  /^["'(]*(?:[A-Za-z_-][A-Za-z_.'-]*|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?["):,;!?]*\.?$/;
