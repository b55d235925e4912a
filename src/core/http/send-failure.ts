/** What can fail between sending a request and holding its whole answer, as plain data, and when the request may be sent again. */

import { ApiSourceError } from "../base/errors.js";
import type { Random } from "../base/runtime.js";
import type { HttpMethod, RateLimitHeaders } from "../record/api-source.js";
import type { RedirectRefusal as TargetRefusal } from "../request/resolve-redirect.js";
import { type ResponseHeaders, readRateLimit } from "./limits/rate-limit.js";

/** How far an attempt came: signing it, looking up the host, connecting, the TLS handshake, waiting for the status, the body. */
export type TransportPhase = "sign" | "dns" | "connect" | "tls" | "first_byte" | "body";

/** What failed. */
export type FailureCause =
  | { readonly kind: "cancelled" }
  /** `limitMs` is the source's own limit; absent when the caller allows less. */
  | { readonly kind: "timeout"; readonly limitMs?: number }
  /** The connection could not be made, or broke; `code` is Node's, OpenSSL's or llhttp's. */
  | { readonly kind: "connection"; readonly code?: string }
  /** It speaks HTTP, but sent a number that is not a status. */
  | { readonly kind: "no_answer"; readonly given: number }
  | { readonly kind: "proxy_refused"; readonly given?: number }
  | { readonly kind: "proxy_unreachable"; readonly code?: string }
  | { readonly kind: "too_large"; readonly maxBytes: number }
  /** An event stream was read for this long, or no byte of another body came for this long. */
  | { readonly kind: "unfinished"; readonly afterMs: number; readonly isStream: boolean }
  /** The compressed data is broken, or ends too early. */
  | { readonly kind: "encoding"; readonly code?: string }
  | { readonly kind: "unsupported_encoding"; readonly encoding: string }
  | RefusedRedirect;

/** A redirect that was not followed. */
export interface RefusedRedirect {
  readonly kind: "redirect";
  readonly reason: RedirectRefusal;
  /** Where the server pointed, without user, query and fragment; absent when it named no place. */
  readonly target?: string;
  /** Which rule of the record forbids it, in words. */
  readonly why?: string;
  /** The target as a path of the tool, where the tool could go there. */
  readonly path?: string;
}

/** Why a redirect was not followed: its target, or what the rules say whatever the target. */
export type RedirectRefusal =
  | TargetRefusal
  | "http_to_https"
  | "write"
  | "loop"
  | "too_many"
  /** A host of `network.downloadHosts`, but by `http`. */
  | "download_not_encrypted"
  /** A URL at such a host that repeats a secret. */
  | "download_secret"
  /** Such a host redirects in its turn. */
  | "second_host"
  | "no_target"
  | "unsupported_status";

/** The call it happened in. */
export interface SendFacts {
  readonly method: HttpMethod;
  /** Whether the request may be sent again without doing anything twice. */
  readonly repeatable: boolean;
  readonly phase: TransportPhase;
  /** How many requests were sent, retries and followed redirects included. */
  readonly attempts: number;
  /** Present when it failed after the status: an answer is there, but not whole. */
  readonly status?: number;
}

export type SendFailure = FailureCause & SendFacts;
export type RedirectFailure = RefusedRedirect & SendFacts & { readonly status: number };

/** Carries a cause that Node has no code for through axios to the room's boundary. */
export class Fault<Failure extends FailureCause = FailureCause> extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The request failed: ${failure.kind}.`);
    this.failure = failure;
  }
}

/** What the transport throws when no status came back. It refers to nothing of axios' or Node's error. */
export class SendError extends Fault<SendFailure> {
  override readonly name: string = "SendError";
}

/**
 * Returns what may leave the room in place of whatever a failed attempt threw: an `ApiSourceError` that a room below made
 * (the credential, the quota, the DNS guard), or a {@link SendError}. axios carries what an agent threw
 * as `cause`.
 *
 * @param stopped why the call was stopped, which outweighs the error that this made.
 */
export function toThrowable(
  error: unknown,
  facts: SendFacts,
  stopped: FailureCause | undefined,
): ApiSourceError | SendError {
  if (stopped !== undefined) return new SendError({ ...stopped, ...facts });
  const own = [error, Object(error).cause].find(
    (each) => each instanceof ApiSourceError || each instanceof Fault,
  );
  if (own instanceof ApiSourceError) return own;
  if (own instanceof Fault) return new SendError({ ...own.failure, ...facts });
  return new SendError({ kind: "connection", ...codeOf(error), ...facts });
}

/** A code of the form that Node's (`ECONNRESET`), OpenSSL's and llhttp's have; anything else may be anything, and is left out. */
export function codeOf(error: unknown): { readonly code?: string } {
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? { code } : {};
}

/** RFC 9110 section 9.2.2, of the methods an agent can use. */
const idempotentMethods: ReadonlySet<HttpMethod> = new Set<HttpMethod>(["GET", "PUT", "DELETE"]);
/** The server, or a gateway to it, is busy for the moment. */
export const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The connection was never made, so nothing was sent and any method may be sent again. */
const nothingSentCodes = new Set(["ECONNREFUSED", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);
/** The connection broke; the server may have carried out the request. */
const brokenConnectionCodes = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** Whether a request can be repeated without doing anything twice: by its method, or by its idempotency key. */
export function isRepeatable(method: HttpMethod, hasIdempotencyKey: boolean): boolean {
  return hasIdempotencyKey || idempotentMethods.has(method);
}

/**
 * Whether the same request may be sent again after an answer with this status, or a failure with this code.
 *
 * Codes are allowed by name: a parse error, a TLS error, a cap that was exceeded or a cancelled call is never one. That a 429
 * with `Retry-After` was refused unprocessed, a write too, is inferred: RFC 6585, section 4, does not say so.
 */
function mayRepeat(status: number | undefined, code: string, isAsked: boolean, repeatable: boolean): boolean {
  if (status === 429 && isAsked) return true;
  if (status !== undefined) return repeatable && busyStatuses.has(status);
  return nothingSentCodes.has(code) || (repeatable && brokenConnectionCodes.has(code));
}

/** What failed, and what the call allows. */
interface FailedAttempt {
  readonly status: number | undefined;
  readonly code?: string;
  readonly headers: ResponseHeaders | undefined;
  /** What the record calls those of a quota. */
  readonly names: RateLimitHeaders | undefined;
  readonly repeatable: boolean;
  /** From 1. */
  readonly retry: number;
  readonly nowMs: number;
  readonly maxWaitMs: number;
  readonly remainingMs: number;
  readonly random: Random;
}

/** The wait before a request is sent again, and what it is for; undefined where it may not be. */
export function findRetryWait(
  failed: FailedAttempt,
): { readonly ms: number; readonly why: string } | undefined {
  const { status, code = "", headers, names, nowMs } = failed;
  const retryAfterSeconds =
    headers && readRateLimit({ status: status ?? 0, headers, names, nowMs })?.retryAfterSeconds;
  // A reset header delays a retry, but only `Retry-After` itself allows sending a write again.
  const isAsked = headers?.["retry-after"] !== undefined && retryAfterSeconds !== undefined;
  if (!mayRepeat(status, code, isAsked, failed.repeatable)) return undefined;
  const ms = retryDelay(failed, retryAfterSeconds);
  const asked = isAsked ? `, Retry-After ${retryAfterSeconds}` : "";
  return ms === undefined ? undefined : { ms, why: `${status ?? code}${asked}` };
}

/** The shortest wait, so that a server does not receive a burst of retries. */
const floorMs = 100;
/** The upper bound of the first wait; it doubles with each retry. */
const firstStepMs = 500;
/** The longest backoff. */
const longestStepMs = 8_000;

/**
 * Returns the wait in milliseconds before the given retry (from 1), or `undefined` when the call should not wait: the server asks for
 * longer than `maxWaitMs`, or than the call has left. The caller then reports when to come back.
 *
 * The server's hint is taken exactly; without one it is full jitter over a doubling step, so that clients that failed
 * together don't return together.
 */
function retryDelay(
  { retry, maxWaitMs, remainingMs, random }: FailedAttempt,
  retryAfterSeconds: number = Number.NaN,
): number | undefined {
  const mostMs = Math.max(floorMs, maxWaitMs);
  const stepMs = Math.min(longestStepMs, firstStepMs * 2 ** (retry - 1));
  const backoffMs = Math.round(floorMs + random() * (stepMs - floorMs));
  // A hint of NaN or below zero asks nothing; Infinity is longer than any limit (a timer would fire at once for it).
  const isHint = retryAfterSeconds >= 0;
  const delayMs = isHint
    ? Math.max(floorMs, Math.ceil(retryAfterSeconds * 1_000))
    : Math.min(backoffMs, mostMs);
  return delayMs <= mostMs && delayMs < remainingMs ? delayMs : undefined;
}
