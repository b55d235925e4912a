/** A store of an application, whose entries a test can see and lose. */

import type { ClientOptions } from "langchain-api-sources";

export type Store = Exclude<ClientOptions["responseStore"], "runtime" | undefined>;

export function openMapStore() {
  const entries = new Map<string, { value: Record<string, unknown> }>();
  const responseStore: Store = {
    get: async (_namespace, key) => entries.get(key) ?? null,
    put: async (_namespace, key, value) => void entries.set(key, { value }),
    delete: async (_namespace, key) => void entries.delete(key),
  };
  return { entries, responseStore };
}
