/** One run of code: a thread with a sandbox, the calls it asks for, and every way in which it may end. */

import type { CallContext } from "../runtime.js";
import { createDeadline, type Deadline, isCancelled } from "../transport/deadline.js";
import type { CallDesk } from "./code-calls.js";
import type { FromThread, SandboxThread, SandboxThreads } from "./create-threads.js";
import type { Replay } from "./replay.js";
import type { SandboxEnd, SandboxJob } from "./sandbox-messages.js";

export interface CodeRunOptions {
  readonly threads: SandboxThreads;
  readonly job: SandboxJob;
  readonly desk: CallDesk;
  readonly deadline: Deadline;
  readonly context: CallContext;
  /** Absent where the run can't stop for a person. */
  readonly replay: Replay | undefined;
}

export interface CodeReport extends Omit<SandboxEnd, "kind"> {
  readonly log: readonly string[];
  /** Lines that came when there were too many. */
  readonly unshownLines: number;
  /** Calls without an answer when the code ended. */
  readonly unanswered: number;
}

const maxLogLines = 200;
const maxLogCharacters = 20_000;
/** What the interpreter may take over its time before the thread is ended: native functions (`repeat`, `sort`) are not interrupted. */
const graceMs = 1_000;

/**
 * Runs the code to its end, whatever that is. Rejects with what interrupts the run (a person has to decide), and with the reason of whoever
 * cancels it.
 */
export function runCode(options: CodeRunOptions): Promise<CodeReport> {
  return new Promise((resolve, reject) => {
    const run = new CodeRun(options, resolve, reject);
    run.start();
  });
}

class CodeRun {
  readonly #options: CodeRunOptions;
  readonly #resolve: (report: CodeReport) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #thread: SandboxThread;
  /** Ends the calls of a run that is over. */
  readonly #stop = new AbortController();
  readonly #log: string[] = [];
  #logCharacters = 0;
  #unshownLines = 0;
  #isOver = false;
  /** Messages that the sandbox has not worked off. */
  #pending = 0;
  #usedMs = 0;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(
    options: CodeRunOptions,
    resolve: (report: CodeReport) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#thread = options.threads.take((message) => this.#listen(message));
  }

  start(): void {
    const { signal } = this.#options.deadline;
    signal.addEventListener("abort", this.#stopForTime, { once: true });
    if (signal.aborted) this.#stopForTime();
    else this.#tell(this.#options.job);
  }

  readonly #stopForTime = (): void => {
    const { deadline } = this.#options;
    if (isCancelled(deadline.callerSignal)) this.#fail(deadline.signal.reason);
    else this.#end({ limit: "timeoutMs", isBroken: true });
  };

  #listen(message: FromThread): void {
    switch (message.kind) {
      case "call":
        void this.#answer(message.id, message.text);
        return;
      case "log":
        this.#addLine(message.text);
        return;
      case "idle":
        this.#pending -= 1;
        this.#usedMs = message.usedMs;
        this.#watch();
        if (this.#pending === 0) this.#checkReplay(false);
        return;
      case "end": {
        const { kind: _kind, ...end } = message;
        if (end.limit === undefined) this.#checkReplay(true);
        void this.#finish(end);
        return;
      }
      case "broken":
        this.#end(
          /memory/i.test(message.why)
            ? { limit: "memoryBytes", isBroken: true }
            : { thrown: { name: "", message: `the sandbox ended: ${message.why}` }, isBroken: true },
        );
    }
  }

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
      else this.#endByReplay(replay.problem);
    }
  }

  #tell(message: Parameters<SandboxThread["tell"]>[0]): void {
    this.#pending += 1;
    this.#thread.tell(message);
    if (this.#pending === 1) this.#watch();
  }

  /** The sandbox keeps its time by itself; this is for what it can't interrupt. */
  #watch(): void {
    clearTimeout(this.#watchdog);
    if (this.#pending === 0) return;
    const leftMs = Math.max(0, this.#options.job.cpuMs - this.#usedMs) + graceMs;
    this.#watchdog = setTimeout(() => {
      const { usedMs, pending } = { usedMs: this.#usedMs, pending: this.#pending };
      // This thread itself may have been late: what the sandbox has said meanwhile is read first.
      setImmediate(() => {
        if (this.#usedMs === usedMs && this.#pending === pending)
          this.#end({ limit: "cpuMs", isBroken: true });
      });
    }, leftMs);
  }

  #addLine(line: string): void {
    if (this.#log.length < maxLogLines && this.#logCharacters < maxLogCharacters) this.#log.push(line);
    else this.#unshownLines += 1;
    this.#logCharacters += line.length;
  }

  /** The code ended by itself: what it has sent and not waited for is let come to its end. */
  async #finish(end: Omit<SandboxEnd, "kind">): Promise<void> {
    const { desk, deadline } = this.#options;
    clearTimeout(this.#watchdog);
    const { unanswered } = desk;
    await deadline.race(desk.close()).catch(() => {});
    this.#end(end, unanswered);
  }

  #end(end: Omit<SandboxEnd, "kind">, unanswered: number = this.#options.desk.unanswered): void {
    if (!this.#close(end.isBroken !== true)) return;
    this.#resolve({ ...end, log: this.#log, unshownLines: this.#unshownLines, unanswered });
  }

  #checkReplay(isOver: boolean): void {
    const { replay } = this.#options;
    replay?.check(isOver);
    if (replay?.problem !== undefined) this.#endByReplay(replay.problem);
  }

  #endByReplay(message: string): void {
    this.#end({ thrown: { name: "", message }, isBroken: true });
  }

  #fail(reason: unknown): void {
    if (this.#close(false)) this.#reject(reason);
  }

  /** @returns whether the run was still on */
  #close(isSound: boolean): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#watchdog);
    this.#options.deadline.signal.removeEventListener("abort", this.#stopForTime);
    if (isSound) this.#thread.release();
    else this.#thread.end();
    this.#stop.abort(new DOMException("The run of code is over.", "TimeoutError"));
    return true;
  }
}

/** The deadline of a run, and a way to stop it while a person decides. */
export function createRunDeadline(options: Parameters<typeof createDeadline>[0]): {
  deadline: Deadline;
  onWait: (isWaiting: boolean) => void;
} {
  const deadline = createDeadline(options);
  let waiting = 0;
  let goOn: () => void = () => {};
  const onWait = (isWaiting: boolean): void => {
    waiting += isWaiting ? 1 : -1;
    if (waiting === 0) goOn();
    else if (isWaiting && waiting === 1)
      deadline
        .pause(
          new Promise<void>((resolve) => {
            goOn = resolve;
          }),
        )
        .catch(() => {});
  };
  return { deadline, onWait };
}
