/** The default store: in this process, bounded in bytes and time, the least recently used entry first to go. */

import { atLeast, checkOwnOptions } from "../base/option-rules.js";
import { type Clock, systemClock } from "../base/runtime.js";
import type { ResponseStore } from "./response-store.js";

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

/** Makes a store with LangGraph's `get`, `put` and `delete`. An entry larger than the whole store is refused with an error. */
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
      if (bytes > maxBytes) throw new RangeError(`An entry of ${bytes} bytes is larger than the store.`);
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
