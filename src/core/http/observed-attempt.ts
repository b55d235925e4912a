/** What a recorder of requests observes, and what a replay answers: each attempt as it is before the credential is put on it. */

import type { WireRequest } from "../request/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import type { TransportAnswer, TransportFunction } from "./own-transport.js";

/** One attempt of a request. Its URL and headers do not contain the credential; its body may contain other secrets. */
export interface ObservedRequest {
  /** The tool's name. */
  readonly source: string;
  /** Whether the request obtains a token: what it sends and receives are credentials. */
  readonly isTokenCall: boolean;
  /** The source's base URL with every placeholder filled in. */
  readonly baseUrl: string;
  readonly method: string;
  /** The absolute URL, the query included. */
  readonly url: string;
  readonly contentType?: string | undefined;
  readonly body?: Uint8Array | undefined;
  /** Knows every secret of the toolkit and of this call. */
  readonly redactor: Redactor;
}

/** What became of one attempt: a response, or a connection that broke. */
export interface ObservedAttempt {
  readonly request: ObservedRequest;
  /** From the request to the response's head, in milliseconds. */
  ms: number;
  status?: number;
  headers?: ResponseHeaders;
  /** The decompressed body; absent when nothing read it, as for a redirect that was followed. */
  body?: Uint8Array;
  /** Whether the body did not arrive whole. */
  isTruncated?: boolean;
  /** Why no response arrived, as a code of Node's such as `ECONNRESET`; absent when it has none. */
  code?: string;
}

/** Observes requests on the real network: agents, DNS guard, proxy and certificates stay as they are. */
export interface TransportRecorder {
  /** Called once per request of the package, with all its attempts, before the call returns. It may throw an ApiSourceError. */
  record(attempts: readonly ObservedAttempt[]): Promise<void>;
}

/** Answers requests in place of the network, from what was recorded. Waits between requests are skipped. */
export interface TransportReplay {
  /** It may throw an ApiSourceError; any other error is a connection that broke, with the `code` it has. */
  replay(request: ObservedRequest): Promise<TransportAnswer & { readonly isTruncated?: boolean }>;
  /** Whether an answer to the request is left. */
  has(request: ObservedRequest): boolean;
}

/** What the option `transport` takes. */
export type TransportOption = TransportFunction | TransportRecorder | TransportReplay;

export function isReplay(transport: TransportOption | undefined): transport is TransportReplay {
  return typeof transport === "object" && "replay" in transport;
}

export function isRecorder(transport: TransportOption | undefined): transport is TransportRecorder {
  return typeof transport === "object" && "record" in transport;
}

/** The request as a recorder and a replay receive it. */
export function observeRequest(
  { method, url, body, headers }: WireRequest,
  known: Pick<ObservedRequest, "source" | "isTokenCall" | "baseUrl" | "redactor">,
): ObservedRequest {
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const { source, isTokenCall, baseUrl, redactor } = known;
  return { source, isTokenCall, baseUrl, redactor, method, url, contentType, body };
}
