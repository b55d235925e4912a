/** The thread's side of a sandbox: runs one piece of code after the other, each in a QuickJS of its own. */

import type { MessagePort } from "node:worker_threads";
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten";
import type {
  FromSandbox,
  Instance,
  QuickJsPackage,
  Run,
  SandboxEnd,
  SandboxFiles,
  SandboxJob,
  SandboxReply,
  Sucrase,
  ThrownByCode,
} from "./sandbox-messages.js";

/**
 * A thread is started with the text of this class (`startThread`), so that no file has to be found, in ESM, in CommonJS and in a bundle: it
 * may use nothing of this module but types.
 *
 * Each run has a WebAssembly instance of its own, which is dropped with it: no run finds anything of another, and whatever state the
 * last one left its memory in, the next starts from nothing.
 */
export class Sandbox {
  readonly #port: MessagePort;
  readonly #files: SandboxFiles;
  readonly #load: NodeJS.Require;
  #wasmModule: object | undefined;
  #spare: Promise<Instance>;
  #run: Run | undefined;
  readonly #now: () => number = Date.now;

  constructor(port: MessagePort, files: SandboxFiles, load: NodeJS.Require) {
    this.#port = port;
    this.#files = files;
    this.#load = load;
    this.#spare = this.#instantiate();
    port.on("message", (message: SandboxJob | SandboxReply) => {
      if (message.kind === "run") void this.#start(message);
      else this.#enter((run) => this.#settle(run, message));
    });
  }

  async #instantiate(): Promise<Instance> {
    const quickjs: QuickJsPackage = this.#load(this.#files.quickjs);
    // Compiled once; Node's types don't know it.
    const { Module, Memory } = Reflect.get(globalThis, "WebAssembly");
    if (this.#wasmModule === undefined) {
      const [{ readFileSync }, { createRequire }] = [this.#load("node:fs"), this.#load("node:module")];
      const file = createRequire(this.#files.quickjs).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
      this.#wasmModule = new Module(readFileSync(file)) as object;
    }
    // QuickJS counts no bytes here (it has no `malloc_usable_size`): what holds is that its memory can't grow. 16 MiB are its own.
    const pages = 256 + Math.ceil(this.#files.memoryBytes / 65_536);
    const maximum = Math.min(pages, 32_768);
    const wasmMemory: Instance["memory"] = new Memory({ initial: 256, maximum });
    const options = { wasmModule: this.#wasmModule, wasmMemory };
    const module = await quickjs.newQuickJSWASMModule(quickjs.newVariant(quickjs.RELEASE_SYNC, options));
    return { module, memory: wasmMemory, maxBytes: maximum * 65_536 };
  }

  async #start(job: SandboxJob): Promise<void> {
    try {
      const { module, memory, maxBytes } = await this.#spare;
      // QuickJS asks it for `Date`, and for the seed of `Math.random`.
      Date.now = job.frozenMs === undefined ? this.#now : () => job.frozenMs ?? 0;
      const runtime = module.newRuntime();
      runtime.setMemoryLimit(job.memoryBytes);
      runtime.setMaxStackSize(256 * 1024);
      const vm = runtime.newContext();
      const inside = this.#prepare(vm, job);
      // It never shrinks: when it has been nearly full, something was lost for want of it.
      const wasFull = (): boolean => memory.buffer.byteLength > maxBytes * 0.9;
      const counts = { waiting: 0, usedMs: 0, sinceMs: 0, isOverTime: false };
      const run: Run = { job, runtime, vm, inside, wasFull, ...counts };
      this.#run = run;
      runtime.setInterruptHandler(() => this.#isOverTime(run));
      this.#enter(() => this.#begin(run));
    } catch (error) {
      this.#post({ kind: "end", ...this.#describeBreak(error), isBroken: true });
    }
    // While the caller reads the answer, the next run's instance is made.
    this.#spare = this.#instantiate();
    this.#spare.catch(() => {});
  }

  /** Everything that runs code comes through here: it is timed, its jobs are done, and it ends in one message. */
  #enter(step: (run: Run) => void): void {
    const run = this.#run;
    if (run === undefined) return;
    run.sinceMs = performance.now();
    try {
      step(run);
      while (run.end === undefined && run.runtime.hasPendingJob() && !this.#isOverTime(run))
        run.runtime.executePendingJobs(100).dispose();
      if (run.isOverTime) run.end = { limit: "cpuMs" };
      const unsettled = "the code waits for a promise that nothing can settle any more";
      if (run.end === undefined && run.waiting === 0)
        run.end = run.wasFull()
          ? { limit: "memoryBytes", isBroken: true }
          : this.#describeThrown({ message: unsettled });
    } catch (error) {
      const how = run.isOverTime ? { limit: "cpuMs" as const } : this.#describeBreak(error);
      run.end = { ...how, isBroken: true };
    }
    run.usedMs += performance.now() - run.sinceMs;
    if (run.end === undefined) this.#post({ kind: "idle", usedMs: run.usedMs });
    else this.#finish(run, run.end);
  }

  /** An error that came through WebAssembly: of QuickJS (then it has its name and message), or because its stack is used up. */
  #describeBreak(error: unknown): Pick<SandboxEnd, "thrown" | "limit"> {
    const { name, message, cause } = Object(error);
    const inner = Object(cause);
    return this.#describeThrown(typeof inner.message === "string" ? inner : { name, message });
  }

  #isOverTime(run: Run): boolean {
    if (run.usedMs + performance.now() - run.sinceMs > run.job.cpuMs) run.isOverTime = true;
    return run.isOverTime;
  }

  #finish(run: Run, end: Omit<SandboxEnd, "kind">): void {
    this.#run = undefined;
    const state = end.limit === undefined && end.isBroken !== true ? this.#readState(run) : undefined;
    this.#post({ kind: "end", ...end, ...(state === undefined ? {} : { state }) });
  }

  /** Undefined where it can't be written as JSON. */
  #readState(run: Run): string | undefined {
    const { vm, inside } = run;
    run.sinceMs = performance.now();
    try {
      const text = vm.unwrapResult(vm.callFunction(vm.getProp(inside, "readState"), vm.undefined));
      return vm.typeof(text) === "string" ? vm.getString(text) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Makes the globals; gives the prelude's own functions. */
  #prepare(vm: QuickJSContext, job: SandboxJob): QuickJSHandle {
    const end = (how: Omit<SandboxEnd, "kind">): void => {
      if (this.#run !== undefined) this.#run.end ??= how;
    };
    const read = (text: QuickJSHandle | undefined): string | undefined =>
      text !== undefined && vm.typeof(text) === "string" ? vm.getString(text) : undefined;
    const hostFunctions: Record<string, (...given: QuickJSHandle[]) => void> = {
      send: (id, text) => {
        if (this.#run === undefined || id === undefined) return;
        this.#run.waiting += 1;
        this.#post({ kind: "call", id: vm.getNumber(id), text: read(text) ?? "{}" });
      },
      log: (text) => this.#post({ kind: "log", text: read(text) ?? "" }),
      finish: (text) => {
        const value = read(text);
        if (value === undefined || value.length <= job.maxResultCharacters) return end({ value });
        const size = `${Math.round(value.length / 1e6)} MB as JSON, and ${job.maxResultCharacters / 1e6} MB is the most`;
        end({ thrown: { name: "", message: `what the code returned has ${size}: return less` } });
      },
      fail: (text) => end(this.#describeThrown(JSON.parse(read(text) ?? "{}"))),
    };
    const functions = Object.entries(hostFunctions).map(([name, take]) =>
      vm.newFunction(name, (...given) => {
        take(...given);
      }),
    );
    const make = vm.unwrapResult(vm.evalCode(this.#files.prelude, "prelude.js"));
    const names = vm.unwrapResult(vm.evalCode(`(${JSON.stringify(job.sources)})`));
    const given = [...functions, names, vm.newString(job.state), vm.newNumber(2 * job.maxCalls)];
    return vm.unwrapResult(vm.callFunction(make, vm.undefined, ...given));
  }

  #begin(run: Run): void {
    const { vm, inside, job } = run;
    const compiled = this.#compile(run, job.code);
    if ("thrown" in compiled) run.end ??= compiled;
    else vm.unwrapResult(vm.callFunction(vm.getProp(inside, "run"), vm.undefined, compiled.code)).dispose();
  }

  /** As it is, else without its types: what is JavaScript needs no transform. */
  #compile(run: Run, code: string): { code: QuickJSHandle } | { thrown: ThrownByCode } {
    // On one line with the code: the lines of an error are the model's own.
    const wrapped = `(async () => {${code}\n})`;
    const asJavaScript = this.#evaluate(run, wrapped);
    const isWrong = "thrown" in asJavaScript && asJavaScript.thrown.name === "SyntaxError";
    if (!isWrong || this.#files.sucrase === undefined) return asJavaScript;
    try {
      const { transform }: Sucrase = this.#load(this.#files.sucrase);
      const options = { transforms: ["typescript"], disableESTransforms: true };
      return this.#evaluate(run, transform(wrapped, options).code);
    } catch (error) {
      const told = error instanceof Error ? error.message : "";
      const [, message = told, line] = /^(?:.*: )?(.*) \((\d+):\d+\)$/.exec(told) ?? [];
      return {
        thrown: { name: "SyntaxError", message, ...(line === undefined ? {} : { line: Number(line) }) },
      };
    }
  }

  #evaluate({ vm }: Run, text: string): { code: QuickJSHandle } | { thrown: ThrownByCode } {
    const result = vm.evalCode(text, "code.js");
    if (result.error === undefined) return { code: result.value };
    const { thrown } = this.#describeThrown(Object(vm.dump(result.error)));
    return { thrown: thrown ?? { name: "SyntaxError", message: "" } };
  }

  #settle(run: Run, { id, text, isRefused }: SandboxReply): void {
    const { vm, inside } = run;
    run.waiting -= 1;
    const given = vm.newString(text);
    const settle = vm.getProp(inside, "settle");
    const flag = isRefused ? vm.true : vm.false;
    vm.unwrapResult(vm.callFunction(settle, vm.undefined, vm.newNumber(id), given, flag)).dispose();
    // The text counts as memory of the code, which has its value by now.
    given.dispose();
  }

  /** What the prelude, or QuickJS, says of an error. */
  #describeThrown({
    name,
    message,
    stack,
    unknownSource,
  }: Record<string, unknown>): Pick<SandboxEnd, "thrown" | "limit"> {
    if (name === "InternalError" && message === "out of memory") return { limit: "memoryBytes" };
    const [, line] = /\bcode\.js:(\d+)/.exec(typeof stack === "string" ? stack : "") ?? [];
    return {
      thrown: {
        name: typeof name === "string" ? name : "",
        message: typeof message === "string" ? message : "",
        ...(line === undefined ? {} : { line: Number(line) }),
        ...(typeof unknownSource === "string" ? { unknownSource } : {}),
      },
    };
  }

  #post(message: FromSandbox): void {
    this.#port.postMessage(message);
  }
}
