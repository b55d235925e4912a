/** Keeps grants fresh: one renewal for each, however many calls and processes need it, and none of a dead one. */

import { ApiSourceError, describeErrorClass } from "../errors.js";
import type { Clock, Logger, Random, Sleep } from "../runtime.js";
import { createDeadline, type Deadline } from "../transport/deadline.js";
import { ConsentNeeded, type Grant, GrantRefused, isAlive, isFresh, readGrant } from "./grant.js";
import { createStates, findInMemory, noteRejection, noteSurvival, type State } from "./grant-state.js";
import type { TokenEntry, TokenKey, TokenStore } from "./token-store.js";

export interface TokenAsk {
  readonly key: TokenKey;
  readonly store: TokenStore;
  /**
   * How a token is got with what is kept; undefined when only a person can help. It throws `GrantRefused` for a grant that the
   * server does not take.
   */
  plan(kept: Grant | undefined): ((deadline: Deadline) => Promise<Grant>) | undefined;
  /** A token that the API answered with 401. */
  readonly rejected?: string;
}

export interface TokenKeeper {
  /**
   * A grant whose access token can be sent.
   *
   * @throws ConsentNeeded when there is no grant, or a dead one. @throws ApiSourceError when the server or the store failed.
   */
  find(ask: TokenAsk): Promise<Grant>;
  /** Keeps a grant that a person just gave, in place of what was there. */
  keep(ask: Pick<TokenAsk, "key" | "store">, grant: Grant): Promise<void>;
  /** What is kept, as it is: to tell of it, or to take it away. */
  read(ask: Pick<TokenAsk, "key" | "store">): Promise<Grant | undefined>;
  remove(ask: Pick<TokenAsk, "key" | "store">): Promise<void>;
}

export interface TokenKeeperOptions {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly logger: Logger;
  /** Has these texts redacted from now on. */
  readonly hide: (texts: readonly (string | undefined)[]) => void;
}

/** A renewal takes no longer, whoever waits for it; a lease outlives it, so that nobody begins another beside it. */
const renewalMs = 25_000;
const leaseMs = 45_000;
export function createTokenKeeper(options: TokenKeeperOptions): TokenKeeper {
  const stateOf = createStates();

  return {
    async find(ask) {
      const state = stateOf(ask);
      const found = findInMemory(state, ask.rejected, options.clock.now());
      if (found !== undefined) return found;
      if (ask.rejected !== undefined) noteRejection(state, ask.rejected, options.clock.now());
      for (let tries = 0; ; tries += 1) {
        state.renewal ??= renew(ask, state, options).finally(() => {
          state.renewal = undefined;
        });
        const grant = await state.renewal;
        // A renewal that began before this token was rejected may have found it good.
        if (grant.accessToken !== ask.rejected || tries > 0) return grant;
      }
    },
    async keep(ask, grant) {
      const state = stateOf(ask);
      options.hide([grant.accessToken, grant.refreshToken]);
      await useStore(ask, (store) => store.write(ask.key, { ...grant }));
      Object.assign(state, { grant, unsaved: undefined, rejected: undefined, rejections: [] });
    },
    read: (ask) => readKept(ask, stateOf(ask), options),
    async remove(ask) {
      Object.assign(stateOf(ask), { grant: undefined, unsaved: undefined });
      await useStore(ask, (store) => store.remove(ask.key));
    },
  };
}

/** Runs by itself: a call that waits for it may leave without stopping it for the others. */
async function renew(ask: TokenAsk, state: State, options: TokenKeeperOptions): Promise<Grant> {
  const { clock, sleep, random } = options;
  const deadline = createDeadline({ timeoutMs: renewalMs, clock });
  try {
    for (;;) {
      const kept = await readUsable(ask, state, options);
      if (kept.isUsable) return kept.grant;
      const release = await useStore(ask, (store) => store.lease(ask.key, leaseMs));
      if (release !== undefined) {
        try {
          return await renewAlone(ask, state, { ...options, deadline });
        } finally {
          await release().catch(() => {});
        }
      }
      await sleep(40 + random() * 80, deadline.signal);
    }
  } finally {
    deadline.close();
  }
}

interface Renewing extends TokenKeeperOptions {
  readonly deadline: Deadline;
}

/** With the lease: another process may have renewed it while this one waited for it. */
async function renewAlone(ask: TokenAsk, state: State, options: Renewing): Promise<Grant> {
  const kept = await readUsable(ask, state, options);
  if (kept.isUsable) return kept.grant;
  try {
    return await request(ask, state, options, kept.grant);
  } catch (error) {
    if (!(error instanceof GrantRefused)) return survive(error, kept.grant, state, options);
    const newer = await readUsable(ask, state, options);
    if (newer.isUsable) return newer.grant;
    if (newer.grant === undefined || newer.grant.refreshToken === kept.grant?.refreshToken) {
      return bury(ask, state, options, error);
    }
    return request(ask, state, options, newer.grant).catch((again: unknown) =>
      again instanceof GrantRefused
        ? bury(ask, state, options, again)
        : survive(again, newer.grant, state, options),
    );
  }
}

type Kept =
  | { readonly isUsable: true; readonly grant: Grant }
  | { readonly isUsable: false; readonly grant?: Grant };

async function readUsable(ask: TokenAsk, state: State, options: TokenKeeperOptions): Promise<Kept> {
  const grant = await readKept(ask, state, options);
  if (grant?.dead !== undefined) throw new ConsentNeeded(grant.dead);
  if (grant !== undefined && grant.accessToken !== state.rejected && isFresh(grant, options.clock.now())) {
    state.grant = grant;
    return { isUsable: true, grant };
  }
  if (ask.plan(grant) === undefined) throw new ConsentNeeded();
  return { isUsable: false, ...(grant === undefined ? {} : { grant }) };
}

async function readKept(
  ask: Pick<TokenAsk, "key" | "store">,
  state: State,
  { hide }: TokenKeeperOptions,
): Promise<Grant | undefined> {
  const grant = state.unsaved ?? readGrant(await useStore(ask, (store) => store.read(ask.key)));
  hide([grant?.accessToken, grant?.refreshToken]);
  return grant;
}

async function request(
  ask: TokenAsk,
  state: State,
  options: Renewing,
  kept: Grant | undefined,
): Promise<Grant> {
  const send = ask.plan(kept);
  if (send === undefined) throw new ConsentNeeded();
  const { refreshToken, account, scopes } = kept ?? {};
  const got = await send(options.deadline);
  // A server that does not rotate says nothing of the refresh token: the old one stays good (RFC 6749, section 6).
  const grant: Grant = {
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(account === undefined ? {} : { account }),
    ...(scopes === undefined ? {} : { scopes }),
    ...got,
  };
  options.hide([grant.accessToken, grant.refreshToken]);
  await save(ask, state, options, grant);
  state.grant = grant;
  state.quietUntilMs = 0;
  return grant;
}

/** Before its token is used: a refresh token that is spent here and kept nowhere would be the end of the grant. */
async function save(
  ask: TokenAsk,
  state: State,
  { logger }: TokenKeeperOptions,
  grant: Grant,
): Promise<void> {
  try {
    await useStore(ask, (store) => store.write(ask.key, { ...grant }));
    state.unsaved = undefined;
  } catch (error) {
    // Losing it would not bring the old one back: this process goes on with it, and tries to keep it again.
    state.unsaved = grant;
    logger.error("A token could not be kept in the token store; it lives in this process alone.", {
      source: ask.key.source,
      error: describeErrorClass(error),
    });
  }
}

/** The grant is dead: that is kept, so that nobody asks for it again. */
async function bury(
  ask: TokenAsk,
  state: State,
  { logger, clock }: TokenKeeperOptions,
  refused: GrantRefused,
): Promise<never> {
  const dead = refused.message;
  Object.assign(state, { grant: undefined, unsaved: undefined });
  const entry: TokenEntry = { obtainedAtMs: clock.now(), dead };
  await useStore(ask, (store) => store.write(ask.key, entry)).catch(() => {});
  logger.warn("A grant is dead: its authorization server does not take it any more.", {
    source: ask.key.source,
    why: dead,
  });
  throw new ConsentNeeded(dead);
}

/** A renewal ahead of time that failed costs nothing while the token lives. */
function survive(error: unknown, kept: Grant | undefined, state: State, { clock, logger }: Renewing): Grant {
  const isGood = kept !== undefined && kept.accessToken !== state.rejected && isAlive(kept, clock.now());
  if (!isGood) throw error;
  noteSurvival(state, kept, clock.now());
  logger.warn("A token could not be renewed ahead of its time; the old one is used while it lives.", {
    error: error instanceof ApiSourceError ? error.message : describeErrorClass(error),
  });
  return kept;
}

/** The store is the application's: it may fail in any way, and its message may hold anything. */
async function useStore<Value>(
  { store, key }: Pick<TokenAsk, "key" | "store">,
  work: (store: TokenStore) => Promise<Value>,
): Promise<Value> {
  try {
    return await work(store);
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    throw new ApiSourceError({
      message: `The token store failed for ${key.source} (${describeErrorClass(error)}).`,
      category: "not_configured",
      code: "token_store_failed",
      retryable: true,
      hint: "The agent can't change this. Whoever runs the application must look at the store given as tokenStore.",
    });
  }
}
