/** Turns whatever a failed attempt threw into an error in the user's words; nothing of axios' error goes along. */

import { ApiSourceError, type ApiSourceErrorFields } from "../errors.js";
import type { Redactor } from "../secrets/redactor.js";
import type { HttpMethod } from "../source/api-source.js";
import { explainFailure } from "./explain-failure.js";
import type { StopReason } from "./open-deadline.js";
import { readCode } from "./read-code.js";
import type { TransportErrorDetails } from "./transport.js";

/** What is known of the call when it failed. */
export interface FailureFacts extends TransportErrorDetails {
  readonly method: HttpMethod;
  /** Whether the request may be sent again without doing anything twice. */
  readonly repeatable: boolean;
  /** Where it went; a host may hold a variable of the record. */
  readonly url: string;
  /** Why the call was stopped, if it was. */
  readonly stoppedBy: StopReason | undefined;
  /** The source's limit, for the text. */
  readonly timeoutMs: number;
  readonly redactor: Redactor;
}

/**
 * Returns a fresh error: our own text, a code of Node's form, and {@link TransportErrorDetails}. An `ApiSourceError` that
 * an interceptor, a hook or an agent threw keeps its words; axios carries one from an agent as `cause`.
 */
export function toTransportError(error: unknown, facts: FailureFacts): ApiSourceError {
  const own = facts.stoppedBy === undefined ? findOwnError(error) : undefined;
  const fields = own === undefined ? explainFailure(readCode(error), facts) : toFields(own);
  // A refused turn under a quota says nothing of a connection: there was none.
  const isQuota = own?.category === "rate_limited";
  const details = isQuota ? undefined : (own?.details ?? { phase: facts.phase, attempts: facts.attempts });
  const { redactor } = facts;
  return new ApiSourceError({
    ...fields,
    message: redactor.redact(fields.message),
    hint: redactor.redact(fields.hint),
    details,
  });
}

function findOwnError(error: unknown): ApiSourceError | undefined {
  if (error instanceof ApiSourceError) return error;
  const cause = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined;
  return cause instanceof ApiSourceError ? cause : undefined;
}

function toFields(error: ApiSourceError): ApiSourceErrorFields {
  const { message, category, hint, retryable, retryAfterSeconds, code } = error;
  return { message, category, hint, retryable, retryAfterSeconds, code };
}
