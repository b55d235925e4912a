/** Places for the runs of code of a process: as many as its memory allows, the others wait in order. */

import { RunProblem } from "./running-code.js";

/**
 * What the runs may hold together: two with the default memory, more with less memory, as hostile code fills all that it is allowed. A run that
 * may hold more goes alone.
 */
const maxBytes = 330_000_000;
const maxRuns = 8;
const maxWaiting = 200;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

class RunPlaces {
  #bytes = 0;
  #runs = 0;
  readonly #queue: Waiting[] = [];

  /** How many runs go on now. */
  get count(): number {
    return this.#runs;
  }

  /**
   * Waits for a place.
   *
   * @param bytes - What the run may hold.
   * @param signal - Ends the wait.
   * @returns A function that gives the place back; to be called once.
   * @throws RunProblem where too many wait. The signal's reason, when it fires first.
   */
  async enter(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#queue.length >= maxWaiting)
      throw new RunProblem(
        `${maxWaiting} runs of code wait in this process already: nothing was sent`,
        "busy",
      );
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        enter: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      const stop = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal.reason);
        this.#admit();
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#queue.push(waiting);
      this.#admit();
    });
    return () => {
      this.#bytes -= bytes;
      this.#runs -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const fits = this.#bytes + next.bytes <= maxBytes && this.#runs < maxRuns;
      if (!fits && this.#runs > 0) return;
      this.#queue.shift();
      this.#bytes += next.bytes;
      this.#runs += 1;
      next.enter();
    }
  }
}

/** Of the whole process, whatever tool a run belongs to. */
export const runPlaces: RunPlaces = new RunPlaces();
