/** The answers of this room that name what a person, or whoever runs the application, has to do. */

import { nameVariable } from "../credentials/credential-variables.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { findSecretNames } from "../source/field-syntax.js";
import type { Consent } from "./grant.js";

/** Code `auth_required`, with what a person needs to authorize the source where there is a way. */
export function requireAuthorization(
  source: ApiSource,
  why: string | undefined,
  consent: Consent | undefined,
  nowMs: number,
): ApiSourceError {
  const { name } = source;
  return new ApiSourceError({
    message:
      why === undefined
        ? `Nobody has agreed yet that ${name} may be used: a person has to authorize it.`
        : `The authorization of ${name} is over (${why}): a person has to authorize it again.`,
    category: "unauthorized",
    code: "auth_required",
    details: {
      source: source.slug,
      ...(consent === undefined
        ? {}
        : {
            auth_url: consent.url,
            ...(consent.userCode === undefined ? {} : { user_code: consent.userCode }),
            expires_in_seconds: Math.max(0, Math.floor((consent.expiresAtMs - nowMs) / 1_000)),
          }),
    },
    hint: consent === undefined ? hintToken(source) : hintConsent(consent),
  });
}

function hintConsent({ userCode }: Consent): string {
  const code = userCode === undefined ? "" : ` and to enter the code ${userCode}`;
  return `Ask the person to open details.auth_url${code}; when they have agreed, make the same call again.`;
}

function hintToken(source: ApiSource): string {
  const { refreshToken = "" } = source.api.oauth2 ?? {};
  const [variable = nameVariable(source, "REFRESH_TOKEN")] = findSecretNames(refreshToken);
  return `The agent can't change this. Whoever runs the application must put a new refresh token into ${variable}.`;
}

export function refuseConsent({ name }: ApiSource): ApiSourceError {
  return new ApiSourceError({
    message: `${name} needs no person to agree: its record has no grant authorization_code or device_code.`,
    category: "invalid_input",
    hint: "Nothing has to be done: the token is got by itself.",
  });
}

export function refuseClient({ name }: ApiSource, why: string): ApiSourceError {
  return new ApiSourceError({
    message: `The authorization server of ${name} gives no token: ${why}.`,
    category: "not_configured",
    code: "invalid_grant",
    hint: "The agent can't change this. Whoever runs the application must check client id, secret and `oauth2.tokenParameters`.",
  });
}

export function refuseChanged(): ApiSourceError {
  return new ApiSourceError({
    message: "This callback belongs to a source that is not here, or whose record was changed meanwhile.",
    category: "invalid_input",
    code: "unknown_state",
    hint: "Have the person begin again at a new `auth_url`.",
  });
}
