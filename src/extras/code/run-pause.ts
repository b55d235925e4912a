/** Sleeps and waits of a run of code: their time does not count as the run's, up to a limit in all. */

import { isAbsent } from "../../core/base/input.js";
import type { CallContext } from "../../core/base/runtime.js";
import type { RunningCode } from "./running-code.js";
import type { CodeReply } from "./sandbox-messages.js";

const maxPauseMs = 600_000;
/** What a call with `until` alone waits. */
const usualWaitSeconds = 45;

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
    const leftMs = this.#leftMs;
    if (ms > leftMs) {
      const text = `a run may sleep and wait for ${maxPauseMs} ms in all; ${leftMs} ms are left`;
      return { text, isRefused: true };
    }
    await this.#during(() => this.#run.runtime.host.sleep(ms, signal));
    return { text: "null", isRefused: false };
  }

  /** The arguments of a call, with no more `wait` than is left for the run, and a note where that is less than was asked for. */
  reduceWait(input: Readonly<Record<string, unknown>>): {
    readonly input: Readonly<Record<string, unknown>>;
    readonly note: string | undefined;
  } {
    const leftSeconds = Math.floor(this.#leftMs / 1_000);
    const asked = Number(input["wait"]) || usualWaitSeconds;
    // A longer wait is reduced for every call, and what is not a number is refused there.
    if (!isWaiting(input) || !(Math.min(asked, maxPauseMs / 1_000) > leftSeconds))
      return { input, note: undefined };
    const note = `\`wait\` was reduced to ${leftSeconds} seconds: a run may sleep and wait for ${maxPauseMs / 1_000} seconds in all.`;
    // A wait of 0 means absent, and `until` would wait as usual.
    const until = leftSeconds === 0 ? undefined : input["until"];
    return { input: { ...input, wait: leftSeconds, until }, note };
  }

  /** Makes a call; the time of one that waits does not count as the run's. */
  duringWait<Result>(input: Readonly<Record<string, unknown>>, call: () => Promise<Result>): Promise<Result> {
    return isWaiting(input) ? this.#during(call) : call();
  }

  get #leftMs(): number {
    return Math.max(0, Math.floor(maxPauseMs - this.pausedMs));
  }

  /** Does work that may take long; its time counts as the run's once the limit is reached. */
  async #during<Result>(work: () => Promise<Result>): Promise<Result> {
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

/** Whether a call may wait for unfinished work. */
function isWaiting({ wait, until }: Readonly<Record<string, unknown>>): boolean {
  return !isAbsent(wait) || !isAbsent(until);
}
