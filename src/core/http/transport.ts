/** The contract of the transport: what it needs, what one call is given, and what comes back. */

import type { LookupFunction } from "node:net";
import type { Host } from "../base/runtime.js";
import type { RequestInterceptor } from "../credentials/create-auth-interceptor.js";
import type { SourceLimits, SourceNetwork } from "../record/api-source.js";
import type { RedirectScope } from "../request/resolve-redirect.js";
import type { Redactor } from "../secrets/redactor.js";
import type { Deadline } from "./deadline.js";
import type { Limiter } from "./limits/own-limits.js";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import type { TransportOption } from "./own-transport.js";
import type { RedirectFailure, SendFailure } from "./send-failure.js";

export interface TransportOptions
  extends Pick<Host, "clock" | "sleep" | "random" | "logger" | "application"> {
  /** How the source is reached; `ca`, `cert` and `key` are PEM text here, never a path. */
  readonly network: SourceNetwork;
  /** The source's base URL: the transport sends to its origin and to nowhere else. */
  readonly baseUrl: string;
  readonly limits: Pick<SourceLimits, "maxBytes" | "retries" | "maxWaitMs" | "rateLimitHeaders">;
  /** The most bytes of a body that has this Content-Type. @default `limits.maxBytes` */
  readonly findMaxBytes?: (contentType: string | undefined) => number;
  /** Answers requests in place of the network, or records them. */
  readonly transport?: TransportOption;
  /** The tool's name, for recordings. @default "" */
  readonly source?: string;
  /** Whether its requests obtain tokens, for recordings. @default false */
  readonly isTokenCall?: boolean;
  /** The resolver of host names. @default `dns.lookup` of Node */
  readonly lookup?: LookupFunction;
}

export interface SendOptions {
  /** The source's base URL with every placeholder filled in; redirects must stay under it. */
  readonly baseUrl: string;
  /** The deadline of the call, which its caller closes. */
  readonly deadline: Deadline;
  /** Puts the credential on each attempt; absent for a source without authentication. */
  readonly authenticate?: RequestInterceptor;
  /** Knows every secret of this call; each string that leaves the room passes it. */
  readonly redactor: Redactor;
  /** Whether the request may be repeated. @default whether its method is idempotent */
  readonly idempotent?: boolean | undefined;
  /** Whether a GET may change something, as a GraphQL mutation does: then it is neither repeated nor redirected. @default false */
  readonly getMayChange?: boolean;
  /** The limiter that each request on the wire waits for, retries and followed redirects included. */
  readonly rateLimit?: { readonly limiter: Limiter; readonly key: string };
  /**
   * How long the call may wait, in milliseconds: for a rate limit, and for an event stream, which is else read for 10 seconds. A silence of
   * at least ten seconds ends any other body. @default 0
   */
  readonly waitMs?: number;
  /** Called once, when the first request of the call may be sent. */
  readonly onSend?: () => void;
  /** Called for each request on the wire, when its answer's head is there or it broke off. */
  readonly onAttempt?: ((attempt: SentAttempt) => void) | undefined;
  /** Why the request is sent after another one of its call, for those who observe it. */
  readonly why?: string | undefined;
  /** Gives the `traceparent` of the next request, for requests below the base URL that have none. */
  readonly trace?: (() => string) | undefined;
  /** Receives the headers of each response of the API, of a retried or followed one too, before anything of it is shown. */
  readonly onHead?: (headers: ResponseHeaders) => void;
  /** The hosts that the record lets a redirect lead to, besides the base URL. */
  readonly redirects?: Omit<RedirectScope, "baseUrl">;
  /** Hosts that a GET may be redirected to, once and without the credential. @default none */
  readonly downloadHosts?: readonly string[];
}

/** One request on the wire, as it ended. */
export interface SentAttempt {
  readonly status?: number | undefined;
  /** Why no answer came, as a code of Node's. */
  readonly code?: string | undefined;
  readonly durationMs: number;
  /** Why it was sent after another one. */
  readonly why?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** The response of one call, after redirects and retries. */
export interface Exchange {
  /** 200 to 599. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The decompressed bytes that arrived, at most the source's `maxBytes`. */
  readonly body: Uint8Array;
  /** Why the body did not arrive whole; absent when it did. */
  readonly failure?: SendFailure;
  /** Why the answer, a redirect, was not followed. */
  readonly refusal?: RedirectFailure;
  /** The URL of the last request, without the credential; redacted where redirects led to it, of a download without its query. */
  readonly url: string;
  /** Present for a response of a host of `network.downloadHosts`, which was sent no credential. */
  readonly isDownload?: true;
  /** Whether a 303 (See Other) led to this answer. */
  readonly isSeeOther?: boolean;
  /** How many requests were sent, retries and followed redirects included. */
  readonly attempts: number;
  /** Whether one of the requests before the last may have been carried out, though its answer does not show it. */
  readonly mayBeDone?: true | undefined;
  /** The waits before these requests, in milliseconds, and what each was for, such as `429, Retry-After 2`. */
  readonly waits: readonly { readonly ms: number; readonly why: string }[];
}
