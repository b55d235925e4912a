/** What the words for a person are made of: the verdicts, the source they speak of, and phrases that several of them share. */

import type { ApiSource } from "../source/api-source.js";
import { describeVariables } from "./credential-words.js";
import type { CredentialFacts } from "./facts.js";

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

/** A cause in words for a person. */
export interface Verdict {
  readonly verdict: ConnectionVerdict;
  /** What happened. */
  readonly message: string;
  /** What to change; it names the field of the record or the variable. */
  readonly fix: string;
}

/** A verdict from two lines: what happened, and what to change. */
export function tell(verdict: ConnectionVerdict, words: string): Verdict {
  const end = words.indexOf("\n");
  return { verdict, message: words.slice(0, end).trim(), fix: words.slice(end).trim() };
}

/** A source once its secrets are resolved: what a person is told about. */
export interface SubjectFacts {
  readonly source: ApiSource;
  readonly credential: CredentialFacts;
  /** With every placeholder filled in. */
  readonly baseUrl: string;
  /** With every placeholder filled in. */
  readonly testEndpoint: string;
  /** As sent, without the credential. */
  readonly url: string;
  /** Whether the answer is a web page. @default false */
  readonly isPage?: boolean;
}

/** A URL as it is shown: a query may hold anything. */
export function dropQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** The same base URL with another scheme. */
export function toBase(baseUrl: string, scheme: "http" | "https"): string {
  return baseUrl.replace(/^https?/i, scheme).replace(/\/$/, "");
}

/** Where the credential was found, or would be. */
export function where({ source, credential }: Pick<SubjectFacts, "source" | "credential">): string {
  return credential.foundIn ?? describeVariables(source, credential);
}

/** What a login page says of the credential. */
export function describeLogin(facts: SubjectFacts): string {
  return facts.source.api.authType === undefined
    ? "the API wants a credential: set `api.authType` and put the credential into the environment."
    : `the credential in ${where(facts)} was not accepted, or not seen: check it and \`api.authType\`.`;
}

export function describeFlawFix(facts: Pick<SubjectFacts, "source" | "credential">, fix: string): string {
  return `Correct ${where(facts)}: ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`;
}
