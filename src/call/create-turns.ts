/** Lets calls that come together go on a few at a time, so that hundreds of them do not keep other work of the process waiting. */

import { setImmediate as nextTurn } from "node:timers/promises";

/** How many go on in one turn of the event loop. A step of a call with 1 kB takes less than a millisecond. */
const perTurn = 8;

/** @returns a function that waits for a turn of the event loop with a place left; first come, first served. */
export function createTurns(): () => Promise<void> {
  let left = perTurn;
  let next: Promise<void> | undefined;
  return async () => {
    while (left === 0) await next;
    left -= 1;
    // One timer for all that wait: 256 calls at once had one for each step.
    next ??= nextTurn().then(() => {
      [next, left] = [undefined, perTurn];
    });
  };
}
