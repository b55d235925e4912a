/** When a request is sent again, and after which wait. */

import type { JsonValue } from "../base/exact-number.js";
import type { HttpMethod } from "../record/api-source.js";
import {
  asksToWait,
  type ResponseHeaders,
  readRateLimit,
  statesWaitInBody,
} from "./limits/rate-limit.js";
import { unreachableCodes } from "./send-failure.js";
import type { SendOptions, TransportOptions } from "./transport.js";
import type { SendProgress } from "./wire.js";

/** RFC 9110 section 9.2.2, of the methods an agent can use. */
export const idempotentMethods: ReadonlySet<HttpMethod> = new Set<HttpMethod>([
  "GET",
  "PUT",
  "DELETE",
]);
/** The server, or a gateway to it, is busy for the moment. */
export const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const unconnectedPhases: ReadonlySet<SendProgress["phase"]> = new Set(["dns", "connect"]);
/** The connection broke; the server may have carried out the request. */
const brokenConnectionCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * Whether the same request may be sent again after an answer with this status, or a failure with this code.
 *
 * Codes are allowed by name: a parse error, a TLS error, a cap that was exceeded or a cancelled call is never one. That a 429
 * with `Retry-After` was refused unprocessed, a write too, is inferred: RFC 6585, section 4, does not say so.
 */
function mayRepeat(
  status: number | undefined,
  code: string,
  isAsked: boolean,
  { repeatable, progress }: Attempt,
): boolean {
  if (status === 429 && isAsked) return true;
  if (status !== undefined) return repeatable && busyStatuses.has(status);
  if (!unreachableCodes.has(code)) return repeatable && brokenConnectionCodes.has(code);
  return repeatable || unconnectedPhases.has(progress.phase);
}

/** Whether an attempt that is repeated may have been carried out. A 429 refused it, and without a connection nothing was sent. */
export function mayBeDone(status: number | undefined, phase: SendProgress["phase"]): boolean {
  return status === undefined ? !unconnectedPhases.has(phase) : status !== 429;
}

/** The longest wait: a call that may wait waits longer for a limit than the source asks of each. */
export function findMaxWait({ call, limits }: Pick<Attempt, "call" | "limits">): number {
  return Math.max(limits.maxWaitMs, call.waitMs ?? 0);
}

/** The facts about an attempt that decide whether the request is sent again. */
export interface Attempt extends Pick<TransportOptions, "limits" | "clock" | "random"> {
  readonly call: SendOptions;
  readonly progress: SendProgress;
  /** Whether the request may be sent again without doing anything twice. */
  readonly repeatable: boolean;
}

/** The answer of an attempt, as far as it is known when the next one is decided. */
export interface AttemptAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body, where it was read for its wait and is JSON. */
  readonly document?: JsonValue | undefined;
}

/** The wait before a request is sent again, and what it is for; undefined where it may not be. */
export function findRetryWait(
  answer: AttemptAnswer | undefined,
  code: string,
  attempt: Attempt,
): { readonly ms: number; readonly why: string } | undefined {
  const head = answer && {
    ...answer,
    names: attempt.limits.rateLimitHeaders,
    nowMs: attempt.clock.now(),
  };
  const retryAfterSeconds = head && readRateLimit(head)?.retryAfterSeconds;
  // A reset delays a retry, but only a wait that is asked for allows sending a write again.
  const isAsked = head !== undefined && retryAfterSeconds !== undefined && asksToWait(head);
  const status = answer?.status;
  if (!mayRepeat(status, code, isAsked, attempt)) return undefined;
  const ms = retryDelay(attempt, retryAfterSeconds);
  const isInHeader = answer?.headers["retry-after"] !== undefined;
  const wait = isInHeader
    ? `Retry-After ${retryAfterSeconds}`
    : `told to wait ${retryAfterSeconds} s`;
  const asked = isAsked ? `, ${wait}` : "";
  return ms === undefined ? undefined : { ms, why: `${status ?? code}${asked}` };
}

/** Whether the body has to be read before the next attempt: a 429 or 503 may state its wait there alone. */
export function isWaitInBody(answer: AttemptAnswer, { limits, clock }: Attempt): boolean {
  if (!statesWaitInBody(answer.status)) return false;
  const head = { ...answer, names: limits.rateLimitHeaders, nowMs: clock.now() };
  return readRateLimit(head)?.retryAfterSeconds === undefined;
}

/** The shortest wait, so that a server does not receive a burst of retries. */
const floorMs = 100;
/** The upper bound of the first wait; it doubles with each retry. */
const firstStepMs = 500;
/** The longest backoff. */
const longestStepMs = 8_000;

/**
 * Returns the wait in milliseconds before the next retry, or `undefined` when the call should not wait: the server asks for
 * longer than `maxWaitMs`, or than the call has left. The caller then reports when to come back.
 *
 * The server's hint is taken exactly; without one it is full jitter over a doubling step, so that clients that failed
 * together don't return together.
 */
function retryDelay(attempt: Attempt, retryAfterSeconds: number = Number.NaN): number | undefined {
  const mostMs = Math.max(floorMs, findMaxWait(attempt));
  const stepMs = Math.min(longestStepMs, firstStepMs * 2 ** attempt.progress.retries);
  const backoffMs = Math.round(floorMs + attempt.random() * (stepMs - floorMs));
  // A hint of NaN or below zero asks nothing; Infinity is longer than any limit (a timer would fire at once for it).
  const isHint = retryAfterSeconds >= 0;
  const delayMs = isHint
    ? Math.max(floorMs, Math.ceil(retryAfterSeconds * 1_000))
    : Math.min(backoffMs, mostMs);
  return delayMs <= mostMs && delayMs < attempt.call.deadline.remainingMs() ? delayMs : undefined;
}

/** The document of a body that may state a wait; undefined for one that is not JSON. */
export function parseDocument(bytes: Uint8Array): JsonValue | undefined {
  try {
    const parsed: JsonValue = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return parsed;
  } catch {
    return undefined;
  }
}
