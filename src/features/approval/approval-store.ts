/** Remembers decisions in the application's store: which were used, so that each counts once, and which last in a thread for a day. */

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { notConfigured } from "../../core/base/errors.js";
import {
  type CallContext,
  type Clock,
  findThread,
  type Logger,
  type Sleep,
} from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import { within } from "../../core/http/deadline.js";
import type { KeptResponses } from "../../core/store/kept-responses.js";
import {
  createMemoryStore,
  findGivenStore,
  type ResponseStore,
  type StoreOptions,
  writeEntry,
} from "../../core/store/response-store.js";

/** A decision with `always: true`, while it lasts. */
export interface LastingApproval {
  /** The tool's name. */
  readonly source: string;
  /** The confidential source whose content may go there by any request; method and path are `*` then. */
  readonly from?: string;
  readonly method: string;
  /** The path that it covers, or the path template of the API's description. Every secret in it is redacted. */
  readonly path: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Of the request that the person approved. */
  readonly digest: string;
}

/** What a decision with `always` is about. */
export interface LastingSubject
  extends Pick<LastingApproval, "source" | "from" | "method" | "path"> {
  /** Source, tenant, method and path as they are, secrets included: stored as a keyed hash. */
  readonly identity: string;
}

interface ApprovalStoreOptions extends Pick<StoreOptions, "responseStore"> {
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

/** The entries of one namespace. */
function openEntries(space: string, { responseStore, clock }: ApprovalStoreOptions) {
  const namespace = [space];
  const findStore = (context: CallContext): ResponseStore =>
    findGivenStore(responseStore, context) ?? processStore;
  return {
    isLocal: (context: CallContext) => findStore(context) === processStore,
    read: (context: CallContext, name: string): Promise<Readonly<Record<string, unknown>>> => {
      const load = async () => (await findStore(context).get(namespace, name))?.value ?? {};
      return within(storeTimeoutMs, context, load);
    },
    write: (context: CallContext, name: string, value: object, ttlMs: number): Promise<void> => {
      const entry = { ...value, expiresAt: clock.now() + ttlMs };
      const place = { store: findStore(context), namespace };
      return within(storeTimeoutMs, context, () => writeEntry(place, name, entry, ttlMs));
    },
  };
}

/** How long a claim waits for claims that were made at the same time. To read and to write the entry may take as long. */
const settleMs = 1_000;

/** Two toolkits of one process may use the same store. */
const claiming = new Set<string>();

/**
 * Stores know `get`, `put` and `delete`, and no compare-and-set. So a claim writes its own name, waits until every other claim that also
 * found no name has written its own, and succeeds when its name is still there (Fischer's mutual exclusion: L. Lamport, "A Fast Mutual
 * Exclusion Algorithm", 1987, section 2). A claim that took longer than the wait to read and write fails. The store must give each reader
 * what was written last, as PostgreSQL and Redis do on their primary server.
 */
export function createDecisionStore(
  options: ApprovalStoreOptions & { readonly sleep: Sleep; readonly logger: Logger },
) {
  const { sleep, logger } = options;
  // One for all scopes: the name of a question contains the thread, and two scopes may resume the same checkpoint.
  const { isLocal, read, write } = openEntries("api-decisions", options);
  let isWarned = false;
  return {
    /**
     * Gives the random key of a question: the same each time, and in each process that shares the store. Where the store lost it, the key is
     * another one, so that the digest changes and no earlier decision counts.
     */
    async openQuestion(name: string, context: CallContext): Promise<string> {
      if (isLocal(context) && !isWarned) logger.warn(forgets);
      isWarned ||= isLocal(context);
      const { key } = await read(context, name);
      if (typeof key === "string") return key;
      const made = randomBytes(32).toString("base64url");
      await write(context, name, { key: made }, timeToLiveMs);
      return made;
    },
    /** Whether a question was opened before. */
    wasOpened: async (name: string, context: CallContext) => "key" in (await read(context, name)),
    /** Uses the decision about a question: false when it was used before, in this process or in another one. */
    async claim(name: string, context: CallContext): Promise<boolean> {
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

/** Remembers questions and used decisions. Each function rejects when its store does. */
export type Decisions = ReturnType<typeof createDecisionStore>;

const lastsMs = 24 * 3_600_000;
/** A key that is over is made anew, and a person is asked once more. */
const keyLastsMs = 30 * lastsMs;
/** Of a thread: of more the oldest is asked about again. */
const maxApprovals = 200;

/** One decision of a thread's list. */
interface Noted extends Omit<LastingApproval, "expiresAt"> {
  /** A hash of what it covers, by the key of the thread. */
  readonly name: string;
  readonly expiresAtMs: number;
}

/**
 * A thread has two entries: a random key, and a list of decisions, whose hashes are made with the key. Revoking replaces the key alone, so no
 * decision of before is found any more, also where another process writes the list at that moment. Where an entry is lost, a person is asked.
 */
export function createLastingApprovals(
  options: ApprovalStoreOptions & {
    readonly kept: Pick<KeptResponses, "scopeOf">;
    readonly onFailure: (error: unknown) => void;
  },
) {
  const { responseStore, kept, clock, onFailure } = options;
  const entries = openEntries("api-approvals", options);
  const putKey = async (threadId: string, context: CallContext): Promise<string> => {
    const key = randomBytes(32).toString("base64url");
    await entries.write(context, nameEntry(threadId, "key"), { key }, keyLastsMs);
    return key;
  };
  /** The key, where it was made and is not lost; and what was made with it, and is not over. */
  const read = async (threadId: string, context: CallContext) => {
    const { made, approvals } = await entries.read(context, nameEntry(threadId, "list"));
    // After the list: what is revoked by now does not count.
    const { key } = await entries.read(context, nameEntry(threadId, "key"));
    if (typeof key !== "string") return { key: undefined, list: [] };
    const list: readonly Noted[] = made === hashText(key) ? JSON.parse(String(approvals)) : [];
    return { key, list: list.filter(({ expiresAtMs }) => expiresAtMs > clock.now()) };
  };
  const nameIn = (key: string, identity: string, context: CallContext): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([kept.scopeOf(context), identity]))
      .digest("hex");
  const isWithoutStore = ({ store }: CallContext): boolean =>
    responseStore === "runtime" && store === undefined;
  const serve = async <Value>(
    threadId: string,
    context: CallContext,
    work: () => Promise<Value>,
  ): Promise<Value> => {
    if (findThread({ threadId }) === undefined)
      throw notConfigured(
        "no_thread",
        "The threadId is missing.",
        "Give the thread_id of the conversation.",
      );
    if (isWithoutStore(context))
      throw notConfigured(
        "no_store",
        'The responseStore is "runtime", which exists only in a run.',
        "Give the agent's store: { store } as the second argument.",
      );
    return work().catch((error: unknown) => {
      context.signal?.throwIfAborted();
      onFailure(error);
      throw notConfigured(
        "store_failed",
        "The store of approvals failed: nothing was listed or revoked.",
        "Try it again when the store answers.",
      );
    });
  };

  return {
    /** Why no decision of this caller can last, as a clause. */
    findHindrance(context: CallContext): string | undefined {
      if (findThread(context) === undefined) return "the call has no thread";
      if (isWithoutStore(context)) return "the agent has no store";
      try {
        if (kept.scopeOf(context) !== undefined) return undefined;
      } catch (error) {
        onFailure(error);
      }
      return "the option responseScope returned no owner of the call";
    },
    async find(
      { identity }: LastingSubject,
      context: CallContext,
    ): Promise<LastingApproval | undefined> {
      const { key, list } = await read(findThread(context) ?? "", context);
      if (key === undefined) return undefined;
      const name = nameIn(key, identity, context);
      return list.filter((each) => each.name === name).map(describe)[0];
    },
    async add(
      { identity, ...what }: LastingSubject,
      digest: string,
      context: CallContext,
    ): Promise<void> {
      const threadId = findThread(context) ?? "";
      const { key = await putKey(threadId, context), list } = await read(threadId, context);
      const name = nameIn(key, identity, context);
      const expiresAtMs = clock.now() + lastsMs;
      const others = list.filter((each) => each.name !== name);
      const approvals = [...others, { ...what, name, digest, expiresAtMs }].slice(-maxApprovals);
      const value = { made: hashText(key), approvals: JSON.stringify(approvals) };
      await entries.write(context, nameEntry(threadId, "list"), value, lastsMs);
    },
    /** Those of a thread, the oldest first. @throws ApiSourceError `not_configured` without a thread or store, and when the store fails. */
    list: (threadId: string, context: CallContext): Promise<LastingApproval[]> =>
      serve(threadId, context, async () => (await read(threadId, context)).list.map(describe)),
    /** Ends those of a thread, at once for each process that shares the store. Throws as `list` does. */
    revoke: (threadId: string, context: CallContext): Promise<void> =>
      serve(threadId, context, async () => void (await putKey(threadId, context))),
  };
}

/** Remembers decisions with `always`. `find` and `add` reject when the store does. */
export type LastingApprovals = ReturnType<typeof createLastingApprovals>;

function nameEntry(threadId: string, kind: "key" | "list"): string {
  return `${hashText(threadId)}-${kind}`;
}

function describe({ name: _name, expiresAtMs, digest, ...what }: Noted): LastingApproval {
  return { ...what, expiresAt: new Date(expiresAtMs).toISOString(), digest };
}
