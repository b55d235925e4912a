/** The contract of redaction: by value, every encoding, one scan over all of them. */

import type { Secret } from "./secret.js";

export interface Redactor {
  /** The text with every occurrence of every secret, in each encoding it can appear in, replaced. */
  redact(text: string): string;
  /** A redactor that also knows these secrets (those of one call); the same one when nothing is new. */
  with(secrets: readonly Secret[]): Redactor;
}
