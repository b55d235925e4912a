/** Where the credential of a source with `oauth2` or `login` comes from: the door of this room. */

import { parseCredential, type UsableCredential } from "../credentials/credential.js";
import { ApiSourceError } from "../errors.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { createDeadline, type Deadline } from "../transport/deadline.js";
import { listScope, requestToken, type ServerCall } from "./authorization-server.js";
import { redeemCode, refuseState, startConsent, takeCallback } from "./consent.js";
import { pollDevice } from "./device-code.js";
import { type Consent, ConsentNeeded, type Grant } from "./grant.js";
import { requestLogin } from "./login-call.js";
import { requireAuthorization } from "./refusals.js";
import { type OAuthRuntime, type ResolvedGrant, type ResolvedOAuth2, resolveGrant } from "./resolve-grant.js";
import { createTokenKeeper, type GrantKeeper, type Plan } from "./token-keeper.js";

/** What is known of a grant; its tokens are not part of it. */
export interface GrantFacts {
  /** The source's slug. */
  readonly source: string;
  /** Seconds until the access token expires; absent when nobody said. */
  readonly expiresInSeconds?: number;
  /** Whether a new one is got without a person. */
  readonly renewable: boolean;
  /** What was granted, where the server said so. */
  readonly scopes?: readonly string[];
  /** Whose account it is, where the server said so. */
  readonly account?: string;
}

export interface TokenIssuer {
  /**
   * The token of a call, renewed ahead of its time, with a way to have another when the API answers 401 to it.
   *
   * @throws ApiSourceError `auth_required` when a person has to agree first, with `details.auth_url` where there is one.
   */
  issue(source: ApiSource, context: CallContext): Promise<UsableCredential>;
  /** What is kept for whoever calls; undefined when nothing is, or it is dead. */
  describe(source: ApiSource, context: CallContext): Promise<GrantFacts | undefined>;
  /** Forgets what is kept. @returns whether there was anything. */
  forget(source: ApiSource, context: CallContext): Promise<boolean>;
  /** The address where a person agrees. @param redirectUri - @default the record's */
  startConsent(source: ApiSource, context: CallContext, redirectUri?: string): Promise<Consent>;
  /** Asks once whether the person with the device code has agreed. */
  pollDevice(source: ApiSource, context: CallContext): Promise<GrantFacts | undefined>;
  /**
   * Takes the URL that a browser came back with, and keeps the grant for the user whom its `auth_url` was made for.
   *
   * @param context - When given, it must be the same user's.
   * @throws ApiSourceError `unknown_state` for a URL that did not begin here, `access_denied` when the person said no.
   */
  completeAuthorization(
    sources: readonly ApiSource[],
    callbackUrl: string,
    context: CallContext | undefined,
  ): Promise<GrantFacts>;
}

/** For what is not a renewal; that has its own. */
const requestMs = 25_000;

export function createTokenIssuer(runtime: OAuthRuntime): TokenIssuer {
  const keeperOf = createTokenKeeper(runtime);
  const consents = new Map<string, Promise<Consent>>();
  const open = async (
    source: ApiSource,
    context: CallContext,
  ): Promise<{ readonly grant: ResolvedGrant; readonly keeper: GrantKeeper }> => {
    const grant = await resolveGrant(source, context, runtime);
    return { grant, keeper: keeperOf(runtime.storeOf(context), grant.key) };
  };
  const ask = async <Value>(
    grant: ResolvedOAuth2,
    work: (call: ServerCall) => Promise<Value>,
  ): Promise<Value> => {
    const deadline = createDeadline({ timeoutMs: requestMs, clock: runtime.clock });
    try {
      return await work({ grant, runtime, deadline });
    } finally {
      deadline.close();
    }
  };
  const describe = (source: ApiSource, grant: Grant): GrantFacts =>
    toFacts(source, grant, runtime.clock.now());

  /** Several calls at once show one address. */
  const openConsent = (
    grant: ResolvedOAuth2,
    context: CallContext,
    redirectUri?: string,
  ): Promise<Consent> => {
    const text = JSON.stringify([grant.key, redirectUri]);
    const running = consents.get(text);
    if (running !== undefined) return running;
    const store = runtime.storeOf(context);
    const started = ask(grant, (call) => startConsent(call, store, redirectUri));
    consents.set(text, started);
    return started.finally(() => consents.delete(text));
  };
  const poll = async (grant: ResolvedOAuth2, context: CallContext): Promise<Grant | undefined> => {
    if (grant.oauth2.grant !== "device_code") return undefined;
    const store = runtime.storeOf(context);
    const given = await ask(grant, (call) => pollDevice(call, store));
    if (given !== undefined) await keeperOf(store, grant.key).keep(given);
    return given;
  };
  /** The grant of a person who has just agreed; else the answer that they have to. */
  const requireConsent = async (
    grant: ResolvedGrant,
    context: CallContext,
    why: string | undefined,
  ): Promise<Grant> => {
    if (!isByConsent(grant)) throw requireAuthorization(grant.source, why, undefined, 0);
    const given = await poll(grant, context);
    if (given !== undefined) return given;
    const consent = await openConsent(grant, context);
    throw requireAuthorization(grant.source, why, consent, runtime.clock.now());
  };
  const resolveConsent = async (source: ApiSource, context: CallContext): Promise<ResolvedOAuth2> => {
    const grant = await resolveGrant(source, context, runtime);
    if (isByConsent(grant)) return grant;
    throw refuseConsent(source);
  };

  return {
    async issue(source, context) {
      const { grant, keeper } = await open(source, context);
      const plan: Plan = (kept) => planRequest(grant, kept, runtime);
      const find = (rejected?: string): Promise<Grant> =>
        keeper.find(plan, rejected).catch((error: unknown) => {
          if (!(error instanceof ConsentNeeded)) throw error;
          const why =
            error.why ?? (rejected === undefined ? undefined : "the API does not accept its token any more");
          return requireConsent(grant, context, why);
        });
      const toCredential = ({ accessToken = "" }: Grant): UsableCredential => ({
        ...parseCredential({ token: accessToken }, source, `\`${grant.kind}\` of the record`),
        kind: "token",
        token: accessToken,
        identity: JSON.stringify([grant.key.user, grant.key.name]),
        renew: async () => toCredential(await find(accessToken)),
      });
      return toCredential(await find());
    },
    async describe(source, context) {
      const { keeper } = await open(source, context);
      const kept = await keeper.read();
      return kept === undefined || kept.dead !== undefined ? undefined : describe(source, kept);
    },
    async forget(source, context) {
      const { keeper } = await open(source, context);
      const kept = await keeper.read();
      await keeper.remove();
      return kept !== undefined;
    },
    startConsent: async (source, context, redirectUri) =>
      openConsent(await resolveConsent(source, context), context, redirectUri),
    async pollDevice(source, context) {
      const given = await poll(await resolveConsent(source, context), context);
      return given === undefined ? undefined : describe(source, given);
    },
    async completeAuthorization(sources, callbackUrl, context) {
      const store = runtime.storeOf(context ?? {});
      const owner = context === undefined ? undefined : runtime.userOf(context);
      const callback = await takeCallback(callbackUrl, store, { nowMs: runtime.clock.now(), owner });
      const { key } = callback;
      const source = sources.find(({ slug }) => slug === key.source);
      if (source === undefined) throw refuseState();
      const own: OAuthRuntime = { ...runtime, userOf: () => key.user };
      const grant = await resolveGrant(source, context ?? {}, own);
      // Another name: the record was changed meanwhile.
      if (grant.kind !== "oauth2" || grant.key.name !== key.name) throw refuseState();
      const given = await ask(grant, (call) => redeemCode(call, callback));
      await keeperOf(store, grant.key).keep(given);
      return describe(source, given);
    },
  };
}

function isByConsent(grant: ResolvedGrant): grant is ResolvedOAuth2 {
  return grant.kind === "oauth2" && /^(?:authorization_code|device_code)$/.test(grant.oauth2.grant);
}

function refuseConsent({ name }: ApiSource): ApiSourceError {
  return new ApiSourceError({
    message: `${name} needs no person to agree: its record has no grant authorization_code or device_code.`,
    category: "invalid_input",
    hint: "Nothing has to be done: the token is got by itself.",
  });
}

/** What to ask for, with what is kept; undefined when only a person can help. */
function planRequest(grant: ResolvedGrant, kept: Grant | undefined, runtime: OAuthRuntime): ReturnType<Plan> {
  if (grant.kind === "login") return (deadline) => requestLogin(grant, runtime, deadline);
  const { oauth2 } = grant;
  const ask = (parameters: Readonly<Record<string, string>>, type: string) => (deadline: Deadline) =>
    requestToken({ grant, runtime, deadline }, type, parameters);
  if (oauth2.grant === "client_credentials") return ask(listScope(oauth2), oauth2.grant);
  const refreshToken = kept?.refreshToken ?? oauth2.refreshToken;
  if (refreshToken === undefined) return undefined;
  // Scopes are left out: what was granted stays granted, and a scope that was added since would be refused (RFC 6749, section 6).
  return ask({ refresh_token: refreshToken, ...listScope({ ...oauth2, scopes: [] }) }, "refresh_token");
}

function toFacts(source: ApiSource, grant: Grant, nowMs: number): GrantFacts {
  const { expiresAtMs, refreshToken, scopes, account } = grant;
  const isPersons = source.api.oauth2?.grant !== "client_credentials" && source.api.login === undefined;
  return {
    source: source.slug,
    ...(expiresAtMs === undefined
      ? {}
      : { expiresInSeconds: Math.max(0, Math.floor((expiresAtMs - nowMs) / 1_000)) }),
    renewable: !isPersons || refreshToken !== undefined,
    ...(scopes === undefined ? {} : { scopes }),
    ...(account === undefined ? {} : { account }),
  };
}
