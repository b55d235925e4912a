/** Takes the secrets out of an answer's headers, before any of their text is cut, cleaned or shown. */

import type { ResponseHeaders } from "../rate-limit/rate-limit.js";
import type { Redactor } from "../secrets/redactor.js";

/** A server may echo what it was sent in any header: a policy's name, an error's text, a content type's parameter. */
export function redactHeaders(headers: ResponseHeaders, redactor: Redactor): ResponseHeaders {
  const redact = (value: string): string => redactor.redact(value);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redact(name),
      typeof value === "string" ? redact(value) : value.map(redact),
    ]),
  );
}
