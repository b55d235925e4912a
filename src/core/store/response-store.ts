/** Where kept responses live: the part of LangGraph's BaseStore that is needed, so that any of its stores fits; and the default store. */

import { atLeast, checkOwnOptions } from "../base/option-rules.js";
import {
  type CallContext,
  type Clock,
  isStore,
  type RuntimeStore,
  systemClock,
} from "../base/runtime.js";

/**
 * LangGraph's `InMemoryStore`, `PostgresStore`, `RedisStore` and an agent's `config.store` fit as they are; so does an object with
 * `get`, `put` and `delete`. `put` is also given `false` (nothing of it is to be embedded for a search by meaning) and, where the
 * store knows one, a time to live. A value's own `expiresAt` decides whether it still counts.
 */
export type ResponseStore = RuntimeStore;

/** Where responses are kept, and for whom. */
export interface StoreOptions {
  /**
   * Where responses are kept. `"runtime"` is the store of the running agent (`createAgent({ store })`), when there is one.
   *
   * @default one bounded in-process store for all toolkits of the process
   */
  readonly responseStore?: ResponseStore | "runtime" | undefined;
  /** Names the owner of a kept response. @default the thread, else one scope per toolkit */
  readonly responseScope?: ((context: CallContext) => string | readonly string[]) | undefined;
}

/** The entries of one owner: a store and their namespace in it. */
export interface NamespacedStore {
  readonly store: ResponseStore;
  readonly namespace: string[];
}

/**
 * Writes an entry in the form that each of LangGraph's stores needs, so that nothing is embedded and the entry expires: `PostgresStore`
 * takes `(…, index, { ttl })`, `RedisStore` `(…, { index, ttl })`, the others `(…, index)`. Theirs is a time in minutes.
 *
 * @param ttlMs - How long it counts. @default for good
 */
export async function writeEntry(
  { store, namespace }: NamespacedStore,
  key: string,
  value: Record<string, unknown>,
  ttlMs?: number,
): Promise<void> {
  const time = ttlMs === undefined ? {} : { ttl: Math.max(1, Math.ceil(ttlMs / 60_000)) };
  // Only RedisStore has the setting itself; the third parameter that other stores may omit proves nothing.
  if ("ttlConfig" in store) await store.put(namespace, key, value, { index: false, ...time });
  else if (store.put.length > 4) await store.put(namespace, key, value, false, time);
  else await store.put(namespace, key, value, false);
}

/**
 * The store that an agent's runtime hands to a tool is behind a queue, which forgets what is not to be embedded; the store
 * itself is its `store`, as LangGraph's own `extractStore` has it.
 */
export function resolveRuntimeStore(store: ResponseStore): ResponseStore {
  const { lg_name: name, store: inner }: { lg_name?: unknown; store?: unknown } = store as object;
  return name === "AsyncBatchedStore" && isStore(inner) ? inner : store;
}

/** The store that the application gives a call, by the option `responseStore`; undefined where it gives none. */
export function findGivenStore(
  responseStore: ResponseStore | "runtime" | undefined,
  { store }: CallContext,
): ResponseStore | undefined {
  const given = responseStore === "runtime" ? store : responseStore;
  return given && resolveRuntimeStore(given);
}

export interface MemoryStoreOptions {
  /** The most that all entries may take together, in bytes. @default 100000000 */
  readonly maxBytes?: number | undefined;
  /** How long an entry stays that is not read, in milliseconds. @default 3600000 */
  readonly ttlMs?: number | undefined;
}

interface Entry {
  readonly value: Record<string, unknown>;
  readonly bytes: number;
  expiresAt: number;
}

/**
 * Makes a store in this process, bounded in bytes and time, the least recently used entry first to go. An entry larger than the whole store is
 * refused with an error.
 */
export function createMemoryStore(
  options: MemoryStoreOptions = {},
  clock: Clock = systemClock,
): ResponseStore {
  checkOwnOptions("createMemoryStore", options, { maxBytes: atLeast(1), ttlMs: atLeast(0) });
  const { maxBytes = 100_000_000, ttlMs = 3_600_000 } = options;
  // A Map keeps the order of insertion: an entry that is read goes to the end.
  const entries = new Map<string, Entry>();
  let totalBytes = 0;

  function remove(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) if (entry.expiresAt <= clock.now()) remove(key);
    for (const key of entries.keys()) {
      if (totalBytes <= maxBytes) break;
      remove(key);
    }
  }

  return {
    async get(namespace, key) {
      const path = toPath(namespace, key);
      const entry = entries.get(path);
      if (entry === undefined) return null;
      if (entry.expiresAt <= clock.now()) {
        remove(path);
        return null;
      }
      entries.delete(path);
      entries.set(path, { ...entry, expiresAt: clock.now() + ttlMs });
      return { value: entry.value };
    },
    async put(namespace, key, value) {
      const bytes = measure(value);
      if (bytes > maxBytes)
        throw new RangeError(`An entry of ${bytes} bytes is larger than the store.`);
      const path = toPath(namespace, key);
      remove(path);
      entries.set(path, { value, bytes, expiresAt: clock.now() + ttlMs });
      totalBytes += bytes;
      makeRoom();
    },
    async delete(namespace, key) {
      remove(toPath(namespace, key));
    },
  };
}

function toPath(namespace: readonly string[], key: string): string {
  return JSON.stringify([...namespace, key]);
}

/** Strings are what an entry is made of; V8 takes one or two bytes for each character of them. */
function measure(value: Record<string, unknown>): number {
  return Object.values(value).reduce<number>(
    (sum, item) => sum + (typeof item === "string" ? item.length : 100),
    500,
  );
}
