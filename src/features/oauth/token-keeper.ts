/** Keeps grants fresh: one renewal for each, however many calls and processes need it, and none of a dead one. */

import { ApiSourceError, describeErrorClass } from "../../core/base/errors.js";
import { createDeadline, type Deadline } from "../../core/http/deadline.js";
import { refuseSetup, TokenRefused } from "./refusals.js";
import type { OAuthRuntime } from "./resolve-grant.js";
import { ServerWait } from "./server-wait.js";
import {
  ConsentNeeded,
  type Grant,
  isFresh,
  readGrant,
  type TokenKey,
  type TokenStore,
  writeEntry,
  writeTokenKey,
} from "./token-store.js";

/** How a token is obtained with what is kept; undefined when only a person can help. @throws TokenRefused for a refused grant. */
export type Plan = (
  kept: Grant | undefined,
) => ((deadline: Deadline) => Promise<Grant>) | undefined;

type Options = Pick<OAuthRuntime, "clock" | "sleep" | "random" | "logger" | "application" | "hide">;

/** More grants than this are not remembered beside their store. */
const maxGrants = 5_000;

/** Gives the one keeper of each grant of each store; those that were used first are forgotten first. */
export function createTokenKeeper(
  options: Options,
): (store: TokenStore, key: TokenKey) => GrantKeeper {
  const stores = new WeakMap<TokenStore, Map<string, GrantKeeper>>();
  return (store, key) => {
    const known = stores.get(store) ?? new Map<string, GrantKeeper>();
    stores.set(store, known);
    const text = writeTokenKey(key);
    const found = known.get(text);
    if (found !== undefined) return found;
    const [idle = ""] =
      known.size < maxGrants ? [] : ([...known].find(([, { isIdle }]) => isIdle) ?? []);
    known.delete(idle);
    const keeper = new GrantKeeper(store, key, options);
    known.set(text, keeper);
    return keeper;
  };
}

/** A renewal takes no longer; a lease outlives it, so that no one begins another beside it. */
const renewalMs = 25_000;
const leaseMs = 45_000;
/** An API that answers 401 to whatever it gets doesn't have a token renewed for every call: a token that never worked is renewed once in this time. */
const rejectionMs = 10_000;

interface Renewal {
  readonly grant: Promise<Grant>;
  readonly startedMs: number;
}

/** A renewal as its steps know it. */
interface Renewing {
  readonly plan: Plan;
  readonly deadline: Deadline;
  /** How often the grant had been removed when the renewal began. */
  readonly removals: number;
}

/** One grant: what this process remembers of it beside its store, and its renewal. */
export class GrantKeeper {
  /** The entries that the store could not take. */
  #unsaved: Grant | undefined;
  #renewal: Renewal | undefined;
  /** How often it was removed: a renewal that began before a removal keeps nothing. */
  #removals = 0;
  /** The token that the API did not accept, and since when another is looked for. */
  #rejected: string | undefined;
  #rejectedAtMs = Number.NEGATIVE_INFINITY;
  /** The token that the API accepted last. */
  #accepted: string | undefined;
  readonly #wait: ServerWait;

  constructor(
    private readonly store: TokenStore,
    private readonly key: TokenKey,
    private readonly options: Options,
  ) {
    this.#wait = new ServerWait(options.clock);
  }

  /** Whether nothing is lost when it is forgotten. */
  get isIdle(): boolean {
    return this.#renewal === undefined && this.#unsaved === undefined;
  }

  /**
   * A grant whose access token can be sent.
   *
   * @param rejected - A token that the API answered with 401.
   * @throws ConsentNeeded when a grant is missing, or does not count any more. @throws ApiSourceError when the server or the store failed.
   */
  async find(plan: Plan, rejected?: string): Promise<Grant> {
    const nowMs = this.options.clock.now();
    const isOther = rejected !== undefined && rejected !== this.#rejected;
    // A token that worked was ended since: another session of the same account may have taken its place.
    const hasWorked = rejected === this.#accepted;
    const mayRenew = hasWorked || nowMs - this.#rejectedAtMs >= rejectionMs;
    if (isOther && mayRenew) [this.#rejected, this.#rejectedAtMs] = [rejected, nowMs];
    const renewed = await this.#share(plan);
    // A renewal that began before this token was rejected may have found it good.
    return renewed.accessToken === rejected ? this.#share(plan) : renewed;
  }

  /** Remembers that the API accepted a token. */
  noteAccepted(accessToken: string): void {
    this.#accepted = accessToken;
  }

  /** Keeps a grant that a person just gave, in place of what was there. */
  async keep(grant: Grant): Promise<void> {
    this.#hide(grant);
    await this.#use((store) => writeEntry(store, this.key, grant));
    this.#unsaved = undefined;
    this.#rejected = undefined;
    this.#rejectedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** The kept entry as it is: to report it, to renew it, or to take it away. */
  async read(): Promise<Grant | undefined> {
    const grant = this.#unsaved ?? readGrant(await this.#use((store) => store.read(this.key)));
    this.#hide(grant);
    return grant;
  }

  async remove(): Promise<void> {
    this.#removals += 1;
    this.#renewal = undefined;
    this.#unsaved = undefined;
    await this.#use((store) => store.remove(this.key));
  }

  /** One renewal for all who need it. It runs by itself: a call that waits for it may leave without stopping it for the others. */
  #share(plan: Plan): Promise<Grant> {
    const startedMs = this.options.clock.now();
    const running = this.#renewal;
    // A renewal ends after its time unless the store never answered: that holds no later call.
    if (running !== undefined && startedMs - running.startedMs < leaseMs) return running.grant;
    const grant = this.#renew(plan).finally(() => {
      if (this.#renewal === renewal) this.#renewal = undefined;
    });
    const renewal: Renewal = { grant, startedMs };
    this.#renewal = renewal;
    return grant;
  }

  async #renew(plan: Plan): Promise<Grant> {
    const { clock, sleep, random } = this.options;
    const deadline = createDeadline({ timeoutMs: renewalMs, clock });
    const renewing: Renewing = { plan, deadline, removals: this.#removals };
    try {
      for (;;) {
        deadline.signal.throwIfAborted();
        const kept = await this.#readLiving(renewing);
        if (kept !== undefined && this.#isUsable(kept)) return kept;
        const release = await this.#use((store) => store.lease(this.key, leaseMs));
        if (release !== undefined)
          return await this.#renewAlone(renewing).finally(() => release().catch(() => {}));
        await sleep(40 + random() * 80, deadline.signal);
      }
    } finally {
      deadline.close();
    }
  }

  /** Renews with the lease: another process may have renewed it while this one waited for it, or without a lease. */
  async #renewAlone(renewing: Renewing): Promise<Grant> {
    const kept = await this.#readLiving(renewing);
    if (kept !== undefined && this.#isUsable(kept)) return kept;
    try {
      return await this.#request(renewing, kept);
    } catch (error) {
      if (!(error instanceof TokenRefused && error.isDead)) return this.#keepLiving(error, kept);
      // The store is read once more: another process may have been first.
      const newer = await this.#readLiving(renewing);
      if (newer !== undefined && this.#isUsable(newer)) return newer;
      if (newer === undefined || newer.refreshToken === kept?.refreshToken)
        return this.#invalidate(renewing, error.why);
      return this.#request(renewing, newer);
    }
  }

  /** A renewal ahead of time that failed costs nothing while the token lives. */
  #keepLiving(error: unknown, kept: Grant | undefined): Grant {
    const { clock, logger } = this.options;
    const { accessToken = this.#rejected, expiresAtMs = 0 } = kept ?? {};
    if (kept === undefined || accessToken === this.#rejected || clock.now() >= expiresAtMs)
      throw error;
    const { source } = this.key;
    const facts = { source, error: describeError(error) };
    logger.warn("A token could not be renewed ahead of its time; the old one is used.", facts);
    return kept;
  }

  /** The kept grant, with its access token in use again when that can be sent. @throws ConsentNeeded when a person has to help. */
  async #readLiving({ plan }: Renewing): Promise<Grant | undefined> {
    const kept = await this.read();
    if (kept?.dead !== undefined) throw new ConsentNeeded(kept.dead);
    const isUsable = kept !== undefined && this.#isUsable(kept);
    if (!isUsable && plan(kept) === undefined) {
      const { accessToken = this.#rejected } = kept ?? {};
      throw new ConsentNeeded(accessToken === this.#rejected ? undefined : "expired");
    }
    return kept;
  }

  #isUsable(grant: Grant): boolean {
    return grant.accessToken !== this.#rejected && isFresh(grant, this.options.clock.now());
  }

  async #request({ plan, deadline, removals }: Renewing, kept: Grant | undefined): Promise<Grant> {
    const request = plan(kept);
    if (request === undefined) throw new ConsentNeeded();
    const received = await this.#wait.ask(() => request(deadline));
    // A server that does not rotate names no refresh token: the old one stays valid (RFC 6749, section 6).
    const {
      refreshToken = kept?.refreshToken,
      scopes = kept?.scopes,
      account = kept?.account,
    } = received;
    const grant: Grant = { ...received, refreshToken, scopes, account };
    this.#hide(grant);
    // It serves the calls that wait for it, and no later one.
    return removals === this.#removals ? this.#save(grant, removals) : grant;
  }

  async #save(grant: Grant, removals: number): Promise<Grant> {
    try {
      // Before its token is used: a refresh token that is spent here and kept nowhere would be the end of the grant.
      await this.#use((store) => writeEntry(store, this.key, grant));
      this.#unsaved = undefined;
    } catch (error) {
      if (removals !== this.#removals) return grant;
      // Losing it would not bring the old one back: this process goes on with it, and tries to keep it again.
      this.#unsaved = grant;
      const message =
        "A token could not be kept in the token store; it is kept only in this process.";
      this.options.logger.error(message, { source: this.key.source, error: describeError(error) });
    }
    return grant;
  }

  /** The grant is dead: that is kept, so that no one requests it again. Of one that was removed meanwhile nothing is kept. */
  async #invalidate({ removals }: Renewing, dead: string): Promise<never> {
    if (removals !== this.#removals) throw new ConsentNeeded(dead);
    this.#unsaved = undefined;
    const entry: Grant = { obtainedAtMs: this.options.clock.now(), dead };
    await this.#use((store) => writeEntry(store, this.key, entry)).catch(() => {});
    this.options.logger.warn("A grant is no longer valid: its authorization server refuses it.", {
      source: this.key.source,
      why: dead,
    });
    throw new ConsentNeeded(dead);
  }

  #hide(grant: Grant | undefined): void {
    this.options.hide([grant?.accessToken, grant?.refreshToken]);
  }

  /** The store is the application's: it may fail in any way, and its message may hold anything. */
  async #use<Value>(work: (store: TokenStore) => Promise<Value>): Promise<Value> {
    try {
      return await work(this.store);
    } catch (error) {
      if (error instanceof ApiSourceError) throw error;
      const { source } = this.key;
      this.options.application.report({ what: "The application's tokenStore", source }, error);
      throw refuseSetup(
        `The token store failed for ${this.key.source} (${describeErrorClass(error)}).`,
        "token_store_failed",
        "check the store given as tokenStore",
        { retryable: true },
      );
    }
  }
}

function describeError(error: unknown): string {
  return error instanceof ApiSourceError ? error.message : describeErrorClass(error);
}
