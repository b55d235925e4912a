/** Lets calls that come together go on a few at a time, so that hundreds of them do not keep other work of the process waiting. */

/** How many go on in one turn of the event loop. A step of a call with 1 kB takes less than a millisecond. */
const perTurn = 8;

/** @returns a function that waits for a turn of the event loop with a place left; first come, first served. */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  const begin = (): void => {
    left = perTurn;
    for (const goOn of waiting.splice(0, perTurn)) take(goOn);
  };
  const take = (goOn: () => void): void => {
    // One timer for all that wait: 256 calls at once had one for each step.
    if (left-- === perTurn) setImmediate(begin);
    goOn();
  };
  return () => new Promise((resolve) => void (left === 0 ? waiting.push(resolve) : take(resolve)));
}
