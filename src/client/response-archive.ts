/** Kept responses of one toolkit: which store, whose they are, and under which id they are found again. */

import { type CallContext, type Clock, type Logger, systemClock } from "../runtime.js";
import { createMemoryStore } from "../store/create-memory-store.js";
import { keepResponse, loadKeptResponse } from "../store/keep-response.js";
import type { KeptResponse } from "../store/kept-response.js";
import type { ResponseStore } from "../store/response-store.js";
import type { ClientOptions } from "./client-options.js";

export interface ResponseArchive {
  /** Keeps a response for an hour; undefined when the store could not take it (which is logged, never thrown). */
  keep(response: Omit<KeptResponse, "expiresAt">, context: CallContext): Promise<string | undefined>;
  /** Undefined for an id that is unknown, expired, or another scope's: nobody can tell these apart. */
  load(id: string, context: CallContext): Promise<KeptResponse | undefined>;
}

export interface ResponseArchiveOptions extends Pick<ClientOptions, "responseStore" | "responseScope"> {
  /** The scope when a call belongs to no thread. */
  readonly defaultScope: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Toolkits of one process share it, so that one reader serves all; what it keeps is told apart by namespace. */
const processStore: ResponseStore = createMemoryStore({ clock: systemClock });

/** One hour: longer than a conversation's next few turns, shorter than anyone expects data to lie around. */
const timeToLiveMs = 3_600_000;

export function createResponseArchive(options: ResponseArchiveOptions): ResponseArchive {
  const { responseStore, responseScope, defaultScope, clock, logger } = options;
  const storeOf = (context: CallContext): ResponseStore =>
    (responseStore === "runtime" ? context.store : responseStore) ?? processStore;
  const namespaceOf = (context: CallContext): string[] => {
    const scope = responseScope?.(context) ?? defaultScopeOf(context, defaultScope);
    return ["api_responses", ...[scope].flat().map(toLabel)];
  };

  return {
    async keep(response, context) {
      const kept = { ...response, expiresAt: clock.now() + timeToLiveMs };
      try {
        return await keepResponse(storeOf(context), namespaceOf(context), kept);
      } catch (error) {
        logger.warn("A response could not be kept.", { source: response.source, error: nameOf(error) });
        return undefined;
      }
    },
    async load(id, context) {
      try {
        return await loadKeptResponse(storeOf(context), namespaceOf(context), id, clock.now());
      } catch (error) {
        logger.warn("The response store could not be read.", { error: nameOf(error) });
        return undefined;
      }
    },
  };
}

function defaultScopeOf(context: CallContext, defaultScope: string): string[] {
  const threadId = context.threadId ?? context.configurable?.["thread_id"];
  return typeof threadId === "string" || typeof threadId === "number"
    ? ["thread", String(threadId)]
    : ["toolkit", defaultScope];
}

/** LangGraph refuses namespace labels that are empty or hold a full stop. */
function toLabel(text: string): string {
  return `s_${encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E")}`;
}

/** A store's error message may show its connection string: only its class is logged. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
