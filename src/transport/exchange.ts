/** What came back for one call, after redirects and retries. */

import type { ApiSourceError } from "../errors.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";

export interface Exchange {
  /** 100 to 599. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The decompressed bytes that arrived, at most the source's `maxBytes`. */
  readonly body: Uint8Array;
  /** Gives the memory of the body back as soon as it has been read; `body` is empty from then on. */
  readonly releaseBody?: () => void;
  /** Why the body did not arrive whole; absent when it did. */
  readonly cut?: { readonly why: string };
  /**
   * Why the answer can't be used as it is although a status came back: a refused redirect, a body cut by
   * the cap, the deadline or the connection. Absent for an ordinary answer, error statuses included.
   */
  readonly failure?: ApiSourceError;
  /** The URL of the last request (after followed redirects), without the credential. */
  readonly url: string;
  /** How many requests were sent, retries and followed redirects included. */
  readonly attempts: number;
  readonly durationMs: number;
}
