/** The facts of a failed call: the request, the response, and where the credential comes from; and how the table of causes names those of the credential. */

import type { CallError } from "../base/errors.js";
import type { ResponseBody } from "../body/response-body.js";
import { type RateLimit, type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import type { RepeatFacts } from "../http/send-failure.js";
import type { ApiSource, HttpMethod } from "../record/api-source.js";
import type { ErrorRule } from "../record/error-when-schema.js";
import type { ShownRequest } from "../request/wire-request.js";
import type { Facts } from "./cause.js";
import { cleanText } from "./shown-text.js";

/** The request as it was sent: redacted, without the credential; `above` is the nearest path above that was answered before. */
export interface SentRequest
  extends Pick<ShownRequest, "path" | "url">,
    Partial<Pick<ShownRequest, "above">>,
    Partial<RepeatFacts> {
  readonly method: HttpMethod;
  readonly contentType?: string;
  /** The `Accept` header that the agent or the record gave; absent means that the transport's default was sent. */
  readonly accept?: string;
  /** Whether the API's document has HTML as this operation's answer. @default false */
  readonly declaresPage?: boolean;
  /** The name of the conditional header that was sent, such as `If-Match` (RFC 9110, section 13.1). */
  readonly condition?: string;
}

/** The application's `sign`, or a setting of the record that obtains tokens. */
export type CredentialMaker = "sign" | "oauth2" | "login";

/** Where the credential comes from, and what it looks like; the value is never part of a text. */
export interface CredentialFacts {
  /** The variables it is read from, in order, as the credentials room names them. */
  readonly variables: readonly string[];
  /** The variable where it was found, such as "SHOP_TOKEN"; absent where it was not looked up. */
  readonly foundIn?: string;
  /** The maker of the value, where no one gave it. */
  readonly madeBy?: CredentialMaker;
  /** The fault that its form shows: "is wrapped in quotation marks", and how to fix that. */
  readonly problem?: { readonly what: string; readonly fix: string };
  /** Such as "is a JWT that expired at 2024-05-01T12:00:00Z". */
  readonly expiry?: string;
}

/** The names that the texts of a cause may use. */
export interface Subject {
  readonly source: ApiSource;
  readonly credential: CredentialFacts;
  readonly request: SentRequest;
  /** The base URL, every placeholder filled in. @default the record's */
  readonly baseUrl?: string;
  /** The test endpoint, every placeholder filled in; present in a connection test. */
  readonly testEndpoint?: string;
  /** The base URL with `https://`, where a connection test found that its port speaks that. */
  readonly httpsBase?: string;
}

/** One answer. */
export interface AnswerFacts extends Subject {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Already redacted. */
  readonly body: ResponseBody;
  readonly rateLimit?: RateLimit;
  /** Whether only a part of the body arrived: then a missing end is expected. @default false */
  readonly isTruncated?: boolean;
  /** The rule of the record's `errorWhen` that is true of this body. */
  readonly errorRule?: ErrorRule | undefined;
  /** Whether the record's `expiredWhen` is true of this body. @default false */
  readonly isExpired?: boolean;
}

/** A response that is not a success, and what it reports; its `message` is cleaned and bounded, and `""` when it has none. */
export interface FailedAnswer
  extends AnswerFacts,
    Pick<CallError, "category" | "retryable" | "retryAfterSeconds" | "message"> {
  /** The API's own, the most specific first. */
  readonly codes: readonly string[];
  /** Names of the input fields that the response names. */
  readonly fields: readonly string[];
}

type Owner = Pick<Subject, "source" | "credential">;

/** The variables to set, such as "SHOP_TOKEN or SHOP_API_KEY". */
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
    credentialForm: () =>
      authType === "basic" ? '{ username: "…", password: "…" }' : '{ token: "…" }',
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
export function readErrorHeaders(headers: ResponseHeaders) {
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

/** The scheme that `WWW-Authenticate` requests instead of the one that was sent; undefined where it lists that one, or no usable one. */
function findScheme({ source: { api }, headers }: FailedAnswer): string | undefined {
  const text = readChallenges(headers).replace(/"[^"]*"/g, '""');
  const schemes = (text.match(usableScheme) ?? []).map((scheme) => scheme.trim());
  const sent = api.authType === "basic" ? "basic" : api.authScheme?.trim().toLowerCase();
  // The credential may be the whole of `Authorization`, with a scheme of its own.
  const isWhole = sent === "" || /^authorization$/i.test(api.headerName ?? "");
  return isWhole || schemes.some((scheme) => scheme.toLowerCase() === sent)
    ? undefined
    : schemes[0];
}

/** Schemes that answer a challenge, sign each request or bind the connection. */
const otherScheme =
  /(?<=^|,)\s*(digest|ntlm|negotiate|hawk|dpop|mac|hmac|signature|aws4-hmac-sha256|scram-sha-256)(?=\s|,|$)/i;

/** A scheme that no record can send, in place of one that can. */
function describeOtherScheme(answer: FailedAnswer): string | undefined {
  const { source, headers } = answer;
  const text = readChallenges(headers).replace(/"[^"]*"/g, '""');
  const scheme = otherScheme.exec(text)?.[1];
  if (scheme === undefined || /(?<=^|,)\s*(?:basic|bearer)\b/i.test(text)) return undefined;
  // The record already sends it.
  if (source.api.authScheme?.toLowerCase() === scheme.toLowerCase()) return undefined;
  return `The API announces ${scheme}, which a record can't send: where it signs each request, the application can give a credential with \`sign\`.`;
}

/** The facts that a refusal reports in headers: the scheme that it requests, and the permission that it lacks. */
export function listChallengeFacts(answer: FailedAnswer): Facts {
  const { source, headers } = answer;
  const scheme = (): string => findScheme(answer) ?? "";
  const isBasic = (): boolean => /^basic$/i.test(scheme());
  const prefix = source.slug.toUpperCase().replaceAll("-", "_");
  return {
    challenge: () => cleanText(readHeader(headers, "cf-mitigated") ?? "", 40),
    announced: scheme,
    otherScheme: () => (scheme() === "" ? describeOtherScheme(answer) : undefined),
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
      cleanText(
        readHeader(headers, "x-accepted-oauth-scopes") ?? readParameter(headers, "scope") ?? "",
        200,
      ),
    granted: () => cleanText(readHeader(headers, "x-oauth-scopes") ?? "", 200),
  };
}
