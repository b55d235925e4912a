/** From a value someone gave as a credential to one that can be sent, or an error that never shows it. */

import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import type { Credential } from "./credential.js";

/** A credential whose shape fits the source's authType. */
export type UsableCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string };

/** Where a credential came from, for the message of an error. */
export type CredentialOrigin = string;

/** RFC 9110 section 5.5 allows visible ASCII, space, tab and obs-text; Node sends Latin-1 and strips the rest silently. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Checks a credential against the source's authType.
 *
 * @throws ApiSourceError `not_configured` with code `malformed_credentials` when it has the wrong shape, can't be
 * sent in a header as it is (line breaks, characters outside Latin-1), or is a basic username with a colon
 * (RFC 7617 section 2: the receiver could not tell where the password begins).
 */
export function parseCredential(
  credential: Credential,
  source: ApiSource,
  origin: CredentialOrigin,
): UsableCredential {
  if (source.api.authType === "basic") return parseBasic(credential, source, origin);
  const token = readToken(credential);
  if (token === undefined) {
    throw malformed(
      source,
      origin,
      `authType "${source.api.authType}" takes { token } or { apiKey }, a string`,
    );
  }
  if (source.api.authType !== "query" && unsendable.test(token)) {
    throw malformed(
      source,
      origin,
      "it holds a line break, a control character, or a character outside Latin-1, which a header can't carry",
    );
  }
  if (source.api.authType === "query" && !token.isWellFormed()) {
    throw malformed(source, origin, "it holds half a character (a lone surrogate), which no URL can carry");
  }
  return { kind: "token", token };
}

function parseBasic(credential: Credential, source: ApiSource, origin: CredentialOrigin): UsableCredential {
  const { username, password } = asRecord(credential);
  if (typeof username !== "string" || typeof password !== "string") {
    throw malformed(source, origin, 'authType "basic" takes { username, password }, both strings');
  }
  if (username.includes(":")) {
    throw malformed(source, origin, "the username holds a colon, which basic authentication can't carry");
  }
  // Everything else is fine: the pair is sent as UTF-8 in base64.
  return { kind: "basic", username, password };
}

function readToken(credential: Credential): string | undefined {
  const { token, apiKey } = asRecord(credential);
  const value = token ?? apiKey;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Callers in plain JavaScript give anything: every member is unknown until checked. */
function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function malformed(source: ApiSource, origin: CredentialOrigin, why: string): ApiSourceError {
  return new ApiSourceError({
    message: `The credential of ${source.name} (from ${origin}) can't be used: ${why}.`,
    category: "not_configured",
    code: "malformed_credentials",
    hint: "The agent can't change this. Whoever runs the application must correct the credential where it is set.",
  });
}
