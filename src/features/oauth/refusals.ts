/** Why a token is missing, and who can change that: the agent never can. */

import { ApiSourceError, type ApiSourceErrorFields } from "../../core/base/errors.js";
import type { JsonValue } from "../../core/base/exact-number.js";
import { readPlainJson } from "../../core/base/input.js";
import { clipText } from "../../core/base/text.js";
import { nameVariable } from "../../core/credentials/credential-variables.js";
import { explainFailure } from "../../core/failure/explain-failure.js";
import { readRateLimit } from "../../core/http/limits/rate-limit.js";
import type { SendFailure } from "../../core/http/send-failure.js";
import type { Exchange } from "../../core/http/transport.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { findSecretNames } from "../../core/record/field-syntax.js";
import { Secret } from "../../core/secrets/secret.js";
import type { OAuthRuntime } from "./resolve-grant.js";
import type { Consent } from "./token-store.js";

/** The answer of a server, to be shown: the one place where secrets are taken out of it. @param others - Values that no quote may repeat besides. */
export function quoteAnswer(
  { redactor }: Pick<OAuthRuntime, "redactor">,
  text: string,
  most: number,
  others: readonly string[] = [],
): string {
  const known = redactor().with(others.map((value) => new Secret(value)));
  return clipText(known.redact(text), most);
}

function writeOperatorHint(todo: string): string {
  return `The agent can't change this. The application's operator has to ${todo}.`;
}

/** @param todo - What the application's operator has to do. @param fields - `category` is `not_configured` by default. */
export function refuseSetup(
  message: string,
  code: string,
  todo: string,
  fields: Partial<ApiSourceErrorFields> = {},
): ApiSourceError {
  const hint = writeOperatorHint(todo);
  return new ApiSourceError({ message, category: "not_configured", code, hint, ...fields });
}

/** The hint when a server failed, and waiting may be enough. */
const laterHint =
  "Try again later; if it fails again, the application's operator has to check that server.";

/** Whether the status alone says that waiting may help, whatever the body says: a grant is as good as before. */
export function mayPass(status: number): boolean {
  return status >= 500 || status === 429;
}

/** An answer whose status is an error: `refusal`, unless waiting may help. */
export function refuseStatus(
  exchange: Exchange,
  nowMs: number,
  refusal: ApiSourceError,
): ApiSourceError {
  const { status, headers, body } = exchange;
  if (!mayPass(status)) return refusal;
  const document = readPlainJson(Buffer.from(body).toString("utf8")) as JsonValue | undefined;
  return new ApiSourceError({
    message: refusal.message,
    category: status === 429 ? "rate_limited" : "server_error",
    retryable: true,
    retryAfterSeconds: readRateLimit({ status, headers, nowMs, document })?.retryAfterSeconds,
    code: refusal.code,
    hint: laterHint,
  });
}

/** A request without an answer, or with an incomplete one. @param what - Such as `The login call of Shop failed`. */
export function refuseFailure(
  failure: SendFailure,
  what: string,
  url: string,
  code?: string,
): ApiSourceError {
  const explained = explainFailure(failure, new URL(url).origin);
  const { category, retryable, retryAfterSeconds } = explained;
  return new ApiSourceError({
    message: `${what}: ${explained.message}`,
    category,
    retryable,
    retryAfterSeconds,
    code: explained.code ?? code,
    hint: retryable
      ? laterHint
      : writeOperatorHint("check that server and its address in the record"),
  });
}

/**
 * Words for "this grant is over" (RFC 6749, section 5.2; OpenID Connect Core, section 3.1.2.6), and those that GitHub
 * (`bad_refresh_token`) and Slack (`invalid_refresh_token`) have instead.
 */
const deadWord =
  /^(?:invalid_grant|(?:interaction|login|consent)_required|(?:bad|invalid)_refresh_token)$/;

/** The remedies of refusals that no setting causes (RFC 6749, section 4.1.2.1; RFC 8628, section 3.5). */
const refusalTodos: ReadonlyMap<string, string> = new Map([
  ["access_denied", "ask the person again, who did not agree"],
  ["expired_token", "begin the authorization again: nobody agreed before its code expired"],
]);

/** The token endpoint answered with `error` (RFC 6749, section 5.2); its word is the `code`. */
export class TokenRefused extends ApiSourceError {
  /** Whether the grant itself is over, so that a person has to agree again. */
  readonly isDead: boolean;

  /** @param why - The server's own words, redacted. */
  constructor(
    { name, api }: ApiSource,
    code: string,
    readonly why: string,
  ) {
    super({
      message: `The authorization server of ${name} issues no token: ${why}.`,
      category: "not_configured",
      code,
      hint: writeOperatorHint(
        refusalTodos.get(code) ??
          "check `oauth2` in the record: the client id and secret, how they are sent (`clientAuthentication`), `grant` and `scopes`",
      ),
    });
    // A client's own grant is its id and secret: a person cannot agree to it again.
    this.isDead = deadWord.test(code) && api.oauth2?.grant !== "client_credentials";
  }
}

function describeUnauthorized(name: string, why: string | undefined): string {
  if (why === undefined) return `${name} is not authorized yet: a person has to authorize it.`;
  if (why === "expired")
    return `The authorization of ${name} has expired, and the API gave no refresh token: a person has to authorize it again.`;
  return `The authorization of ${name} has ended (${why}): a person has to authorize it again.`;
}

/** Code `auth_required`, with what a person needs to authorize the source where there is a way. */
export function requireAuthorization(
  source: ApiSource,
  why: string | undefined,
  consent?: Consent,
  nowMs: number = 0,
): ApiSourceError {
  const { name, slug, api } = source;
  const message = describeUnauthorized(name, why);
  const fields = { message, category: "unauthorized", code: "auth_required" } as const;
  if (consent === undefined) {
    const [variable = nameVariable(source, "REFRESH_TOKEN")] = findSecretNames(
      api.oauth2?.refreshToken ?? "",
    );
    const todo =
      api.oauth2?.grant === "device_code"
        ? `run \`api-sources login ${slug}\`, or call \`startAuthorization\``
        : `put a new refresh token into ${variable}`;
    return new ApiSourceError({
      ...fields,
      details: { source: slug },
      hint: writeOperatorHint(todo),
    });
  }
  const { url, expiresAtMs } = consent;
  const expiresInSeconds = Math.max(0, Math.floor((expiresAtMs - nowMs) / 1_000));
  return new ApiSourceError({
    ...fields,
    details: { source: slug, auth_url: url, expires_in_seconds: expiresInSeconds },
    hint: "Ask the person to open details.auth_url; when they have agreed, make the same call again.",
  });
}
