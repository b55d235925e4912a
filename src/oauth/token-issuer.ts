/** Where the credential of a source with `oauth2` or `login` comes from: the door of this room. */

import { parseCredential, type UsableCredential } from "../credentials/credential.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { createDeadline, type Deadline } from "../transport/deadline.js";
import { refuseChanged, refuseClient, refuseConsent, requireAuthorization } from "./auth-required.js";
import { requestToken, type ServerCall } from "./authorization-server.js";
import { redeemCode, startConsent, takeCallback } from "./consent.js";
import { pollDevice } from "./device-code.js";
import { type Consent, ConsentNeeded, type Grant, GrantRefused } from "./grant.js";
import { requestLogin } from "./login-call.js";
import type { OAuthRuntime } from "./oauth-runtime.js";
import { type ResolvedGrant, type ResolvedOAuth2, resolveGrant } from "./resolve-grant.js";
import { createTokenKeeper, type TokenAsk } from "./token-keeper.js";

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
  const keeper = createTokenKeeper({ ...runtime, hide: runtime.hide });
  const consents = new Map<string, Promise<Consent>>();
  const withDeadline = async <Value>(work: (deadline: Deadline) => Promise<Value>): Promise<Value> => {
    const deadline = createDeadline({ timeoutMs: requestMs, clock: runtime.clock });
    try {
      return await work(deadline);
    } finally {
      deadline.close();
    }
  };
  const resolveOAuth2 = async (source: ApiSource, context: CallContext): Promise<ResolvedOAuth2> => {
    const grant = await resolveGrant(source, context, runtime);
    if (grant.kind === "oauth2" && isByConsent(grant)) return grant;
    throw refuseConsent(source);
  };
  const describe = (source: ApiSource, grant: Grant): GrantFacts =>
    toFacts(source, grant, runtime.clock.now());

  /** Several calls at once show one address. */
  const openConsent = (
    grant: ResolvedOAuth2,
    context: CallContext,
    redirectUri?: string,
  ): Promise<Consent> => {
    const store = runtime.storeOf(context);
    const text = JSON.stringify([grant.key, redirectUri]);
    const running = consents.get(text);
    if (running !== undefined) return running;
    const started = withDeadline((deadline) =>
      startConsent({ grant, runtime, deadline }, store, redirectUri),
    );
    consents.set(text, started);
    return started.finally(() => consents.delete(text));
  };
  const poll = async (grant: ResolvedOAuth2, context: CallContext): Promise<Grant | undefined> => {
    if (grant.oauth2.grant !== "device_code") return undefined;
    const store = runtime.storeOf(context);
    return withDeadline(async (deadline) => {
      const given = await pollDevice({ grant, runtime, deadline }, store);
      if (given !== undefined) await keeper.keep({ store, key: grant.key }, given);
      return given;
    });
  };
  /** The grant of a person who has just agreed; else the answer that they have to. */
  const requireConsent = async (
    grant: ResolvedGrant,
    context: CallContext,
    why: string | undefined,
  ): Promise<Grant> => {
    if (grant.kind === "login" || !isByConsent(grant))
      throw requireAuthorization(grant.source, why, undefined, 0);
    const given = await poll(grant, context);
    if (given !== undefined) return given;
    const consent = await openConsent(grant, context);
    throw requireAuthorization(grant.source, why, consent, runtime.clock.now());
  };

  return {
    async issue(source, context) {
      const grant = await resolveGrant(source, context, runtime);
      const { key } = grant;
      const ask: TokenAsk = {
        key,
        store: runtime.storeOf(context),
        plan: (kept) => planRequest(grant, kept, runtime),
      };
      const find = (rejected?: string): Promise<Grant> =>
        keeper.find(rejected === undefined ? ask : { ...ask, rejected }).catch((error: unknown) => {
          if (!(error instanceof ConsentNeeded)) throw error;
          const why =
            error.why ?? (rejected === undefined ? undefined : "the API does not accept its token any more");
          return requireConsent(grant, context, why);
        });
      const toCredential = ({ accessToken = "" }: Grant): UsableCredential => ({
        ...parseCredential({ token: accessToken }, source, `\`${grant.kind}\` of the record`),
        kind: "token",
        token: accessToken,
        identity: JSON.stringify([key.user, key.name]),
        renew: async () => toCredential(await find(accessToken)),
      });
      return toCredential(await find());
    },
    async describe(source, context) {
      const { key } = await resolveGrant(source, context, runtime);
      const kept = await keeper.read({ key, store: runtime.storeOf(context) });
      return kept === undefined || kept.dead !== undefined ? undefined : describe(source, kept);
    },
    async forget(source, context) {
      const { key } = await resolveGrant(source, context, runtime);
      const ask = { key, store: runtime.storeOf(context) };
      const kept = await keeper.read(ask);
      await keeper.remove(ask);
      return kept !== undefined;
    },
    startConsent: async (source, context, redirectUri) =>
      openConsent(await resolveOAuth2(source, context), context, redirectUri),
    async pollDevice(source, context) {
      const given = await poll(await resolveOAuth2(source, context), context);
      return given === undefined ? undefined : describe(source, given);
    },
    async completeAuthorization(sources, callbackUrl, context) {
      const store = runtime.storeOf(context ?? {});
      const owner = context === undefined ? undefined : runtime.userOf(context);
      const callback = await takeCallback(callbackUrl, store, { nowMs: runtime.clock.now(), owner });
      const source = sources.find(({ slug }) => slug === callback.key.source);
      if (source === undefined) throw refuseChanged();
      const own: OAuthRuntime = { ...runtime, userOf: () => callback.key.user };
      const grant = await resolveGrant(source, context ?? {}, own);
      if (grant.kind !== "oauth2" || grant.key.name !== callback.key.name) throw refuseChanged();
      const call = (deadline: Deadline): ServerCall => ({ grant, runtime, deadline });
      const given = await withDeadline((deadline) => redeemCode(call(deadline), callback));
      await keeper.keep({ store, key: grant.key }, given);
      return describe(source, given);
    },
  };
}

function isByConsent({ oauth2: { grant } }: ResolvedOAuth2): boolean {
  return grant === "authorization_code" || grant === "device_code";
}

/** What to ask for, with what is kept; undefined when only a person can help. */
function planRequest(
  grant: ResolvedGrant,
  kept: Grant | undefined,
  runtime: OAuthRuntime,
): ReturnType<TokenAsk["plan"]> {
  if (grant.kind === "login") return (deadline) => requestLogin(grant, runtime, deadline);
  const { oauth2 } = grant;
  const scope: Record<string, string> = oauth2.scopes.length === 0 ? {} : { scope: oauth2.scopes.join(" ") };
  const audience: Record<string, string> = oauth2.audience === undefined ? {} : { audience: oauth2.audience };
  if (oauth2.grant === "client_credentials") {
    return (deadline) =>
      requestToken({ grant, runtime, deadline }, "client_credentials", { ...scope, ...audience }).catch(
        (error: unknown) => {
          throw error instanceof GrantRefused ? refuseClient(grant.source, error.message) : error;
        },
      );
  }
  const refreshToken = kept?.refreshToken ?? oauth2.refreshToken;
  if (refreshToken === undefined) return undefined;
  // Scopes are left out: what was granted stays granted, and a scope that was added since would be refused (RFC 6749, section 6).
  return (deadline) =>
    requestToken({ grant, runtime, deadline }, "refresh_token", { refresh_token: refreshToken, ...audience });
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
