/** The contract of the transport: what it needs, what one call brings, and what its errors tell. */

import type { LookupFunction } from "node:net";
import type { InternalAxiosRequestConfig } from "axios";
import type { ApiSourceError } from "../errors.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { RedirectRefusal as TargetRefusal } from "../policy/resolve-redirect.js";
import type { WireRequest } from "../policy/wire-request.js";
import type { Clock, Logger, Random, Sleep } from "../runtime.js";
import type { Redactor } from "../secrets/redactor.js";
import type { SourceLimits, SourceNetwork } from "../source/api-source.js";
import type { Exchange } from "./exchange.js";
import type { CallDeadline } from "./open-deadline.js";

/** Puts the credential on one attempt; the secret lives in its closure only. */
export type AxiosRequestInterceptor = (
  config: InternalAxiosRequestConfig,
) => InternalAxiosRequestConfig | Promise<InternalAxiosRequestConfig>;

/** Tells which host names the machine itself maps to an address. */
export type ReadHostNames = () => Promise<ReadonlySet<string>>;

export interface TransportOptions {
  /** How the source is reached; `ca`, `cert` and `key` are PEM text here, never a path. */
  readonly network: SourceNetwork;
  /** The source's base URL: the transport sends to its origin and to nowhere else. */
  readonly baseUrl: string;
  readonly limits: Pick<SourceLimits, "timeoutMs" | "maxBytes" | "retries" | "maxWaitMs">;
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly logger: Logger;
  /** The resolver of host names. @default `dns.lookup` of Node */
  readonly lookup?: LookupFunction;
  /** The names in the machine's hosts file. @default the system's file, read when an answer would be refused */
  readonly readHostNames?: ReadHostNames;
}

export interface SendOptions {
  /** The source's base URL with every placeholder filled in; redirects must stay under it. */
  readonly baseUrl: string;
  /** Puts the credential on each attempt; absent for a source without authentication. */
  readonly authenticate?: AxiosRequestInterceptor;
  /** Knows every secret of this call; each error text and URL passes it. */
  readonly redactor: Redactor;
  /** The caller's signal. */
  readonly signal?: AbortSignal;
  /** When the call must be over, on the transport's clock, in milliseconds since the Unix epoch. */
  readonly deadlineMs: number;
  /** That deadline and the caller's signal in one, where the caller has opened it already and will close it. */
  readonly deadline?: CallDeadline;
  /** Whether a POST or PATCH may be repeated because it carries an idempotency key. @default false */
  readonly idempotent?: boolean;
  /**
   * Judges where a redirect leads that is under the base path, by rules the transport does not know. What it returns is the
   * `failure` of the redirect, which is then not followed.
   */
  readonly judgeRedirect?: (url: string) => ApiSourceError | undefined;
  /**
   * Called before each attempt, retries and followed redirects included, with its number from 1 and the
   * signal of the whole call. It may wait, and may throw an `ApiSourceError` to stop the call.
   */
  readonly onAttempt?: (attempt: number, signal: AbortSignal) => Promise<void> | void;
  /** Seconds the server asks to wait, as the rate-limit room reads them; absent when it asks nothing. */
  readonly retryAfter?: (head: ExchangeHead) => number | undefined;
}

/** The part of an answer that is there before its body. */
export interface ExchangeHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

export interface Transport {
  /**
   * Sends one request, with its retries and redirects, and reads its answer.
   *
   * Any status is a result. When a status came but the answer can't be used whole, the exchange has `failure`.
   *
   * @throws ApiSourceError when no status came back; `details` is {@link TransportErrorDetails}. Also for a cancelled
   *   call, whatever came back.
   */
  send(request: WireRequest, call: SendOptions): Promise<Exchange>;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}

/** How far an attempt came: looking up the host, connecting, the TLS handshake, waiting for the status, the body. */
export type TransportPhase = "dns" | "connect" | "tls" | "first_byte" | "body";

/** The `details` of an error the transport throws, or puts in `failure` for a body that did not arrive whole. */
export interface TransportErrorDetails {
  readonly phase: TransportPhase;
  /** How many requests were sent, retries and followed redirects included. */
  readonly attempts: number;
}

/** The `details` of a `failure` for a redirect that was not followed. */
export interface RedirectErrorDetails {
  readonly redirect: {
    readonly status: number;
    /** Where the server pointed, redacted and without query and fragment; absent when it named no place. */
    readonly target?: string;
    readonly reason: RedirectRefusal;
  };
}

/** Why a redirect was not followed: its target, or what the rules say whatever the target. */
export type RedirectRefusal =
  | TargetRefusal
  | "http_to_https"
  | "write"
  | "loop"
  | "too_many"
  | "no_target"
  | "unsupported_status";

/** What the transport keeps about a call while it runs. */
export interface CallProgress {
  phase: TransportPhase;
  attempts: number;
  retries: number;
}
