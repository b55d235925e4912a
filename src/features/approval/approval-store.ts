/** Remembers in the application's store which decisions were used, so that each counts once. */

import { randomBytes, randomUUID } from "node:crypto";
import type { CallContext, Clock, Logger, Sleep } from "../../core/base/runtime.js";
import { within } from "../../core/http/deadline.js";
import {
  createMemoryStore,
  findGivenStore,
  type ResponseStore,
  type StoreOptions,
  writeEntry,
} from "../../core/store/response-store.js";

export interface ApprovalStoreOptions extends Pick<StoreOptions, "responseStore"> {
  readonly clock: Clock;
}

const forgets =
  "A run waits for a person, and its question is kept only in this process. In another process, or after a restart, its decision is refused. Set the option responseStore to a store that all processes share.";

/** A run may continue days after it stopped. */
const timeToLiveMs = 30 * 24 * 3_600_000;
const storeTimeoutMs = 20_000;

/**
 * Where the application gives no store: apart from the kept responses, so that large answers evict no decision. It holds about 20,000
 * decisions. A decision that it lost is refused, because the key of its question is lost as well.
 */
const processStore: ResponseStore = createMemoryStore({
  maxBytes: 30_000_000,
  ttlMs: timeToLiveMs,
});

/** The entries of one namespace. Each function rejects when the store does, or is too slow. */
export interface Entries {
  /** Whether this process alone sees the entries. */
  isLocal(context: CallContext): boolean;
  /** @returns an empty object where there is no such entry */
  read(context: CallContext, name: string): Promise<Readonly<Record<string, unknown>>>;
  write(context: CallContext, name: string, value: object, ttlMs: number): Promise<void>;
}

export function openEntries(
  space: string,
  { responseStore, clock }: ApprovalStoreOptions,
): Entries {
  const namespace = [space];
  const findStore = (context: CallContext): ResponseStore =>
    findGivenStore(responseStore, context) ?? processStore;
  return {
    isLocal: (context) => findStore(context) === processStore,
    read(context, name) {
      const load = async () => (await findStore(context).get(namespace, name))?.value ?? {};
      return within(storeTimeoutMs, context, load);
    },
    write(context, name, value, ttlMs) {
      const entry = { ...value, expiresAt: clock.now() + ttlMs };
      const place = { store: findStore(context), namespace };
      return within(storeTimeoutMs, context, () => writeEntry(place, name, entry, ttlMs));
    },
  };
}

/** How long a claim waits for claims that were made at the same time. To read and to write the entry may take as long. */
const settleMs = 1_000;

interface DecisionStoreOptions extends ApprovalStoreOptions {
  readonly sleep: Sleep;
  readonly logger: Logger;
  /** The questions whose decision is being claimed: two toolkits of one process may use the same store. */
  readonly claiming: Set<string>;
}

/** Remembers questions and used decisions. Each function rejects when its store does. */
export interface Decisions {
  /**
   * Gives the random key of a question: the same each time, and in each process that shares the store. Where the store lost it, the key is
   * another one, so that the digest changes and no earlier decision counts.
   */
  openQuestion(name: string, context: CallContext): Promise<string>;
  /** Whether a question was opened before. */
  wasOpened(name: string, context: CallContext): Promise<boolean>;
  /** Uses the decision about a question: false when it was used before, in this process or in another one. */
  claim(name: string, context: CallContext): Promise<boolean>;
}

/**
 * Stores know `get`, `put` and `delete`, and no compare-and-set. So a claim writes its own name, waits until every other claim that also
 * found no name has written its own, and succeeds when its name is still there (Fischer's mutual exclusion: L. Lamport, "A Fast Mutual
 * Exclusion Algorithm", 1987, section 2). A claim that took longer than the wait to read and write fails. The store must give each reader
 * what was written last, as PostgreSQL and Redis do on their primary server.
 */
export function createDecisionStore(options: DecisionStoreOptions): Decisions {
  const { sleep, logger, claiming } = options;
  // One for all scopes: the name of a question contains the thread, and two scopes may resume the same checkpoint.
  const { isLocal, read, write } = openEntries("api-decisions", options);
  let isWarned = false;
  return {
    async openQuestion(name, context) {
      if (isLocal(context) && !isWarned) logger.warn(forgets);
      isWarned ||= isLocal(context);
      const { key } = await read(context, name);
      if (typeof key === "string") return key;
      const made = randomBytes(32).toString("base64url");
      await write(context, name, { key: made }, timeToLiveMs);
      return made;
    },
    wasOpened: async (name, context) => "key" in (await read(context, name)),
    async claim(name, context) {
      if (claiming.has(name)) return false;
      claiming.add(name);
      const take = async (): Promise<boolean> => {
        const startedMs = performance.now();
        const { key, holder: other } = await read(context, name);
        if (other !== undefined) return false;
        if (typeof key !== "string") throw new Error("The store lost the question.");
        const holder = randomUUID();
        await write(context, name, { key, holder }, timeToLiveMs);
        if (isLocal(context)) return true;
        if (performance.now() - startedMs > settleMs)
          throw new Error(`The store took longer than ${settleMs} ms to note a decision.`);
        await sleep(settleMs, context.signal);
        return (await read(context, name))["holder"] === holder;
      };
      return take().finally(() => claiming.delete(name));
    },
  };
}
