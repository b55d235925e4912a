/** Redacts bytes that are not text, such as a kept binary body. */

import type { Redactor } from "./redactor.js";

/** The bytes with every secret replaced, each byte read as one character; the same array when there is none. */
export function redactBytes(bytes: Uint8Array, redactor: Redactor): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const redacted = redactor.redact(text);
  return redacted === text ? bytes : Buffer.from(redacted, "latin1");
}
