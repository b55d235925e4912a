/** Keeps what confidential sources showed in the application's store, else in this process. */

import type { ClientOptions } from "../client/client-options.js";
import type { FlowEntries } from "../flow/flow.js";
import { type CallContext, type Clock, systemClock } from "../runtime.js";
import { createMemoryStore } from "../store/create-memory-store.js";
import { type ResponseStore, resolveRuntimeStore, writeEntry } from "../store/response-store.js";
import { hashText } from "../text.js";
import type { KeptResponses } from "./kept-responses.js";
import { within } from "./within.js";

export interface FlowEntriesOptions extends Pick<ClientOptions, "responseStore"> {
  readonly keptResponses: Pick<KeptResponses, "scopeOf">;
  readonly clock: Clock;
}

/** A conversation may go on days later. */
const timeToLiveMs = 30 * 24 * 3_600_000;
const storeTimeoutMs = 20_000;
const namespace = ["api-flow"];

/**
 * Where the application gives no store: apart from the kept responses, so that large answers evict nothing. The lists of blocks are apart from
 * the blocks: a thread whose blocks were evicted is still known, and counts as one of which something was lost.
 */
const createProcessStore = (maxBytes: number): ResponseStore =>
  createMemoryStore({ clock: systemClock, maxBytes, ttlMs: timeToLiveMs });
const inProcess = {
  lists: createProcessStore(30_000_000),
  blocks: createProcessStore(100_000_000),
  isEmpty: true,
};

export function createFlowEntries({ responseStore, keptResponses, clock }: FlowEntriesOptions): FlowEntries {
  const findGiven = (context: CallContext): ResponseStore | undefined => {
    const given = responseStore === "runtime" ? context.store : responseStore;
    return given && resolveRuntimeStore(given);
  };
  const findOwn = (name: string): ResponseStore => (name.includes("-") ? inProcess.blocks : inProcess.lists);
  const read = async (store: ResponseStore, name: string): ReturnType<FlowEntries["get"]> => {
    const value = (await store.get(namespace, name))?.value;
    return Number(value?.["expiresAt"]) > clock.now() ? value : undefined;
  };
  return {
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
  };
}
