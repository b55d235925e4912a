/** Where kept responses live: the part of LangGraph's BaseStore that is needed, so that any of its stores fits. */

import type { CallContext, RuntimeStore } from "../base/runtime.js";

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
  /** Whom a kept response belongs to. @default the thread, else one scope per toolkit */
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

function isStore(value: unknown): value is ResponseStore {
  if (typeof value !== "object" || value === null) return false;
  return (["get", "put", "delete"] as const).every((name) => typeof Reflect.get(value, name) === "function");
}
