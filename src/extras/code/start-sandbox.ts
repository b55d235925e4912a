/** The thread of one run of code: the program that it is started with, its WebAssembly, and the packages that these need. */

import { readFileSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ApiSourceError } from "../../core/base/errors.js";
import { prelude } from "./prelude.js";
import { Sandbox } from "./sandbox.js";
import { SandboxExit } from "./sandbox-exit.js";
import type { SandboxJob, SandboxSettings } from "./sandbox-messages.js";

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
export function startSandbox(settings: SandboxSettings, job: SandboxJob): Worker {
  wasmModule ??= compile(settings.quickjs);
  return new Worker(program, {
    eval: true,
    workerData: { prelude, job, wasmModule, ...settings },
    name: "run_api_code",
    // Nothing of the process: no environment, no loaders. No one reads the lines that WebAssembly prints when it aborts: reading would keep
    // the process alive.
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
