/** Notes decisions with `always` in the application's store, so that later calls of a thread are not asked about for a day. */

import { createHmac, randomBytes } from "node:crypto";
import { notConfigured } from "../../core/base/errors.js";
import type { CallContext, Clock } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import type { KeptResponses } from "../../core/store/kept-responses.js";
import {
  findGivenStore,
  type ResponseStore,
  type StoreOptions,
  within,
  writeEntry,
} from "../../core/store/response-store.js";
import type { LastingApproval, LastingApprovals } from "./approval.js";
import { processStore } from "./decision-store.js";

interface LastingApprovalsOptions extends Pick<StoreOptions, "responseStore"> {
  readonly kept: Pick<KeptResponses, "scopeOf">;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

const lastsMs = 24 * 3_600_000;
/** A key that is over is made anew, and a person is asked once more. */
const keyLastsMs = 30 * lastsMs;
const storeTimeoutMs = 20_000;
const namespace = ["api-approvals"];
/** Of a thread: of more the oldest is asked about again. */
const maxApprovals = 200;

/** One decision of a thread's list. */
interface Noted extends Omit<LastingApproval, "expiresAt"> {
  /** A hash of what it covers, by the key of the thread. */
  readonly name: string;
  readonly expiresAtMs: number;
}

/** The key is absent where it was lost, or never made. */
interface Thread {
  readonly key?: string;
  /** Made with this key, and not over. */
  readonly list: readonly Noted[];
}

/**
 * A thread has two entries: a random key, and a list of decisions, whose hashes are made with the key. Revoking replaces the key alone, so no
 * decision of before is found any more, also where another process writes the list at that moment. Where an entry is lost, a person is asked.
 */
export function createLastingApprovals({
  responseStore,
  kept,
  clock,
  onFailure,
}: LastingApprovalsOptions): LastingApprovals {
  const findStore = (context: CallContext): ResponseStore =>
    findGivenStore(responseStore, context) ?? processStore;
  const put = (context: CallContext, name: string, value: object, ttlMs: number): Promise<void> =>
    writeEntry(
      { store: findStore(context), namespace },
      name,
      { ...value, expiresAt: clock.now() + ttlMs },
      ttlMs,
    );
  const putKey = async (threadId: string, context: CallContext): Promise<string> => {
    const key = randomBytes(32).toString("base64url");
    await put(context, nameEntry(threadId, "key"), { key }, keyLastsMs);
    return key;
  };
  const read = async (threadId: string, context: CallContext): Promise<Thread> => {
    const store = findStore(context);
    const { made, approvals } = { ...(await store.get(namespace, nameEntry(threadId, "list")))?.value };
    // After the list: what is revoked by now does not count.
    const { key } = { ...(await store.get(namespace, nameEntry(threadId, "key")))?.value };
    if (typeof key !== "string") return { list: [] };
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
    if (findThread({ threadId }) === "")
      throw notConfigured("no_thread", "The threadId is missing.", "Give the thread_id of the conversation.");
    if (isWithoutStore(context))
      throw notConfigured(
        "no_store",
        'The responseStore is "runtime", which exists only in a run.',
        "Give the agent's store: { store } as the second argument.",
      );
    return within(storeTimeoutMs, context, work).catch((error: unknown) => {
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
    findHindrance(context) {
      if (findThread(context) === "") return "the call has no thread";
      if (isWithoutStore(context)) return "the agent has no store";
      try {
        if (kept.scopeOf(context) !== undefined) return undefined;
      } catch (error) {
        onFailure(error);
      }
      return "the option responseScope returned no owner of the call";
    },
    find: ({ identity }, context) =>
      within(storeTimeoutMs, context, async () => {
        const { key, list } = await read(findThread(context), context);
        if (key === undefined) return undefined;
        const name = nameIn(key, identity, context);
        return list.filter((each) => each.name === name).map(describe)[0];
      }),
    add: ({ identity, ...what }, digest, context) =>
      within(storeTimeoutMs, context, async () => {
        const threadId = findThread(context);
        const { key = await putKey(threadId, context), list } = await read(threadId, context);
        const name = nameIn(key, identity, context);
        const expiresAtMs = clock.now() + lastsMs;
        const others = list.filter((each) => each.name !== name);
        const approvals = [...others, { ...what, name, digest, expiresAtMs }].slice(-maxApprovals);
        const value = { made: hashText(key), approvals: JSON.stringify(approvals) };
        await put(context, nameEntry(threadId, "list"), value, lastsMs);
      }),
    list: (threadId, context) =>
      serve(threadId, context, async () => (await read(threadId, context)).list.map(describe)),
    revoke: (threadId, context) =>
      serve(threadId, context, async () => {
        await putKey(threadId, context);
      }),
  };
}

/** The thread of a call as text; `""` for a call without one. */
function findThread({ threadId, configurable }: CallContext): string {
  const found = threadId ?? configurable?.["thread_id"];
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

function nameEntry(threadId: string, kind: "key" | "list"): string {
  return `${hashText(threadId)}-${kind}`;
}

function describe({ name: _name, expiresAtMs, digest, ...what }: Noted): LastingApproval {
  return { ...what, expiresAt: new Date(expiresAtMs).toISOString(), digest };
}
