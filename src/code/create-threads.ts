/** Threads that run sandboxes: started when needed, used again while they are sound, ended when they are not. */

import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { ApiSourceError } from "../errors.js";
import { prelude } from "./prelude.js";
import { Sandbox } from "./sandbox.js";
import type { FromSandbox, SandboxFiles, SandboxJob, SandboxReply } from "./sandbox-messages.js";

/** A thread that is taken for one run. */
export interface SandboxThread {
  /** Gives it something to do. What it says goes to `listen` of `take`. */
  tell(message: SandboxJob | SandboxReply): void;
  /** Ends it, whatever it does. */
  end(): void;
  /** Gives it back for another run. */
  release(): void;
}

/** What a thread says; `broken` when it ended by itself. */
export type FromThread = FromSandbox | { readonly kind: "broken"; readonly why: string };

export interface SandboxThreads {
  take(listen: (message: FromThread) => void): SandboxThread;
}

/** Threads that wait for a run: one conversation needs one. */
const maxIdle = 2;
const idleMs = 60_000;

/**
 * The text of the program of a thread. It is the class itself, not a file beside this one, so that it is found in ESM, in CommonJS, and
 * where an application is bundled.
 */
const program = `(async () => {
  const { createRequire } = await import("node:module");
  const { parentPort, workerData } = await import("node:worker_threads");
  new (${String(Sandbox)})(parentPort, workerData, createRequire(workerData.quickjs));
})();`;

/**
 * @param memoryBytes - What the code of one run may hold.
 * @throws ApiSourceError `not_configured` where quickjs-emscripten is not installed.
 */
export function createSandboxThreads(memoryBytes: number): SandboxThreads {
  const files = { ...findFiles(), memoryBytes };
  const idle: Thread[] = [];
  const drop = (thread: Thread): void => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    void thread.worker.terminate();
  };
  return {
    take(listen) {
      const thread = idle.pop() ?? startThread(files, drop);
      const { worker } = thread;
      clearTimeout(thread.timer);
      worker.ref();
      thread.listen = listen;
      const leave = (): boolean => {
        const isOurs = thread.listen === listen;
        if (isOurs) thread.listen = undefined;
        return isOurs;
      };
      return {
        tell: (message) => worker.postMessage(message),
        end() {
          if (leave()) drop(thread);
        },
        release() {
          if (!leave()) return;
          // Neither keeps the process alive.
          worker.unref();
          thread.timer = setTimeout(drop, idleMs, thread).unref();
          if (idle.length < maxIdle) idle.push(thread);
          else drop(thread);
        },
      };
    },
  };
}

interface Thread {
  readonly worker: Worker;
  /** The run that has it. */
  listen?: ((message: FromThread) => void) | undefined;
  timer?: NodeJS.Timeout;
}

function startThread(files: SandboxFiles, drop: (thread: Thread) => void): Thread {
  const thread: Thread = { worker: startWorker(files) };
  const fail = (why: string): void => {
    const { listen } = thread;
    thread.listen = undefined;
    drop(thread);
    listen?.({ kind: "broken", why });
  };
  thread.worker.on("message", (message) => thread.listen?.(message));
  thread.worker.on("error", (error) => fail(error.message));
  thread.worker.on("exit", () => fail("the thread ended"));
  return thread;
}

function startWorker(files: SandboxFiles): Worker {
  return new Worker(program, {
    eval: true,
    workerData: files,
    name: "run_api_code",
    // Nothing of the process: no environment, no loaders. What WebAssembly prints when it aborts is read by nobody: reading would keep
    // the process alive.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
}

function findFiles(): Omit<SandboxFiles, "memoryBytes"> {
  const { resolve } = createRequire(import.meta.url);
  const find = (name: string): string | undefined => {
    try {
      return resolve(name);
    } catch {
      return undefined;
    }
  };
  const quickjs = find("quickjs-emscripten");
  const sucrase = find("sucrase");
  if (quickjs === undefined)
    throw new ApiSourceError({
      message: "run_api_code needs the package quickjs-emscripten.",
      category: "not_configured",
      hint: "Install it beside this one: npm install quickjs-emscripten sucrase.",
    });
  return { quickjs, prelude, ...(sucrase === undefined ? {} : { sucrase }) };
}
