/** Where a credential comes from, how it is sent, and what a refusal reports about it in headers, by the names that the table of causes uses. */

import { type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import type { ApiSource } from "../record/api-source.js";
import type { Facts } from "./cause.js";
import type { CredentialMaker, FailedAnswer, Subject } from "./facts.js";
import { cleanText } from "./shown-text.js";

type Owner = Pick<Subject, "source" | "credential">;

/** What to set, such as "SHOP_TOKEN or SHOP_API_KEY". */
function describeVariables({ source: { api }, credential: { variables } }: Owner): string {
  return variables.join(api.authType === "basic" ? " and " : " or ");
}

/** Where the credential was found, or would be. */
export function describeOrigin(owner: Owner): string {
  return owner.credential.foundIn ?? describeVariables(owner);
}

/** Names what made the credential, such as "`oauth2` of the record". */
export function describeMaker({ slug }: ApiSource, maker: CredentialMaker): string {
  return maker === "sign"
    ? `\`sign\` of the \`credentials\` option for "${slug}"`
    : `\`${maker}\` of the record`;
}

/** Such as "as `Authorization: Bearer <token>` (authType "bearer")"; undefined without authType. */
function describeCarrier({
  api: { authType, authScheme, headerName, queryParam },
}: ApiSource): string | undefined {
  const forms = {
    bearer: `Authorization: ${authScheme === "" ? "" : `${authScheme} `}<token>`,
    header: `${headerName}: <key>`,
    query: `?${queryParam}=<key>`,
    basic: "Authorization: Basic <base64 of username:password>",
  };
  return authType && `as \`${forms[authType]}\` (authType "${authType}")`;
}

export function listCredentialFacts(owner: Owner): Facts {
  const { source, credential } = owner;
  const { authType } = source.api;
  const { madeBy, problem, expiry } = credential;
  const isGiven = madeBy === undefined;
  return {
    slug: () => source.slug,
    timeoutMs: () => String(source.api.limits.timeoutMs),
    variables: () => describeVariables(owner),
    origin: () => (isGiven && authType === undefined ? undefined : describeOrigin(owner)),
    carrier: () => describeCarrier(source),
    anonymous: () => (isGiven && authType === undefined ? "yes" : undefined),
    pair: () => (authType === "basic" ? "yes" : undefined),
    passwordNote: () => (authType === "basic" ? " (a password may be empty, but must be set)" : ""),
    credentialForm: () => (authType === "basic" ? '{ username: "…", password: "…" }' : '{ token: "…" }'),
    maker: () => madeBy,
    problem: () => problem?.what,
    problemFix: () => problem && `${problem.fix.charAt(0).toLowerCase()}${problem.fix.slice(1)}`,
    expiry: () => expiry,
    loginMeaning: () =>
      authType === undefined
        ? "the API requires a credential: set `api.authType` and put the credential into the environment."
        : `the credential in ${describeOrigin(owner)} was not accepted, or did not arrive: check it and \`api.authType\`.`,
  };
}

/** Error codes and texts in headers: OAuth2 in `WWW-Authenticate` (RFC 6750), AWS and Azure. */
export function readErrorHeaders(headers: ResponseHeaders): {
  readonly message: string | undefined;
  readonly code: string | undefined;
} {
  const aws = readHeader(headers, "x-amzn-errortype")?.split(":")[0]?.split("#").at(-1);
  const code = aws ?? readHeader(headers, "x-ms-error-code") ?? readParameter(headers, "error");
  return { message: readParameter(headers, "error_description"), code };
}

function readChallenges(headers: ResponseHeaders): string {
  return [headers["www-authenticate"] ?? ""].flat().join(", ").slice(0, 4_000);
}

/** A parameter of `WWW-Authenticate` (RFC 9110, section 11.6.1), by its name in lower case. */
export function readParameter(headers: ResponseHeaders, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`\\b${name} ?= ?(?:"([^"]*)"|([^\\s,"]+))`, "i").exec(readChallenges(headers)) ?? [];
  return quoted || plain || undefined;
}

/** Schemes that a fixed credential serves; others sign each request, or are names of one API. */
const usableScheme = /(?<=^|,)\s*(?:basic|bearer|token|jwt|oauth)(?=\s+[^\s=]|\s*(?:,|$))/gi;

/** The scheme that `WWW-Authenticate` requests instead of the one that was sent; undefined where it lists that one, or none that can be used. */
function findScheme({ source: { api }, headers }: FailedAnswer): string | undefined {
  const text = readChallenges(headers).replace(/"[^"]*"/g, '""');
  const schemes = (text.match(usableScheme) ?? []).map((scheme) => scheme.trim());
  const sent = api.authType === "basic" ? "basic" : api.authScheme?.trim().toLowerCase();
  // The credential may be the whole of `Authorization`, with a scheme of its own.
  const isWhole = sent === "" || /^authorization$/i.test(api.headerName ?? "");
  return isWhole || schemes.some((scheme) => scheme.toLowerCase() === sent) ? undefined : schemes[0];
}

/** What a refusal reports in headers: the scheme that it requests, and the permission that it lacks. */
export function listChallengeFacts(answer: FailedAnswer): Facts {
  const { source, headers } = answer;
  const scheme = (): string => findScheme(answer) ?? "";
  const isBasic = (): boolean => /^basic$/i.test(scheme());
  const prefix = source.slug.toUpperCase().replaceAll("-", "_");
  return {
    announced: scheme,
    // A username and a password are another credential: a program cannot only change the record.
    announcedType: () => (scheme() === "" || isBasic() ? undefined : "bearer"),
    announcedScheme: () => (isBasic() ? undefined : scheme()),
    settings: () => {
      if (scheme() === "") return undefined;
      if (isBasic())
        return `"authType": "basic" under \`api\`, and ${prefix}_USERNAME and ${prefix}_PASSWORD in the environment`;
      return `"authType": "bearer", "authScheme": "${scheme()}" under \`api\`, and the credential in the environment as ${prefix}_TOKEN`;
    },
    // RFC 6750, section 3; GitHub, Gitea and others name them in headers of their own.
    needed: () =>
      cleanText(readHeader(headers, "x-accepted-oauth-scopes") ?? readParameter(headers, "scope") ?? "", 200),
    granted: () => cleanText(readHeader(headers, "x-oauth-scopes") ?? "", 200),
  };
}
