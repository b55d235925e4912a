/** What went wrong between a record and an answer: understood once, with words for a model and for a person. */

import type { Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

/** What a connection test may find (docs/connection-test.md explains each), and every cause that it calls so. */
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

/** A cause in words: verdict, message and fix are for a person, and a model is told the same sentences or the advice. */
export interface Cause {
  readonly kind: CauseKind;
  readonly verdict: ConnectionVerdict;
  /** What happened and what it means. */
  readonly message: string;
  /** What whoever configures the source changes; it names the field of the record or the variable. */
  readonly fix: string;
  /** What a model does about it: change the call, wait, look first. Absent where nothing but the fix helps. */
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
  const words =
    advice ?? `${message} You can't change that from here: don't repeat the call, tell the user. ${fix}`;
  return cleanText(words.replace(doubledStop, "$1."), maxHintCharacters);
}

/** A URL as it is shown: a query may hold anything. */
export function dropQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Host and port as they are written; a placeholder, or a part that was redacted, may stand in it. */
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

/** The other scheme than the port speaks: what the record says, and what it should say. */
export function explainPlainHttp(baseUrl: string): Cause {
  return explain(
    "https_wanted",
    `${hostOf(baseUrl)} speaks HTTPS, and \`api.baseUrl\` says http: the plain HTTP request was refused.`,
    `Set "baseUrl": "${toBase(baseUrl, "https")}" under \`api\`.`,
  );
}

export const proxySignIn =
  'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".';

const maxSentCharacters = 300;

/** What was sent, for a model that compares it with what it meant. */
export function describeSent({ request }: Subject): string {
  const query = request.url.split("?")[1]?.split("#")[0];
  const line = `${request.method} ${cleanText(request.path, 200)}${query ? `?${cleanText(query, maxSentCharacters)}` : ""}`;
  if (!request.bodyText) return `Sent: ${line}${request.method === "GET" ? "." : " without a body."}`;
  return `Sent: ${line} with ${request.contentType ?? "body"} ${cleanText(request.bodyText, maxSentCharacters)}`;
}

/** The sentence every unclear write needs: repeating it blindly could do it twice. `""` for GET. */
export function warnOfWrite({ request: { method } }: Subject): string {
  return method === "GET"
    ? ""
    : `This ${method} may or may not have been executed: check with GET before repeating it. `;
}
