/** Where kept responses live: the part of LangGraph's BaseStore that is needed, so that any of its stores fits. */

/**
 * LangGraph's `InMemoryStore`, `PostgresStore`, `RedisStore` and an agent's `config.store` fit as they are. A value's own
 * `expiresAt` decides whether it still counts, because the stores disagree on how a time to live is given.
 */
export interface ResponseStore {
  get(namespace: string[], key: string): Promise<{ value: Record<string, unknown> } | null | undefined>;
  put(namespace: string[], key: string, value: Record<string, unknown>): Promise<unknown>;
  delete(namespace: string[], key: string): Promise<unknown>;
}
