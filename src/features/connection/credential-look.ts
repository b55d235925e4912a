/** The report of a connection test about the credential itself: quotes, spaces, a scheme pasted along, a placeholder, a token that has expired; and what is known of a token that is issued. */

import type { ApiSourceError, ErrorCategory } from "../../core/base/errors.js";
import { writeDuration } from "../../core/base/text.js";
import type { GrantFacts, UsableCredential } from "../../core/credentials/credential.js";
import { type ConnectionVerdict, connectionVerdicts } from "../../core/failure/cause.js";
import type { CredentialFacts } from "../../core/failure/facts.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { Finding } from "./connection-report.js";

interface Problem extends NonNullable<CredentialFacts["problem"]> {
  /** The credential as it was probably meant: redacted too, since a server may echo it. */
  readonly meant?: string;
}

/** The fault of a credential, and whether it has expired; the value is in neither. */
export function lookAtCredential(
  source: ApiSource,
  credential: UsableCredential | undefined,
  nowMs: number,
): Pick<CredentialFacts, "problem" | "expiry"> {
  const [problem] = listProblems(source, credential);
  return {
    // The form that it was meant to have is left out: that is the credential.
    problem: problem && { what: problem.what, fix: problem.fix },
    expiry: credential?.kind === "token" ? readTokenExpiry(credential.token, nowMs) : undefined,
  };
}

/** In the order a person would fix them. */
export function listProblems(
  source: ApiSource,
  credential: UsableCredential | undefined,
): Problem[] {
  if (credential?.kind === "basic")
    return (["username", "password"] as const).flatMap((part) =>
      [...listTextProblems(credential[part]), ...listPairProblems(credential[part], part)].map(
        (problem) => ({
          ...problem,
          what: `${problem.what} (the ${part})`,
        }),
      ),
    );
  // A token that the API issued is not a person's mistake.
  if (credential?.kind !== "token" || source.api.login?.cookie !== undefined) return [];
  return [...listTextProblems(credential.token), ...listSchemeProblems(source, credential.token)];
}

const edgeQuotes = /^["'`\u201c\u2018«]+|["'`\u201d\u2019»]+$/g;
/** Whole values that are never a real key: what shells and templates replace, a word for a key, something in brackets, one letter repeated; and a key that was masked. */
const placeholder =
  /^(?:\$\{.*\}|\$[A-Z_][A-Z0-9_]+|%\w+%|\{.*\}|<.*>|\[.*\]|(?:process|import\.meta)\.env\b.*|([x*.#_-])\1{2,}|change[_-]?me|todo|none|null|undefined|token|api[_-]?key|key|secret|password|placeholder|example)$|(?:^|[^a-z])(?:your|my|insert|enter)[-_ ]*(?:[a-z]+[-_ ]*){0,3}(?:key|token|secret|password)|\*{3,}|\.{3}$|…$/i;

/** Faults of a credential of any kind. */
function listTextProblems(text: string): Problem[] {
  const meant = text.trim();
  const bare = meant.replace(edgeQuotes, "");
  const problems: (Problem | false)[] = [
    /[\r\n]/.test(text)
      ? { what: "holds a line break", fix: "Remove the line break.", meant }
      : meant !== text && { what: "begins or ends with a space", fix: "Remove the space.", meant },
    bare !== meant && {
      what: "begins or ends with a quotation mark",
      fix: "Remove the quotation marks.",
      meant: bare,
    },
    bare.length < 100 &&
      placeholder.test(bare) && {
        what: "is a placeholder or a shortened display and not a credential",
        fix: "Put the real credential in its place.",
      },
  ];
  return problems.filter((problem) => problem !== false);
}

/** The parts of `Authorization: Basic`, and the text after its first colon (RFC 7617, section 2). */
function listPairProblems(text: string, part: "username" | "password"): Problem[] {
  const encoded = text.trim().replace(/^Basic +/i, "");
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const isPair =
    /^[A-Za-z0-9+/]{6,4000}={0,2}$/.test(encoded) &&
    /^[\x21-\x39\x3b-\x7e]{2,}:[\x21-\x7e]*$/.test(decoded);
  if (isPair)
    return [
      {
        what: "is in base64 already",
        fix: "Give the username and the password as they are.",
        meant: decoded,
      },
    ];
  const hasColon = part === "username" && text.includes(":");
  return hasColon
    ? [{ what: "has a colon", fix: "Give the username and the password apart." }]
    : [];
}

/** A header's name and a scheme, each of which may precede a token. */
const pasted =
  /^(?:authorization: ?)?(?:(?:Bearer|Basic|Token|ApiKey|Api-Key|JWT|OAuth|SSWS|Digest)(?: +|: *))?(?=[^=\s])/i;

function listSchemeProblems({ api }: ApiSource, token: string): Problem[] {
  const text = token.trim().replace(edgeQuotes, "");
  const [prefix = ""] = pasted.exec(text) ?? [];
  // The whole of `Authorization` has a scheme of its own.
  const isWhole =
    api.authType === "bearer"
      ? api.authScheme === ""
      : /^authorization$/i.test(api.headerName ?? "");
  if (prefix === "" || isWhole) return [];
  const beside = api.authType === "bearer" ? ", beside what the record adds (`authScheme`)" : "";
  const what = `begins with \`${prefix}\`${beside}`;
  return [{ what, fix: "Give the token alone.", meant: text.slice(prefix.length).trim() }];
}

/** When a JSON Web Token (RFC 7519, section 4.1.4) has expired by its own `exp`, such as "is a JWT that expired at 2024-05-01T12:00:00Z"; undefined when it has not, or is not a JWT. */
function readTokenExpiry(token: string, nowMs: number): string | undefined {
  const parts = token.trim().split(".");
  if (parts.length !== 3 || token.length > 20_000) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"));
    const { exp }: { readonly exp?: unknown } = Object(claims);
    const expiresMs = typeof exp === "number" && exp > 0 ? exp * 1_000 : Number.NaN;
    if (!(expiresMs <= nowMs)) return undefined;
    return `is a JWT that expired at ${new Date(expiresMs).toISOString().replace(/\.\d{3}Z$/, "Z")}`;
  } catch {
    return undefined;
  }
}

/** The verdicts of the categories without one of the same name. */
const verdicts: Partial<Record<ErrorCategory, ConnectionVerdict>> = {
  unauthorized: "invalid_credentials",
  not_configured: "invalid_credentials",
  refused_by_policy: "invalid_record",
  invalid_input: "invalid_record",
  unexpected_content: "not_an_api",
};

/** Why no token was obtained; undefined for a source without tokens, and for what the record or its variables lack. */
export function describeTokenFailure(
  source: ApiSource,
  error: ApiSourceError,
): Finding | undefined {
  const { code = "", category, message, hint } = error;
  const isOther = /^(?:missing_|malformed_|unresolved_|credential_lookup|unreadable_)/.test(code);
  if ((source.api.oauth2 ?? source.api.login) === undefined || isOther) return undefined;
  if (code === "auth_required") {
    const { auth_url: url }: { readonly auth_url?: unknown } = Object(error.details);
    const link =
      typeof url === "string" ? ` Or open ${url}, where the application takes the callback.` : "";
    const fix =
      source.api.oauth2?.grant === "refresh_token"
        ? hint
        : `Run: api-sources login ${source.slug}.${link}`;
    return { verdict: "missing_credentials", message, fix };
  }
  const isRecord =
    code === "discovery_failed" || (code === "login_failed" && category === "not_configured");
  const own = verdicts[category] ?? connectionVerdicts.find((verdict) => verdict === category);
  const verdict = isRecord ? "invalid_record" : (own ?? "unreachable");
  return { verdict, message, fix: hint };
}

/** The finding with what is known of the token, and what is questionable about it. */
export function describeGrant(finding: Finding, source: ApiSource, grant: GrantFacts): Finding {
  const { source: _, ...facts } = grant;
  const { account, scopes, expiresInSeconds, renewable } = facts;
  const life =
    expiresInSeconds === undefined ? "until the API ends it" : writeDuration(expiresInSeconds);
  const isRenewed = expiresInSeconds !== undefined && renewable;
  const details = [
    account === undefined ? undefined : `authorized as ${account}`,
    scopes && `scopes ${scopes.join(", ")}`,
    `it lives ${life}${isRenewed ? " and is renewed automatically" : ""}`,
  ];
  const missing = scopes && source.api.oauth2?.scopes?.filter((each) => !scopes.includes(each));
  const notes = [
    missing?.length ? `Requested and not granted: ${missing.join(", ")}.` : undefined,
    renewable || expiresInSeconds === undefined
      ? undefined
      : `The token can't be renewed: in ${life} a person has to authorize ${source.name} again.`,
  ];
  return {
    ...finding,
    message: `${finding.message} The token: ${details.filter((each) => each !== undefined).join("; ")}.`,
    grant: facts,
    notes: [...(finding.notes ?? []), ...notes.filter((note) => note !== undefined)],
  };
}
