/** The kept part of a grant, its store between calls, and the lease by which one process at a time renews it. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Release } from "../../core/base/disk.js";
import type { Clock, RuntimeStore, Sleep } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import { writeEntry as writeStoreEntry } from "../../core/store/response-store.js";

/** Names one entry: of which source, for which user, and which of theirs. */
export interface TokenKey {
  /** The slug of the source; `0authorization`, which is none, for a consent that has begun. */
  readonly source: string;
  /** Names the user whose token it is; one text for all where they share it. */
  readonly user: string;
  /** The kind of entry, such as the token or a consent that has begun. */
  readonly name: string;
}

/** Plain JSON data. It holds tokens: a store shows it to no one. */
export type TokenEntry = Readonly<Record<string, unknown>>;

/** Where tokens are kept. `fileTokenStore(dir)` is one; a LangGraph store is made into one. */
export interface TokenStore {
  /** Undefined for a key that nothing was written under. */
  read(key: TokenKey): Promise<TokenEntry | undefined>;
  /** Resolves when the entry would be kept after the end of this process, where the store can make that true. */
  write(key: TokenKey, entry: TokenEntry): Promise<void>;
  /** Removes an entry; one that is not there is no error. */
  remove(key: TokenKey): Promise<void>;
  /**
   * Asks once for the right to renew this entry. It ends with the release, or by itself after `leaseMs`.
   *
   * @returns undefined while somebody else has it.
   */
  lease(key: TokenKey, leaseMs: number): Promise<Release | undefined>;
}

const text = z.string().regex(/./s).optional().catch(undefined);
/** Ignores members of the wrong type. */
const grantSchema = z.object({
  accessToken: text,
  refreshToken: text,
  /** When the access token expires, by the clock of the process that received it; absent when no one reported it. */
  expiresAtMs: z.number().optional().catch(undefined),
  obtainedAtMs: z.number().catch(0),
  /** The scopes that were granted, where the server reported them. */
  scopes: z.array(z.string()).optional().catch(undefined),
  /** The owner's account, where the server reported it. */
  account: text,
  /** Why the authorization server gives nothing for it any more. */
  dead: text,
});

/** The tokens of a grant, how long they live, and whether it is dead. */
export type Grant = Readonly<z.infer<typeof grantSchema>>;

/** Reads what a store holds. */
export function readGrant(entry: TokenEntry | undefined): Grant | undefined {
  return entry && grantSchema.parse(entry);
}

/** A person has to agree, for the first time or again. */
export class ConsentNeeded extends Error {
  /** @param why - Why a grant that was there does not count any more. */
  constructor(readonly why?: string) {
    super("consent needed");
  }
}

/** Renewed a minute before it expires, or a tenth of its life: a request takes time, and clocks differ. */
const aheadMs = 60_000;

/** Whether its access token can be sent now and be good when it arrives, and needs no renewal yet. */
export function isFresh(grant: Grant, nowMs: number): boolean {
  const { expiresAtMs = 0, obtainedAtMs } = grant;
  const ahead = Math.min(aheadMs, Math.max(0, expiresAtMs - obtainedAtMs) / 10);
  return isLiving(grant, nowMs + ahead);
}

/** Whether its access token has not expired. */
export function isLiving(
  { accessToken, expiresAtMs, obtainedAtMs, dead }: Grant,
  nowMs: number,
): boolean {
  if (accessToken === undefined || dead !== undefined) return false;
  if (expiresAtMs === undefined) return true;
  // A clock that was set back would have it live longer than it was given.
  return nowMs >= obtainedAtMs - aheadMs && nowMs < expiresAtMs;
}

/** The consent that a person is asked for. */
export interface Consent {
  /** Where they agree. */
  readonly url: string;
  readonly expiresAtMs: number;
}

/** The same string for the same key, and for no other. */
export function writeTokenKey({ source, user, name }: TokenKey): string {
  return JSON.stringify([source, user, name]);
}

/** Names an entry that is of no use after minutes: no slug of a source looks like this. */
export function keyOfPassing(name: string): TokenKey {
  return { source: "0authorization", user: "", name: hashText(name) };
}

/** The entry that says when a grant was forgotten last: an authorization that is completed meanwhile keeps nothing. */
export function keyOfForgetting(key: TokenKey): TokenKey {
  return keyOfPassing(`forgotten ${writeTokenKey(key)}`);
}

/** How often a lease is asked for while another process has it, which may have ended before it gave it back. */
const maxTries = 200;
const retryMs = 100;

/** Asks for a lease until it is given. @returns undefined where it is not given in the time that several leases take. */
export async function holdLease(
  store: TokenStore,
  key: TokenKey,
  leaseMs: number,
  sleep: Sleep,
): Promise<Release | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const release = await store.lease(key, leaseMs);
    if (release !== undefined) return release;
    await sleep(retryMs);
  }
  return undefined;
}

/** Writes an entry as plain JSON data: a store need not know what to do with a member that is undefined. */
export function writeEntry(store: TokenStore, key: TokenKey, entry: object): Promise<void> {
  return store.write(key, JSON.parse(JSON.stringify(entry)));
}

/** Lives as long as the toolkit or client that it was made for. */
export function createMemoryTokenStore(): TokenStore {
  const entries = new Map<string, TokenEntry>();
  const leased = new Set<string>();
  return {
    read: async (key) => entries.get(writeTokenKey(key)),
    write: async (key, entry) => void entries.set(writeTokenKey(key), entry),
    remove: async (key) => void entries.delete(writeTokenKey(key)),
    lease: async (key) => {
      const text = writeTokenKey(key);
      if (leased.has(text)) return undefined;
      leased.add(text);
      return async () => void leased.delete(text);
    },
  };
}

/** How long a claim settles before it is read again. Writing one has to take less, or it is not taken for granted. */
const settleMs = 250;

/**
 * Makes a token store of a LangGraph store, which knows no compare-and-set: who wants the lease writes its name, lets every other claim that
 * was made at the same time arrive, and has it when its name is still there (Fischer's mutual exclusion: L. Lamport,
 * "A Fast Mutual Exclusion Algorithm", 1987, section 2).
 */
export function createRuntimeTokenStore(
  store: RuntimeStore,
  { clock, sleep }: { readonly clock: Clock; readonly sleep: Sleep },
): TokenStore {
  // Never indexed: an index hands its texts to an embedding model.
  const put = (key: TokenKey, name: string, value: Record<string, unknown>): Promise<void> =>
    writeStoreEntry({ store, namespace: namespaceOf(key) }, name, value);
  return {
    read: async (key) => (await store.get(namespaceOf(key), key.name))?.value,
    write: async (key, entry) => put(key, key.name, { ...entry }),
    remove: async (key) => void (await store.delete(namespaceOf(key), key.name)),
    lease: async (key, leaseMs) => {
      const name = `${key.name}-lease`;
      const read = async (): Promise<Record<string, unknown>> =>
        (await store.get(namespaceOf(key), name))?.value ?? {};
      const startedMs = clock.now();
      const leftMs = Number((await read())["untilMs"] ?? 0) - clock.now();
      // A lease that ends later than any can was written before the clock was set back. The clock of another process may be ahead.
      const longestMs = Math.max(leaseMs, 3 * settleMs) + aheadMs;
      if (leftMs > 0 && leftMs <= longestMs) return undefined;
      const holder = randomUUID();
      await put(key, name, { holder, untilMs: clock.now() + 3 * settleMs });
      if (clock.now() - startedMs > settleMs) return undefined;
      await sleep(settleMs);
      if ((await read())["holder"] !== holder) return undefined;
      await put(key, name, { holder, untilMs: clock.now() + leaseMs });
      return async () => {
        if ((await read())["holder"] === holder) await store.delete(namespaceOf(key), name);
      };
    },
  };
}

/** Letters, digits and `-`: the stores each refuse other characters. It does not contain a user's name. */
function namespaceOf({ source, user }: TokenKey): string[] {
  return ["api-tokens", source.replace(/[^A-Za-z0-9]+/g, "-"), hashText(user)];
}
