/** One run of code: a thread with a sandbox, the calls it asks for, and every way in which it may end. */

import type { Worker } from "node:worker_threads";
import type { CallContext } from "../runtime.js";
import { isCancelled } from "../transport/deadline.js";
import type { CallDesk } from "./code-calls.js";
import { differentRun, type Journal } from "./journal.js";
import { type RunningCode, RunProblem } from "./running-code.js";
import type { Asked, FromSandbox, RunEnd, SandboxJob, ToSandbox } from "./sandbox-messages.js";

const maxLogLines = 200;
const maxLogCharacters = 20_000;
/** What the interpreter may take over its time before the thread is ended: native functions (`repeat`, `sort`) are not interrupted. */
const graceMs = 1_000;
const watchMs = 200;

interface RunParts {
  readonly job: SandboxJob;
  readonly desk: CallDesk;
  /** Absent where the run can't stop for a person. */
  readonly journal: Journal | undefined;
}

interface Ended extends RunEnd {
  /** Calls without an answer when the code ended. */
  readonly unanswered: number;
}

export interface CodeReport extends Ended {
  readonly log: readonly string[];
  /** Lines that came when there were too many. */
  readonly unshownLines: number;
}

/** The end of a run, or of one that was not begun, that is no error of the code's own. */
export function describeProblem(message: string): RunEnd {
  return { thrown: { name: "", message }, isBroken: true };
}

/**
 * Runs the code to its end, whatever that is. Rejects with what interrupts the run (a person has to decide), and with the reason of whoever
 * cancels it.
 */
export function runCode(running: RunningCode, parts: RunParts): Promise<CodeReport> {
  return new CodeRun({ ...running, ...parts }).run();
}

class CodeRun {
  readonly #options: RunningCode & RunParts;
  readonly #thread: Worker;
  /** Ends the calls of a run that is over. */
  readonly #over = new AbortController();
  readonly #log: string[] = [];
  #logCharacters = 0;
  #unshownLines = 0;
  readonly #ended: Promise<Ended>;
  #resolve: (end: Ended) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(options: RunningCode & RunParts) {
    this.#options = options;
    this.#thread = options.threads.take();
    this.#ended = new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
  }

  async run(): Promise<CodeReport> {
    const { threads, job, deadline } = this.#options;
    const thread = this.#thread;
    thread.on("message", this.#listen).on("error", this.#break).on("exit", this.#break);
    deadline.signal.addEventListener("abort", this.#stopForTime, { once: true });
    const watchdog = setInterval(this.#watch(), watchMs);
    let isSound = false;
    try {
      if (deadline.signal.aborted) this.#stopForTime();
      else this.#tell({ job });
      const end = await this.#ended;
      isSound = end.isBroken !== true;
      return { ...end, log: this.#log, unshownLines: this.#unshownLines };
    } finally {
      clearInterval(watchdog);
      deadline.signal.removeEventListener("abort", this.#stopForTime);
      thread.off("message", this.#listen).off("error", this.#break).off("exit", this.#break);
      this.#over.abort(new DOMException("The run of code is over.", "TimeoutError"));
      if (isSound) threads.release(thread);
      else void thread.terminate();
    }
  }

  /** The sandbox keeps its time by itself; this is for what it can't interrupt. */
  #watch(): () => void {
    const { eventLoopUtilization } = this.#thread.performance;
    const before = eventLoopUtilization();
    return () => {
      const isOver = eventLoopUtilization(before).active > this.#options.settings.cpuMs + graceMs;
      if (isOver) this.#end({ limit: "cpuMs", isBroken: true });
    };
  }

  readonly #stopForTime = (): void => {
    const { deadline } = this.#options;
    if (isCancelled(deadline.callerSignal)) this.#reject(deadline.signal.reason);
    else this.#end({ limit: "timeoutMs", isBroken: true });
  };

  readonly #break = (why: unknown): void => {
    const message = why instanceof Error ? why.message : "its thread ended";
    if (/memory/i.test(message)) this.#end({ limit: "memoryBytes", isBroken: true });
    else this.#end(describeProblem(`the sandbox ended: ${message}`));
  };

  readonly #listen = ({ line, calls = [], end }: FromSandbox): void => {
    if (line !== undefined) this.#addLine(line);
    // Where a limit ended the code, or it did something else, nothing of what it last asked is sent.
    if (end?.isOther === true) this.#end(describeProblem(differentRun));
    else if (end?.limit === undefined) for (const call of calls) void this.#answer(call);
    if (end !== undefined) void this.#finish(end);
  };

  async #answer(call: Asked): Promise<void> {
    const { desk, context, journal } = this.#options;
    const own: CallContext = { ...context, signal: this.#over.signal };
    try {
      const reply = await desk.make(call.asked, journal?.toContext(call, own) ?? own);
      journal?.add({ ...call, ...reply });
      if (!this.#over.signal.aborted) this.#tell({ id: call.id, reply });
    } catch (reason) {
      if (reason instanceof RunProblem) this.#end(describeProblem(reason.message));
      else this.#reject(reason);
    }
  }

  #tell(message: ToSandbox): void {
    this.#thread.postMessage(message);
  }

  #addLine(line: string): void {
    if (this.#log.length < maxLogLines && this.#logCharacters < maxLogCharacters) this.#log.push(line);
    else this.#unshownLines += 1;
    this.#logCharacters += line.length;
  }

  /** The code ended by itself: what it has sent and not waited for is let come to its end. */
  async #finish(end: RunEnd): Promise<void> {
    const { desk, deadline } = this.#options;
    const { unanswered } = desk;
    await deadline.race(desk.close()).catch(() => {});
    this.#end(end, unanswered);
  }

  #end(end: RunEnd, unanswered: number = this.#options.desk.unanswered): void {
    this.#resolve({ ...end, unanswered });
  }
}
