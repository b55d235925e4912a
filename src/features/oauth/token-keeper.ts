/** Keeps grants fresh: one renewal for each, however many calls and processes need it, and none of a dead one. */

import { createDeadline, type Deadline } from "../../core/http/deadline.js";
import { type Begun, describeError, KeptGrant, type KeptOptions } from "./kept-grant.js";
import { TokenRefused } from "./refusals.js";
import { ServerWait } from "./server-wait.js";
import {
  ConsentNeeded,
  type Grant,
  isFresh,
  isLiving,
  type TokenKey,
  type TokenStore,
  writeTokenKey,
} from "./token-store.js";

/** How a token is obtained with what is kept; undefined when only a person can help. @throws TokenRefused for a refused grant. */
export type Plan = (
  kept: Grant | undefined,
) => ((deadline: Deadline) => Promise<Grant>) | undefined;

/** More grants than this are not remembered beside their store. */
const maxGrants = 5_000;

/** Gives the one keeper of each grant of each store; those that were used first are forgotten first. */
export function createTokenKeeper(
  options: KeptOptions,
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
/** A call waits no longer for the renewal of a token that lives. */
const patienceMs = 1_000;
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
}

/** One grant, and its renewal. */
export class GrantKeeper {
  readonly #kept: KeptGrant;
  #renewal: Renewal | undefined;
  /** The token that the API did not accept, and since when another is looked for. */
  #rejected: string | undefined;
  #rejectedAtMs = Number.NEGATIVE_INFINITY;
  /** The token that the API accepted last. */
  #accepted: string | undefined;
  readonly #wait: ServerWait;

  constructor(
    store: TokenStore,
    private readonly key: TokenKey,
    private readonly options: KeptOptions,
  ) {
    this.#kept = new KeptGrant(store, key, options);
    this.#wait = new ServerWait(options.stopwatch);
  }

  /** Whether nothing is lost when it is forgotten. */
  get isIdle(): boolean {
    return this.#renewal === undefined && this.#kept.isSaved;
  }

  /**
   * A grant whose access token can be sent.
   *
   * @param rejected - A token that the API answered with 401.
   * @throws ConsentNeeded when a grant is missing, or does not count any more. @throws ApiSourceError when the server or the store failed.
   */
  async find(plan: Plan, rejected?: string): Promise<Grant> {
    const nowMs = this.options.stopwatch.now();
    const isOther = rejected !== undefined && rejected !== this.#rejected;
    // A token that worked was ended since: another session of the same account may have taken its place.
    const hasWorked = rejected === this.#accepted;
    const mayRenew = hasWorked || nowMs - this.#rejectedAtMs >= rejectionMs;
    if (isOther && mayRenew) [this.#rejected, this.#rejectedAtMs] = [rejected, nowMs];
    const living = await this.#findLiving();
    if (living !== undefined)
      return this.#isUsable(living) ? living : this.#renewAhead(plan, living);
    const renewed = await this.#share(plan);
    // A renewal that began before this token was rejected may have found it good.
    return renewed.accessToken === rejected ? this.#share(plan) : renewed;
  }

  /** Remembers that the API accepted a token. */
  noteAccepted(accessToken: string): void {
    this.#accepted = accessToken;
  }

  /** The entry that a grant of a person is going to take the place of; before it is asked for. */
  begin(): Promise<Begun> {
    return this.#kept.begin();
  }

  /** Keeps a grant that a person just gave, in place of what was there. A renewal of that serves the calls that wait for it alone. */
  async keep(grant: Grant, begun: Begun): Promise<void> {
    await this.#kept.keepGiven(grant, begun);
    this.#renewal = undefined;
    this.#rejected = undefined;
    this.#rejectedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** The kept entry as it is, to report it. */
  read(): Promise<Grant | undefined> {
    return this.#kept.read();
  }

  /** @returns whether there was anything. */
  forget(): Promise<boolean> {
    this.#renewal = undefined;
    return this.#kept.forget();
  }

  /** The grant whose token has not expired, as far as anyone knows. While the store fails it is the last one that was seen. */
  async #findLiving(): Promise<Grant | undefined> {
    const isLivingNow = (grant: Grant | undefined): grant is Grant =>
      grant !== undefined &&
      grant.accessToken !== this.#rejected &&
      isLiving(grant, this.options.clock.now());
    try {
      const grant = await this.#kept.read();
      await this.#kept.saveAgain();
      return isLivingNow(grant) ? grant : undefined;
    } catch (error) {
      const { seen } = this.#kept;
      if (isLivingNow(seen)) return seen;
      throw error;
    }
  }

  /** Renews a token ahead of its time. While it lives, no call depends on that: not on a server that hangs, nor on a store that fails. */
  async #renewAhead(plan: Plan, living: Grant): Promise<Grant> {
    const { stopwatch } = this.options;
    const renewal = this.#share(plan);
    const ageMs = stopwatch.now() - (this.#renewal?.startedMs ?? stopwatch.now());
    const timeoutMs = Math.max(0, patienceMs - ageMs);
    const patience = createDeadline({ timeoutMs, clock: stopwatch });
    try {
      return await patience.race(renewal);
    } catch (error) {
      if (error instanceof ConsentNeeded) throw error;
      return living;
    } finally {
      patience.close();
    }
  }

  /** One renewal for all who need it. It runs by itself: a call that waits for it may leave without stopping it for the others. */
  #share(plan: Plan): Promise<Grant> {
    const startedMs = this.options.stopwatch.now();
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
    const { stopwatch, sleep, random } = this.options;
    const deadline = createDeadline({ timeoutMs: renewalMs, clock: stopwatch });
    const renewing: Renewing = { plan, deadline };
    try {
      for (;;) {
        deadline.signal.throwIfAborted();
        const kept = this.#checkPlan(plan, await this.#kept.read());
        if (kept !== undefined && this.#isUsable(kept)) return kept;
        const release = await this.#kept.lease(leaseMs);
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
    const begun = await this.#begin(renewing);
    const kept = begun.grant;
    if (kept !== undefined && this.#isUsable(kept)) return kept;
    try {
      return await this.#request(renewing, begun);
    } catch (error) {
      if (!(error instanceof TokenRefused && error.isDead)) return this.#keepLiving(error, kept);
      // The store is read once more: another process may have been first.
      const again = await this.#begin(renewing);
      const newer = again.grant;
      if (newer !== undefined && this.#isUsable(newer)) return newer;
      if (newer === undefined || newer.refreshToken === kept?.refreshToken)
        return this.#invalidate(begun, error.why);
      return this.#request(renewing, again);
    }
  }

  /** A renewal ahead of time that failed costs nothing while the token lives. */
  #keepLiving(error: unknown, kept: Grant | undefined): Grant {
    const { clock, logger } = this.options;
    const { accessToken = this.#rejected } = kept ?? {};
    if (kept === undefined || accessToken === this.#rejected || !isLiving(kept, clock.now()))
      throw error;
    const { source } = this.key;
    const facts = { source, error: describeError(error) };
    logger.warn("A token could not be renewed ahead of its time; the old one is used.", facts);
    return kept;
  }

  async #begin({ plan }: Renewing): Promise<Begun> {
    const begun = await this.#kept.begin();
    this.#checkPlan(plan, begun.grant);
    return begun;
  }

  /** Takes a grant that can be sent or renewed. @throws ConsentNeeded when a person has to help. */
  #checkPlan(plan: Plan, kept: Grant | undefined): Grant | undefined {
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

  async #request({ plan, deadline }: Renewing, begun: Begun): Promise<Grant> {
    const kept = begun.grant;
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
    this.#kept.hide(grant);
    // Before its token is used: a refresh token that is spent here and kept nowhere would be the end of the grant.
    if (await this.#kept.keepRenewed(grant, begun)) return grant;
    // A person gave another grant, which counts, or forgot this one: it serves the calls that wait for it, and no later one.
    return (await this.#findUsable()) ?? grant;
  }

  async #findUsable(): Promise<Grant | undefined> {
    const kept = await this.#kept.read();
    return kept !== undefined && this.#isUsable(kept) ? kept : undefined;
  }

  /** The grant is dead: that is kept, so that no one requests it again. @returns the grant that a person gave meanwhile. */
  async #invalidate(begun: Begun, dead: string): Promise<Grant> {
    const entry: Grant = { obtainedAtMs: this.options.clock.now(), dead };
    const isKept = await this.#kept.keepRenewed(entry, begun);
    const newer = isKept ? undefined : await this.#findUsable();
    if (newer !== undefined) return newer;
    this.options.logger.warn("A grant is no longer valid: its authorization server refuses it.", {
      source: this.key.source,
      why: dead,
    });
    throw new ConsentNeeded(dead);
  }
}
