/** The idempotency keys of writes whose effect is not known: the same write, sent again, carries the same key. */

import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { type CallContext, findThread } from "../base/runtime.js";
import type { BuiltRequest, WireRequest } from "../request/wire-request.js";

/** How a request ended: the status of its answer, and whether the body arrived to its end. */
export interface EndedRequest {
  readonly status: number;
  readonly isWhole: boolean;
}

/** The key of one request while it is sent. */
export interface HeldKey {
  /** The request with its key. */
  readonly wire: WireRequest;
  /** Whether the same write gets the same key when it is called again before its effect is known. A call without a thread has a key of its own. */
  readonly isKept: boolean;
  /** To be called once, when the request is over. @param ended - Undefined where no answer came. */
  release(ended: EndedRequest | undefined): void;
}

/** The keys of writes whose effect is not known. */
export interface OpenKeys {
  /**
   * Gives a write the key that it was sent with before: by the same thread and owner, with the same bytes, in the hour before, and without an
   * answer that shows its effect. Two equal writes that run at the same time are two writes, each with its own key.
   *
   * @param owner - Names the source and the caller.
   */
  hold(built: BuiltRequest, owner: readonly string[], context: CallContext, nowMs: number): HeldKey;
}

const keptMs = 3_600_000;
/** The oldest are forgotten first. */
const maxKept = 1_000;

interface OpenKey {
  readonly key: string;
  /** A hash of the write that it belongs to. */
  readonly write: string;
  readonly untilMs: number;
  isSending: boolean;
}

/** Statuses of 400 to 499 after which the write may have been done, or is being done, or can be sent again as it is. */
const openStatuses: ReadonlySet<number> = new Set([401, 408, 409, 423, 425, 429, 499]);

/** Whether an answer shows what became of the write: then its key is forgotten, and the same write is another one with another key. */
export function showsEffect(ended: EndedRequest | undefined): boolean {
  if (ended === undefined || !ended.isWhole) return false;
  const { status } = ended;
  if (status >= 200 && status < 300) return true;
  return status >= 400 && status < 500 && !openStatuses.has(status);
}

/** Makes the memory of all keys whose writes have an unknown effect. */
export function createOpenKeys(): OpenKeys {
  const open = new Set<OpenKey>();
  /** A request that is sent again with another token keeps its key. */
  const keyOf = new WeakMap<BuiltRequest, OpenKey>();

  function find(write: string, nowMs: number): OpenKey | undefined {
    for (const each of open) {
      if (each.untilMs <= nowMs) open.delete(each);
      else if (each.write === write && !each.isSending) return each;
    }
    return undefined;
  }

  function keep(used: OpenKey): void {
    // The oldest key comes first: one that is kept longer goes to the end.
    open.delete(used);
    open.add(used);
    const [oldest = used] = open;
    if (open.size > maxKept) open.delete(oldest);
  }

  return {
    hold(built, owner, context, nowMs) {
      const { wire, generatedHeader = "" } = built;
      const { [generatedHeader]: ownKey = "", ...headers } = wire.headers;
      const thread = findThread(context);
      if (thread === undefined || ownKey === "") return { wire, isKept: false, release: () => {} };
      const write = hashWrite([...owner, thread, wire.method, wire.url, headers], wire.body);
      const used = keyOf.get(built) ??
        find(write, nowMs) ?? { key: ownKey, write, untilMs: nowMs + keptMs, isSending: true };
      used.isSending = true;
      keyOf.set(built, used);
      keep(used);
      return {
        wire: { ...wire, headers: { ...headers, [generatedHeader]: used.key } },
        isKept: true,
        release(ended) {
          used.isSending = false;
          if (showsEffect(ended)) open.delete(used);
        },
      };
    },
  };
}

function hashWrite(head: readonly unknown[], body: Uint8Array | undefined): string {
  const hash = createHash("sha256").update(JSON.stringify(head)).update("\0");
  return hash.update(readValue(body)).digest("base64url");
}

/** The same JSON with its members in another order is the same write. */
function readValue(body: Uint8Array = new Uint8Array()): Uint8Array | string {
  // A JSON object or list begins with its bracket.
  if (body[0] !== 0x7b && body[0] !== 0x5b) return body;
  try {
    return writeJson(sortMembers(parseJson(new TextDecoder().decode(body))));
  } catch {
    return body;
  }
}

function sortMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name] ?? null)]));
}
