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
import { type ResponseStore, resolveRuntimeStore, type Shelf, writeEntry } from "../store/response-store.js";
import { hashText } from "../text.js";
import { createDeadline, isCancelled } from "../transport/deadline.js";
import type { ClientOptions } from "./client-options.js";

/** The id of a kept response, or why there is none: a sentence for the answer's `notes`. */
export interface Kept {
  readonly id?: string;
  readonly why?: string;
}

export interface ResponseArchive {
  /** Keeps a response for an hour. Rejects only when the call is cancelled: that a store is down must not cost the answer. */
  keep(response: Omit<KeptResponse, "expiresAt">, context: CallContext): Promise<Kept>;
  /** Undefined for an id that is unknown, expired, or another scope's: nobody can tell these apart. Rejects when the call is over. */
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
  const openShelf = (context: CallContext, scope: Scope): Shelf => {
    const store = (responseStore === "runtime" ? context.store : responseStore) ?? processStore;
    return { store: resolveRuntimeStore(store), namespace: toNamespace(scope) };
  };
  const findShelf = (context: CallContext): Shelf | undefined => {
    const scope = findScope(options, context);
    return scope && openShelf(context, scope);
  };
  /** In order of time. Not every store ends its entries, and those that do may need a sweeper that nobody started. */
  const expiring: { readonly expiresAt: number; readonly shelf: Shelf; readonly keys: readonly string[] }[] =
    [];
  const deleteExpired = async (): Promise<void> => {
    const firstLater = expiring.findIndex(({ expiresAt }) => expiresAt > clock.now());
    const over = expiring.splice(0, firstLater === -1 ? expiring.length : firstLater);
    const deleted = await Promise.allSettled(over.map(({ shelf, keys }) => applyExpiry(shelf, keys)));
    const failed = deleted.find((each) => each.status === "rejected");
    if (failed === undefined) return;
    const error = describeError(failed.reason);
    logger.warn("Expired responses could not be deleted from the store.", { error });
  };
  // Two calls at the same moment would both find nothing in the store.
  const claiming = new Set<string>();

  return {
    scopeOf(context) {
      const scope = findScope(options, context);
      return scope && JSON.stringify(scope);
    },
    async claim(name, context) {
      const shelf = openShelf(context, findScope(options, context) ?? findThread(options, context));
      const key = `claim-${hashText(name)}`;
      if (claiming.has(key)) return false;
      claiming.add(key);
      const take = async (): Promise<boolean> => {
        if ((await shelf.store.get(shelf.namespace, key)) != null) return false;
        await writeEntry(shelf, key, { expiresAt: clock.now() + noteTtlMs }, noteTtlMs);
        return true;
      };
      return within(loadTimeoutMs, context, take).finally(() => claiming.delete(key));
    },
    async note(name, text, context) {
      const shelf = findShelf(context);
      if (shelf === undefined) throw new Error(noScope);
      const time = { nowMs: clock.now(), ttlMs: noteTtlMs };
      await within(loadTimeoutMs, context, () => writeNote(shelf, name, text, time));
    },
    async recall(name, context) {
      const shelf = findShelf(context);
      return shelf && within(loadTimeoutMs, context, () => loadNote(shelf, name, clock.now()));
    },
    async keep(response, context) {
      const { source } = response;
      try {
        const shelf = findShelf(context);
        if (shelf === undefined) {
          logger.warn(noScope, { source });
          return { why: noScope };
        }
        const expiresAt = clock.now() + timeToLiveMs;
        const [{ id, keys }] = await within(keepTimeoutMs, context, () =>
          Promise.all([keepResponse(shelf, { ...response, expiresAt }, clock.now()), deleteExpired()]),
        );
        // The store of this process ends its entries by itself.
        if (shelf.store !== processStore) expiring.push({ expiresAt, shelf, keys });
        return { id };
      } catch (error) {
        if (isCancelled(context.signal)) throw error;
        logger.warn("A response could not be kept.", { source, error: describeError(error) });
        return { why: noStore };
      }
    },
    async load(id, context) {
      try {
        const shelf = findShelf(context);
        return await (shelf &&
          within(loadTimeoutMs, context, async () => {
            await deleteExpired();
            return loadKeptResponse(shelf, id, clock.now());
          }));
      } catch (error) {
        context.signal?.throwIfAborted();
        logger.warn("The response store could not be read.", { error: describeError(error) });
        return undefined;
      }
    },
  };
}

/** Rejects when the store takes longer, or the call is over before. */
async function within<Value>(
  timeoutMs: number,
  { signal }: CallContext,
  work: () => Promise<Value>,
): Promise<Value> {
  const deadline = createDeadline({ timeoutMs, clock: systemClock, signal });
  try {
    return await deadline.race(work());
  } catch (error) {
    if (deadline.stoppedBy() !== "deadline") throw error;
    throw new Error(`The store did not answer within ${timeoutMs} ms.`);
  } finally {
    deadline.close();
  }
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
