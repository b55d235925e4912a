/** A text under a name of its own, of any size: what a thread remembers from call to call. */

import { hashText } from "../text.js";
import { applyExpiry, keepResponse, loadKeptResponse } from "./keep-response.js";
import { type ResponseStore, writeEntry } from "./response-store.js";

export interface Note {
  readonly namespace: string[];
  readonly name: string;
  /** Undefined removes what is noted. */
  readonly text: string | undefined;
  readonly nowMs: number;
  readonly ttlMs: number;
}

/** Puts a text in the place of what was noted. Rejects when the store does. */
export async function writeNote(
  store: ResponseStore,
  { namespace, name, text, nowMs, ttlMs }: Note,
): Promise<void> {
  const key = toKey(name);
  const before = readKeys((await store.get(namespace, key))?.value);
  if (text === undefined) {
    await store.delete(namespace, key);
  } else {
    const expiresAt = nowMs + ttlMs;
    const kept = { text, kind: "text" as const, status: 0, source: "", request: "", expiresAt };
    // The new text first: whoever looks in between finds the old one, and never half of either.
    const { keys } = await keepResponse(store, namespace, kept, nowMs);
    await writeEntry(store, { namespace, key, value: { keys: [...keys], expiresAt }, ttlMs });
  }
  await applyExpiry(store, namespace, before);
}

/** @returns undefined when nothing is noted, or it has expired. Rejects when the store does. */
export async function loadNote(
  store: ResponseStore,
  namespace: string[],
  name: string,
  nowMs: number,
): Promise<string | undefined> {
  const [id] = readKeys((await store.get(namespace, toKey(name)))?.value);
  return id === undefined ? undefined : (await loadKeptResponse(store, namespace, id, nowMs))?.text;
}

/** A store is outside: what comes back is checked. */
function readKeys(value: unknown): string[] {
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
}

function toKey(name: string): string {
  return `note-${hashText(name)}`;
}
