/** Joins the caller's signal and the deadline of a call to one signal, and lets go of both afterwards. */

import type { Clock } from "../runtime.js";

/** Longest delay a Node timer can take; a longer one would fire after 1 ms. */
const maxTimerMs = 2 ** 31 - 1;

/** Two timers for the same moment fire within this. */
const sameMomentMs = 20;

/** Why a call was stopped: its time is up, its caller's time is up, or the caller cancelled it. */
export type StopReason = "deadline" | "caller_timeout" | "cancelled";

export interface CallDeadline {
  /** Fires once, for whichever comes first. */
  readonly signal: AbortSignal;
  /** Why the signal fired; `undefined` while it has not. */
  stoppedBy(): StopReason | undefined;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
  /**
   * Settles with the work, or rejects as soon as the signal fires. A value that comes after that is handed to
   * `discard`, so that what it holds open is closed.
   */
  race<T>(work: Promise<T>, discard?: (value: T) => void): Promise<T>;
  /** Removes the timer and the listener on the caller's signal. */
  close(): void;
}

/** Starts the deadline of one call. */
export function openDeadline(options: {
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Makes the reason of the signal. @default an `AbortError` */
  readonly toReason?: (why: StopReason) => unknown;
}): CallDeadline {
  const { deadlineMs, clock, signal: callerSignal, toReason } = options;
  const controller = new AbortController();
  // Listeners of a signal cost more than the promises that wait here.
  const races = new Set<() => void>();
  let reason: StopReason | undefined;
  const remainingMs = (): number => Math.max(0, deadlineMs - clock.now());
  const stop = (why: StopReason): void => {
    if (reason !== undefined) return;
    reason = why;
    controller.abort(toReason?.(why));
    for (const leave of races) leave();
  };
  const stopForCaller = (): void => {
    if (!isTimeout(callerSignal?.reason)) stop("cancelled");
    // A caller may keep the same deadline by a timer of its own, which fires a moment earlier.
    else stop(remainingMs() <= sameMomentMs ? "deadline" : "caller_timeout");
  };

  const timer = setTimeout(() => stop("deadline"), Math.min(remainingMs(), maxTimerMs));
  callerSignal?.addEventListener("abort", stopForCaller, { once: true });
  if (callerSignal?.aborted) stopForCaller();
  else if (remainingMs() === 0) stop("deadline");

  return {
    signal: controller.signal,
    stoppedBy: () => reason,
    remainingMs,
    race: (work, discard) => race(work, { signal: controller.signal, races, discard }),
    close() {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", stopForCaller);
    },
  };
}

/** `AbortSignal.timeout()` names its reason so; LangChain's `timeout` option is made with it. */
function isTimeout(reason: unknown): boolean {
  return typeof reason === "object" && reason !== null && "name" in reason && reason.name === "TimeoutError";
}

function race<T>(
  work: Promise<T>,
  options: {
    readonly signal: AbortSignal;
    readonly races: Set<() => void>;
    readonly discard: ((value: T) => void) | undefined;
  },
): Promise<T> {
  const { signal, races, discard } = options;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      work.then(discard, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) {
      stop();
      return;
    }
    races.add(stop);
    work.then(
      (value) => {
        races.delete(stop);
        resolve(value);
      },
      (error: unknown) => {
        races.delete(stop);
        reject(error);
      },
    );
  });
}
