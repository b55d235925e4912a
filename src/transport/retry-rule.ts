/** Whether an attempt may be sent again, and after what wait: only what cannot repeat a write. */

import type { Random } from "../runtime.js";
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
  /** Seconds to wait by the answer's `Retry-After`, when it has one. */
  readonly retryAfterSeconds?: number | undefined;
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
 * Codes are allowed by name: a parse error, a TLS error, a cap that was exceeded or a cancelled call is never one. RFC 6585
 * section 4: a 429 with `Retry-After` was refused unprocessed, and says when to come back; that holds for a write, too.
 */
export function shouldRetry(attempt: FailedAttempt, repeatable: boolean): boolean {
  const { status, code, retryAfterSeconds } = attempt;
  if (status === 429 && retryAfterSeconds !== undefined) return true;
  if (status !== undefined) return repeatable && isBusyStatus(status);
  if (code === undefined) return false;
  return nothingSentCodes.has(code) || (repeatable && brokenConnectionCodes.has(code));
}

/** The shortest wait; a server that says `Retry-After: 0` is not hammered. */
const floorMs = 100;
/** The upper bound of the first wait; it doubles with each retry. */
const firstStepMs = 500;
/** The longest backoff. */
const longestStepMs = 8_000;

export interface RetryDelayOptions {
  /** Which retry this is, from 1. */
  readonly retry: number;
  /** Seconds the server asks to wait, when it does. */
  readonly retryAfterSeconds: number | undefined;
  /** The longest wait the source allows, in milliseconds. */
  readonly maxWaitMs: number;
  /** What is left of the call, in milliseconds. */
  readonly remainingMs: number;
  readonly random: Random;
}

/**
 * Returns the wait in milliseconds, or `undefined` when the call should not wait: the server asks for longer than
 * `maxWaitMs`, or than the call has left. The caller then reports when to come back.
 *
 * The server's hint is taken exactly; without one it is full jitter over a doubling step, so that clients that failed
 * together don't return together.
 */
export function retryDelay(options: RetryDelayOptions): number | undefined {
  const { retryAfterSeconds, maxWaitMs, remainingMs } = options;
  const delayMs =
    retryAfterSeconds === undefined || !(retryAfterSeconds >= 0)
      ? Math.min(backoffMs(options), Math.max(floorMs, maxWaitMs))
      : Math.max(floorMs, Math.ceil(retryAfterSeconds * 1_000));
  // A hint of NaN or below zero asks nothing; Infinity is longer than any limit (a timer would fire at once for it).
  return delayMs <= Math.max(floorMs, maxWaitMs) && delayMs < remainingMs ? delayMs : undefined;
}

function backoffMs({ retry, random }: RetryDelayOptions): number {
  const stepMs = Math.min(longestStepMs, firstStepMs * 2 ** Math.max(0, retry - 1));
  return Math.round(floorMs + random() * (stepMs - floorMs));
}
