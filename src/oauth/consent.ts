/** A person agrees: the address to send them to, what has to be remembered until they come back, and what they bring. */

import { randomBytes } from "node:crypto";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText, hashText } from "../text.js";
import { findServer, loadOAuth, requestToken, type ServerCall } from "./authorization-server.js";
import { startDevice } from "./device-code.js";
import { type Consent, type Grant, GrantRefused, keyOfConsent } from "./grant.js";
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
  const known = await store.read(key);
  const { url, userCode, expiresAtMs, redirectUri: knownUri } = known ?? {};
  const isGood = Number(expiresAtMs) - leastMs > runtime.clock.now() && knownUri === redirectUri;
  if (typeof url === "string" && isGood) {
    runtime.hide([typeof known?.["deviceCode"] === "string" ? known["deviceCode"] : undefined]);
    return { url, expiresAtMs: Number(expiresAtMs), ...(typeof userCode === "string" ? { userCode } : {}) };
  }
  const started =
    grant.oauth2.grant === "device_code"
      ? await startDevice(call)
      : await startAuthorization(call, store, redirectUri);
  await store.write(key, { ...started, ...(redirectUri === undefined ? {} : { redirectUri }) });
  return started;
}

/** RFC 6749, section 4.1.1, with PKCE (RFC 7636). */
async function startAuthorization(
  call: ServerCall,
  store: TokenStore,
  redirectUri: string | undefined,
): Promise<Consent> {
  const library = await loadOAuth();
  const { grant, runtime } = call;
  const { oauth2, key } = grant;
  const server = await findServer(call, ["authorization_endpoint"]);
  const state = randomBytes(24).toString("base64url");
  const verifier = library.generateRandomCodeVerifier();
  runtime.hide([verifier]);
  const url = new URL(server.authorization_endpoint ?? "");
  const parameters = {
    ...oauth2.authorizationParameters,
    response_type: "code",
    client_id: oauth2.clientId,
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...(oauth2.scopes.length === 0 ? {} : { scope: oauth2.scopes.join(" ") }),
    ...(oauth2.audience === undefined ? {} : { audience: oauth2.audience }),
    state,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const expiresAtMs = runtime.clock.now() + codeMs;
  await store.write(keyOfState(state), {
    ...key,
    verifier,
    expiresAtMs,
    ...(redirectUri === undefined ? {} : { redirectUri }),
  });
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
  const found = state === "" ? undefined : await store.read(key);
  const { source, user, name, verifier, redirectUri, expiresAtMs } = found ?? {};
  const isOwn = owner === undefined || owner === user;
  if (typeof source !== "string" || typeof verifier !== "string" || !isOwn) throw refuseState();
  const grantKey: TokenKey = { source, user: String(user), name: String(name) };
  // Before anything is sent: whatever comes of it, this address is used up.
  await store.remove(key);
  await store.remove(keyOfConsent(grantKey));
  if (!(nowMs < Number(expiresAtMs))) throw refuseState();
  return {
    key: grantKey,
    verifier,
    redirectUri: typeof redirectUri === "string" ? redirectUri : undefined,
    parameters,
    state,
  };
}

function refuseState(): ApiSourceError {
  return new ApiSourceError({
    message:
      "This callback belongs to no authorization that is under way for this user: its `state` is not known, used up or too old.",
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
  const { grant, runtime } = call;
  const { parameters, state, verifier, redirectUri } = callback;
  runtime.hide([parameters.get("code") ?? undefined, verifier]);
  // Only a record that names its issuer has something to compare `iss` with (RFC 9207).
  if (grant.oauth2.issuer === undefined) parameters.delete("iss");
  const server = await findServer(call, ["token_endpoint"]);
  try {
    library.validateAuthResponse(server, { client_id: grant.oauth2.clientId }, parameters, state);
  } catch (error) {
    const isRefused = error instanceof library.AuthorizationResponseError;
    const { error: word = "", error_description: told = "" } = isRefused ? error : {};
    const redact = (text: string): string => runtime.redactor().redact(text);
    throw isRefused
      ? refuseCallback(grant.source, redact(word), redact(told))
      : refuseCallback(grant.source, "the callback is malformed");
  }
  return requestToken(call, "authorization_code", {
    code: parameters.get("code") ?? "",
    code_verifier: verifier,
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
  }).catch((error: unknown) => {
    throw error instanceof GrantRefused ? refuseCallback(grant.source, error.message) : error;
  });
}

function refuseCallback({ name }: ApiSource, why: string, told = ""): ApiSourceError {
  const words = clipText(told === "" ? why : `${why}: ${told}`, 400);
  return new ApiSourceError({
    message: `${name} was not authorized: ${words}.`,
    category: "unauthorized",
    code: /^[a-z_]+$/.test(why) ? why : "authorization_failed",
    hint: "Have the person begin again at a new `auth_url`, and agree there.",
  });
}
