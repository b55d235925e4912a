/** Places for the runs of code of a process: as many as its memory allows, the others wait in order. */

import { RunProblem } from "./run-problem.js";

export interface RunPlacesOptions {
  /** What the runs may hold together; a run that may hold more goes alone. */
  readonly maxBytes: number;
  readonly maxRuns: number;
  /** How many may wait. */
  readonly maxWaiting: number;
}

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

export class RunPlaces {
  readonly #options: RunPlacesOptions;
  #bytes = 0;
  #runs = 0;
  readonly #queue: Waiting[] = [];

  constructor(options: RunPlacesOptions) {
    this.#options = options;
  }

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
    const { maxWaiting } = this.#options;
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
    const { maxBytes, maxRuns } = this.#options;
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
