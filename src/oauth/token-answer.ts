/** What an authorization server's answer means: a grant, or why there is none. */

import type * as OAuth from "oauth4webapi";
import { ApiSourceError } from "../errors.js";
import { readRetryAfter } from "../limits/read-rate-limit.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText } from "../text.js";
import type { Exchange } from "../transport/transport.js";
import { type Grant, GrantRefused } from "./grant.js";
import type { OAuthRuntime } from "./oauth-runtime.js";
import { describeEndpoint } from "./token-endpoint.js";

/** What the record calls the server, for messages. */
interface Asked {
  readonly source: ApiSource;
  readonly runtime: OAuthRuntime;
  readonly url: string;
}

/**
 * Words for "this grant is over" (RFC 6749, section 5.2; OpenID Connect Core, section 3.1.2.6), and those that GitHub
 * (`bad_refresh_token`) and Slack (`invalid_refresh_token`) have instead.
 */
const deadWords: ReadonlySet<string> = new Set([
  "invalid_grant",
  "interaction_required",
  "login_required",
  "consent_required",
  "bad_refresh_token",
  "invalid_refresh_token",
]);

/**
 * Makes of what came back an answer in the form of RFC 6749, for the library to judge. Servers in the wild answer 200 with `error` (GitHub,
 * Slack), a form instead of JSON, no `token_type`, `null` for what they leave out, and an ID token, which nobody here relies on.
 *
 * @throws ApiSourceError when it is neither.
 */
export function readAnswer(
  { status, headers, body }: Pick<Exchange, "status" | "headers" | "body">,
  { url, isToken, nowMs }: { readonly url: string; readonly isToken: boolean; readonly nowMs: number },
): Response {
  const text = Buffer.from(body).toString("utf8");
  const given = parseAnswer(text, String(headers["content-type"] ?? ""));
  const isRefused = typeof given?.["error"] === "string";
  if (given === undefined || (status >= 400 && !isRefused) || status === 204) {
    throw refuseAnswer({ status, url, retryAfterSeconds: readRetryAfter({ status, headers, nowMs }) });
  }
  if (!isToken) return toResponse(given, status);
  const { id_token: idToken, expires_in: expiresIn, ...rest } = given;
  const lifetime = Number(expiresIn);
  const isLifetime = expiresIn !== undefined && Number.isFinite(lifetime) && lifetime >= 0;
  return toResponse(
    {
      ...(typeof rest["access_token"] === "string" ? { token_type: "bearer" } : {}),
      ...rest,
      ...(isLifetime ? { expires_in: lifetime } : {}),
      ...(typeof idToken === "string" ? { account_claims: idToken } : {}),
    },
    // 201 is what some answer to a POST.
    isRefused ? Math.max(status, 400) : 200,
  );
}

/** Null says as much as nothing. */
function parseAnswer(text: string, contentType: string): Record<string, unknown> | undefined {
  if (/urlencoded/i.test(contentType)) return Object.fromEntries(new URLSearchParams(text));
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null));
  } catch {
    return undefined;
  }
}

function toResponse(answer: unknown, status: number): Response {
  return new Response(JSON.stringify(answer), { status, headers: { "content-type": "application/json" } });
}

function refuseAnswer({
  status,
  url,
  retryAfterSeconds,
}: {
  readonly status: number;
  readonly url: string;
  readonly retryAfterSeconds: number | undefined;
}): ApiSourceError {
  const isLimit = status === 429;
  const isServers = status >= 500 || isLimit;
  return new ApiSourceError({
    message: `No token was got: ${describeEndpoint(url)} answered ${status}${status < 300 ? ", but no JSON object" : ""}.`,
    category: isLimit
      ? "rate_limited"
      : isServers
        ? "server_error"
        : status < 300
          ? "unexpected_content"
          : "not_configured",
    retryable: isServers,
    retryAfterSeconds: isServers ? retryAfterSeconds : undefined,
    code: "token_endpoint_failed",
    hint: isServers
      ? "Try again later; if it stays so, whoever runs the application must look at the authorization server."
      : `The agent can't change this. Whoever runs the application must check ${[400, 401, 403].includes(status) ? "the client id and secret, how they are sent (`clientAuthentication`), whether the grant still holds, and the endpoint's address: the server gave no reason" : "the endpoint's address in the record"}.`,
  });
}

/** Every string of an answer whose name says that it is one. */
export function listTokens(answer: unknown): string[] {
  return Object.entries(Object(answer)).flatMap(([name, value]) =>
    /token$|^(?:device_code|account_claims)$/i.test(name) && typeof value === "string" ? [value] : [],
  );
}

/** The time counts from before it was asked for: then nobody believes that it lives longer than it does. */
export function toGrant(
  token: OAuth.TokenEndpointResponse,
  account: string | undefined,
  startedMs: number,
): Grant {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = token;
  return {
    accessToken,
    obtainedAtMs: startedMs,
    ...(refreshToken === undefined || refreshToken === "" ? {} : { refreshToken }),
    ...(expiresIn === undefined ? {} : { expiresAtMs: startedMs + expiresIn * 1_000 }),
    ...(scope === undefined ? {} : { scopes: scope.split(/[\s,]+/).filter((each) => each !== "") }),
    ...(account === undefined ? {} : { account }),
  };
}

/** What people would call an account, best first (OpenID Connect Core, section 5.1). */
const accountClaims = ["email", "preferred_username", "upn", "name", "sub"];

/**
 * Whose account it is, to be shown: the claims of an ID token, not verified, for they came from the server itself by TLS and decide
 * nothing; else a member of the answer that says so.
 */
export function readAccount(answer: Readonly<Record<string, unknown>>): string | undefined {
  const [, payload = ""] = String(answer["account_claims"] ?? "").split(".");
  let claims: Readonly<Record<string, unknown>> = answer;
  try {
    claims = { ...answer, ...JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) };
  } catch {
    // No ID token, or none that is a JWT.
  }
  const found = accountClaims
    .map((name) => claims[name])
    .find((value) => typeof value === "string" && value !== "");
  return found === undefined ? undefined : clipText(String(found), 200);
}

/** What may be thrown for whatever the library or the transport threw. */
export function toTokenError(error: unknown, library: typeof OAuth, asked: Asked): Error {
  if (error instanceof ApiSourceError) return error;
  const { source, runtime, url } = asked;
  if (!(error instanceof library.ResponseBodyError)) {
    return new ApiSourceError({
      message: `The answer of ${describeEndpoint(url)} is none that a token can be taken from: ${describeFlaw(error)}.`,
      category: "unexpected_content",
      code: "invalid_token_answer",
      hint: "The agent can't change this. Whoever runs the application must check that this is the token endpoint of the API.",
    });
  }
  const word = clipText(runtime.redactor().redact(error.error), 100);
  const told =
    error.error_description === undefined ? "" : runtime.redactor().redact(error.error_description);
  const why = told === "" ? word : `${word}: ${clipText(told, 300)}`;
  if (deadWords.has(error.error)) return new GrantRefused(why);
  return new TokenRefused(error.error, {
    message: `The authorization server of ${source.name} gives no token: ${why}.`,
    category: "not_configured",
    code: word,
    hint: `The agent can't change this. ${hintOf(error.error)}`,
  });
}

/** An `error` of the token endpoint that is not about the grant. */
export class TokenRefused extends ApiSourceError {
  /** As the server wrote it. */
  readonly word: string;

  constructor(word: string, fields: ConstructorParameters<typeof ApiSourceError>[0]) {
    super(fields);
    this.word = word;
  }
}

const hints: Readonly<Record<string, string>> = {
  invalid_client:
    "Whoever runs the application must check the client id and secret, and whether the API takes them by basic or post (`oauth2.clientAuthentication`).",
  unauthorized_client: "Whoever runs the application must allow this grant for the client at the API.",
  unsupported_grant_type: "Whoever runs the application must choose another `oauth2.grant` in the record.",
  invalid_scope: "Whoever runs the application must correct `oauth2.scopes` in the record.",
  access_denied: "The person did not agree.",
};

function hintOf(word: string): string {
  return Object.hasOwn(hints, word)
    ? (hints[word] ?? "")
    : "Whoever runs the application must check `oauth2` in the record.";
}

/** The library's own words, which hold nothing of the answer; of anything else its class alone. */
export function describeFlaw(error: unknown): string {
  const isLibrarys =
    error instanceof Error && /^(?:OperationProcessingError|UnsupportedOperationError)$/.test(error.name);
  return isLibrarys ? clipText(error.message.replaceAll('"response" body ', ""), 200) : "it can't be read";
}
