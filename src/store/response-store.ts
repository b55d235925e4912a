/** Where kept responses live: the part of LangGraph's BaseStore that is needed, so that any of its stores fits. */

import type { RuntimeStore } from "../runtime.js";

/**
 * LangGraph's `InMemoryStore`, `PostgresStore`, `RedisStore` and an agent's `config.store` fit as they are. A value's own
 * `expiresAt` decides whether it still counts, because the stores disagree on how a time to live is given.
 */
export type ResponseStore = RuntimeStore;
