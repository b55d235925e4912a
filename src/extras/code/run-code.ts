/** One run of code: a thread with a sandbox, the questions it asks, and every way in which it may end. */

import type { Worker } from "node:worker_threads";
import type { CallContext } from "../../core/base/runtime.js";
import { isCancelled } from "../../core/http/deadline.js";
import type { CallDesk } from "./code-calls.js";
import { differentRun, type Journal } from "./journal.js";
import { type RunningCode, RunProblem } from "./running-code.js";
import {
  type Asked,
  type CodeReply,
  type FromSandbox,
  type RunEnd,
  type SandboxJob,
  sandboxLimits,
  type ToSandbox,
} from "./sandbox-messages.js";
import { startSandbox } from "./start-sandbox.js";

/** What the interpreter may take over its time before the thread is ended: native functions (`repeat`, `sort`) are not interrupted. */
const graceMs = 1_000;
const watchMs = 200;

interface RunToMake extends RunningCode {
  readonly job: SandboxJob;
  readonly desk: CallDesk;
  /** Absent where the run can't stop for a person. */
  readonly journal: Journal | undefined;
}

export interface CodeReport extends RunEnd {
  readonly log: readonly string[];
  /** Calls without an answer when the code ended. */
  readonly unanswered: readonly string[];
  /** What the reader must know beside it. */
  readonly notes?: readonly string[];
}

/** The end of a run, or of one that was not begun, which is not an error of the code's own. */
export function describeProblem({ message, code }: RunProblem): RunEnd {
  return { thrown: { name: "", message }, code };
}

export class CodeRun {
  readonly #options: RunToMake;
  readonly #thread: Worker;
  /** Ends the calls of a run that is over. */
  readonly #over = new AbortController();
  /** Large replies that the thread has not taken. */
  readonly #untaken = new Map<number, () => void>();
  readonly #log: string[] = [];
  #isEnded = false;
  readonly #ended: Promise<CodeReport>;
  #resolve: (report: CodeReport) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(options: RunToMake) {
    this.#options = options;
    this.#thread = startSandbox(options.sandbox, options.job);
    this.#ended = new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
  }

  /**
   * Runs the code to its end, whatever that is. Rejects with what interrupts the run (a person has to decide), and with the reason of the
   * caller's signal.
   */
  async run(): Promise<CodeReport> {
    const { deadline } = this.#options;
    const thread = this.#thread;
    thread.on("message", this.#listen).on("error", this.#break).on("exit", this.#break);
    deadline.signal.addEventListener("abort", this.#stopForTime, { once: true });
    const watchdog = setInterval(this.#watch(), watchMs);
    try {
      if (deadline.signal.aborted) this.#stopForTime();
      return await this.#ended;
    } finally {
      clearInterval(watchdog);
      deadline.signal.removeEventListener("abort", this.#stopForTime);
      thread.off("message", this.#listen).off("error", this.#break).off("exit", this.#break);
      this.#over.abort(new DOMException("The run of code is over.", "TimeoutError"));
      // The next run begins when its memory is free again.
      await thread.terminate();
    }
  }

  /** The sandbox keeps its time by itself; this is for what it can't interrupt. */
  #watch(): () => void {
    const { eventLoopUtilization } = this.#thread.performance;
    const before = eventLoopUtilization();
    return () => {
      const isOver = eventLoopUtilization(before).active > this.#options.settings.cpuMs + graceMs;
      if (isOver) this.#end({ limit: "cpuMs" });
    };
  }

  readonly #stopForTime = (): void => {
    const { deadline } = this.#options;
    if (isCancelled(deadline.callerSignal)) this.#reject(deadline.signal.reason);
    else this.#end({ limit: "timeoutMs" });
  };

  readonly #break = (why: unknown): void => {
    const message = why instanceof Error ? why.message : "its thread ended";
    if (/memory/i.test(message)) this.#end({ limit: "memoryBytes" });
    else this.#end(describeProblem(new RunProblem(`the sandbox ended: ${message}`)));
  };

  readonly #listen = ({ line, calls = [], taken, end }: FromSandbox): void => {
    if (line !== undefined) this.#log.push(line);
    if (taken !== undefined) this.#untaken.get(taken)?.();
    // Where a limit ended the code, or it did something else, nothing of what it last asked is sent.
    if (end?.isOther === true) this.#end(describeProblem(new RunProblem(differentRun)));
    else if (end?.limit === undefined) for (const call of calls) void this.#answer(call);
    if (end !== undefined) void this.#finish(end);
  };

  async #answer(call: Asked): Promise<void> {
    const { desk, context, journal } = this.#options;
    const own: CallContext = { ...context, signal: this.#over.signal };
    try {
      const give = (reply: CodeReply): Promise<void> => {
        journal?.add({ ...call, ...reply });
        return this.#give(call.id, reply);
      };
      await desk.answer(call.asked, journal?.toContext(call, own) ?? own, give, journal?.turnOf(call));
    } catch (reason) {
      if (reason instanceof RunProblem) this.#end(describeProblem(reason));
      else this.#reject(reason);
    }
  }

  /** Settles when the thread has taken the reply, if it is a large one. */
  async #give(id: number, reply: CodeReply): Promise<void> {
    if (this.#isEnded) return;
    this.#thread.postMessage({ id, reply } satisfies ToSandbox);
    if (reply.text.length <= sandboxLimits.largeReplyCharacters) return;
    await new Promise<void>((taken) => {
      this.#untaken.set(id, taken);
    });
    this.#untaken.delete(id);
  }

  /** The code ended by itself: calls that were sent and not awaited come to their end. */
  async #finish(end: RunEnd): Promise<void> {
    const { desk, deadline } = this.#options;
    const { unanswered } = desk;
    this.#isEnded = true;
    for (const taken of this.#untaken.values()) taken();
    await deadline.race(desk.close()).catch(() => {});
    this.#end(end, unanswered);
  }

  #end(end: RunEnd, unanswered: readonly string[] = this.#options.desk.unanswered): void {
    this.#resolve({ ...end, unanswered, log: this.#log });
  }
}
