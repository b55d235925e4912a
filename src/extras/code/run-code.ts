/** One run of code: a thread with a sandbox, the questions it asks, and every way in which it may end. */

import { readFileSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ApiSourceError } from "../../core/base/errors.js";
import type { CallContext } from "../../core/base/runtime.js";
import { isCancelled } from "../../core/http/deadline.js";
import type { CallDesk } from "./code-calls.js";
import { differentRun, type Journal } from "./journal.js";
import { prelude } from "./prelude.js";
import { type RunningCode, RunProblem } from "./running-code.js";
import { Sandbox } from "./sandbox.js";
import { SandboxExit } from "./sandbox-exit.js";
import {
  type Asked,
  type CodeReply,
  type FromSandbox,
  type RunEnd,
  type SandboxJob,
  type SandboxSettings,
  sandboxLimits,
  type ToSandbox,
} from "./sandbox-messages.js";

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

/**
 * Runs the code to its end, whatever that is. Rejects with what interrupts the run (a person has to decide), and with the reason of the
 * caller's signal.
 */
export async function runCode(options: RunToMake): Promise<CodeReport> {
  const { context, deadline, settings, desk, journal } = options;
  const thread = startSandbox(options.sandbox, options.job);
  /** Ends the calls of a run that is over. */
  const over = new AbortController();
  const { signal } = over;
  let watchdog: NodeJS.Timeout | undefined;
  const ended = new Promise<CodeReport>((resolve, reject) => {
    /** Large replies that the thread has not taken. */
    const untaken = new Map<number, () => void>();
    const log: string[] = [];
    let isFinished = false;
    const end = (how: RunEnd, unanswered: readonly string[] = desk.unanswered): void =>
      resolve({ ...how, unanswered, log });
    const stop = (reason: unknown): void =>
      reason instanceof RunProblem ? end(describeProblem(reason)) : reject(reason);
    /** Settles when the thread has taken the reply, if it is a large one. */
    const give = async (id: number, reply: CodeReply): Promise<void> => {
      if (isFinished) return;
      thread.postMessage({ id, reply } satisfies ToSandbox);
      if (reply.text.length <= sandboxLimits.largeReplyCharacters) return;
      await new Promise<void>((taken) => untaken.set(id, taken));
      untaken.delete(id);
    };
    const answer = (call: Asked): Promise<void> => {
      const own: CallContext = { ...context, signal };
      const giveNoted = (reply: CodeReply): Promise<void> => {
        journal?.add({ ...call, ...reply });
        return give(call.id, reply);
      };
      return desk.answer(
        call.asked,
        journal?.toContext(call, own) ?? own,
        giveNoted,
        journal?.turnOf(call),
      );
    };
    /** The code ended by itself: calls that were sent and not awaited come to their end. */
    const finish = async (how: RunEnd): Promise<void> => {
      const { unanswered } = desk;
      isFinished = true;
      for (const taken of untaken.values()) taken();
      await deadline.race(desk.close()).catch(() => {});
      end(how, unanswered);
    };
    thread.on("message", ({ line, calls = [], taken, end: how }: FromSandbox) => {
      if (signal.aborted) return;
      if (line !== undefined) log.push(line);
      if (taken !== undefined) untaken.get(taken)?.();
      // Where a limit ended the code, or it did something else, nothing of what it last asked is sent.
      if (how?.isOther === true) stop(new RunProblem(differentRun));
      else if (how?.limit === undefined) for (const call of calls) answer(call).catch(stop);
      if (how !== undefined) void finish(how);
    });
    const fail = (why: unknown): void => {
      const message = why instanceof Error ? why.message : "its thread ended";
      if (/memory/i.test(message)) end({ limit: "memoryBytes" });
      else stop(new RunProblem(`the sandbox ended: ${message}`));
    };
    thread.on("error", fail).on("exit", fail);
    const stopForTime = (): void =>
      isCancelled(deadline.callerSignal)
        ? reject(deadline.signal.reason)
        : end({ limit: "timeoutMs" });
    deadline.signal.addEventListener("abort", stopForTime, { once: true, signal });
    if (deadline.signal.aborted) stopForTime();
    // The sandbox keeps its time by itself; this is for what it can't interrupt.
    const { eventLoopUtilization } = thread.performance;
    const before = eventLoopUtilization();
    watchdog = setInterval(() => {
      if (eventLoopUtilization(before).active > settings.cpuMs + graceMs) end({ limit: "cpuMs" });
    }, watchMs);
  });
  try {
    return await ended;
  } finally {
    clearInterval(watchdog);
    over.abort(new DOMException("The run of code is over.", "TimeoutError"));
    // The next run begins when its memory is free again.
    await thread.terminate();
  }
}

/**
 * The text of the program of a thread. It is made of the classes themselves, not of a file beside this one, so that it is found in ESM, in
 * CommonJS, and where an application is bundled.
 */
const program = `(async () => {
  const { createRequire } = await import("node:module");
  const { parentPort, workerData } = await import("node:worker_threads");
  new (${String(Sandbox)})(parentPort, workerData, createRequire(workerData.quickjs), ${String(SandboxExit)});
})();`;

/** Compiled once in a process; Node's types don't contain it. */
let wasmModule: object | undefined;

function compile(quickjs: string): object {
  const { Module } = Reflect.get(globalThis, "WebAssembly");
  const file = modules.createRequire(quickjs).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return new Module(readFileSync(file));
}

/** A thread for one run: neither its memory nor what the code has changed reaches another one. */
function startSandbox(settings: SandboxSettings, job: SandboxJob): Worker {
  wasmModule ??= compile(settings.quickjs);
  return new Worker(program, {
    eval: true,
    workerData: { prelude, job, wasmModule, ...settings },
    name: "run_api_code",
    // Nothing of the process: no environment, no loaders. What WebAssembly prints when it aborts is not read: reading would keep the
    // process alive.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
}

/**
 * In a bundle, `import.meta.url` may be absent or name a file of another machine: there the packages are those of the program and of the
 * folder that it runs in. Bundlers replace a plain `createRequire(import.meta.url)`, and their banners use that name.
 *
 * @throws ApiSourceError `not_configured` where quickjs-emscripten is not installed.
 */
export function findPackages(): Pick<SandboxSettings, "quickjs" | "sucrase"> {
  const places: readonly (string | undefined)[] = [
    import.meta.url,
    process.argv[1],
    join(process.cwd(), "program.js"),
  ];
  const find = (name: string): string | undefined => {
    for (const place of places) {
      try {
        return modules.createRequire(place ?? "").resolve(name);
      } catch {
        // It is not installed there.
      }
    }
    return undefined;
  };
  const quickjs = find("quickjs-emscripten");
  if (quickjs !== undefined) return { quickjs, sucrase: find("sucrase") };
  throw new ApiSourceError({
    message: "run_api_code needs the package quickjs-emscripten.",
    category: "not_configured",
    hint: "Install it beside this one: npm install quickjs-emscripten sucrase.",
  });
}
