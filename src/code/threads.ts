/** Threads that run sandboxes: started when needed, used again while they are sound. */

import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { ApiSourceError } from "../errors.js";
import { prelude } from "./prelude.js";
import { Sandbox } from "./sandbox.js";
import type { SandboxSettings } from "./sandbox-messages.js";

/** Threads that wait for a run: one conversation needs one. */
const maxIdle = 2;
const idleMs = 60_000;

export interface SandboxThreads {
  take(): Worker;
  /** Keeps a thread for another run; neither it nor its timer keeps the process alive. */
  release(thread: Worker): void;
}

/**
 * The text of the program of a thread. It is the class itself, not a file beside this one, so that it is found in ESM, in CommonJS, and
 * where an application is bundled.
 */
const program = `(async () => {
  const { createRequire } = await import("node:module");
  const { parentPort, workerData } = await import("node:worker_threads");
  new (${String(Sandbox)})(parentPort, workerData, createRequire(workerData.quickjs));
})();`;

/** @throws ApiSourceError `not_configured` where quickjs-emscripten is not installed. */
export function createSandboxThreads(
  settings: Omit<SandboxSettings, "quickjs" | "sucrase" | "prelude">,
): SandboxThreads {
  const own: SandboxSettings = { ...findPackages(), prelude, ...settings };
  const idle = new Map<Worker, NodeJS.Timeout>();
  const drop = (thread: Worker): void => {
    idle.delete(thread);
    void thread.terminate();
  };
  return {
    take() {
      const [thread, timer] = [...idle][0] ?? [startThread(own, drop)];
      idle.delete(thread);
      clearTimeout(timer);
      thread.ref();
      return thread;
    },
    release(thread) {
      thread.unref();
      if (idle.size >= maxIdle) return drop(thread);
      idle.set(thread, setTimeout(drop, idleMs, thread).unref());
    },
  };
}

function startThread(workerData: SandboxSettings, drop: (thread: Worker) => void): Worker {
  const thread = new Worker(program, {
    eval: true,
    workerData,
    name: "run_api_code",
    // Nothing of the process: no environment, no loaders. What WebAssembly prints when it aborts is read by nobody: reading would keep
    // the process alive.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // One that ends between two runs is not taken again; without a listener its error would end the process.
  return thread.on("error", () => {}).on("exit", () => drop(thread));
}

function findPackages(): Pick<SandboxSettings, "quickjs" | "sucrase"> {
  const { resolve } = createRequire(import.meta.url);
  const find = (name: string): string | undefined => {
    try {
      return resolve(name);
    } catch {
      return undefined;
    }
  };
  const quickjs = find("quickjs-emscripten");
  if (quickjs !== undefined) return { quickjs, sucrase: find("sucrase") };
  throw new ApiSourceError({
    message: "run_api_code needs the package quickjs-emscripten.",
    category: "not_configured",
    hint: "Install it beside this one: npm install quickjs-emscripten sucrase.",
  });
}
