/** Limits of what goes on at once: runs of a process, calls of a run; and the pauses of a run. */

import type { CallContext } from "../../core/base/runtime.js";
import { refuse } from "./questions.js";
import type { CodeSettings, RunningCode } from "./running-code.js";
import type { CodeReply } from "./sandbox-messages.js";

/** A size that leaves no room for others: who has it is alone. */
export const wholeSize: number = Number.MAX_SAFE_INTEGER;

/** So much goes on together, in the order in which it came; what is larger goes on alone. */
export class Places {
  /** A change counts for those that enter later. */
  most: number;
  #used = 0;
  readonly #waiting = new Map<() => void, number>();

  constructor(most: number) {
    this.most = most;
  }

  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @param signal - Ends the wait: then the promise stays open for ever. */
  enter(size: number, signal?: AbortSignal): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.set(enter, size);
      signal?.addEventListener("abort", () => this.#waiting.delete(enter) && this.#admit());
      this.#admit();
    });
  }

  /** @param size - Of one that entered, or of the part that it no longer needs. */
  leave(size: number): void {
    this.#used -= size;
    this.#admit();
  }

  /** Forgets those that wait: they never enter. */
  drop(): void {
    this.#waiting.clear();
  }

  #admit(): void {
    for (const [enter, size] of this.#waiting) {
      if (this.#used > 0 && this.#used + size > this.most) return;
      this.#waiting.delete(enter);
      this.#used += size;
      enter();
    }
  }
}

/** The memory of all runs of the process together, whatever tool they belong to: hostile code fills all that it is allowed. */
export const runPlaces: Places = new Places(330_000_000);

/** The memory of a run: that of its code, and that of its thread. */
export function measureRun({ memoryBytes }: CodeSettings): number {
  return memoryBytes + 32_000_000;
}

const maxPauseMs = 600_000;

/** Sleeps and waits of a run: their time does not count as the run's, up to a limit in all. */
export class RunPause {
  readonly #run: RunningCode;
  /** The length of the pauses that are over. */
  #endedMs = 0;
  #open = 0;
  #sinceMs = 0;

  constructor(run: RunningCode) {
    this.#run = run;
  }

  /** How long the run has paused; pauses at the same time count once. */
  get pausedMs(): number {
    return (
      this.#endedMs + (this.#open === 0 ? 0 : this.#run.runtime.host.clock.now() - this.#sinceMs)
    );
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
