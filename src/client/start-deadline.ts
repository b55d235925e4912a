/** One deadline for a whole call, joined with the caller's signal, that holds for code that ignores signals too. */

import { ApiSourceError } from "../errors.js";
import { raceSignal } from "./race-signal.js";

export interface Deadline {
  /** On the runtime's clock, in milliseconds. */
  readonly deadlineMs: number;
  /** Fires when the caller cancels (with the caller's reason) or the time is up (with an ApiSourceError `timeout`). */
  readonly signal: AbortSignal;
  /** The caller's own signal. */
  readonly callerSignal: AbortSignal | undefined;
  /** The promise's result, or a rejection with the signal's reason as soon as it fires. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Clears the timer and the listener. */
  dispose(): void;
}

export function startDeadline(options: {
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}): Deadline {
  const { nowMs, timeoutMs, signal } = options;
  const controller = new AbortController();
  // Not AbortSignal.any: on Node 20 it keeps an entry on a long-lived source signal for every call.
  const cancel = (): void => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(timedOut(timeoutMs)), timeoutMs);
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    deadlineMs: nowMs + timeoutMs,
    signal: controller.signal,
    callerSignal: signal,
    race: (promise) => raceSignal(promise, controller.signal),
    dispose: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}

function timedOut(timeoutMs: number): ApiSourceError {
  return new ApiSourceError({
    message: `The call did not end within ${timeoutMs} ms.`,
    category: "timeout",
    retryable: false,
    hint: "Ask for less at once, or have limits.timeoutMs of the source raised.",
  });
}
