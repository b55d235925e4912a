/** Lets calls that come together go on a few at a time, so that hundreds of them do not keep other work of the process waiting. */

import { setImmediate as nextTurn } from "node:timers/promises";

/** How many go on in one turn of the event loop. A step of a call with 1 kB takes less than a millisecond. */
const perTurn = 8;

/** @returns a function that waits for a turn of the event loop; first come, first served. */
export function createTurns(): () => Promise<void> {
  const lanes = Array.from({ length: perTurn }, () => Promise.resolve());
  return () => {
    const turn = (lanes.shift() ?? Promise.resolve()).then(() => nextTurn());
    lanes.push(turn);
    return turn;
  };
}
