/** Everything that can go wrong between a record and an answer, as one union: what was understood, before it is put in words. */

import type { ErrorCategory } from "../errors.js";
import type { RedirectRefusal, TransportPhase } from "../transport/send-failure.js";
import type { Placement, Scopes } from "./asked.js";
import type { HtmlPage } from "./page.js";

/** Nothing was sent: the record, a credential or a secret is wrong, or a quota is full. What the room that found it said; its code says which. */
export interface PreparationCause {
  readonly kind: "unprepared";
  readonly code?: string | undefined;
  readonly category: ErrorCategory;
  readonly message: string;
  /** For an agent, which can't change it. */
  readonly hint: string;
}

/** A certificate as the other side showed it. */
export interface PeerCertificate {
  /** The names it is for, such as `*.example.com`; the common name when it lists none. */
  readonly names: readonly string[];
  /** As the certificate writes it, such as `May  1 12:00:00 2024 GMT`. */
  readonly validTo: string;
  /** The organisation or common name that signed it. */
  readonly issuer: string;
}

/** `not_tls`: bytes came that are no TLS. `wanted`: the base URL says http, and the port speaks HTTPS. */
export type TlsFlaw = "expired" | "other_host" | "unknown_issuer" | "not_tls" | "wanted" | "other";

/** What ended a body before its end: the cap, the time, the connection, or its compression. */
export type Truncation = "size" | "time" | "closing" | "broken_encoding" | "unknown_encoding";

/** No answer came, or not all of it; `code` is Node's, OpenSSL's or llhttp's. */
export type ConnectionCause = {
  readonly code?: string | undefined;
} & (
  | { readonly kind: "host_unknown" | "dns_failed" | "refused" | "unsendable" | "proxy_unreachable" }
  | { readonly kind: "unreachable"; readonly spoke: boolean }
  | { readonly kind: "tls"; readonly flaw: TlsFlaw; readonly peer?: PeerCertificate }
  /** `limit` says in words what ran out, such as "30 s". */
  | { readonly kind: "timed_out"; readonly phase: TransportPhase; readonly limit: string }
  /** What listens there speaks something else, or never gives an answer; `what` says it. */
  | { readonly kind: "not_http"; readonly what: string }
  | { readonly kind: "proxy_refused"; readonly given?: number | undefined }
  /** A status came, and its body is not whole, or can't be decoded; `why` says it in words. */
  | { readonly kind: "truncated"; readonly status: number; readonly by: Truncation; readonly why: string }
);

/** A redirect that was not followed, or one that ended at a web page. */
export interface RedirectCause {
  readonly kind: "redirected";
  readonly status: number;
  /** Why it was not followed; `followed` when it was. */
  readonly reason: RedirectRefusal | "followed";
  /** Without query and fragment; absent when the server named no place. */
  readonly target?: string | undefined;
  /** Which rule of the record forbids it, in words. */
  readonly why?: string | undefined;
  readonly page?: HtmlPage;
}

/** What an answer says about its own failure, whatever it means. */
export interface SaidByApi {
  readonly status: number;
  readonly category: ErrorCategory;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number | undefined;
  /** Cleaned and bounded; `""` when the answer says nothing. */
  readonly message: string;
  readonly codes: readonly string[];
  /** Names of the input fields that the answer speaks of. */
  readonly fields: readonly string[];
}

/** What is not there: the path, a thing on it, one of the two, what the body names, or a thing that once was. */
export type Missing = "path" | "thing" | "either" | "named_in_body" | "gone";

/** An answer that is no success. */
export type AnswerCause = SaidByApi &
  (
    | {
        readonly kind: "rate_limited";
        /** Whom the API counts by its own words, and so whether it saw the credential. */
        readonly counts?: "address" | "account" | undefined;
        readonly limit?: number | undefined;
        /** When the API asks to come back, or when its window starts anew. */
        readonly waitSeconds?: number | undefined;
      }
    /** The record sends no credential, and the API wants one; or the one that was sent is refused. */
    | { readonly kind: "credential_wanted" | "credential_refused"; readonly placement?: Placement }
    | { readonly kind: "permission_missing"; readonly scopes: Scopes; readonly isPage: boolean }
    /** `declined`: the payer's card, not the account of the credential. */
    | { readonly kind: "payment_due"; readonly declined: boolean }
    | { readonly kind: "header_wanted"; readonly name: string }
    | { readonly kind: "page"; readonly page: HtmlPage }
    | { readonly kind: "not_found"; readonly missing: Missing; readonly isPage: boolean }
    | { readonly kind: "method_refused"; readonly allow?: string | undefined }
    /** `missing` is the parameter that the answer calls so. */
    | { readonly kind: "request_invalid"; readonly missing?: string | undefined }
    /** 406 or 415; `takes` is what a header of a 415 names. */
    | { readonly kind: "type_refused"; readonly takes?: string | undefined }
    /** It exists already; a condition doesn't hold or is wanted; or the present state is in the way. */
    | { readonly kind: "conflict"; readonly over: "exists" | "condition" | "state" }
    /** `target` is where an answer points that was taken as it is. */
    | { readonly kind: "other_status"; readonly target?: string | undefined }
    | { readonly kind: "request_too_large" }
    | { readonly kind: "server_failed" }
    | { readonly kind: "proxy_sign_in" | "legal_block" | "https_wanted" | "broken_body" }
  );

/** One member of the union, by its kind. */
export type Of<Kind extends AnswerCause["kind"]> = Extract<AnswerCause, { kind: Kind }>;

/** What the request itself, or the server, is to blame for, and not who asks. */
export type RequestCause = Of<
  | "not_found"
  | "method_refused"
  | "request_invalid"
  | "type_refused"
  | "conflict"
  | "request_too_large"
  | "server_failed"
  | "other_status"
>;

/** Why a source does not answer as it should; each is put in words once, for a model and a person. */
export type Cause = PreparationCause | ConnectionCause | RedirectCause | AnswerCause;
