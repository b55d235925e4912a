/** Kept responses of one toolkit: which store, whose they are, and under which id they are found again. */

import { type CallContext, type Clock, type Logger, systemClock } from "../runtime.js";
import { createMemoryStore } from "../store/create-memory-store.js";
import {
  applyExpiry,
  type KeptResponse,
  keepResponse,
  loadKeptResponse,
  loadNote,
  writeNote,
} from "../store/keep-response.js";
import { type ResponseStore, resolveRuntimeStore, writeEntry } from "../store/response-store.js";
import { hashText } from "../text.js";
import { createDeadline } from "../transport/deadline.js";
import type { ClientOptions } from "./client-options.js";

/** The id of a kept response, or why there is none: a sentence for the answer's `notes`. */
export type Kept = { readonly id: string } | { readonly why: string };

export interface ResponseArchive {
  /** Keeps a response for an hour. Never rejects: that a store is down must not cost the answer. */
  keep(response: Omit<KeptResponse, "expiresAt">, context: CallContext): Promise<Kept>;
  /** Undefined for an id that is unknown, expired, or another scope's: nobody can tell these apart. */
  load(id: string, context: CallContext): Promise<KeptResponse | undefined>;
  /** Notes a text under a name of this thread, instead of what stood there; undefined removes it. Rejects when the store does. */
  note(name: string, text: string | undefined, context: CallContext): Promise<void>;
  /** What was noted in the last thirty days. Rejects when the store does. */
  recall(name: string, context: CallContext): Promise<string | undefined>;
  /** Whose a call is, as one text; undefined where the application names nobody. */
  scopeOf(context: CallContext): string | undefined;
  /** Takes a name once: false when this thread took it before, also in another process where the store lasts. Rejects when the store does. */
  claim(name: string, context: CallContext): Promise<boolean>;
}

export interface ResponseArchiveOptions extends Pick<ClientOptions, "responseStore" | "responseScope"> {
  /** The scope when a call belongs to no thread. */
  readonly defaultScope: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A store's own error in words for the log, without secrets. */
  readonly describeError: (error: unknown) => string;
}

/** Toolkits of one process share it, so that one reader serves all; what it keeps is told apart by namespace. */
const processStore: ResponseStore = createMemoryStore({ clock: systemClock });

/** One hour: longer than a conversation's next few turns, shorter than anyone expects data to lie around. */
const timeToLiveMs = 3_600_000;

/** Clients of a database that is gone may wait for it for ever. Keeping is a favour to the next call, reading is the call itself. */
const keepTimeoutMs = 5_000;
const loadTimeoutMs = 20_000;

/** A run may go on days after it stopped. */
const noteTtlMs = 30 * 24 * timeToLiveMs;

const noScope =
  "The whole body was not kept: the application's responseScope named nobody whom it could belong to.";
const noStore = "The whole body was not kept: the store of kept responses could not take it.";

export function createResponseArchive(options: ResponseArchiveOptions): ResponseArchive {
  const { responseStore, clock, logger, describeError } = options;
  const storeOf = (context: CallContext): ResponseStore =>
    resolveRuntimeStore((responseStore === "runtime" ? context.store : responseStore) ?? processStore);
  const namespaceOf = (context: CallContext): string[] | undefined => {
    const scope = findScope(options, context);
    return scope && toNamespace(scope);
  };
  const expiring: ExpiringEntry[] = [];
  const deleteExpired = async (): Promise<void> => {
    // They are in order of time.
    const firstLater = expiring.findIndex(({ expiresAt }) => expiresAt > clock.now());
    const over = expiring.splice(0, firstLater === -1 ? expiring.length : firstLater);
    const deleted = await Promise.allSettled(over.map(({ remove }) => remove()));
    const failed = deleted.find((each) => each.status === "rejected");
    if (failed !== undefined)
      logger.warn("Expired responses could not be deleted from the store.", {
        error: describeError(failed.reason),
      });
  };
  // Two calls at the same moment would both find nothing in the store.
  const claiming = new Set<string>();

  return {
    scopeOf(context) {
      const scope = findScope(options, context);
      return scope && JSON.stringify(scope);
    },
    async claim(name, context) {
      const namespace = toNamespace(findScope(options, context) ?? findThread(options, context));
      const key = `claim-${hashText(name)}`;
      const store = storeOf(context);
      if (claiming.has(key)) return false;
      claiming.add(key);
      const take = async (): Promise<boolean> => {
        if ((await store.get(namespace, key)) != null) return false;
        const value = { expiresAt: clock.now() + noteTtlMs };
        await writeEntry(store, { namespace, key, value, ttlMs: noteTtlMs });
        return true;
      };
      return within(loadTimeoutMs, context.signal, take()).finally(() => claiming.delete(key));
    },
    async note(name, text, context) {
      const namespace = namespaceOf(context);
      if (namespace === undefined) throw new Error(noScope);
      const note = { namespace, name, text, nowMs: clock.now(), ttlMs: noteTtlMs };
      await within(loadTimeoutMs, context.signal, writeNote(storeOf(context), note));
    },
    async recall(name, context) {
      const namespace = namespaceOf(context);
      if (namespace === undefined) return undefined;
      const load = loadNote(storeOf(context), namespace, name, clock.now());
      return within(loadTimeoutMs, context.signal, load);
    },
    async keep(response, context) {
      const { source } = response;
      try {
        const namespace = namespaceOf(context);
        if (namespace === undefined) {
          logger.warn(noScope, { source });
          return { why: noScope };
        }
        const nowMs = clock.now();
        const store = storeOf(context);
        const expiresAt = nowMs + timeToLiveMs;
        const keeping = keepResponse(store, namespace, { ...response, expiresAt }, nowMs);
        const work = Promise.all([keeping, deleteExpired()]);
        const [{ id, keys }] = await within(keepTimeoutMs, context.signal, work);
        // The store of this process ends its entries by itself.
        if (store !== processStore)
          expiring.push({ expiresAt, remove: () => applyExpiry(store, namespace, keys) });
        return { id };
      } catch (error) {
        logger.warn("A response could not be kept.", { source, error: describeError(error) });
        return { why: noStore };
      }
    },
    async load(id, context) {
      try {
        const namespace = namespaceOf(context);
        if (namespace === undefined) return undefined;
        const store = storeOf(context);
        const load = deleteExpired().then(() => loadKeptResponse(store, namespace, id, clock.now()));
        return await within(loadTimeoutMs, context.signal, load);
      } catch (error) {
        logger.warn("The response store could not be read.", { error: describeError(error) });
        return undefined;
      }
    },
  };
}

/** Rejects when the store takes longer, or the call is over before. */
async function within<Value>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  const deadline = createDeadline({ timeoutMs, clock: systemClock, signal });
  try {
    return await deadline.race(work);
  } catch (error) {
    if (deadline.stoppedBy() !== "deadline") throw error;
    throw new Error(`The store did not answer within ${timeoutMs} ms.`);
  } finally {
    deadline.close();
  }
}

/** An entry that this process has kept. Not every store ends entries, and those that do may need a sweeper that nobody started. */
interface ExpiringEntry {
  readonly expiresAt: number;
  remove(): Promise<void>;
}

/** Whose a call is. The kind comes first: what a function names is never a thread, whatever it is called. */
type Scope = readonly [kind: "thread" | "toolkit" | "scope", ...names: string[]];

/** By the application's own function, where it has one, else by the thread. */
function findScope(options: ResponseArchiveOptions, context: CallContext): Scope | undefined {
  const { responseScope } = options;
  if (responseScope === undefined) return findThread(options, context);
  const names = readScope(responseScope(context));
  return names && ["scope", ...names];
}

function findThread({ defaultScope }: ResponseArchiveOptions, context: CallContext): Scope {
  const threadId = context.threadId ?? context.configurable?.["thread_id"];
  const isThread = typeof threadId === "string" || typeof threadId === "number";
  return isThread ? ["thread", String(threadId)] : ["toolkit", defaultScope];
}

/** Undefined for what is not a string, or a list of strings, with something in each: such a scope would be everybody's. */
export function readScope(scope: unknown): string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  const names = parts.filter((part): part is string => typeof part === "string" && part !== "");
  return names.length === 0 || names.length < parts.length ? undefined : names;
}

/**
 * Letters, digits and `-`: LangGraph's stores each refuse other characters (`.`, `_`, `%`, `\`). The hash tells names apart that
 * look alike without them, the readable beginning is for whoever looks into the store.
 */
function toNamespace([kind, ...names]: Scope): string[] {
  const labels = names.map((name) => `${name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40)}-${hashText(name)}`);
  return ["api-responses", kind, ...labels];
}
