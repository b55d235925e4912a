/** The facts of a failed call: the request, the response, and where the credential comes from. */

import type { ErrorCategory } from "../base/errors.js";
import type { ResponseBody } from "../body/response-body.js";
import type { RateLimit, ResponseHeaders } from "../http/limits/rate-limit.js";
import type { ApiSource, HttpMethod } from "../record/api-source.js";

/** The request as it was sent. */
export interface SentRequest {
  readonly method: HttpMethod;
  /** Below the base URL, without a query. */
  readonly path: string;
  /** The nearest path above that was answered before. */
  readonly above?: string | undefined;
  /** Absolute, redacted, without the credential. */
  readonly url: string;
  readonly contentType?: string;
  /** The `Accept` header that the agent or the record gave; absent means that the transport's default was sent. */
  readonly accept?: string;
  /** The name of the conditional header that was sent, such as `If-Match` (RFC 9110, section 13.1). */
  readonly condition?: string;
}

/** The application's `sign`, or a setting of the record that obtains tokens. */
export type CredentialMaker = "sign" | "oauth2" | "login";

/** Where the credential comes from, and what it looks like; the value is never part of a text. */
export interface CredentialFacts {
  /** The variables it is read from, in order, as the credentials room names them. */
  readonly variables: readonly string[];
  /** Where it was found, such as "SHOP_TOKEN"; absent where it was not looked up. */
  readonly foundIn?: string;
  /** What made it, where it is not a value that someone gave. */
  readonly madeBy?: CredentialMaker;
  /** What its form shows to be wrong: "is wrapped in quotation marks", and how to fix that. */
  readonly problem?: { readonly what: string; readonly fix: string };
  /** Such as "is a JWT that expired at 2024-05-01T12:00:00Z". */
  readonly expiry?: string;
}

/** What the texts of a cause may name. */
export interface Subject {
  readonly source: ApiSource;
  readonly credential: CredentialFacts;
  readonly request: SentRequest;
  /** With every placeholder filled in. @default the record's */
  readonly baseUrl?: string | undefined;
  /** With every placeholder filled in; present in a connection test. */
  readonly testEndpoint?: string | undefined;
}

/** One answer. */
export interface AnswerFacts extends Subject {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Already redacted. */
  readonly body: ResponseBody;
  readonly rateLimit?: RateLimit | undefined;
  /** Whether only a part of the body arrived: then a missing end is expected. @default false */
  readonly isTruncated?: boolean | undefined;
  /** Whether the record's `errorWhen` is true of this body. @default false */
  readonly errorWhenMatched?: boolean | undefined;
  /** Whether the record's `expiredWhen` is true of this body. @default false */
  readonly isExpired?: boolean | undefined;
}

/** A response that is not a success, and what it reports. */
export interface FailedAnswer extends AnswerFacts {
  readonly category: ErrorCategory;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number | undefined;
  /** Cleaned and bounded; `""` when the response has none. */
  readonly message: string;
  /** The API's own, the most specific first. */
  readonly codes: readonly string[];
  /** Names of the input fields that the response names. */
  readonly fields: readonly string[];
}
