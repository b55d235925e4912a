/** What a connection test reports about a token that expires: why no token was obtained, or how long it lives and whose it is. */

import type { ApiSourceError, ErrorCategory } from "../../core/base/errors.js";
import { writeDuration } from "../../core/base/text.js";
import type { GrantFacts } from "../../core/credentials/credential.js";
import type { ConnectionVerdict } from "../../core/failure/cause.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { Finding } from "./connection-report.js";

const verdicts: Partial<Record<ErrorCategory, ConnectionVerdict>> = {
  unauthorized: "invalid_credentials",
  not_configured: "invalid_credentials",
  refused_by_policy: "invalid_record",
  invalid_input: "invalid_record",
  unexpected_content: "not_an_api",
  rate_limited: "rate_limited",
  server_error: "server_error",
  timeout: "timeout",
  dns: "dns",
  tls: "tls",
};

/** Why no token was obtained; undefined for a source without tokens, and for what the record or its variables lack. */
export function describeTokenFailure(source: ApiSource, error: ApiSourceError): Finding | undefined {
  const { code = "", category, message, hint } = error;
  const isOther = /^(?:missing_|malformed_|unresolved_|credential_lookup|unreadable_)/.test(code);
  if ((source.api.oauth2 ?? source.api.login) === undefined || isOther) return undefined;
  if (code === "auth_required") {
    const { auth_url: url }: { readonly auth_url?: unknown } = Object(error.details);
    const link = typeof url === "string" ? ` Or open ${url}, where the application takes the callback.` : "";
    const fix =
      source.api.oauth2?.grant === "refresh_token" ? hint : `Run: api-sources login ${source.slug}.${link}`;
    return { verdict: "missing_credentials", message, fix };
  }
  const isRecord = code === "discovery_failed" || (code === "login_failed" && category === "not_configured");
  const verdict = isRecord ? "invalid_record" : (verdicts[category] ?? "unreachable");
  return { verdict, message, fix: hint };
}

/** The finding with what is known of the token, and what is questionable about it. */
export function describeGrant(finding: Finding, source: ApiSource, grant: GrantFacts): Finding {
  const { source: _, ...facts } = grant;
  const { account, scopes, expiresInSeconds, renewable } = facts;
  const life = expiresInSeconds === undefined ? "until the API ends it" : writeDuration(expiresInSeconds);
  const details = [
    ...(account === undefined ? [] : [`authorized as ${account}`]),
    ...(scopes === undefined ? [] : [`scopes ${scopes.join(", ")}`]),
    `it lives ${life}${expiresInSeconds === undefined ? "" : renewable ? " and is renewed automatically" : ""}`,
  ];
  const granted = new Set(scopes);
  const missing =
    scopes === undefined ? [] : (source.api.oauth2?.scopes ?? []).filter((each) => !granted.has(each));
  return {
    ...finding,
    message: `${finding.message} The token: ${details.join("; ")}.`,
    grant: facts,
    notes: [
      ...(finding.notes ?? []),
      ...(missing.length === 0 ? [] : [`Requested and not granted: ${missing.join(", ")}.`]),
      ...(renewable || expiresInSeconds === undefined
        ? []
        : [`The token can't be renewed: in ${life} a person has to authorize ${source.name} again.`]),
    ],
  };
}
