/** Knows how long a call may still wait. */

import type { Clock } from "../runtime.js";

export interface Patience {
  /** Milliseconds that may still be waited; 0 when none. */
  left(): number;
  /** Counts a wait that was made, so that patience ends even under a clock that stands still. */
  spend(waitedMs: number): void;
}

export interface PatienceOptions {
  readonly clock: Clock;
  /** The longest wait in all, in milliseconds. */
  readonly maxWaitMs: number;
  /** When the call must be over, in milliseconds since the epoch by `clock`. */
  readonly deadlineMs?: number | undefined;
}

/** Begins to count at once. */
export function createPatience({ clock, maxWaitMs, deadlineMs = Infinity }: PatienceOptions): Patience {
  const startMs = clock.now();
  let spentMs = 0;
  return {
    left() {
      const waitedMs = Math.max(spentMs, clock.now() - startMs);
      return Math.max(0, Math.min(maxWaitMs - waitedMs, deadlineMs - clock.now()));
    },
    spend(waitedMs) {
      spentMs += waitedMs;
    },
  };
}
