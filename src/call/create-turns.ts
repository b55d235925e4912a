/** Lets calls that come together go on a few at a time, so that hundreds of them do not keep other work of the process waiting. */

/** How many go on in one turn of the event loop. A step of a call with 1 kB takes less than a millisecond. */
const perTurn = 8;

/** @returns a function that waits for a turn of the event loop; first come, first served. */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  // One timer for all that wait: 256 calls at once had one for each step.
  const goOn = (): void => {
    for (const enter of waiting.splice(0, perTurn)) enter();
    if (waiting.length > 0) setImmediate(goOn);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(goOn);
    });
}
