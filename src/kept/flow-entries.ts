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
const processLists: ResponseStore = createProcessStore(30_000_000);
const processBlocks: ResponseStore = createProcessStore(100_000_000);

export function createFlowEntries({ responseStore, keptResponses, clock }: FlowEntriesOptions): FlowEntries {
  const open = (name: string, context: CallContext): ResponseStore => {
    const given = responseStore === "runtime" ? context.store : responseStore;
    if (given !== undefined) return resolveRuntimeStore(given);
    return name.includes("-") ? processBlocks : processLists;
  };
  return {
    nameThread(context) {
      const threadId = context.threadId ?? context.configurable?.["thread_id"] ?? null;
      return hashText(JSON.stringify([keptResponses.scopeOf(context) ?? null, threadId]));
    },
    get: (name, context) =>
      within(storeTimeoutMs, context, async () => {
        const value = (await open(name, context).get(namespace, name))?.value;
        return Number(value?.["expiresAt"]) > clock.now() ? value : undefined;
      }),
    put: (name, value, context) =>
      within(storeTimeoutMs, context, () => {
        const entry = { ...value, expiresAt: clock.now() + timeToLiveMs };
        return writeEntry({ store: open(name, context), namespace }, name, entry, timeToLiveMs);
      }),
  };
}
