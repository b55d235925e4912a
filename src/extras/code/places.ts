/** What holds code up: so many runs go on in a process, so many calls in a run, and a run may pause. */

import type { CallContext } from "../../core/base/runtime.js";
import { refuse } from "./questions.js";
import { type RunningCode, RunProblem } from "./running-code.js";
import type { CodeReply } from "./sandbox-messages.js";

/** Of the calls of one run; one is alone where a person has to decide. */
export class CallPlaces {
  /** How many may be under way; a change counts for those that enter later. */
  most: number;
  #busy = 0;
  #isAlone = false;
  readonly #queue: { readonly isAlone: boolean; readonly enter: () => void }[] = [];

  constructor(most: number) {
    this.most = most;
  }

  enter(): Promise<void> {
    return this.#wait(false);
  }

  /** Waits until nothing else is under way, and keeps it so until `leave`. */
  enterAlone(): Promise<void> {
    return this.#wait(true);
  }

  leave(): void {
    this.#busy -= 1;
    this.share();
  }

  /** Lets others in beside the one that was alone. */
  share(): void {
    this.#isAlone = false;
    this.#admit();
  }

  /** Forgets those that wait: they never enter. */
  drop(): void {
    this.#queue.length = 0;
  }

  #wait(isAlone: boolean): Promise<void> {
    return new Promise((enter) => {
      this.#queue.push({ isAlone, enter });
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#isAlone || this.#busy >= (next.isAlone ? 1 : Math.max(1, this.most))) return;
      this.#queue.shift();
      this.#busy += 1;
      this.#isAlone = next.isAlone;
      next.enter();
    }
  }
}

/**
 * What the runs may hold together: two with the default memory, more with less memory, as hostile code fills all that it is allowed. A run that
 * may hold more goes alone.
 */
const maxBytes = 330_000_000;
const maxRuns = 8;
const maxWaiting = 200;

interface WaitingRun {
  readonly bytes: number;
  readonly enter: () => void;
}

class RunPlaces {
  #bytes = 0;
  #runs = 0;
  readonly #queue = new Set<WaitingRun>();

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
    if (this.#queue.size >= maxWaiting)
      throw new RunProblem(
        `${maxWaiting} runs of code wait in this process already: nothing was sent`,
        "busy",
      );
    await new Promise<void>((enter, reject) => {
      const waiting = { bytes, enter };
      this.#queue.add(waiting);
      this.#admit();
      signal.addEventListener("abort", () => {
        // One that has entered leaves by itself.
        if (!this.#queue.delete(waiting)) return;
        reject(signal.reason);
        this.#admit();
      });
    });
    return () => {
      this.#bytes -= bytes;
      this.#runs -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    for (const next of this.#queue) {
      const fits = this.#bytes + next.bytes <= maxBytes && this.#runs < maxRuns;
      if (!fits && this.#runs > 0) return;
      this.#queue.delete(next);
      this.#bytes += next.bytes;
      this.#runs += 1;
      next.enter();
    }
  }
}

/** Of the whole process, whatever tool a run belongs to. */
export const runPlaces: RunPlaces = new RunPlaces();

const maxPauseMs = 600_000;

/** Sleeps and waits of a run: their time does not count as the run's, up to a limit in all. */
export class RunPause {
  readonly #run: RunningCode;
  /** Of pauses that are over. */
  #endedMs = 0;
  #open = 0;
  #sinceMs = 0;

  constructor(run: RunningCode) {
    this.#run = run;
  }

  /** How long the run has paused; pauses at the same time count once. */
  get pausedMs(): number {
    return this.#endedMs + (this.#open === 0 ? 0 : this.#run.runtime.host.clock.now() - this.#sinceMs);
  }

  /** Counts the pauses of an earlier part of the run. */
  resume(pausedMs: number): void {
    this.#endedMs = pausedMs;
  }

  /** Replies after so many milliseconds, or at once with why not. Rejects when the run is over or cancelled. */
  async sleep(ms: number, { signal }: CallContext): Promise<CodeReply> {
    const leftMs = Math.max(0, Math.floor(maxPauseMs - this.pausedMs));
    if (ms > leftMs)
      return refuse(`a run may sleep and wait for ${maxPauseMs} ms in all; ${leftMs} ms are left`);
    await this.during(() => this.#run.runtime.host.sleep(ms, signal));
    return { text: "null", isRefused: false };
  }

  /** Does work that may take long; its time counts as the run's once the limit is reached. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const { deadline, runtime } = this.#run;
    if (this.pausedMs >= maxPauseMs) return work();
    if (this.#open === 0) this.#sinceMs = runtime.host.clock.now();
    this.#open += 1;
    try {
      return await deadline.pause(work());
    } finally {
      if (this.#open === 1) this.#endedMs = this.pausedMs;
      this.#open -= 1;
    }
  }
}
