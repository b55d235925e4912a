/** A cause in words, told once: the hint for a model, the verdict and the fix for a person are made of the same sentences. */

import type { Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

/** What a connection test may find; docs/connection-test.md explains each. */
export const connectionVerdicts = [
  "ok",
  "anonymous_ok",
  "invalid_record",
  "no_test_endpoint",
  "unresolved_placeholder",
  "missing_credentials",
  "malformed_credentials",
  "invalid_credentials",
  "missing_permissions",
  "missing_header",
  "dns",
  "refused",
  "unreachable",
  "tls",
  "timeout",
  "redirected",
  "not_found",
  "method_not_allowed",
  "bad_request",
  "rate_limited",
  "server_error",
  "unexpected_status",
  "not_an_api",
  "error_in_body",
] as const;

export type ConnectionVerdict = (typeof connectionVerdicts)[number];

export interface Explanation {
  readonly verdict: ConnectionVerdict;
  /** What happened and what it means; `""` where the answer's own words say all. */
  readonly message: string;
  /** What whoever configures the source changes; it names the field of the record or the variable. */
  readonly fix: string;
  /** What a model does about it: change the call, wait, look first. Absent where nothing but the fix helps. */
  readonly advice?: string;
}

/** Takes two lines, what happened and what to change, and what a model is told in place of them. */
export function explain(verdict: ConnectionVerdict, words: string, advice?: string): Explanation {
  const end = words.indexOf("\n");
  const told = { verdict, message: words.slice(0, end).trim(), fix: words.slice(end).trim() };
  return advice === undefined ? told : { ...told, advice };
}

export const maxHintCharacters = 1_000;
/** A quoted text that ends with a full stop of its own, before the sentence's. */
const doubledStop = /([^\s./])\.\.(?=\s|$)/g;

/** One to five sentences for a model, at most 1,000 characters. */
export function hint({ message, fix, advice }: Explanation): string {
  const words =
    advice ?? `${message} You can't change that from here: don't repeat the call, tell the user. ${fix}`;
  return cleanText(words.replace(doubledStop, "$1."), maxHintCharacters);
}

/** A URL as it is shown: a query may hold anything. */
export function dropQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** The other scheme than the port speaks: what the record says, and what it should say. */
export function explainPlainHttp(baseUrl: string): Explanation {
  return explain(
    "tls",
    `${hostOf(baseUrl)} speaks HTTPS, and \`api.baseUrl\` says http: the plain HTTP request was refused.
    Set "baseUrl": "${toBase(baseUrl, "https")}" under \`api\`.`,
  );
}

export const proxySignIn =
  'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".';

/** Host and port as they are written; a placeholder, or a part that was redacted, may stand in it. */
export function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
}

/** The same base URL with another scheme. */
export function toBase(baseUrl: string, scheme: "http" | "https"): string {
  return baseUrl.replace(/^https?/i, scheme).replace(/\/$/, "");
}

const maxSentCharacters = 300;

/** What was sent, for a model that compares it with what it meant. */
export function describeSent({ request }: Subject): string {
  const query = request.url.split("?")[1]?.split("#")[0];
  const line = `${request.method} ${cleanText(request.path, 200)}${query ? `?${cleanText(query, maxSentCharacters)}` : ""}`;
  if (request.bodyText === undefined || request.bodyText === "")
    return `Sent: ${line}${request.method === "GET" ? "." : " without a body."}`;
  return `Sent: ${line} with ${request.contentType ?? "body"} ${cleanText(request.bodyText, maxSentCharacters)}`;
}

/** The sentence every unclear write needs: repeating it blindly could do it twice. `""` for GET. */
export function warnOfWrite({ request: { method } }: Subject): string {
  return method === "GET"
    ? ""
    : `This ${method} may or may not have been executed: check with GET before repeating it. `;
}
