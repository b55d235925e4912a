/** The default store: in this process, bounded in bytes and time, the least recently used entry first to go. */

import type { Clock } from "../runtime.js";
import { systemClock } from "../runtime.js";
import type { ResponseStore } from "./response-store.js";

export interface MemoryStoreOptions {
  /** The most that all entries may take together, in bytes. @default 100000000 */
  readonly maxBytes?: number;
  /** How long an entry that nobody reads stays, in milliseconds. @default 3600000 */
  readonly ttlMs?: number;
  readonly clock?: Clock;
}

/** A long text with characters beyond Latin-1: one of them makes V8 take two bytes for each of the others, too. */
class PackedText {
  readonly bytes: Buffer;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }
}

interface Entry {
  readonly value: Record<string, unknown>;
  readonly bytes: number;
  expiresAt: number;
}

/** Makes a store with LangGraph's `get`, `put` and `delete`. An entry larger than the whole store is refused with an error. */
export function createMemoryStore(options: MemoryStoreOptions = {}): ResponseStore {
  const { maxBytes = 100_000_000, ttlMs = 3_600_000, clock = systemClock } = options;
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
      return { value: mapValues(entry.value, unpack) };
    },
    async put(namespace, key, value) {
      const packed = mapValues(value, pack);
      const bytes = measure(packed);
      if (bytes > maxBytes) throw new RangeError(`An entry of ${bytes} bytes is larger than the store.`);
      const path = toPath(namespace, key);
      remove(path);
      entries.set(path, { value: packed, bytes, expiresAt: clock.now() + ttlMs });
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

/** Shorter texts are not worth the work. */
const longText = 1_000_000;

function pack(item: unknown): unknown {
  if (typeof item !== "string" || item.length < longText) return item;
  const bytes = Buffer.byteLength(item);
  const isSmaller = bytes > item.length && bytes < 2 * item.length;
  // A half of a pair has no UTF-8.
  return isSmaller && item.isWellFormed() ? new PackedText(item) : item;
}

function unpack(item: unknown): unknown {
  return item instanceof PackedText ? item.bytes.toString() : item;
}

function mapValues(
  value: Record<string, unknown>,
  change: (item: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}

/** Texts are what an entry is made of. */
function measure(value: Record<string, unknown>): number {
  return Object.values(value).reduce<number>((sum, item) => sum + measureItem(item), 500);
}

function measureItem(item: unknown): number {
  if (item instanceof PackedText) return item.bytes.length;
  return typeof item === "string" ? item.length : 100;
}
