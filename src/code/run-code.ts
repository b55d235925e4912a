/** One run of code: a thread with a sandbox, the calls it asks for, and every way in which it may end. */

import type { Worker } from "node:worker_threads";
import type { CallContext } from "../runtime.js";
import { type Deadline, isCancelled } from "../transport/deadline.js";
import type { CallDesk } from "./code-calls.js";
import type { Replay } from "./replay.js";
import type { FromSandbox, RunEnd, ToSandbox } from "./sandbox.js";
import type { SandboxThreads } from "./threads.js";

const maxLogLines = 200;
const maxLogCharacters = 20_000;
/** What the interpreter may take over its time before the thread is ended: native functions (`repeat`, `sort`) are not interrupted. */
const graceMs = 1_000;
const watchMs = 200;

export interface CodeRunOptions {
  readonly threads: SandboxThreads;
  readonly job: ToSandbox & { readonly kind: "run" };
  readonly cpuMs: number;
  readonly desk: CallDesk;
  readonly deadline: Deadline;
  readonly context: CallContext;
  /** Absent where the run can't stop for a person. */
  readonly replay: Replay | undefined;
}

export interface CodeReport extends RunEnd {
  readonly log: readonly string[];
  /** Lines that came when there were too many. */
  readonly unshownLines: number;
  /** Calls without an answer when the code ended. */
  readonly unanswered: number;
}

/**
 * Runs the code to its end, whatever that is. Rejects with what interrupts the run (a person has to decide), and with the reason of whoever
 * cancels it.
 */
export function runCode(options: CodeRunOptions): Promise<CodeReport> {
  return new Promise((resolve, reject) => {
    new CodeRun(options, resolve, reject).start();
  });
}

class CodeRun {
  readonly #options: CodeRunOptions;
  readonly #resolve: (report: CodeReport) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #thread: Worker;
  /** Ends the calls of a run that is over. */
  readonly #stop = new AbortController();
  readonly #log: string[] = [];
  #logCharacters = 0;
  #unshownLines = 0;
  #isOver = false;
  /** Messages that the sandbox has not worked off. */
  #pending = 0;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(
    options: CodeRunOptions,
    resolve: (report: CodeReport) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#thread = options.threads.take();
  }

  start(): void {
    const { job, deadline } = this.#options;
    this.#thread.on("message", this.#listen).on("error", this.#break).on("exit", this.#break);
    deadline.signal.addEventListener("abort", this.#stopForTime, { once: true });
    this.#watch();
    if (deadline.signal.aborted) this.#stopForTime();
    else this.#tell(job);
  }

  /** The sandbox keeps its time by itself; this is for what it can't interrupt. */
  #watch(): void {
    const { eventLoopUtilization } = this.#thread.performance;
    const before = eventLoopUtilization();
    this.#watchdog = setInterval(() => {
      if (eventLoopUtilization(before).active > this.#options.cpuMs + graceMs)
        this.#end({ limit: "cpuMs", isBroken: true });
    }, watchMs);
  }

  readonly #stopForTime = (): void => {
    const { deadline } = this.#options;
    if (isCancelled(deadline.callerSignal)) this.#fail(deadline.signal.reason);
    else this.#end({ limit: "timeoutMs", isBroken: true });
  };

  readonly #break = (why: unknown): void => {
    const message = why instanceof Error ? why.message : "its thread ended";
    if (/memory/i.test(message)) this.#end({ limit: "memoryBytes", isBroken: true });
    else this.#endByProblem(`the sandbox ended: ${message}`);
  };

  readonly #listen = (message: FromSandbox): void => {
    if (message.kind === "call") void this.#answer(message.id, message.text);
    else if (message.kind === "log") this.#addLine(message.text);
    else if (message.kind === "idle") {
      this.#pending -= 1;
      if (this.#pending === 0) this.#checkReplay(false);
    } else {
      const { kind: _kind, ...end } = message;
      if (end.limit === undefined) this.#checkReplay(true);
      void this.#finish(end);
    }
  };

  async #answer(id: number, text: string): Promise<void> {
    const { desk, context, replay } = this.#options;
    const own: CallContext = { ...context, signal: this.#stop.signal };
    try {
      const reply =
        replay === undefined
          ? await desk.make(text, own)
          : await replay.answer(id, text, () => desk.make(text, replay.toContext(id, text, own)));
      if (!this.#isOver) this.#tell({ kind: "reply", id, ...reply });
    } catch (reason) {
      if (replay?.problem === undefined) this.#fail(reason);
      else this.#endByProblem(replay.problem);
    }
  }

  #tell(message: ToSandbox): void {
    this.#pending += 1;
    this.#thread.postMessage(message);
  }

  #addLine(line: string): void {
    if (this.#log.length < maxLogLines && this.#logCharacters < maxLogCharacters) this.#log.push(line);
    else this.#unshownLines += 1;
    this.#logCharacters += line.length;
  }

  #checkReplay(isOver: boolean): void {
    const { replay } = this.#options;
    replay?.check(isOver);
    if (replay?.problem !== undefined) this.#endByProblem(replay.problem);
  }

  /** The code ended by itself: what it has sent and not waited for is let come to its end. */
  async #finish(end: RunEnd): Promise<void> {
    const { desk, deadline } = this.#options;
    clearInterval(this.#watchdog);
    const { unanswered } = desk;
    await deadline.race(desk.close()).catch(() => {});
    this.#end(end, unanswered);
  }

  #endByProblem(message: string): void {
    this.#end({ thrown: { name: "", message }, isBroken: true });
  }

  #end(end: RunEnd, unanswered: number = this.#options.desk.unanswered): void {
    if (!this.#close(end.isBroken !== true)) return;
    this.#resolve({ ...end, log: this.#log, unshownLines: this.#unshownLines, unanswered });
  }

  #fail(reason: unknown): void {
    if (this.#close(false)) this.#reject(reason);
  }

  /** @returns whether the run was still on */
  #close(isSound: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearInterval(this.#watchdog);
    this.#options.deadline.signal.removeEventListener("abort", this.#stopForTime);
    this.#thread.off("message", this.#listen).off("error", this.#break).off("exit", this.#break);
    if (isSound) this.#options.threads.release(this.#thread);
    else void this.#thread.terminate();
    this.#stop.abort(new DOMException("The run of code is over.", "TimeoutError"));
    return true;
  }
}
