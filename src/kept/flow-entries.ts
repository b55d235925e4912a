/** Keeps what confidential sources showed in the application's store, else in this process. */

import type { ClientOptions } from "../client/client-options.js";
import type { FlowEntries, FlowWriters } from "../flow/flow.js";
import type { CallContext, Clock, Sleep } from "../runtime.js";
import { createMemoryStore } from "../store/create-memory-store.js";
import { findGivenStore, type ResponseStore, writeEntry } from "../store/response-store.js";
import { hashText } from "../text.js";
import { settleMs } from "./decision-store.js";
import type { KeptResponses } from "./kept-responses.js";
import { within } from "./within.js";

export interface FlowEntriesOptions extends Pick<ClientOptions, "responseStore"> {
  readonly keptResponses: Pick<KeptResponses, "scopeOf">;
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/** A conversation may go on days later. */
const timeToLiveMs = 30 * 24 * 3_600_000;
const storeTimeoutMs = 20_000;
const namespace = ["api-flow"];
/** How often a writer that another process removed adds itself again. */
const maxAttempts = 5;

/**
 * Where the application gives no store: apart from the kept responses, so that large answers evict nothing. The lists are apart from
 * the blocks: a thread whose blocks were evicted is still known, and counts as one of which something was lost.
 */
const createProcessStore = (maxBytes: number): ResponseStore =>
  createMemoryStore({ maxBytes, ttlMs: timeToLiveMs });
const inProcess = {
  lists: createProcessStore(30_000_000),
  blocks: createProcessStore(100_000_000),
  isEmpty: true,
  turn: Promise.resolve(),
};

/**
 * Several processes may add themselves to the list of a thread, and stores have no compare-and-set. So each waits, after it has written, until every
 * other one that read the list before has written, too, and looks whether it is still there (as the claim of a decision does). One that took
 * longer than the wait may have removed another, and notes so.
 */
export function createFlowEntries({
  responseStore,
  keptResponses,
  clock,
  sleep,
}: FlowEntriesOptions): FlowEntries {
  const findGiven = (context: CallContext): ResponseStore | undefined =>
    findGivenStore(responseStore, context);
  const findOwn = (name: string): ResponseStore => (name.includes("-") ? inProcess.blocks : inProcess.lists);
  const read = async (store: ResponseStore, name: string): ReturnType<FlowEntries["get"]> => {
    const value = (await store.get(namespace, name))?.value;
    return Number(value?.["expiresAt"]) > clock.now() ? value : undefined;
  };
  const entries: FlowEntries = {
    // Each call asks: a process without confidential sources need not look.
    isEmpty: (context) => inProcess.isEmpty && findGiven(context) === undefined,
    nameThread(context) {
      const threadId = context.threadId ?? context.configurable?.["thread_id"] ?? null;
      return hashText(JSON.stringify([keptResponses.scopeOf(context) ?? null, threadId]));
    },
    get(name, context) {
      const store = findGiven(context);
      return within(storeTimeoutMs, context, () => read(store ?? findOwn(name), name));
    },
    put: (name, value, context) =>
      within(storeTimeoutMs, context, () => {
        const entry = { ...value, expiresAt: clock.now() + timeToLiveMs };
        const given = findGiven(context);
        if (given === undefined) inProcess.isEmpty = false;
        const store = given ?? findOwn(name);
        return writeEntry({ store, namespace }, name, entry, timeToLiveMs);
      }),
    async getWriters(name, context) {
      const value = await entries.get(name, context);
      return value && readWriters(value);
    },
    async addWriter(name, { writer, isSure }, context) {
      const isShared = findGiven(context) !== undefined;
      const add = async (): Promise<void> => {
        let wasSlow = false;
        for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
          const startedMs = performance.now();
          const { writers = [], isLost = false } = { ...(await entries.getWriters(name, context)) };
          const isAdded = writers.includes(writer) && (isLost || !wasSlow);
          if (isAdded && (attempt > 0 || !isSure)) return;
          const wanted: FlowWriters = {
            writers: [...new Set([...writers, writer])],
            isLost: isLost || wasSlow,
          };
          await entries.put(name, { text: JSON.stringify(wanted) }, context);
          wasSlow ||= performance.now() - startedMs > settleMs;
          if (!isShared || !(isSure || wasSlow)) return;
          await sleep(settleMs, context.signal);
        }
        throw new Error("Other processes keep replacing the list of what is remembered of this thread.");
      };
      if (isShared) return add();
      const turn = inProcess.turn.then(add);
      inProcess.turn = turn.catch(() => {});
      return turn;
    },
  };
  return entries;
}

/** A store is outside: of what can't be read something is lost. */
function readWriters(value: Readonly<Record<string, unknown>>): FlowWriters {
  try {
    const { writers, isLost }: FlowWriters = JSON.parse(String(value["text"]));
    return { writers: [...writers], isLost };
  } catch {
    return { writers: [], isLost: true };
  }
}
