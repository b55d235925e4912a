/** Everything that can go wrong between a record and an answer, as one union: what was understood, before it is put in words. */

import type { ErrorCategory } from "../errors.js";
import type { RedirectRefusal, TransportPhase } from "../transport/send-failure.js";
import type { Placement, Scopes } from "./asked.js";
import type { CredentialFlaw } from "./facts.js";
import type { Missing } from "./missing.js";
import type { HtmlPage } from "./page.js";

/** Nothing was sent: the record, a secret or a credential is missing or can't be used. Its words come from the room that found it. */
export type PreparationCause = {
  readonly message: string;
  readonly hint: string;
} & (
  | { readonly kind: "record_wrong"; readonly field: "testEndpoint" | "network" }
  | { readonly kind: "value_missing" }
  | { readonly kind: "credential_missing" }
  | { readonly kind: "secret_missing" }
  | { readonly kind: "lookup_failed" }
  | { readonly kind: "lookup_slow" }
  | { readonly kind: "credential_malformed"; readonly flaw?: CredentialFlaw }
  | { readonly kind: "secret_malformed" }
  /** The source's own quota held the request back. */
  | { readonly kind: "quota_full" }
  /** The host leads to an address that the record does not allow. */
  | { readonly kind: "address_refused" }
);

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

/** No answer came, or only its head. */
export type ConnectionCause = {
  readonly code?: string | undefined;
} & (
  | { readonly kind: "host_unknown" }
  | { readonly kind: "dns_failed" }
  | { readonly kind: "refused" }
  | { readonly kind: "unreachable"; readonly spoke: boolean }
  | {
      readonly kind: "certificate";
      readonly flaw:
        | "expired"
        | "not_yet_valid"
        | "other_host"
        | "self_signed"
        | "unknown_authority"
        | "invalid";
      readonly peer?: PeerCertificate;
    }
  | {
      readonly kind: "handshake";
      readonly flaw: "client_certificate" | "unknown_name" | "old_version" | "other";
    }
  /** The port speaks the other of HTTP and HTTPS than the base URL says. */
  | { readonly kind: "other_protocol"; readonly speaks: "http" | "https" }
  | { readonly kind: "timed_out"; readonly phase: TransportPhase }
  /** What listens there speaks something else, or never gives an answer; `what` says it. */
  | { readonly kind: "not_http"; readonly what: string }
  | { readonly kind: "unsendable" }
  | { readonly kind: "proxy_refused"; readonly given?: number | undefined }
  | { readonly kind: "proxy_unreachable" }
  /** The head of an answer came, and its body broke off. */
  | { readonly kind: "broke_off"; readonly status: number }
  /** The body came compressed in a way that can't be undone; `why` says it. */
  | { readonly kind: "undecodable"; readonly status: number; readonly why: string }
);

/** A redirect that was not followed, or one that ended at a web page. */
export interface RedirectCause {
  readonly kind: "redirected";
  readonly status: number;
  /** Why it was not followed; `followed` when it was. */
  readonly reason: RedirectRefusal | "followed";
  /** Without query and fragment; absent when the server named no place. */
  readonly target?: string | undefined;
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
    | { readonly kind: "rate_limited"; readonly counts?: "address" | "account" }
    /** The record sends no credential, and the API wants one. */
    | { readonly kind: "credential_wanted"; readonly placement?: Placement }
    | { readonly kind: "credential_refused"; readonly placement?: Placement }
    | { readonly kind: "proxy_sign_in" }
    | { readonly kind: "permission_missing"; readonly scopes: Scopes }
    /** `declined`: the payer's card, not the account of the credential. */
    | { readonly kind: "payment_due"; readonly declined: boolean }
    | { readonly kind: "legal_block" }
    /** `value` is one that the answer itself names. */
    | {
        readonly kind: "header_wanted";
        readonly name: string;
        readonly value?: string;
        readonly wasSent: boolean;
      }
    | { readonly kind: "https_wanted" }
    | { readonly kind: "page"; readonly page: HtmlPage }
    | { readonly kind: "broken_body" }
    | { readonly kind: "not_found"; readonly missing: Missing }
    | { readonly kind: "method_refused"; readonly allow?: string }
    | { readonly kind: "request_invalid" }
    | { readonly kind: "type_refused"; readonly side: "Accept" | "Content-Type"; readonly takes?: string }
    | { readonly kind: "conflict"; readonly over: ConflictKind }
    | { readonly kind: "request_too_large" }
    | { readonly kind: "server_failed" }
    | { readonly kind: "other_status" }
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

/** Why a source does not answer as it should; each is put in words for a model by `hint` and for a person by `verdict`. */
export type Cause = PreparationCause | ConnectionCause | RedirectCause | AnswerCause;
