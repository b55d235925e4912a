/** A person agrees: the address to send them to, what has to be remembered until they come back, and what they bring. */

import { randomBytes } from "node:crypto";
import { ApiSourceError } from "../errors.js";
import { clipText, hashText } from "../text.js";
import { findServer, listScope, loadOAuth, requestToken, type ServerCall } from "./authorization-server.js";
import { startDevice } from "./device-code.js";
import { type Consent, type Grant, keyOfConsent } from "./grant.js";
import { TokenRefused } from "./refusals.js";
import type { TokenKey, TokenStore } from "./token-store.js";

/** How long somebody may take who is sent to `url`. */
const codeMs = 900_000;
/** An address that is about to expire is not shown again. */
const leastMs = 60_000;

/** By its state alone the entry of an authorization is found: no slug looks like this. */
const keyOfState = (state: string): TokenKey => ({
  source: "0authorization",
  user: "",
  name: hashText(state),
});

/** The consent that is under way for a grant, else a new one. */
export async function startConsent(
  call: ServerCall,
  store: TokenStore,
  redirectUri: string | undefined = call.grant.oauth2.redirectUri,
): Promise<Consent> {
  const { runtime, grant } = call;
  const key = keyOfConsent(grant.key);
  const { url, userCode, deviceCode, ...known } = (await store.read(key)) ?? {};
  const expiresAtMs = Number(known["expiresAtMs"]);
  const isGood = expiresAtMs - leastMs > runtime.clock.now() && known["redirectUri"] === redirectUri;
  if (typeof url === "string" && isGood) {
    if (typeof deviceCode === "string") runtime.hide([deviceCode]);
    return { url, expiresAtMs, ...(typeof userCode === "string" ? { userCode } : {}) };
  }
  const back = redirectUri === undefined ? {} : { redirectUri };
  const started =
    grant.oauth2.grant === "device_code"
      ? await startDevice(call)
      : await startAuthorization(call, store, back);
  await store.write(key, { ...started, ...back });
  return started;
}

/** RFC 6749, section 4.1.1, with PKCE (RFC 7636). */
async function startAuthorization(
  call: ServerCall,
  store: TokenStore,
  back: { readonly redirectUri?: string },
): Promise<Consent> {
  const library = await loadOAuth();
  const { runtime } = call;
  const { oauth2, key } = call.grant;
  const server = await findServer(call, "authorization_endpoint");
  const state = randomBytes(24).toString("base64url");
  const verifier = library.generateRandomCodeVerifier();
  runtime.hide([verifier]);
  const url = new URL(server.authorization_endpoint ?? "");
  const parameters = {
    ...oauth2.authorizationParameters,
    response_type: "code",
    client_id: oauth2.clientId,
    ...(back.redirectUri === undefined ? {} : { redirect_uri: back.redirectUri }),
    ...listScope(oauth2),
    state,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const expiresAtMs = runtime.clock.now() + codeMs;
  await store.write(keyOfState(state), { ...key, verifier, expiresAtMs, ...back });
  return { url: url.href, expiresAtMs };
}

/** What the browser brought back, of an authorization that began here. */
export interface Callback {
  readonly key: TokenKey;
  readonly verifier: string;
  readonly redirectUri: string | undefined;
  /** Its query, with `code` or `error`. */
  readonly parameters: URLSearchParams;
  readonly state: string;
}

/**
 * Takes a callback: it is good once.
 *
 * @param options - `owner`: whose it must be; undefined when whoever calls doesn't know.
 * @throws ApiSourceError `unknown_state` for one that did not begin here, is too late, another's, or was taken before.
 */
export async function takeCallback(
  callbackUrl: string,
  store: TokenStore,
  { nowMs, owner }: { readonly nowMs: number; readonly owner: string | undefined },
): Promise<Callback> {
  const isUrl = URL.canParse(callbackUrl, "http://localhost");
  const parameters = isUrl ? new URL(callbackUrl, "http://localhost").searchParams : new URLSearchParams();
  const state = parameters.get("state") ?? "";
  const key = keyOfState(state);
  const { source, user, name, verifier, redirectUri, expiresAtMs } = (await store.read(key)) ?? {};
  const isOwn = owner === undefined || owner === user;
  if (typeof source !== "string" || typeof verifier !== "string" || !isOwn) throw refuseState();
  const grantKey: TokenKey = { source, user: String(user), name: String(name) };
  // Before anything is sent: whatever comes of it, this address is used up.
  await store.remove(key);
  await store.remove(keyOfConsent(grantKey));
  if (!(nowMs < Number(expiresAtMs))) throw refuseState();
  const back = typeof redirectUri === "string" ? redirectUri : undefined;
  return { key: grantKey, verifier, redirectUri: back, parameters, state };
}

/** A callback of no authorization that is under way, or of a source that is not here or was changed since. */
export function refuseState(): ApiSourceError {
  return new ApiSourceError({
    message:
      "This callback belongs to no authorization that is under way for this user: its `state` is not known, used up or too old, or the source's record was changed meanwhile.",
    category: "invalid_input",
    code: "unknown_state",
    hint: "Have the person begin again at a new `auth_url`; each is good once, for a quarter of an hour.",
  });
}

/**
 * Gets the tokens for a callback's code.
 *
 * @throws ApiSourceError `access_denied`, or the server's own word, when the person or the server said no.
 */
export async function redeemCode(call: ServerCall, callback: Callback): Promise<Grant> {
  const library = await loadOAuth();
  const { runtime } = call;
  const { oauth2, source } = call.grant;
  const { parameters, state, verifier, redirectUri } = callback;
  const code = parameters.get("code") ?? "";
  runtime.hide([code, verifier]);
  // Only a record that names its issuer has something to compare `iss` with (RFC 9207).
  if (oauth2.issuer === undefined) parameters.delete("iss");
  const server = await findServer(call, "token_endpoint");
  try {
    library.validateAuthResponse(server, { client_id: oauth2.clientId }, parameters, state);
    return await requestToken(call, "authorization_code", {
      code,
      code_verifier: verifier,
      ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    });
  } catch (error) {
    if (error instanceof TokenRefused && error.isDead) throw refuseCallback(source.name, error.why);
    if (error instanceof ApiSourceError) throw error;
    if (!(error instanceof library.AuthorizationResponseError)) {
      throw refuseCallback(source.name, "the callback is malformed");
    }
    const { error: word, error_description: told } = error;
    const why = told === undefined ? word : `${word}: ${told}`;
    throw refuseCallback(source.name, runtime.redactor().redact(why), runtime.redactor().redact(word));
  }
}

function refuseCallback(name: string, why: string, word = ""): ApiSourceError {
  return new ApiSourceError({
    message: `${name} was not authorized: ${clipText(why, 400)}.`,
    category: "unauthorized",
    code: /^[a-z_]+$/.test(word) ? word : "authorization_failed",
    hint: "Have the person begin again at a new `auth_url`, and agree there.",
  });
}
