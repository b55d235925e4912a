/** What one call gives: the answer for a model, and small plain data about it for a program. */

import type { ErrorCategory } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";

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
