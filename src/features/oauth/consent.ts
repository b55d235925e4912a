/** A person agrees: the address or code to send them to, what has to be remembered until they have, and what they bring. */

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ApiSourceError, type ErrorCategory, notConfigured } from "../../core/base/errors.js";
import { hashText } from "../../core/base/text.js";
import type { OAuth2Settings } from "../../core/record/api-source.js";
import { isLoopbackHost } from "../../core/record/base-url.js";
import {
  findServer,
  listScope,
  loadOAuth,
  requestDeviceCode,
  requestToken,
  type ServerCall,
} from "./authorization-server.js";
import { TokenRefused } from "./refusals.js";
import type { OAuthRuntime } from "./resolve-grant.js";
import {
  type Consent,
  type Grant,
  holdLease,
  keyOfPassing,
  type TokenKey,
  type TokenStore,
  writeEntry,
} from "./token-store.js";

/** How long somebody may take who is sent to `url`. */
const codeMs = 900_000;
/** An address that is about to expire is not shown again. */
const leastMs = 60_000;

/** A consent that is under way. */
const pendingSchema = z.object({
  url: z.string(),
  expiresAtMs: z.number(),
  /** Names what the record asks for: with other settings, another address is shown. */
  request: z.string(),
  /** Names the entry of its beginning. */
  begun: z.string(),
});

function keyOfConsent(key: TokenKey): TokenKey {
  return { ...key, name: `${key.name}-consent` };
}

/** The beginning of an authorization, until its browser comes back. */
const begunSchema = z.object({
  source: z.string(),
  user: z.string(),
  name: z.string(),
  verifier: z.string(),
  expiresAtMs: z.number(),
  redirectUri: z.string().optional(),
});

/** The consent that is under way for a grant, else a new one: RFC 6749, section 4.1.1, with PKCE (RFC 7636). */
export async function startConsent(call: ServerCall, store: TokenStore): Promise<Consent> {
  const { runtime, grant } = call;
  const { oauth2, key } = grant;
  const { redirectUri } = oauth2;
  const known = pendingSchema.safeParse(await store.read(keyOfConsent(key))).data;
  const request = nameRequest(oauth2);
  const leftMs = (known?.expiresAtMs ?? 0) - runtime.clock.now();
  if (known !== undefined && known.request === request && leftMs > leastMs) return known;
  // Nobody came back from the one before it.
  if (known !== undefined && leftMs <= 0)
    await store.remove({ ...keyOfPassing(""), name: known.begun });
  const library = await loadOAuth();
  const server = await findServer(call, "authorization_endpoint");
  const state = randomBytes(24).toString("base64url");
  const verifier = library.generateRandomCodeVerifier();
  runtime.hide([verifier]);
  const url = new URL(checkPersonUrl(server.authorization_endpoint ?? ""));
  const parameters = {
    ...oauth2.authorizationParameters,
    response_type: "code",
    client_id: oauth2.clientId,
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...listScope(oauth2),
    state,
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const started = { url: url.href, expiresAtMs: runtime.clock.now() + codeMs };
  const { expiresAtMs } = started;
  const begunKey = keyOfPassing(state);
  await writeEntry(store, begunKey, { ...key, verifier, expiresAtMs, redirectUri });
  await writeEntry(store, keyOfConsent(key), { ...started, request, begun: begunKey.name });
  return started;
}

/** Names all settings that the address of a consent is made of. */
function nameRequest(oauth2: OAuth2Settings): string {
  const { issuer, authorizationUrl, redirectUri, authorizationParameters } = oauth2;
  const endpoint = [issuer, authorizationUrl, redirectUri];
  return hashText(JSON.stringify([endpoint, authorizationParameters, listScope(oauth2)]));
}

/** A server that fails, or doesn't answer, ends no device code: it is asked again, half as often (RFC 8628, section 3.5). */
const unansweredCategories: ReadonlySet<ErrorCategory> = new Set([
  "network",
  "timeout",
  "server_error",
]);

/** An address and a code to enter there, on any device (RFC 8628). */
export async function startDevice(call: ServerCall) {
  const answer = await requestDeviceCode(call);
  const { clock, stopwatch } = call.runtime;
  let intervalMs = (answer.interval ?? 5) * 1_000;
  let nextMs = stopwatch.now() + intervalMs;
  const expiresAtMs = clock.now() + answer.expires_in * 1_000;
  const type = "urn:ietf:params:oauth:grant-type:device_code";
  return {
    url: checkPersonUrl(answer.verification_uri_complete ?? answer.verification_uri),
    userCode: answer.user_code,
    expiresAtMs,
    /**
     * Asks whether the person has agreed (section 3.4).
     *
     * @returns undefined while they have not, and where the server may not be asked yet.
     * @throws ApiSourceError `access_denied` when they refused, `expired_token` after the end of the code.
     */
    async ask(again: ServerCall): Promise<Grant | undefined> {
      if (clock.now() >= expiresAtMs)
        throw new TokenRefused(call.grant.source, "expired_token", "the device code has expired");
      if (stopwatch.now() < nextMs) return undefined;
      // One request at a time, and none after the grant.
      nextMs = Number.POSITIVE_INFINITY;
      try {
        return await requestToken(again, type, { device_code: answer.device_code });
      } catch (error) {
        const refusal = error instanceof ApiSourceError ? error : undefined;
        const isTooFast = refusal?.code === "slow_down" || refusal?.category === "rate_limited";
        const isUnanswered = refusal !== undefined && unansweredCategories.has(refusal.category);
        if (isTooFast) intervalMs += 5_000;
        if (isUnanswered) intervalMs *= 2;
        const statedMs = (refusal?.retryAfterSeconds ?? 0) * 1_000;
        nextMs = stopwatch.now() + Math.max(intervalMs, statedMs);
        if (isTooFast || isUnanswered || refusal?.code === "authorization_pending")
          return undefined;
        throw error;
      }
    },
  };
}

/**
 * Takes an `auth_url` or `verification_uri`, which may come from a server's metadata: it must be https, or http on a loopback address. A
 * `javascript:` URL in a link of the application would run there.
 *
 * @throws ApiSourceError `not_configured`, code `unsafe_authorization_url`.
 */
export function checkPersonUrl(url: string): string {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  if (protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname))) return url;
  throw notConfigured(
    "unsafe_authorization_url",
    "The address where a person authorizes this source is not an https URL.",
    "Correct `api.oauth2` in the record, or the metadata of the authorization server: https, or http on a loopback address.",
  );
}

/** The values that the browser brought back, of an authorization that began here. */
export interface Callback {
  /** Names the grant that it is for. */
  readonly key: TokenKey;
  readonly verifier: string;
  readonly redirectUri: string | undefined;
  /** The query of its URL, with `state`, and `code` or `error`. */
  readonly parameters: URLSearchParams;
}

/** Taking a callback takes a few requests to the store. */
const takingMs = 10_000;

interface TakingOptions extends Pick<OAuthRuntime, "clock" | "sleep"> {
  /** Whether a source with this slug is here. */
  knows(slug: string): boolean;
}

/**
 * Takes a callback: it is good once, whoever else takes it at the same time.
 *
 * @param owner - Whose it must be; undefined when the caller gave no context.
 * @throws ApiSourceError `no_code` for a URL without `code` and `error`, which uses up nothing; `context_required` where it began for one of several users and the caller gave no context; `unknown_state` for one that did not begin here, is too late, another's, or was taken before.
 */
export async function takeCallback(
  callbackUrl: string,
  store: TokenStore,
  owner: string | undefined,
  { clock, sleep, knows }: TakingOptions,
): Promise<Callback> {
  const base = "http://localhost";
  if (!URL.canParse(callbackUrl, base)) throw refuseState();
  const parameters = new URL(callbackUrl, base).searchParams;
  // RFC 6749, sections 4.1.2 and 4.1.2.1: without one of them it is no answer, and the authorization goes on.
  if (!parameters.get("code") && !parameters.get("error")) throw refuseCallback();
  const key = keyOfPassing(parameters.get("state") ?? "");
  // Before the lease: a callback that began nowhere asks the store for no more than this, and one of another toolkit stays good there.
  const { source } = await readBegun(store, key, owner);
  if (!knows(source)) throw refuseState();
  const release = await holdLease(store, key, takingMs, sleep);
  if (release === undefined) throw refuseState();
  const take = takeBegun(store, key, owner, clock.now());
  return { ...(await take.finally(() => release().catch(() => {}))), parameters };
}

type Begun = z.infer<typeof begunSchema>;

/** Reads the authorization that began under this key. @throws ApiSourceError as `takeCallback` does. */
async function readBegun(
  store: TokenStore,
  key: TokenKey,
  owner: string | undefined,
): Promise<Begun> {
  const begun = begunSchema.safeParse(await store.read(key)).data;
  // If no context were needed, a person could open another person's callback, and their account would be used for both.
  if (begun !== undefined && begun.user !== "" && owner === undefined)
    throw new ApiSourceError({
      message:
        "This source has credentials per user, and the callback arrived without the context of its user.",
      category: "invalid_input",
      code: "context_required",
      hint: "Call completeAuthorization(url, context) with the context of the user whose session received the callback.",
    });
  if (begun === undefined || (owner !== undefined && owner !== begun.user)) throw refuseState();
  return begun;
}

/** Reads it once more, with the lease, and uses it up: before anything is sent, so that it is over whatever comes of it. */
async function takeBegun(
  store: TokenStore,
  stateKey: TokenKey,
  owner: string | undefined,
  nowMs: number,
): Promise<Omit<Callback, "parameters">> {
  const { source, user, name, verifier, redirectUri, expiresAtMs } = await readBegun(
    store,
    stateKey,
    owner,
  );
  const key: TokenKey = { source, user, name };
  await store.remove(stateKey);
  await store.remove(keyOfConsent(key));
  if (!(nowMs < expiresAtMs)) throw refuseState();
  return { key, verifier, redirectUri };
}

function refuseCallback(): ApiSourceError {
  return new ApiSourceError({
    message:
      "The callback has neither a `code` nor an `error`: it is no answer of the authorization server.",
    category: "invalid_input",
    code: "no_code",
    hint: "Give the whole URL that the browser came back with. The authorization is still open.",
  });
}

/** A callback of no authorization that is under way, or of a source that is not here or was changed since. */
export function refuseState(): ApiSourceError {
  return new ApiSourceError({
    message:
      "No pending authorization of this user fits this callback: its `state` is unknown, used or too old, or the source's record has changed.",
    category: "invalid_input",
    code: "unknown_state",
    hint: "Have the person begin again at a new `auth_url`; each works once, within 15 minutes.",
  });
}
