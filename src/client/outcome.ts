/** What one call gives: the answer for a model, and small plain data about it for a program. */

import type { ErrorCategory } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";
import type { Answer } from "./answer.js";

/** Small, plain and redacted: artifacts are checkpointed at every step and shown in traces. The body is never in it. */
export interface CallArtifact {
  /** The tool's name. */
  readonly source: string;
  /** The request line as sent, without the credential, such as `GET /issues?page=2`; absent when none could be built. */
  readonly request?: string;
  readonly status?: number;
  /** Why the call failed. */
  readonly category?: ErrorCategory;
  readonly durationMs: number;
  /** Size of the body in bytes, decompressed. */
  readonly bytes?: number;
  /** How many requests were sent, retries and redirects included. */
  readonly attempts?: number;
  readonly rateLimit?: RateLimit;
  /** The id of the kept response. */
  readonly responseId?: string;
}

export interface Outcome {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** One valid JSON document, within the token budget: what the model reads. */
  readonly content: string;
  readonly artifact: CallArtifact;
}

/** What one call gives for code: the answer's parts, `data` the whole document as JSON text. */
export interface WholeOutcome {
  readonly ok: boolean;
  readonly answer: Answer;
  readonly artifact: CallArtifact;
  /** Hides every secret that the toolkit and this call know, in a text that is made of the answer. */
  redact(text: string): string;
}
