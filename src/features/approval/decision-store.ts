/** Notes which decisions of a person were used, so that each is used once, whatever the process, the scope or the number of resumes. */

import { randomBytes, randomUUID } from "node:crypto";
import type { CallContext, Clock, Logger, Sleep } from "../../core/base/runtime.js";
import {
  createMemoryStore,
  findGivenStore,
  type ResponseStore,
  type StoreOptions,
  within,
  writeEntry,
} from "../../core/store/response-store.js";
import type { Decisions } from "./approval.js";

interface DecisionStoreOptions extends Pick<StoreOptions, "responseStore"> {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly logger: Logger;
}

const forgets =
  "A run waits for a person, and its question is kept only in this process. In another process, or after a restart, its decision is refused. Set the option responseStore to a store that all processes share.";

/** A run may continue days after it stopped. */
const timeToLiveMs = 30 * 24 * 3_600_000;
const storeTimeoutMs = 20_000;

/** How long a claim waits for claims that were made at the same time. To read and to write the entry may take as long. */
export const settleMs = 1_000;

/**
 * Where the application gives no store: apart from the kept responses, so that large answers evict no decision. It holds about 20,000
 * decisions. A decision that it lost is refused, because the key of its question is lost as well.
 */
export const processStore: ResponseStore = createMemoryStore({
  maxBytes: 30_000_000,
  ttlMs: timeToLiveMs,
});

/** One for all scopes: the name of a question contains the thread, and two scopes may resume the same checkpoint. */
const namespace = ["api-decisions"];

/** Two toolkits of one process may use the same store. */
const claiming = new Set<string>();

/**
 * Stores know `get`, `put` and `delete`, and no compare-and-set. So a claim writes its own name, waits until every other claim that also
 * found no name has written its own, and succeeds when its name is still there (Fischer's mutual exclusion: L. Lamport, "A Fast Mutual
 * Exclusion Algorithm", 1987, section 2). A claim that took longer than the wait to read and write fails. The store must give each reader
 * what was written last, as PostgreSQL and Redis do on their primary server.
 */
export function createDecisionStore({
  responseStore,
  clock,
  sleep,
  logger,
}: DecisionStoreOptions): Decisions {
  let isWarned = false;
  const findStore = (context: CallContext): ResponseStore =>
    findGivenStore(responseStore, context) ?? processStore;
  const put = (store: ResponseStore, name: string, value: object): Promise<void> =>
    writeEntry({ store, namespace }, name, { ...value, expiresAt: clock.now() + timeToLiveMs }, timeToLiveMs);
  const read = async (store: ResponseStore, name: string): Promise<Readonly<Record<string, unknown>>> =>
    (await store.get(namespace, name))?.value ?? {};

  return {
    openQuestion: (name, context) =>
      within(storeTimeoutMs, context, async () => {
        const store = findStore(context);
        if (store === processStore && !isWarned) logger.warn(forgets);
        isWarned ||= store === processStore;
        const { key } = await read(store, name);
        if (typeof key === "string") return key;
        const made = randomBytes(32).toString("base64url");
        await put(store, name, { key: made });
        return made;
      }),
    wasOpened: (name, context) =>
      within(storeTimeoutMs, context, async () => "key" in (await read(findStore(context), name))),
    async claim(name, context) {
      const store = findStore(context);
      if (claiming.has(name)) return false;
      claiming.add(name);
      const take = async (): Promise<boolean> => {
        const startedMs = performance.now();
        const { key, holder: other } = await read(store, name);
        if (other !== undefined) return false;
        if (typeof key !== "string") throw new Error("The store lost the question.");
        const holder = randomUUID();
        await put(store, name, { key, holder });
        if (store === processStore) return true;
        if (performance.now() - startedMs > settleMs)
          throw new Error(`The store took longer than ${settleMs} ms to note a decision.`);
        await sleep(settleMs, context.signal);
        return (await read(store, name))["holder"] === holder;
      };
      return within(storeTimeoutMs, context, take).finally(() => claiming.delete(name));
    },
  };
}
