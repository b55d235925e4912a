/** The calls of a thread that keep failing in the same way: the same one is held back for a while, unsent. */

import { createHash } from "node:crypto";
import { ApiSourceError, type CallError, type ErrorCategory } from "../base/errors.js";
import type { BuiltRequest } from "../request/wire-request.js";

/** So many calls, each after its own retries, in so long a time. */
const mostFailures = 3;
const countedMs = 300_000;
const heldMs = 30_000;
/** The oldest are forgotten first. */
const maxRemembered = 1_000;

/** One request of one thread. */
interface FailingCall {
  /** How it failed: its status, or its category where no answer came. */
  readonly way: string;
  /** When its last calls failed. */
  readonly times: readonly number[];
  readonly heldUntilMs: number;
  /** Its last failure. It leaves in another answer, which is redacted when it is written. */
  readonly error: CallError;
}

/** A call that may fail: whose it is, and what it sends. */
export interface FailingSubject {
  readonly source: string;
  readonly credential: string;
  readonly thread: string;
  readonly built: Pick<BuiltRequest, "wire">;
}

/** The result of a call. */
interface CallEnd {
  readonly status?: number | undefined;
  readonly error?: CallError | undefined;
}

/** Failures without an answer. */
const unanswered: ReadonlySet<ErrorCategory> = new Set(["timeout", "network", "tls", "dns"]);

export class FailingCalls {
  /** Whether any is remembered: else a call has nothing to look for. */
  isAny = false;
  readonly #calls = new Map<string, FailingCall>();
  /** The last request of each thread that failed. */
  readonly #last = new Map<string, string>();

  /** @throws ApiSourceError `same_failure`, with the last failure, for a call that is held back. */
  check(subject: FailingSubject, nowMs: number): void {
    const known = this.#calls.get(writeKey(subject));
    if (known === undefined || known.heldUntilMs <= nowMs) return;
    const seconds = Math.ceil((known.heldUntilMs - nowMs) / 1_000);
    const { message, category, details } = known.error;
    throw new ApiSourceError({
      message: `${message} (the last ${mostFailures} calls; this one was not sent)`,
      category,
      code: "same_failure",
      details,
      retryable: false,
      retryAfterSeconds: seconds,
      hint: `The same call failed ${mostFailures} times in a row: change it, or tell the user. It is not sent again for ${seconds} s.`,
    });
  }

  /** Counts the end of a call that was sent. Any other end than the same failure starts the count of its thread anew. */
  note(subject: FailingSubject, { status, error }: CallEnd, nowMs: number): void {
    const { thread } = subject;
    const key = writeKey(subject);
    const way = error === undefined ? undefined : findWay(status, error);
    const last = this.#last.get(thread);
    if (last !== undefined && (last !== key || way === undefined)) this.#forget(last, nowMs);
    this.#last.delete(thread);
    if (error !== undefined && way !== undefined) {
      const known = this.#calls.get(key);
      const before = known?.way === way ? known.times : [];
      const times = [...before, nowMs].filter((ms) => ms > nowMs - countedMs).slice(-mostFailures);
      const heldUntilMs = times.length < mostFailures ? 0 : nowMs + heldMs;
      this.#calls.delete(key);
      this.#calls.set(key, { way, times, heldUntilMs, error });
      this.#last.set(thread, key);
      dropOldest(this.#calls);
      dropOldest(this.#last);
    }
    this.isAny = this.#calls.size > 0;
  }

  /** Ends the count of a request; what is held back stays so. */
  #forget(key: string, nowMs: number): void {
    const known = this.#calls.get(key);
    if (known === undefined) return;
    if (known.heldUntilMs > nowMs) this.#calls.set(key, { ...known, times: [] });
    else this.#calls.delete(key);
  }
}

/** @returns undefined for an end that is not counted: a success, a refusal, and a failure whose wait is stated. */
function findWay(status: number | undefined, error: CallError): string | undefined {
  if (error.retryAfterSeconds !== undefined) return undefined;
  if (status !== undefined) return status >= 500 ? String(status) : undefined;
  return unanswered.has(error.category) ? error.category : undefined;
}

function writeKey({ source, credential, thread, built }: FailingSubject): string {
  const { method, url, body } = built.wire;
  const hash = createHash("sha256").update(
    JSON.stringify([thread, source, credential, method, url]),
  );
  return hash.update(body ?? "").digest("base64");
}

function dropOldest(all: Map<string, unknown>): void {
  const [oldest] = all.keys();
  if (all.size > maxRemembered && oldest !== undefined) all.delete(oldest);
}
