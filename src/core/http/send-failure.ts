/** Failures between sending a request and holding its whole answer, as plain data. */

import { ApiSourceError } from "../base/errors.js";
import type { HttpMethod } from "../record/api-source.js";
import type { RedirectRefusal as TargetRefusal } from "../request/resolve-redirect.js";
import type { ParserFault } from "./parser-fault.js";

/** How far an attempt came: signing it, looking up the host, connecting, the TLS handshake, waiting for the status, the body. */
export type TransportPhase = "sign" | "dns" | "connect" | "tls" | "first_byte" | "body";

/** There is no way to the server. While no connection is made, nothing was sent, and any method may be sent again. */
export const unreachableCodes: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

/** The step that failed. */
export type FailureCause =
  | { readonly kind: "cancelled" }
  /** `limitMs` is the source's own limit; absent when the caller allows less. */
  | { readonly kind: "timeout"; readonly limitMs?: number }
  /** The connection could not be made, or broke; `code` is Node's, OpenSSL's or llhttp's; `header` is the one that llhttp refused. */
  | ({ readonly kind: "connection" } & Partial<ParserFault>)
  /** It speaks HTTP, but sent a number that is not a status. */
  | { readonly kind: "no_answer"; readonly given: number }
  | { readonly kind: "proxy_refused"; readonly given?: number }
  | { readonly kind: "proxy_unreachable"; readonly code?: string }
  | { readonly kind: "too_large"; readonly maxBytes: number }
  /** An event stream was read for this long, or no byte of another body came for this long. */
  | { readonly kind: "unfinished"; readonly afterMs: number; readonly isStream: boolean }
  /** The compressed data is broken, or ends too early. */
  | { readonly kind: "encoding"; readonly code?: string }
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

/** The facts for a caller who may make the same call again. */
export interface RepeatFacts {
  /** Whether it may be made again without doing anything twice. */
  readonly repeatable: boolean;
  /** Which idempotency key it would have, as a sentence; absent for a request without one. */
  readonly keyNote?: string;
  /** Whether an attempt before the answered one may have done it. @default false */
  readonly mayBeDone?: boolean;
}

/** The call it happened in. */
export interface SendFacts extends RepeatFacts {
  readonly method: HttpMethod;
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
  constructor(readonly failure: Failure) {
    super(`The request failed: ${failure.kind}.`);
  }
}

/** The error that the transport throws when no status came back. It refers to nothing of axios' or Node's error. */
export class SendError extends Fault<SendFailure> {
  override readonly name: string = "SendError";
}

/**
 * Returns what may leave the room in place of whatever a failed attempt threw: an `ApiSourceError` that a room below made
 * (the credential, the quota, the DNS guard), or a {@link SendError}. axios carries what an agent threw
 * as `cause`.
 *
 * @param stopped why the call was stopped, which outweighs the error that this made.
 * @param fault what the parser refused of the last answer.
 */
export function toThrowable(
  error: unknown,
  facts: SendFacts,
  stopped: FailureCause | undefined,
  fault: ParserFault | undefined,
): ApiSourceError | SendError {
  if (stopped !== undefined) return new SendError({ ...stopped, ...facts });
  const own = [error, Object(error).cause].find(
    (each) => each instanceof ApiSourceError || each instanceof Fault,
  );
  if (own instanceof ApiSourceError) return own;
  if (own instanceof Fault) return new SendError({ ...own.failure, ...facts });
  return new SendError({ kind: "connection", ...(fault ?? codeOf(error)), ...facts });
}

/** A code of the form that Node's (`ECONNRESET`), OpenSSL's and llhttp's have; anything else may be anything, and is left out. */
export function codeOf(error: unknown): { readonly code?: string } {
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? { code } : {};
}
