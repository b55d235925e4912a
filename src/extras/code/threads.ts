/** Threads that run sandboxes: started when needed, used again while they work. */

import * as modules from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ApiSourceError } from "../../core/base/errors.js";
import { prelude } from "./prelude.js";
import { Sandbox } from "./sandbox.js";
import { SandboxExit } from "./sandbox-exit.js";
import type { SandboxSettings } from "./sandbox-messages.js";

/** Threads of the whole process that wait for a run: an application may create a tool for each conversation, or each request. */
const maxIdle = 2;
const idleMs = 60_000;

interface IdleThread {
  /** Whose thread it is: it was started with that tool's sources and limits. */
  readonly owner: SandboxThreads;
  readonly timer: NodeJS.Timeout;
}

/** In the order in which they were released. */
const idle = new Map<Worker, IdleThread>();

function drop(thread: Worker): void {
  clearTimeout(idle.get(thread)?.timer);
  idle.delete(thread);
  void thread.terminate();
}

export interface SandboxThreads {
  take(): Worker;
  /** Keeps a thread for another run; neither it nor its timer keeps the process alive. */
  release(thread: Worker): void;
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

/** @throws ApiSourceError `not_configured` where quickjs-emscripten is not installed. */
export function createSandboxThreads(
  settings: Omit<SandboxSettings, "quickjs" | "sucrase" | "prelude">,
): SandboxThreads {
  const own: SandboxSettings = { ...findPackages(), prelude, ...settings };
  const threads: SandboxThreads = {
    take() {
      const [thread, known] = [...idle].find(([, { owner }]) => owner === threads) ?? [startThread(own)];
      idle.delete(thread);
      clearTimeout(known?.timer);
      thread.ref();
      return thread;
    },
    release(thread) {
      thread.unref();
      idle.set(thread, { owner: threads, timer: setTimeout(drop, idleMs, thread).unref() });
      for (const oldest of idle.keys()) if (idle.size > maxIdle) drop(oldest);
    },
  };
  return threads;
}

function startThread(workerData: SandboxSettings): Worker {
  const thread = new Worker(program, {
    eval: true,
    workerData,
    name: "run_api_code",
    // Nothing of the process: no environment, no loaders. What WebAssembly prints when it aborts is not read: reading would keep the
    // process alive.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  // One that ends between two runs is not taken again; without a listener its error would end the process.
  return thread.on("error", () => {}).on("exit", () => drop(thread));
}

/**
 * In a bundle, `import.meta.url` may be absent or name a file of another machine: there the packages are those of the program and of the
 * folder that it runs in. Bundlers replace a plain `createRequire(import.meta.url)`, and their banners use that name.
 */
function findPackages(): Pick<SandboxSettings, "quickjs" | "sucrase"> {
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
