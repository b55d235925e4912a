/** Lets only so many calls of a source run at the same time in this process: `limits.concurrency`. */

import { ApiSourceError } from "../../base/errors.js";
import { type Sleep, systemSleep } from "../../base/runtime.js";

/**
 * Waits for a place, first come, first served.
 *
 * @returns the function that gives the place back; calling it again does nothing.
 * @throws ApiSourceError `rate_limited` when none became free within `maxWaitMs`; the signal's reason when it is aborted.
 */
export type Enter = (wait: {
  readonly signal?: AbortSignal | undefined;
  readonly maxWaitMs: number;
}) => Promise<() => void>;

/** @param options.source - The slug: it is named in errors. */
export function createSemaphore({
  source,
  places,
  sleep = systemSleep,
}: {
  readonly source: string;
  readonly places: number;
  readonly sleep?: Sleep;
}): Enter {
  /** Each admits one. */
  const waiters = new Set<() => void>();
  let free = places;

  /** The place is handed on, not freed: a newcomer can't overtake the one who is first in line. */
  function leave(): void {
    const [next] = waiters;
    if (next === undefined) free += 1;
    else next();
  }

  /** Whether a place was handed on in time. */
  async function wait(maxWaitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    // Not `AbortSignal.any`: on Node 20 it keeps an entry on a long-lived caller's signal for every wait.
    const waiting = new AbortController();
    const end = (): void => waiting.abort();
    let isAdmitted = false;
    const admit = (): void => {
      waiters.delete(admit);
      isAdmitted = true;
      end();
    };
    waiters.add(admit);
    signal?.addEventListener("abort", end, { once: true });
    await sleep(maxWaitMs, waiting.signal).catch(() => {});
    signal?.removeEventListener("abort", end);
    waiters.delete(admit);
    // Admitted in the very moment of the cancelling: the place goes to the next one.
    if (isAdmitted && signal?.aborted) leave();
    signal?.throwIfAborted();
    return isAdmitted;
  }

  return async ({ signal, maxWaitMs }) => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else if (maxWaitMs <= 0 || !(await wait(maxWaitMs, signal))) throw refuse(source, places);
    let isHeld = true;
    return () => {
      if (isHeld) leave();
      isHeld = false;
    };
  };
}

function refuse(source: string, places: number): ApiSourceError {
  return new ApiSourceError({
    message: `${source}: all ${places} requests that may run at the same time are running; none ended in time. No request was sent.`,
    category: "rate_limited",
    retryable: true,
    hint: "Send fewer calls at once, or try again when some have ended. This is the source's own setting `limits.concurrency`, not a limit of the API.",
  });
}
