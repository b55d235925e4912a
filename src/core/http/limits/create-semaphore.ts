/** Lets only so many calls of a source run at the same time in this process: `limits.concurrency`. */

import { ApiSourceError } from "../../base/errors.js";
import { type Sleep, systemSleep } from "../../base/runtime.js";

export interface SemaphoreWait {
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for a place, in milliseconds. */
  readonly maxWaitMs: number;
}

export interface Semaphore {
  /**
   * Waits for a place, first come, first served.
   *
   * @returns the function that gives the place back; calling it again does nothing.
   * @throws ApiSourceError `rate_limited` when none became free in time; the signal's reason when it is aborted.
   */
  enter(wait: SemaphoreWait): Promise<() => void>;
}

export interface SemaphoreOptions {
  /** The source's slug: it is named in errors. */
  readonly source: string;
  readonly places: number;
  readonly sleep?: Sleep;
}

/** Creates a semaphore with all its places free. */
export function createSemaphore({ source, places, sleep = systemSleep }: SemaphoreOptions): Semaphore {
  /** Each admits one. The place is handed on, not freed: a newcomer can't overtake the one who is first in line. */
  const waiters = new Set<() => void>();
  let free = places;

  function createRelease(): () => void {
    let isHeld = true;
    return () => {
      const [next] = waiters;
      if (isHeld && next === undefined) free += 1;
      else if (isHeld) next?.();
      isHeld = false;
    };
  }

  /** Ends with a place, or with an error and without one. */
  async function wait({ signal, maxWaitMs }: SemaphoreWait): Promise<void> {
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
    if (isAdmitted && signal?.aborted) createRelease()();
    signal?.throwIfAborted();
    if (!isAdmitted) throw refuse(source, places);
  }

  return {
    async enter(entry) {
      entry.signal?.throwIfAborted();
      if (free > 0) free -= 1;
      else if (entry.maxWaitMs <= 0) throw refuse(source, places);
      else await wait(entry);
      return createRelease();
    },
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
