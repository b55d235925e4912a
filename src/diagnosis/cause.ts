/** Everything that can go wrong between a record and an answer, as one union: what was understood, before it is put in words. */

import type { ErrorCategory } from "../errors.js";
import type { RedirectRefusal, TransportPhase } from "../transport/send-failure.js";
import type { Placement, Scopes } from "./asked.js";
import type { Missing } from "./missing.js";
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
  readonly validFrom: string;
  readonly validTo: string;
  /** The organisation or common name that signed it. */
  readonly issuer: string;
}

export type CertificateFlaw =
  | "expired"
  | "not_yet_valid"
  | "other_host"
  | "self_signed"
  | "unknown_authority"
  | "invalid";

/** No answer came, or not all of it. */
export type ConnectionCause = {
  readonly code?: string | undefined;
} & (
  | { readonly kind: "host_unknown" | "dns_failed" | "refused" | "unsendable" | "proxy_unreachable" }
  | { readonly kind: "unreachable"; readonly spoke: boolean }
  | { readonly kind: "certificate"; readonly flaw: CertificateFlaw; readonly peer?: PeerCertificate }
  | {
      readonly kind: "handshake";
      readonly flaw: "client_certificate" | "unknown_name" | "old_version" | "other";
    }
  /** The port speaks the other of HTTP and HTTPS than the base URL says. */
  | { readonly kind: "other_protocol"; readonly speaks: "http" | "https" }
  /** `limit` says in words what ran out, such as "30 s". */
  | { readonly kind: "timed_out"; readonly phase: TransportPhase; readonly limit: string }
  /** What listens there speaks something else, or never gives an answer; `what` says it. */
  | { readonly kind: "not_http"; readonly what: string }
  | { readonly kind: "proxy_refused"; readonly given?: number | undefined }
  | { readonly kind: "truncated"; readonly status: number; readonly part: TruncatedBody }
);

/** A status came, and its body is not whole, or can't be decoded. */
export type TruncatedBody =
  | { readonly by: "size"; readonly maxBytes: number }
  | { readonly by: "time"; readonly limit: string }
  | { readonly by: "broken_encoding" | "closing" }
  | { readonly by: "unknown_encoding"; readonly encoding: string };

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

/** An answer that is no success. */
export type AnswerCause = SaidByApi &
  (
    | {
        readonly kind: "rate_limited";
        readonly counts?: "address" | "account";
        readonly limit?: number | undefined;
        /** When the window starts anew, where nothing asks for a wait. */
        readonly waitSeconds?: number | undefined;
      }
    /** The record sends no credential, and the API wants one; or the one that was sent is refused. */
    | { readonly kind: "credential_wanted" | "credential_refused"; readonly placement?: Placement }
    | { readonly kind: "permission_missing"; readonly scopes: Scopes; readonly isPage: boolean }
    /** `declined`: the payer's card, not the account of the credential. */
    | { readonly kind: "payment_due"; readonly declined: boolean }
    /** `value` is one that the answer itself names. */
    | {
        readonly kind: "header_wanted";
        readonly name: string;
        readonly value?: string | undefined;
        readonly wasSent: boolean;
      }
    | { readonly kind: "page"; readonly page: HtmlPage }
    | { readonly kind: "not_found"; readonly missing: Missing; readonly isPage: boolean }
    | { readonly kind: "method_refused"; readonly allow?: string | undefined }
    /** `missing` are the parameters that the answer calls so. */
    | { readonly kind: "request_invalid"; readonly missing: readonly string[] }
    | {
        readonly kind: "type_refused";
        readonly side: "Accept" | "Content-Type";
        readonly takes?: string | undefined;
      }
    | { readonly kind: "conflict"; readonly over: ConflictKind }
    /** `target` is where an answer points that was taken as it is. */
    | { readonly kind: "other_status"; readonly target?: string | undefined }
    | { readonly kind: "request_too_large" | "server_failed" }
    | { readonly kind: "proxy_sign_in" | "legal_block" | "https_wanted" | "broken_body" }
  );

/** What is in the way: the thing exists, the sent revision is old, a condition doesn't hold or is wanted, a lock, another step, the present state. */
export type ConflictKind =
  | "exists"
  | "revision"
  | "condition"
  | "precondition"
  | "condition_wanted"
  | "lock"
  | "step"
  | "early"
  | "state";

/** One member of the union, by its kind. */
export type Of<Kind extends AnswerCause["kind"]> = Extract<AnswerCause, { kind: Kind }>;

/** What the request itself, or the server, is to blame for, and not who asks. */
export type RequestCause = Extract<
  AnswerCause,
  {
    kind:
      | "not_found"
      | "method_refused"
      | "request_invalid"
      | "type_refused"
      | "conflict"
      | "request_too_large"
      | "server_failed"
      | "other_status";
  }
>;

/** Why a source does not answer as it should; each is put in words once, for a model and a person. */
export type Cause = PreparationCause | ConnectionCause | RedirectCause | AnswerCause;
