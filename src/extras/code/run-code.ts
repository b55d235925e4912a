/** One run of code: a thread with a sandbox, the questions it asks, and every way in which it may end. */

import type { Worker } from "node:worker_threads";
import type { CallContext } from "../../core/base/runtime.js";
import { isCancelled } from "../../core/http/deadline.js";
import type { CallDesk } from "./code-calls.js";
import { differentRun, type ReplayLog } from "./replay-log.js";
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

/** Time that the interpreter may take over its own before the thread is ended: native functions (`repeat`, `sort`) are not interrupted. */
const graceMs = 1_000;
const watchMs = 200;

interface RunToMake extends RunningCode {
  readonly job: SandboxJob;
  readonly desk: CallDesk;
  /** Absent where the run can't stop for a person. */
  readonly replayLog: ReplayLog | undefined;
}

export interface CodeReport extends RunEnd {
  readonly log: readonly string[];
  /** Calls without an answer when the code ended. */
  readonly unanswered: readonly string[];
  /** Sentences for the reader beside it. */
  readonly notes?: readonly string[];
}

/** The end of a run, or of one that was not begun, which is not an error of the code's own. */
export function describeProblem({ message, code }: RunProblem): RunEnd {
  return { thrown: { name: "", message }, code };
}

/**
 * Runs the code to its end, whatever that is. Rejects with what interrupts the run (a person has to decide), and with the reason of the
 * caller's signal.
 */
export async function runCode(options: RunToMake): Promise<CodeReport> {
  const thread = startSandbox(options.sandbox, options.job);
  /** Ends the calls of a run that is over. */
  const over = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const run = createCurrentRun(options, thread, over.signal, { resolve, reject });
      followThread(run);
      limitTime(run);
      limitComputing(run);
    });
  } finally {
    over.abort(new DOMException("The run of code is over.", "TimeoutError"));
    // The next run begins when its memory is free again.
    await thread.terminate();
  }
}

/** A run that goes on: its thread, and every way in which it may end. The first end counts. */
interface CurrentRun {
  readonly options: RunToMake;
  readonly thread: Worker;
  readonly replies: Replies;
  /** Aborted when the run is over. */
  readonly signal: AbortSignal;
  readonly log: string[];
  /** @param unanswered - Calls without an answer. @default those of now */
  end(how: RunEnd, unanswered?: readonly string[]): void;
  /** Ends the run with a problem; any other reason interrupts it. */
  stop(reason: unknown): void;
  interrupt(reason: unknown): void;
}

interface Settlement {
  readonly resolve: (report: CodeReport) => void;
  readonly reject: (reason: unknown) => void;
}

function createCurrentRun(
  options: RunToMake,
  thread: Worker,
  signal: AbortSignal,
  { resolve, reject }: Settlement,
): CurrentRun {
  const log: string[] = [];
  const end: CurrentRun["end"] = (how, unanswered = options.desk.unanswered) =>
    resolve({ ...how, unanswered, log });
  return {
    options,
    thread,
    replies: createReplies(thread),
    signal,
    log,
    end,
    stop: (reason) =>
      reason instanceof RunProblem ? end(describeProblem(reason)) : reject(reason),
    interrupt: reject,
  };
}

/** Replies on their way to the code. */
interface Replies {
  /** Settles when the thread has taken the reply, if it is a large one. */
  give(id: number, reply: CodeReply): Promise<void>;
  /** The thread has taken a large reply. */
  confirm(id: number): void;
  /** Gives no more replies: the code is not there to take them. */
  close(): void;
}

function createReplies(thread: Worker): Replies {
  const untaken = new Map<number, () => void>();
  let isClosed = false;
  return {
    async give(id, reply) {
      if (isClosed) return;
      thread.postMessage({ id, reply } satisfies ToSandbox);
      if (reply.text.length <= sandboxLimits.largeReplyCharacters) return;
      await new Promise<void>((taken) => untaken.set(id, taken));
      untaken.delete(id);
    },
    confirm: (id) => untaken.get(id)?.(),
    close() {
      isClosed = true;
      for (const taken of untaken.values()) taken();
    },
  };
}

function followThread(run: CurrentRun): void {
  const { thread, replies, signal, log } = run;
  thread.on("message", ({ line, calls = [], taken, end }: FromSandbox) => {
    if (signal.aborted) return;
    if (line !== undefined) log.push(line);
    if (taken !== undefined) replies.confirm(taken);
    // After a limit, and after a step that differs from the earlier run, the last questions of the code are not sent.
    if (end?.isOther === true) run.stop(new RunProblem(differentRun));
    else if (end?.limit === undefined) answerAll(run, calls);
    if (end !== undefined) void finish(run, end);
  });
  const fail = (reason: unknown): void => {
    const message = reason instanceof Error ? reason.message : "its thread ended";
    if (/memory/i.test(message)) run.end({ limit: "memoryBytes" });
    else run.stop(new RunProblem(`the sandbox ended: ${message}`));
  };
  thread.on("error", fail).on("exit", fail);
}

function answerAll(run: CurrentRun, calls: readonly Asked[]): void {
  for (const call of calls) answer(run, call).catch(run.stop);
}

function answer({ options, replies, signal }: CurrentRun, call: Asked): Promise<void> {
  const { desk, replayLog } = options;
  const own: CallContext = { ...options.context, signal };
  const context = replayLog?.toContext(call, own) ?? own;
  const give = (reply: CodeReply): Promise<void> => {
    replayLog?.add({ ...call, ...reply });
    return replies.give(call.id, reply);
  };
  return desk.answer(call.asked, context, give, replayLog?.turnOf(call));
}

/** The code ended by itself: calls that were sent and not awaited come to their end. */
async function finish({ options, replies, end }: CurrentRun, how: RunEnd): Promise<void> {
  const { desk, deadline } = options;
  const { unanswered } = desk;
  replies.close();
  await deadline.race(desk.close()).catch(() => {});
  end(how, unanswered);
}

function limitTime({ options, signal, end, interrupt }: CurrentRun): void {
  const { deadline } = options;
  const stopForTime = (): void => {
    if (isCancelled(deadline.callerSignal)) interrupt(deadline.signal.reason);
    else end({ limit: "timeoutMs" });
  };
  deadline.signal.addEventListener("abort", stopForTime, { once: true, signal });
  if (deadline.signal.aborted) stopForTime();
}

/** The sandbox limits its computing by itself; this is for native functions, which it can't interrupt. */
function limitComputing({ options, thread, signal, end }: CurrentRun): void {
  const { eventLoopUtilization } = thread.performance;
  const before = eventLoopUtilization();
  const mostMs = options.settings.cpuMs + graceMs;
  const watchdog = setInterval(() => {
    if (eventLoopUtilization(before).active > mostMs) end({ limit: "cpuMs" });
  }, watchMs);
  signal.addEventListener("abort", () => clearInterval(watchdog), { once: true });
}
