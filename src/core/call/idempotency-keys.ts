/** The idempotency keys of writes whose effect is not known: the same write, sent again, carries the same key. */

import { createHash } from "node:crypto";
import type { CallContext } from "../base/runtime.js";
import type { BuiltRequest } from "../request/wire-request.js";

const keptMs = 3_600_000;
/** The oldest are forgotten first. */
const maxKept = 1_000;

interface KeptKey {
  readonly key: string;
  readonly untilMs: number;
  /** Whether it was sent again after a 5xx: that is done once. */
  readonly isLast: boolean;
}

/** Of this process: an application may make a client for each request. */
const kept = new Map<string, KeptKey>();

/** Of a request that is sent again with another token: the key that it was sent with. */
const used = new WeakMap<BuiltRequest, string>();

/**
 * Gives a write the key that it was sent with before: by the same thread, with the same credential and bytes, in the hour before, and without an
 * answer that shows its effect. Without a thread each call has its own key.
 *
 * @param whose - Names the source and the credential.
 */
export function applyKeptKey(
  built: BuiltRequest,
  whose: readonly string[],
  { threadId, configurable }: CallContext,
  nowMs: number,
) {
  const { wire, generatedHeader } = built;
  const thread = threadId ?? configurable?.["thread_id"];
  // An application may give anything, and not all of it can be written.
  const isNamed = typeof thread === "string" || typeof thread === "number";
  if (generatedHeader === undefined || !isNamed) return { wire, note: () => {} };
  const { [generatedHeader]: own = "", ...headers } = wire.headers;
  const head = JSON.stringify([...whose, thread, wire.method, wire.url, headers]);
  const hash = createHash("sha256").update(head).update("\0");
  const id = hash.update(wire.body ?? "").digest("base64url");
  const before = kept.get(id);
  const found = before !== undefined && before.untilMs > nowMs ? before : undefined;
  const { untilMs, isLast } = found ?? { untilMs: nowMs + keptMs, isLast: false };
  const key = used.get(built) ?? found?.key ?? own;
  used.set(built, key);
  return {
    wire: { ...wire, headers: { ...headers, [generatedHeader]: key } },
    /** To be called when it has ended. @param status - Undefined where no answer came. */
    note(status = 0): void {
      kept.delete(id);
      const isServers = status >= 500;
      if (status !== 0 && status !== 429 && (!isServers || isLast)) return;
      kept.set(id, { key, untilMs, isLast: isLast || isServers });
      const [oldest = id] = kept.keys();
      if (kept.size > maxKept) kept.delete(oldest);
    },
  };
}
