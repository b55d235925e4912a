/** Credentials with a time to live, which a function of the application gave: reused until it is over, for calls with an equal context. */

import { isPlainObject } from "../base/input.js";
import { type CallContext, type Clock, findThread } from "../base/runtime.js";
import type { ApiSource } from "../record/api-source.js";

export interface LivingCredentials<Given> {
  /** @returns undefined where the application has to be asked. */
  find(source: ApiSource, context: CallContext): Given | undefined;
  /** Keeps what has a member `expiresAt` that lies ahead. */
  note(source: ApiSource, context: CallContext, given: Given): void;
  /** Has the application asked again, after the API refused the credential. */
  drop(source: ApiSource, context: CallContext): void;
}

/** The most that are kept; the oldest go first. */
const maxKept = 1_000;

/** Creates the credentials of one toolkit that live. */
export function createLivingCredentials<Given>(clock: Clock): LivingCredentials<Given> {
  const kept = new Map<string, { readonly given: Given; readonly expiresAtMs: number }>();
  return {
    find(source, context) {
      if (kept.size === 0) return undefined;
      const key = nameCaller(source, context);
      const found = key === undefined ? undefined : kept.get(key);
      return found !== undefined && found.expiresAtMs > clock.now() ? found.given : undefined;
    },
    note(source, context, given) {
      const expiresAtMs: unknown = Object(given).expiresAt;
      if (typeof expiresAtMs !== "number" || !(expiresAtMs > clock.now())) return;
      const key = nameCaller(source, context);
      if (key === undefined) return;
      const [oldest] = kept.keys();
      if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { given, expiresAtMs });
    },
    drop(source, context) {
      const key = nameCaller(source, context);
      if (key !== undefined) kept.delete(key);
    },
  };
}

/**
 * The members of `configurable` by which LangGraph finds its place in a run; no one's credential depends on them. Any other name with `__` is an
 * application's: LangChain traces none of these, so that a token or a user may be there.
 */
const placeInRun = /^(?:__pregel_|checkpoint_|run_id$)/;

/** Names the caller by all that the function is given of the call. Two callers never share a name. */
function nameCaller({ slug }: ApiSource, call: CallContext): string | undefined {
  const told = writeContext(call);
  return told && JSON.stringify([slug, findThread(call), told]);
}

/** The run-time context of a call but for its conversation, as text; undefined where that is not plain data, such as an object with private members. */
export function writeContext({ context, configurable = {} }: CallContext): string | undefined {
  const told = Object.entries(configurable).filter(
    ([name]) => name !== "thread_id" && !placeInRun.test(name),
  );
  const parts = [context, Object.fromEntries(told)];
  return isPlain(parts, 0) ? JSON.stringify(parts) : undefined;
}

const maxDepth = 8;

/** Whether a value is the same as its JSON text, but for members that are undefined. */
function isPlain(value: unknown, depth: number): boolean {
  if (value === undefined || value === null || typeof value === "string") return true;
  if (typeof value === "boolean" || Number.isFinite(value)) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((each) => isPlain(each, depth + 1));
  if (!isPlainObject(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  return !("toJSON" in value) && Object.values(value).every((each) => isPlain(each, depth + 1));
}
