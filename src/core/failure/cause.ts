/** What went wrong between a record and an answer: understood once, with words for a model and for a person. */

import type { Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

/** The verdicts of a connection test (docs/connection-test.md explains each), each with its causes. */
const causes = {
  ok: [],
  anonymous_ok: [],
  invalid_record: ["record_wrong", "unsendable"],
  no_test_endpoint: [],
  unresolved_placeholder: ["placeholder_open"],
  missing_credentials: ["credential_missing", "credential_wanted"],
  malformed_credentials: ["credential_malformed"],
  invalid_credentials: ["credential_refused"],
  missing_permissions: ["permission_missing", "payment_due", "legal_block"],
  missing_header: ["header_wanted", "type_refused"],
  dns: ["host_unknown", "dns_failed"],
  refused: ["refused", "proxy_off"],
  unreachable: [
    "unreachable",
    "broken_off",
    "body_broken_off",
    "address_forbidden",
    "proxy_unreachable",
    "proxy_refused",
    "proxy_sign_in",
  ],
  tls: ["tls", "https_wanted"],
  timeout: ["timed_out", "body_late", "server_late", "lookup_late"],
  redirected: ["redirected"],
  not_found: ["not_found"],
  method_not_allowed: ["method_refused"],
  bad_request: ["request_invalid", "request_too_large", "conflict"],
  rate_limited: ["rate_limited", "quota_spent"],
  server_error: ["server_failed"],
  unexpected_status: ["other_status", "no_answer"],
  not_an_api: ["page", "broken_body", "not_http", "body_too_large", "body_garbled", "body_unknown"],
  error_in_body: ["failed_in_body"],
} as const;

export type ConnectionVerdict = keyof typeof causes;
export type CauseKind = (typeof causes)[ConnectionVerdict][number];

export const connectionVerdicts = Object.keys(causes) as readonly ConnectionVerdict[];
const verdicts: ReadonlyMap<CauseKind, ConnectionVerdict> = new Map(
  connectionVerdicts.flatMap((verdict) => causes[verdict].map((kind) => [kind, verdict] as const)),
);

/** A cause in words: verdict, message and fix are for a person; a model reads the advice, or else the same sentences. */
export interface Cause {
  readonly kind: CauseKind;
  readonly verdict: ConnectionVerdict;
  /** What happened and what it means. */
  readonly message: string;
  /** What the person who configures the source changes; it names the field of the record or the variable. */
  readonly fix: string;
  /** What a model does about it: change the call, wait, look first. Absent where only the fix helps. */
  readonly advice?: string | undefined;
}

export function explain(kind: CauseKind, message: string, fix: string, advice?: string): Cause {
  return { kind, verdict: verdicts.get(kind) ?? "unexpected_status", message, fix, advice };
}

export const maxHintCharacters = 1_000;
/** A quoted text that ends with a full stop of its own, before the sentence's. */
const doubledStop = /([^\s./])\.\.(?=\s|$)/g;

/** One to five sentences for a model, at most 1,000 characters. */
export function hint({ message, fix, advice }: Cause): string {
  const words = advice ?? `${message} Don't repeat the call; tell the user. ${fix}`;
  return cleanText(words.replace(doubledStop, "$1."), maxHintCharacters);
}

/** A URL without its query, which may contain anything. */
export function dropQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Host and port as they are written; they may contain a placeholder or a redacted part. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
}

/** Without its port. */
export function toHostName(host: string): string {
  return host.replace(/:\d+$/, "");
}

export function showCode(code: string = ""): string {
  return code && ` (${code})`;
}

/** The same base URL with another scheme. */
export function toBase(baseUrl: string, scheme: "http" | "https"): string {
  return baseUrl.replace(/^https?/i, scheme).replace(/\/$/, "");
}

/** The port speaks the other scheme: what the record has, and what it should have. */
export function explainPlainHttp(baseUrl: string): Cause {
  return explain(
    "https_wanted",
    `${hostOf(baseUrl)} expects HTTPS, but \`api.baseUrl\` has http: the server refused the plain HTTP request.`,
    `Set "baseUrl": "${toBase(baseUrl, "https")}" under \`api\`.`,
  );
}

export const proxySignIn =
  'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".';

/** For a write that may have been executed: repeating it could do it twice. `""` for GET. */
export function warnOfWrite({ request: { method } }: Subject): string {
  return method === "GET" ? "" : `The ${method} may have been executed: check with GET before repeating it. `;
}
