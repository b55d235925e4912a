/** Takes the secrets out of an answer's headers, before any of their text is cut, cleaned or shown. */

import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { Redactor } from "../secrets/redactor.js";

/**
 * A server may echo what it was sent in any header: a policy's name, an error's text, a content type's parameter.
 *
 * @returns the same object when there is nothing to take out.
 */
export function redactHeaders(headers: ResponseHeaders, redactor: Redactor): ResponseHeaders {
  const entries = Object.entries(headers);
  let isClean = true;
  for (const entry of entries) {
    const [name, value] = entry;
    entry[0] = redactor.redact(name);
    entry[1] = typeof value === "string" ? redactor.redact(value) : redactAll(value, redactor);
    isClean &&= entry[0] === name && entry[1] === value;
  }
  return isClean ? headers : Object.fromEntries(entries);
}

function redactAll(values: readonly string[], redactor: Redactor): readonly string[] {
  const redacted = values.map((value) => redactor.redact(value));
  return redacted.every((value, index) => value === values[index]) ? values : redacted;
}
