/** Remembers decisions with `always` in the application's store: each lasts in a thread for a day. */

import { createHmac, randomBytes } from "node:crypto";
import { notConfigured } from "../../core/base/errors.js";
import { type CallContext, findThread } from "../../core/base/runtime.js";
import { hashText } from "../../core/base/text.js";
import type { KeptResponses } from "../../core/store/kept-responses.js";
import { type ApprovalStoreOptions, openEntries } from "./approval-store.js";

/** A decision with `always: true`, while it lasts. */
export interface LastingApproval {
  /** The tool's name. */
  readonly source: string;
  /** The confidential source whose content may go there by any request; method and path are `*` then. */
  readonly from?: string;
  /** The HTTP method that it covers. */
  readonly method: string;
  /** The path that it covers, or the path template of the API's description. Every secret in it is redacted. */
  readonly path: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** The digest of the request that the person approved. */
  readonly digest: string;
}

/** The subject of a decision with `always`. */
export interface LastingSubject
  extends Pick<LastingApproval, "source" | "from" | "method" | "path"> {
  /** Source, tenant, method and path as they are, secrets included: stored as a keyed hash. */
  readonly identity: string;
}

const lastsMs = 24 * 3_600_000;
/** A key that is over is made anew, and a person is asked once more. */
const keyLastsMs = 30 * lastsMs;
/** A thread has no more: the oldest is asked about again. */
const maxApprovals = 200;

/** Remembers decisions with `always`. `find` and `add` reject when the store does. */
export interface LastingApprovals {
  /** Why no decision of this caller can last, as a clause. */
  findHindrance(context: CallContext): string | undefined;
  find(subject: LastingSubject, context: CallContext): Promise<LastingApproval | undefined>;
  add(subject: LastingSubject, digest: string, context: CallContext): Promise<void>;
  /** Lists the approvals of a thread, the oldest first. @throws ApiSourceError `not_configured` without a thread or store, and when the store fails. */
  list(threadId: string, context: CallContext): Promise<LastingApproval[]>;
  /** Ends those of a thread, at once for each process that shares the store. Throws as `list` does. */
  revoke(threadId: string, context: CallContext): Promise<void>;
}

interface LastingOptions extends ApprovalStoreOptions {
  readonly kept: Pick<KeptResponses, "scopeOf">;
  readonly onFailure: (error: unknown) => void;
}

export function createLastingApprovals(options: LastingOptions): LastingApprovals {
  const { kept, clock } = options;
  const threads = openThreads(options);
  const nameIn = (key: string, identity: string, context: CallContext): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([kept.scopeOf(context), identity]))
      .digest("hex");
  return {
    findHindrance: (context) => findHindrance(options, context),
    async find({ identity }, context) {
      const { key, list } = await threads.read(findThread(context) ?? "", context);
      if (key === undefined) return undefined;
      const name = nameIn(key, identity, context);
      const found = list.find((each) => each.name === name);
      return found && describe(found);
    },
    async add({ identity, ...subject }, digest, context) {
      const threadId = findThread(context) ?? "";
      const thread = await threads.read(threadId, context);
      const key = thread.key ?? (await threads.replaceKey(threadId, context));
      const name = nameIn(key, identity, context);
      const expiresAtMs = clock.now() + lastsMs;
      const others = thread.list.filter((each) => each.name !== name);
      const added = { ...subject, name, digest, expiresAtMs };
      await threads.writeList(threadId, key, [...others, added].slice(-maxApprovals), context);
    },
    list: (threadId, context) =>
      serve(options, threadId, context, async () => {
        const { list } = await threads.read(threadId, context);
        return list.map(describe);
      }),
    revoke: (threadId, context) =>
      serve(options, threadId, context, async () => {
        await threads.replaceKey(threadId, context);
      }),
  };
}

/** One decision of a thread's list. */
interface Noted extends Omit<LastingApproval, "expiresAt"> {
  /** A hash of the subject, by the key of the thread. */
  readonly name: string;
  readonly expiresAtMs: number;
}

/**
 * A thread has two entries: a random key, and a list of decisions, whose hashes are made with the key. Revoking replaces the key alone, so no
 * decision of before is found any more, also where another process writes the list at that moment. Where an entry is lost, a person is asked.
 */
interface Threads {
  /** The key, if it was made and is not lost; and the decisions that were made with it, and are not over. */
  read(threadId: string, context: CallContext): Promise<ReadThread>;
  /** @returns the new key */
  replaceKey(threadId: string, context: CallContext): Promise<string>;
  writeList(
    threadId: string,
    key: string,
    list: readonly Noted[],
    context: CallContext,
  ): Promise<void>;
}

interface ReadThread {
  readonly key: string | undefined;
  readonly list: readonly Noted[];
}

function openThreads(options: LastingOptions): Threads {
  const entries = openEntries("api-approvals", options);
  return {
    async read(threadId, context) {
      const { made, approvals } = await entries.read(context, nameEntry(threadId, "list"));
      // After the list: a decision that is revoked by now does not count.
      const { key } = await entries.read(context, nameEntry(threadId, "key"));
      if (typeof key !== "string") return { key: undefined, list: [] };
      const list: readonly Noted[] = made === hashText(key) ? JSON.parse(String(approvals)) : [];
      const nowMs = options.clock.now();
      return { key, list: list.filter(({ expiresAtMs }) => expiresAtMs > nowMs) };
    },
    async replaceKey(threadId, context) {
      const key = randomBytes(32).toString("base64url");
      await entries.write(context, nameEntry(threadId, "key"), { key }, keyLastsMs);
      return key;
    },
    writeList(threadId, key, list, context) {
      const value = { made: hashText(key), approvals: JSON.stringify(list) };
      return entries.write(context, nameEntry(threadId, "list"), value, lastsMs);
    },
  };
}

function findHindrance(
  { responseStore, kept, onFailure }: LastingOptions,
  context: CallContext,
): string | undefined {
  if (findThread(context) === undefined) return "the call has no thread";
  if (isWithoutStore(responseStore, context)) return "the agent has no store";
  try {
    if (kept.scopeOf(context) !== undefined) return undefined;
  } catch (error) {
    onFailure(error);
  }
  return "the option responseScope returned no owner of the call";
}

/** Works for an application that lists or revokes. @throws ApiSourceError `not_configured` without a thread or store, and when the store fails. */
async function serve<Value>(
  { responseStore, onFailure }: LastingOptions,
  threadId: string,
  context: CallContext,
  work: () => Promise<Value>,
): Promise<Value> {
  if (findThread({ threadId }) === undefined)
    throw notConfigured(
      "no_thread",
      "The threadId is missing.",
      "Give the thread_id of the conversation.",
    );
  if (isWithoutStore(responseStore, context))
    throw notConfigured(
      "no_store",
      'The responseStore is "runtime", which exists only in a run.',
      "Give the agent's store: { store } as the second argument.",
    );
  try {
    return await work();
  } catch (error) {
    context.signal?.throwIfAborted();
    onFailure(error);
    throw notConfigured(
      "store_failed",
      "The store of approvals failed: nothing was listed or revoked.",
      "Try it again when the store answers.",
    );
  }
}

function isWithoutStore(
  responseStore: LastingOptions["responseStore"],
  { store }: CallContext,
): boolean {
  return responseStore === "runtime" && store === undefined;
}

function nameEntry(threadId: string, kind: "key" | "list"): string {
  return `${hashText(threadId)}-${kind}`;
}

function describe({ name: _name, expiresAtMs, digest, ...subject }: Noted): LastingApproval {
  return { ...subject, expiresAt: new Date(expiresAtMs).toISOString(), digest };
}
