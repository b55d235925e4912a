/** A first-come, first-served line before a fixed number of places. */

import type { Sleep } from "../runtime.js";

export interface WaitingLineEntry {
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for a place, in milliseconds. @default no bound */
  readonly maxWaitMs?: number;
}

export interface WaitingLine {
  /**
   * Resolves when a place is free, with the function that gives it back (more than once does nothing).
   * Resolves to undefined when `maxWaitMs` passed first; rejects with the signal's reason when it is aborted. Either
   * way the caller has left the line.
   */
  enter(entry: WaitingLineEntry): Promise<(() => void) | undefined>;
}

export interface WaitingLineOptions {
  readonly places: number;
  readonly sleep: Sleep;
}

interface Waiter {
  readonly admit: (leave: () => void) => void;
}

/** Creates a line with all its places free. */
export function createWaitingLine({ places, sleep }: WaitingLineOptions): WaitingLine {
  const waiters = new Set<Waiter>();
  let free = places;

  function takePlace(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      // The place is handed on, not freed: a newcomer can't overtake the one who is first in line.
      const [next] = waiters;
      if (next === undefined) free += 1;
      else {
        waiters.delete(next);
        next.admit(takePlace());
      }
    };
  }

  function wait({ signal, maxWaitMs }: WaitingLineEntry): Promise<(() => void) | undefined> {
    return new Promise((resolve, reject) => {
      const timer = new AbortController();
      const waiter: Waiter = {
        admit: (leave) => {
          timer.abort();
          signal?.removeEventListener("abort", abort);
          resolve(leave);
        },
      };
      const abort = (): void => {
        waiters.delete(waiter);
        timer.abort();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      waiters.add(waiter);
      if (maxWaitMs === undefined) return;
      sleep(maxWaitMs, timer.signal).then(
        () => {
          if (!waiters.delete(waiter)) return;
          signal?.removeEventListener("abort", abort);
          resolve(undefined);
        },
        () => {},
      );
    });
  }

  return {
    async enter(entry) {
      entry.signal?.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return takePlace();
      }
      return entry.maxWaitMs === 0 ? undefined : wait(entry);
    },
  };
}
