/** One deadline for a whole call, joined with the caller's signal, that holds for code that ignores signals too. */

import { ApiSourceError } from "../errors.js";
import type { Clock } from "../runtime.js";
import { type CallDeadline, openDeadline } from "../transport/open-deadline.js";

export interface Deadline extends CallDeadline {
  /** On the runtime's clock, in milliseconds. */
  readonly deadlineMs: number;
  /** The caller's own signal. */
  readonly callerSignal: AbortSignal | undefined;
}

/** The signal's reason is the caller's own, or an ApiSourceError `timeout` when the time of the source is up. */
export function startDeadline(options: {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}): Deadline {
  const { timeoutMs, clock, signal } = options;
  const deadlineMs = clock.now() + timeoutMs;
  // Not AbortSignal.any: on Node 20 it keeps an entry on a long-lived source signal for every call.
  const deadline = openDeadline({
    deadlineMs,
    clock,
    signal,
    toReason: (why) => (why === "deadline" ? timedOut(timeoutMs) : signal?.reason),
  });
  return { ...deadline, deadlineMs, callerSignal: signal };
}

function timedOut(timeoutMs: number): ApiSourceError {
  return new ApiSourceError({
    message: `The call did not end within ${timeoutMs} ms.`,
    category: "timeout",
    retryable: false,
    hint: "Ask for less at once, or have limits.timeoutMs of the source raised.",
  });
}
