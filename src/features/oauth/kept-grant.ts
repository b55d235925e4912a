/** One grant between its store and this process: the one reader and the one writer of its entry. */

import { randomUUID } from "node:crypto";
import type { Release } from "../../core/base/disk.js";
import { ApiSourceError, describeErrorClass } from "../../core/base/errors.js";
import { refuseSetup } from "./refusals.js";
import type { OAuthRuntime } from "./resolve-grant.js";
import {
  type Grant,
  holdLease,
  keyOfForgetting,
  readGrant,
  type TokenKey,
  type TokenStore,
  writeEntry,
} from "./token-store.js";

export type KeptOptions = Pick<
  OAuthRuntime,
  "clock" | "stopwatch" | "sleep" | "random" | "logger" | "application" | "hide"
>;

/** A reading of the store. */
interface Reading {
  readonly stored: Grant | undefined;
  /** Names the last time that the grant was forgotten, by any process. */
  readonly forgotten: unknown;
  /** The same, by this process. */
  readonly forgottenHere: string | undefined;
}

/** The state that a writing began from. */
export interface Begun extends Reading {
  /** The grant that counts in this process; it is newer than the store's while the store could not take it. */
  readonly grant: Grant | undefined;
}

/** A grant that the store could not take. */
interface Unsaved {
  readonly grant: Grant;
  readonly begun: Begun;
  readonly triedAtMs: number;
}

/** A writing takes a few requests to the store. */
const writingMs = 10_000;
/** The store is asked again no sooner to take what it could not. */
const againMs = 10_000;

export class KeptGrant {
  #unsaved: Unsaved | undefined;
  #seen: Grant | undefined;
  #forgottenHere: string | undefined;

  constructor(
    private readonly store: TokenStore,
    private readonly key: TokenKey,
    private readonly options: KeptOptions,
  ) {}

  /** Whether the store has all that this process knows. */
  get isSaved(): boolean {
    return this.#unsaved === undefined;
  }

  /** The grant that was read or written last: for the time that the store fails. */
  get seen(): Grant | undefined {
    return this.#seen;
  }

  /** The grant as it is. */
  async read(): Promise<Grant | undefined> {
    const forgottenHere = this.#forgottenHere;
    const stored = await this.#readStored();
    // The mark alone says that another process forgot a grant which the store never had.
    if (this.#unsaved !== undefined) return (await this.begin()).grant;
    this.#see(stored, forgottenHere);
    return stored;
  }

  /** The same, before a request whose answer is going to be written. */
  async begin(): Promise<Begun> {
    const forgottenHere = this.#forgottenHere;
    const mark = await this.#use((store) => store.read(keyOfForgetting(this.key)));
    const stored = await this.#readStored();
    const now: Reading = { stored, forgotten: mark?.["id"], forgottenHere };
    return { ...now, grant: this.#choose(now) };
  }

  /**
   * Keeps what a renewal brought, only where the entry is still the one that it renewed: a person may have given another grant meanwhile, or
   * forgotten this one.
   *
   * @returns whether it counts from now on. A grant that the store can't take is kept in this process: losing it would not bring the old one back.
   */
  async keepRenewed(grant: Grant, begun: Begun): Promise<boolean> {
    try {
      return await this.#write(grant, begun, (now) => isSame(now.grant, begun.grant));
    } catch (error) {
      const unsaved = this.#unsaved?.grant;
      // A person gave another one meanwhile, which the store could not take either.
      if (unsaved !== undefined && unsaved !== begun.grant) return false;
      if (!this.#keepHere(grant, begun)) return false;
      const message =
        "A token could not be kept in the token store; it is kept only in this process.";
      this.options.logger.error(message, { source: this.key.source, error: describeError(error) });
      return true;
    }
  }

  /**
   * Keeps what a person gave, in place of whatever is there; not where the grant was forgotten since `begun`.
   *
   * @throws ApiSourceError `token_store_failed` where the store can't take it: it is kept in this process. `authorization_failed` where it was forgotten.
   */
  async keepGiven(grant: Grant, begun: Begun): Promise<void> {
    const { source } = this.key;
    const isKept = await this.#write(grant, begun, () => true).catch((error: unknown) => {
      if (!this.#keepHere(grant, begun)) return false;
      throw refuseSetup(
        `${source} was authorized, but the grant is kept only in this process: ${describeError(error)}`,
        "token_store_failed",
        "check the store given as tokenStore",
      );
    });
    if (isKept) return;
    throw new ApiSourceError({
      message: `${source} was not authorized: its authorization was forgotten while this one was completed.`,
      category: "unauthorized",
      code: "authorization_failed",
      hint: "Have the person begin again, if they want it to be authorized.",
    });
  }

  /** Has the store take what it could not, now and then. */
  async saveAgain(): Promise<void> {
    const unsaved = this.#unsaved;
    const nowMs = this.options.stopwatch.now();
    if (unsaved === undefined || nowMs - unsaved.triedAtMs < againMs) return;
    this.#unsaved = { ...unsaved, triedAtMs: nowMs };
    const { grant, begun } = unsaved;
    await this.#write(grant, begun, (now) => now.grant === grant).catch(() => false);
  }

  /** @returns whether there was anything. */
  async forget(): Promise<boolean> {
    const id = randomUUID();
    this.#forgottenHere = id;
    const known = this.#unsaved?.grant;
    this.#unsaved = undefined;
    this.#seen = undefined;
    return this.#writeAlone(async () => {
      const stored = await this.#readStored();
      await this.#use((store) => writeEntry(store, keyOfForgetting(this.key), { id }));
      await this.#use((store) => store.remove(this.key));
      return (known ?? stored) !== undefined;
    });
  }

  /** Asks once for the right to renew it. */
  lease(leaseMs: number): Promise<Release | undefined> {
    return this.#use((store) => store.lease(this.key, leaseMs));
  }

  hide(grant: Grant | undefined): void {
    this.options.hide([grant?.accessToken, grant?.refreshToken]);
  }

  async #readStored(): Promise<Grant | undefined> {
    return readGrant(await this.#use((store) => store.read(this.key)));
  }

  /** The grant that counts: the store's, unless that is still the one which an unsaved grant took the place of. */
  #choose(now: Reading): Grant | undefined {
    if (this.#unsaved !== undefined && isOvertaken(this.#unsaved, now)) this.#unsaved = undefined;
    const grant = this.#unsaved?.grant ?? now.stored;
    this.#see(grant, now.forgottenHere);
    return grant;
  }

  /** Remembers a grant, but for one that was forgotten while the store was asked. */
  #see(grant: Grant | undefined, forgottenHere: string | undefined): void {
    this.hide(grant);
    if (forgottenHere === this.#forgottenHere) this.#seen = grant;
  }

  /** @param mayWrite - Whether it may take the place of what is there now. @returns whether it was written: not where it was too late. */
  async #write(grant: Grant, begun: Begun, mayWrite: (now: Begun) => boolean): Promise<boolean> {
    this.hide(grant);
    return this.#writeAlone(async () => {
      const now = await this.begin();
      if (wasForgotten(begun, now) || !mayWrite(now)) return false;
      await this.#use((store) => writeEntry(store, this.key, grant));
      // A newer one may have come that the store could not take.
      if (this.#unsaved?.grant === now.grant) this.#unsaved = undefined;
      this.#see(this.#unsaved?.grant ?? grant, now.forgottenHere);
      return true;
    });
  }

  /** Keeps a grant in this process. @returns false for one that this process forgot meanwhile. */
  #keepHere(grant: Grant, begun: Begun): boolean {
    if (this.#forgottenHere !== begun.forgottenHere) return false;
    this.#unsaved = { grant, begun, triedAtMs: this.options.stopwatch.now() };
    this.#seen = grant;
    return true;
  }

  /** One writer at a time, in all processes. Its lease is not that of a renewal: a person waits for no token server. */
  async #writeAlone<Value>(work: () => Promise<Value>): Promise<Value> {
    const key: TokenKey = { ...this.key, name: `${this.key.name}-writing` };
    const held = await this.#use((store) => holdLease(store, key, writingMs, this.options.sleep));
    if (held === undefined) throw this.#refuseStore("its lease is not given");
    return work().finally(() => held().catch(() => {}));
  }

  /** The store is the application's: it may fail in any way, and its message may hold anything. */
  async #use<Value>(work: (store: TokenStore) => Promise<Value>): Promise<Value> {
    try {
      return await work(this.store);
    } catch (error) {
      if (error instanceof ApiSourceError) throw error;
      const { source } = this.key;
      this.options.application.report({ what: "The application's tokenStore", source }, error);
      throw this.#refuseStore(describeErrorClass(error));
    }
  }

  #refuseStore(why: string): ApiSourceError {
    return refuseSetup(
      `The token store failed for ${this.key.source} (${why}).`,
      "token_store_failed",
      "check the store given as tokenStore",
      { retryable: true },
    );
  }
}

function wasForgotten(begun: Reading, now: Reading): boolean {
  return now.forgotten !== begun.forgotten || now.forgottenHere !== begun.forgottenHere;
}

/** Whether the store knows of a later change than the unsaved grant: it was forgotten, or another one was written. */
function isOvertaken({ begun }: Unsaved, now: Reading): boolean {
  const isStillThere = isSame(now.stored, begun.stored) || isSame(now.stored, begun.grant);
  return wasForgotten(begun, now) || !isStillThere;
}

/** Whether two grants are the same one: one that was read has its members in another order than one that was received. */
function isSame(one: Grant | undefined, other: Grant | undefined): boolean {
  return JSON.stringify(readGrant(one)) === JSON.stringify(readGrant(other));
}

export function describeError(error: unknown): string {
  return error instanceof ApiSourceError ? error.message : describeErrorClass(error);
}
