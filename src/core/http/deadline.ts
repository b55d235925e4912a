/** One deadline for a whole call, joined with the caller's signal; it holds for code that ignores signals, too. */

import { ApiSourceError } from "../base/errors.js";
import type { Lifetime } from "../base/lifetime.js";
import { type CallContext, type Clock, maxTimerMs, systemStopwatch } from "../base/runtime.js";

/** Why a call was stopped: its time is up, its caller's time is up, or the caller cancelled it, which closing its toolkit does, too. */
export type StopReason = "deadline" | "caller_timeout" | "cancelled";

export interface Deadline {
  /** When the call must be over, on the given clock. */
  readonly deadlineMs: number;
  /** The time that the source allows the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Fires once, for whichever comes first. Its reason is the caller's own, or an ApiSourceError `timeout`. */
  readonly signal: AbortSignal;
  /** The caller's own signal. */
  readonly callerSignal: AbortSignal | undefined;
  /** Why the signal fired; `undefined` while it has not. */
  stoppedBy(): StopReason | undefined;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
  /**
   * Settles with the work, or rejects with the signal's reason as soon as it fires. A value that comes after that is
   * handed to `discard`, so that what it holds open is closed.
   */
  race<T>(work: Promise<T> | T, discard?: (value: T) => void): Promise<T>;
  /**
   * As `race`, but the time that this work takes (a person's answer) does not count, and that of several at the same time once; the caller's
   * signal still ends it.
   */
  pause<T>(work: Promise<T>): Promise<T>;
  /** The time that did not count, in milliseconds. */
  pausedMs(): number;
  /** Removes the timer and the listener on the caller's signal. Call it when the call is over. */
  close(): void;
}

interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Ends the call with the toolkit or client that it belongs to. @default never */
  readonly lifetime?: Lifetime | undefined;
}

/**
 * Starts the deadline of one call.
 *
 * Not by `AbortSignal.any` and `AbortSignal.timeout`: on Node 20 the first keeps an entry on a long-lived caller's signal
 * for every call, and the second a timer that can't be removed.
 */
export function createDeadline(options: DeadlineOptions): Deadline {
  const { timeoutMs, signal: callerSignal } = options;
  const { signal, race, stop, stoppedBy } = createStop();
  const limit = createTimeLimit(options, () => stop("deadline", timedOut(timeoutMs)));
  const stopForCaller = (): void => {
    const isTimeUp = isTimeLimit(callerSignal?.reason);
    stop(isTimeUp ? "caller_timeout" : "cancelled", callerSignal?.reason);
  };
  callerSignal?.addEventListener("abort", stopForCaller, { once: true });
  if (callerSignal?.aborted) stopForCaller();
  else if (limit.remainingMs() === 0) stop("deadline", timedOut(timeoutMs));
  const leave = options.lifetime?.join((why) => stop("cancelled", why));
  return {
    get deadlineMs() {
      return limit.deadlineMs();
    },
    timeoutMs,
    signal,
    callerSignal,
    stoppedBy,
    remainingMs: limit.remainingMs,
    race,
    pausedMs: limit.heldMs,
    async pause(work) {
      limit.hold();
      try {
        return await race(work);
      } finally {
        limit.release(stoppedBy() === undefined);
      }
    },
    close() {
      limit.close();
      callerSignal?.removeEventListener("abort", stopForCaller);
      leave?.();
    },
  };
}

/** The end of a call before its answer: the first reason counts. */
interface Stop extends Pick<Deadline, "signal" | "race"> {
  stop(reason: StopReason, error: unknown): void;
  stoppedBy(): StopReason | undefined;
}

function createStop(): Stop {
  const controller = new AbortController();
  const { signal } = controller;
  let reason: StopReason | undefined;
  /** The work that is waited for now: each entry rejects with the signal's reason. */
  const waiting = new Set<(reason: unknown) => void>();
  return {
    signal,
    // Not by `Promise.race`: that keeps an entry of each work at the promise that it is raced with, for as long as the call lasts.
    race<Value>(work: Promise<Value> | Value, discard?: (value: Value) => void): Promise<Value> {
      return new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        else waiting.add(reject);
        const end = (value: Value): void => {
          waiting.delete(reject);
          if (signal.aborted) discard?.(value);
          resolve(value);
        };
        const fail = (error: unknown): void => {
          waiting.delete(reject);
          reject(error);
        };
        Promise.resolve(work).then(end, fail);
      });
    },
    stop(why, error) {
      if (reason !== undefined) return;
      reason = why;
      controller.abort(error);
      for (const reject of waiting) reject(signal.reason);
      waiting.clear();
    },
    stoppedBy: () => reason,
  };
}

/** The time of a call; it does not pass while it is held. */
interface TimeLimit {
  deadlineMs(): number;
  remainingMs(): number;
  /** How long it was held, in milliseconds. */
  heldMs(): number;
  hold(): void;
  /** @param isRunning - Whether the call goes on, so that its time does, too. */
  release(isRunning: boolean): void;
  close(): void;
}

function createTimeLimit(
  { timeoutMs, clock }: Pick<DeadlineOptions, "timeoutMs" | "clock">,
  onEnd: () => void,
): TimeLimit {
  let deadlineMs = clock.now() + timeoutMs;
  let holds = 0;
  let heldSinceMs = 0;
  let heldMs = 0;
  const remainingMs = (): number => Math.max(0, deadlineMs - clock.now());
  const startTimer = (): NodeJS.Timeout => setTimeout(onEnd, Math.min(remainingMs(), maxTimerMs));
  let timer = startTimer();
  return {
    deadlineMs: () => deadlineMs,
    remainingMs,
    heldMs: () => heldMs,
    hold() {
      if (holds === 0) heldSinceMs = clock.now();
      holds += 1;
      clearTimeout(timer);
    },
    release(isRunning) {
      holds -= 1;
      if (holds > 0) return;
      const lastedMs = clock.now() - heldSinceMs;
      heldMs += lastedMs;
      deadlineMs += lastedMs;
      if (isRunning) timer = startTimer();
    },
    close: () => clearTimeout(timer),
  };
}

/** Rejects when the store takes longer than `timeoutMs`, or when the call is cancelled before. */
export async function within<Value>(
  timeoutMs: number,
  { signal }: CallContext,
  work: () => Promise<Value>,
): Promise<Value> {
  const deadline = createDeadline({ timeoutMs, clock: systemStopwatch, signal });
  try {
    return await deadline.race(work());
  } catch (error) {
    if (deadline.stoppedBy() !== "deadline") throw error;
    throw new Error(`The store did not answer within ${timeoutMs} ms.`);
  } finally {
    deadline.close();
  }
}

/** Whether a signal's reason is a time limit: our own deadline, or `AbortSignal.timeout()`, of which LangChain's `timeout` is made. */
export function isTimeLimit(reason: unknown): boolean {
  if (reason instanceof ApiSourceError) return reason.category === "timeout";
  // Not `instanceof`: it is a DOMException, and may come from another realm.
  return (
    typeof reason === "object" &&
    reason !== null &&
    "name" in reason &&
    reason.name === "TimeoutError"
  );
}

/** Whether somebody wants no answer any more; a time limit wants the best one there is. */
export function isCancelled(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !isTimeLimit(signal.reason);
}

function timedOut(timeoutMs: number): ApiSourceError {
  return new ApiSourceError({
    message: `The call did not end within ${timeoutMs} ms.`,
    category: "timeout",
    hint: "Request less at once, or let the user raise limits.timeoutMs of the source.",
  });
}
