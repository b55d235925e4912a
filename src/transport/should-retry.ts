/** Whether an attempt may be sent again: only what cannot repeat a write. */

import type { HttpMethod } from "../source/api-source.js";

/** The connection was never made, so nothing was sent and any method may be sent again. */
const nothingSentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

/** The connection broke; the server may have carried out the request. */
const brokenConnectionCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** The server says that it, or the way to it, is busy for the moment. */
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** RFC 9110 section 9.2.2, of the methods an agent can use. */
const idempotentMethods: ReadonlySet<HttpMethod> = new Set<HttpMethod>(["GET", "PUT", "DELETE"]);

/** What is known of an attempt that failed. */
export interface FailedAttempt {
  /** The status, when one came back. */
  readonly status?: number | undefined;
  /** Node's error code, when no status came back. */
  readonly code?: string | undefined;
}

/** Tells whether a request can be repeated without doing anything twice: by its method, or by its idempotency key. */
export function isRepeatable(method: HttpMethod, hasIdempotencyKey: boolean): boolean {
  return hasIdempotencyKey || idempotentMethods.has(method);
}

/** Tells whether a status means "later". */
export function isBusyStatus(status: number): boolean {
  return busyStatuses.has(status);
}

/**
 * Tells whether the same request may be sent again after this attempt.
 *
 * Codes are allowed by name: a parse error, a TLS error, a cap that was exceeded or a cancelled call is never one.
 */
export function shouldRetry(attempt: FailedAttempt, repeatable: boolean): boolean {
  if (attempt.status !== undefined) return repeatable && isBusyStatus(attempt.status);
  if (attempt.code === undefined) return false;
  if (nothingSentCodes.has(attempt.code)) return true;
  return repeatable && brokenConnectionCodes.has(attempt.code);
}
