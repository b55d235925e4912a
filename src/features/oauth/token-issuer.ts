/** Where the credential of a source with `oauth2` or `login` comes from: the door of this room. */

import { notConfigured } from "../../core/base/errors.js";
import { dropUndefined } from "../../core/base/input.js";
import type { CallContext } from "../../core/base/runtime.js";
import {
  type GrantFacts,
  parseCredential,
  type UsableCredential,
} from "../../core/credentials/credential.js";
import { createDeadline, type Deadline } from "../../core/http/deadline.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { listScope, requestToken, type ServerCall } from "./authorization-server.js";
import { refuseState, startConsent, startDevice, takeCallback } from "./consent.js";
import type { Begun } from "./kept-grant.js";
import { requestLogin } from "./login-call.js";
import { redeemCode } from "./redeem-code.js";
import { quoteAnswer, requireAuthorization } from "./refusals.js";
import {
  type OAuthRuntime,
  type ResolvedGrant,
  type ResolvedOAuth2,
  resolveGrant,
} from "./resolve-grant.js";
import { createTokenKeeper, type GrantKeeper, type Plan } from "./token-keeper.js";
import {
  type Consent,
  ConsentNeeded,
  type Grant,
  type TokenKey,
  type TokenStore,
} from "./token-store.js";

/** An authorization that a person has to finish. */
export interface StartedAuthorization {
  /** Where the person agrees. The browser comes back to the record's `redirectUri`; `completeAuthorization` takes that URL. */
  readonly url: string;
  /** The code that they type there, with a device code. */
  readonly userCode?: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
  /**
   * Asks once whether the person has agreed, with a device code; undefined while they have not. Not before the server allows it.
   *
   * @throws ApiSourceError `expired_token` after the end of the code; `token_store_failed` where the store can't take the grant, which the next poll offers it again.
   */
  readonly poll?: () => Promise<GrantFacts | undefined>;
}

/** For what is not a renewal; that has its own. */
const requestMs = 25_000;

export class TokenIssuer {
  readonly #runtime: OAuthRuntime;
  readonly #keeperOf: (store: TokenStore, key: TokenKey) => GrantKeeper;
  readonly #consents = new Map<GrantKeeper, Promise<Consent>>();

  constructor(runtime: OAuthRuntime) {
    this.#runtime = runtime;
    this.#keeperOf = createTokenKeeper(runtime);
  }

  /**
   * The token of a call, renewed ahead of its time, with a way to have another when the API answers 401 to it.
   *
   * @throws ApiSourceError `auth_required` when a person has to agree first, with `details.auth_url` where there is one.
   */
  async issue(source: ApiSource, context: CallContext): Promise<UsableCredential> {
    const { grant, keeper } = await this.#open(source, context);
    const plan: Plan = (kept) => planRequest(grant, kept, this.#runtime);
    const find = (rejected?: string): Promise<Grant> =>
      keeper.find(plan, rejected).catch((error: unknown) => {
        if (!(error instanceof ConsentNeeded)) throw error;
        const turnedDown =
          rejected === undefined ? undefined : "the API does not accept its token any more";
        return this.#requireConsent(grant, context, error.why ?? turnedDown);
      });
    const toCredential = ({ accessToken = "" }: Grant): UsableCredential => ({
      ...parseCredential({ token: accessToken }, source, `\`${grant.kind}\` of the record`),
      kind: "token",
      token: accessToken,
      isIssued: true,
      owner: JSON.stringify([grant.key.user, grant.key.name]),
      renew: async () => toCredential(await find(accessToken)),
      noteAccepted: () => keeper.noteAccepted(accessToken),
    });
    return toCredential(await find());
  }

  /** The kept grant of this caller; undefined when nothing is kept, or it is dead. */
  async describe(source: ApiSource, context: CallContext): Promise<GrantFacts | undefined> {
    const kept = await (await this.#open(source, context)).keeper.read();
    return kept === undefined || kept.dead !== undefined ? undefined : this.#toFacts(source, kept);
  }

  /** Forgets what is kept. @returns whether there was anything. */
  async forget(source: ApiSource, context: CallContext): Promise<boolean> {
    return (await this.#open(source, context)).keeper.forget();
  }

  /** @throws ApiSourceError `not_configured` for a source that no person authorizes. */
  async startAuthorization(source: ApiSource, context: CallContext): Promise<StartedAuthorization> {
    const { grant, keeper } = await this.#open(source, context);
    if (grant.kind === "oauth2" && grant.oauth2.grant === "device_code") {
      const { ask, ...consent } = await this.#ask(grant, startDevice);
      /** A grant that the store has not taken yet: the server gives it once. */
      let open: { readonly given: Grant; readonly begun: Begun } | undefined;
      const poll = async (): Promise<GrantFacts | undefined> => {
        const begun = open?.begun ?? (await keeper.begin());
        const given = open?.given ?? (await this.#ask(grant, ask));
        if (given === undefined) return undefined;
        open = { given, begun };
        await keeper.keep(given, begun);
        open = undefined;
        return this.#toFacts(source, given);
      };
      return { ...consent, poll };
    }
    if (isByBrowser(grant)) {
      const { url, expiresAtMs } = await this.#openConsent(grant, context);
      return { url, expiresAtMs };
    }
    throw notConfigured(
      "no_authorization",
      `No person authorizes ${source.name}: its record has no \`oauth2\` with the grant "authorization_code" or "device_code".`,
      "Nothing has to be started: call it.",
    );
  }

  /**
   * Takes the URL that a browser came back with, and keeps the grant for the user whom its `auth_url` was made for.
   *
   * @param context - Of the user whose session received the URL. Required where credentials are per user (`responseScope`, or LangGraph's user).
   * @throws ApiSourceError `unknown_state` for a URL that did not begin here, `access_denied` when the person refused, `token_store_failed` where the store can't take the grant, which then lives in this process.
   */
  async completeAuthorization(
    sources: readonly ApiSource[],
    callbackUrl: string,
    context: CallContext | undefined,
  ): Promise<GrantFacts> {
    const store = this.#runtime.storeOf(context ?? {});
    const owner = context && this.#runtime.userOf(context, true);
    const find = (name: string) => sources.find(({ slug }) => slug === name);
    const taking = { ...this.#runtime, knows: (slug: string) => find(slug) !== undefined };
    const callback = await takeCallback(callbackUrl, store, owner, taking);
    const { key } = callback;
    const source = find(key.source);
    if (source === undefined) throw refuseState();
    const own: OAuthRuntime = { ...this.#runtime, userOf: () => key.user };
    const grant = await resolveGrant(source, context ?? {}, own);
    // Another name: the record was changed meanwhile.
    if (grant.kind !== "oauth2" || grant.key.name !== key.name) throw refuseState();
    const keeper = this.#keeperOf(store, grant.key);
    const begun = await keeper.begin();
    const given = await this.#ask(grant, (call) => redeemCode(call, callback));
    await keeper.keep(given, begun);
    return this.#toFacts(source, given);
  }

  async #open(source: ApiSource, context: CallContext) {
    const grant = await resolveGrant(source, context, this.#runtime);
    return { grant, keeper: this.#keeperOf(this.#runtime.storeOf(context), grant.key) };
  }

  async #ask<Value>(
    grant: ResolvedOAuth2,
    work: (call: ServerCall) => Promise<Value>,
  ): Promise<Value> {
    const runtime = this.#runtime;
    const deadline = createDeadline({ timeoutMs: requestMs, clock: runtime.stopwatch });
    return work({ grant, runtime, deadline }).finally(() => deadline.close());
  }

  /** Several calls at once show one address. */
  #openConsent(grant: ResolvedOAuth2, context: CallContext): Promise<Consent> {
    const store = this.#runtime.storeOf(context);
    const keeper = this.#keeperOf(store, grant.key);
    const running = this.#consents.get(keeper);
    if (running !== undefined) return running;
    const started = this.#ask(grant, (call) => startConsent(call, store));
    this.#consents.set(keeper, started);
    return started.finally(() => this.#consents.delete(keeper));
  }

  async #requireConsent(
    grant: ResolvedGrant,
    context: CallContext,
    why: string | undefined,
  ): Promise<never> {
    const consent = isByBrowser(grant) ? await this.#openConsent(grant, context) : undefined;
    throw requireAuthorization(grant.source, why, consent, this.#runtime.clock.now());
  }

  #toFacts(source: ApiSource, { expiresAtMs, refreshToken, scopes, account }: Grant): GrantFacts {
    const isPersons =
      source.api.oauth2?.grant !== "client_credentials" && source.api.login === undefined;
    const leftMs = (expiresAtMs ?? 0) - this.#runtime.clock.now();
    const quote = (text: string): string => quoteAnswer(this.#runtime, text, 200);
    return {
      source: source.slug,
      expiresInSeconds:
        expiresAtMs === undefined ? undefined : Math.max(0, Math.floor(leftMs / 1_000)),
      renewable: !isPersons || refreshToken !== undefined,
      ...dropUndefined({ scopes: scopes?.map(quote), account: account && quote(account) }),
    };
  }
}

/** Whether a person agrees at an address that leads them back: any call can begin that. */
function isByBrowser(grant: ResolvedGrant): grant is ResolvedOAuth2 {
  return grant.kind === "oauth2" && grant.oauth2.grant === "authorization_code";
}

/** The token request that the kept grant allows; undefined when only a person can help. */
function planRequest(
  grant: ResolvedGrant,
  kept: Grant | undefined,
  runtime: OAuthRuntime,
): ReturnType<Plan> {
  if (grant.kind === "login") return (deadline) => requestLogin(grant, runtime, deadline);
  const { oauth2 } = grant;
  const ask =
    (parameters: Readonly<Record<string, string>>, type: string) => (deadline: Deadline) =>
      requestToken({ grant, runtime, deadline }, type, parameters);
  if (oauth2.grant === "client_credentials") return ask(listScope(oauth2), oauth2.grant);
  const refreshToken = kept?.refreshToken ?? oauth2.refreshToken;
  if (refreshToken === undefined) return undefined;
  // Scopes are left out: what was granted stays granted, and a scope that was added since would be refused (RFC 6749, section 6).
  return ask(
    { refresh_token: refreshToken, ...listScope({ ...oauth2, scopes: [] }) },
    "refresh_token",
  );
}
