/** What the hint writers know of a failed call. */

import type { BodyKind } from "../body/response-body.js";
import type { ErrorCategory } from "../errors.js";
import type { RateLimit, ResponseHeaders } from "../limits/rate-limit.js";
import type { ApiSource, HttpMethod } from "../source/api-source.js";

/** The request as it was sent. */
export interface SentRequest {
  readonly method: HttpMethod;
  /** Below the base URL, without a query. */
  readonly path: string;
  /** Absolute, without the credential. */
  readonly url: string;
  readonly contentType?: string;
  /** The body as text. */
  readonly bodyText?: string;
  /** The `Accept` header that the agent or the record gave; absent means that the transport's default was sent. */
  readonly accept?: string;
  /** The name of the conditional header that was sent, such as `If-Match` (RFC 9110, section 13.1). */
  readonly condition?: string;
}

export interface HintInput {
  readonly status: number;
  readonly category: ErrorCategory;
  readonly message: string;
  readonly codes: readonly string[];
  readonly fields: readonly string[];
  readonly headers: ResponseHeaders;
  readonly kind: BodyKind;
  readonly request: SentRequest;
  readonly source: ApiSource;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

/** The sentence every unclear write needs: repeating it blindly could do it twice. `""` for GET. */
export function writeNote({ request }: HintInput): string {
  return request.method === "GET"
    ? ""
    : `This ${request.method} may or may not have been executed: check with GET before repeating it. `;
}
