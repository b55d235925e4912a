/** Redaction of response headers. */

import type { Redactor } from "./redactor.js";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Redacts names and values. Node decodes a header as Latin-1 (RFC 9110 section 5.5), so a secret that a server sent as UTF-8 consists of
 * other characters in the value: its bytes are redacted, too.
 *
 * @returns The headers with each secret redacted.
 */
export function redactHeaders<Given extends Headers>(headers: Given, redactor: Redactor): Given {
  const redactBytes = (value: string): string =>
    // Plain ASCII has the same bytes in both, and is nearly every header.
    /[\x80-\xff]/.test(value)
      ? Buffer.from(redactor.redactBytes(Buffer.from(value, "latin1"))).toString("latin1")
      : value;
  const decoded = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? redactBytes(value) : value?.map(redactBytes),
  ]);
  return redactor.redactValue(Object.fromEntries(decoded));
}
