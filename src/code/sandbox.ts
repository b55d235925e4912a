/** The thread's side of a sandbox: runs one piece of code after the other, each in a QuickJS of its own. */

import type { MessagePort } from "node:worker_threads";
import type * as QuickJs from "quickjs-emscripten";
import type {
  Asked,
  CodeReply,
  FromSandbox,
  RunEnd,
  SandboxJob,
  SandboxSettings,
  ToSandbox,
} from "./sandbox-messages.js";

interface Run {
  readonly vm: QuickJs.QuickJSContext;
  /** Whether its memory has been nearly full: it never shrinks, and something was lost for want of it. */
  readonly wasFull: () => boolean;
  /** Calls a function of the prelude. */
  readonly call: (name: "run" | "settle" | "stop", ...given: QuickJs.QuickJSHandle[]) => void;
  readonly before: (Asked & Partial<CodeReply>)[];
  /** Calls that have not left. */
  asked: Asked[];
  /** Calls without a reply. */
  waiting: number;
  leftMs: number;
  /** When its time is up, while it computes. */
  untilMs: number;
  end: RunEnd | undefined;
}

/**
 * A thread is started with the text of this class, so that no file has to be found, in ESM, in CommonJS and in a bundle: it may use nothing
 * of this module but types.
 *
 * Each run has a WebAssembly instance of its own, which is dropped with it: no run finds anything of another, and whatever state the
 * last one left its memory in, the next starts from nothing.
 */
export class Sandbox {
  readonly #port: MessagePort;
  readonly #settings: SandboxSettings;
  readonly #load: NodeJS.Require;
  #wasmModule: object | undefined;
  #run: Run | undefined;
  readonly #now: () => number = Date.now;

  constructor(port: MessagePort, settings: SandboxSettings, load: NodeJS.Require) {
    this.#port = port;
    this.#settings = settings;
    this.#load = load;
    port.on("message", (message: ToSandbox) => {
      if ("job" in message) void this.#start(message.job);
      else this.#enter((run) => this.#settle(run, message.id, message.reply));
    });
  }

  async #instantiate(): Promise<{ module: QuickJs.QuickJSWASMModule; wasFull: Run["wasFull"] }> {
    const quickjs: typeof QuickJs = this.#load(this.#settings.quickjs);
    // Compiled once; Node's types don't know it.
    const { Module, Memory } = Reflect.get(globalThis, "WebAssembly");
    if (this.#wasmModule === undefined) {
      const [{ readFileSync }, { createRequire }] = [this.#load("node:fs"), this.#load("node:module")];
      const file = createRequire(this.#settings.quickjs).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
      this.#wasmModule = new Module(readFileSync(file)) as object;
    }
    // QuickJS counts no bytes here (it has no `malloc_usable_size`): what holds is that its memory can't grow. 16 MiB are its own.
    const maximum = Math.min(256 + Math.ceil(this.#settings.memoryBytes / 65_536), 32_768);
    const wasmMemory = new Memory({ initial: 256, maximum });
    const variant = { wasmModule: this.#wasmModule, wasmMemory };
    const module = await quickjs.newQuickJSWASMModule(quickjs.newVariant(quickjs.RELEASE_SYNC, variant));
    return { module, wasFull: () => wasmMemory.buffer.byteLength > maximum * 65_536 * 0.9 };
  }

  async #start({ code, state, frozenMs, before }: SandboxJob): Promise<void> {
    try {
      const { module, wasFull } = await this.#instantiate();
      // QuickJS asks it for `Date`, and for the seed of `Math.random`.
      Date.now = frozenMs === undefined ? this.#now : () => frozenMs;
      const vm = module.newContext();
      vm.runtime.setMemoryLimit(this.#settings.memoryBytes);
      vm.runtime.setMaxStackSize(256 * 1024);
      const call = this.#prepare(vm, state);
      const time = { leftMs: this.#settings.cpuMs, untilMs: 0 };
      const run: Run = {
        vm,
        wasFull,
        call,
        before: [...before],
        asked: [],
        waiting: 0,
        end: undefined,
        ...time,
      };
      this.#run = run;
      vm.runtime.setInterruptHandler(() => this.#isOverTime(run));
      this.#enter(() => this.#begin(run, code));
    } catch (error) {
      this.#post({ end: { ...this.#describeBreak(error), isBroken: true } });
    }
  }

  /** Everything that runs code comes through here: it is timed, its jobs are done, and what came of it leaves in one message. */
  #enter(step: (run: Run) => void): void {
    const run = this.#run;
    if (run === undefined) return;
    run.untilMs = performance.now() + run.leftMs;
    try {
      step(run);
      this.#doJobs(run);
      while (this.#giveNext(run)) this.#doJobs(run);
      if (this.#isOverTime(run)) run.end = { limit: "cpuMs" };
      else if (run.end === undefined && run.waiting === 0) {
        if (run.wasFull()) run.end = { limit: "memoryBytes", isBroken: true };
        else run.call("stop");
      }
    } catch (error) {
      const how: RunEnd = this.#isOverTime(run) ? { limit: "cpuMs" } : this.#describeBreak(error);
      run.end = { ...how, isBroken: true };
    }
    run.leftMs = run.untilMs - performance.now();
    const { asked: calls, end } = run;
    run.asked = [];
    if (end !== undefined) this.#run = undefined;
    if (end !== undefined || calls.length > 0) this.#post({ calls, end });
  }

  #doJobs(run: Run): void {
    while (run.end === undefined && run.vm.runtime.hasPendingJob() && !this.#isOverTime(run))
      run.vm.runtime.executePendingJobs(100).dispose();
  }

  #isOverTime(run: Run): boolean {
    return performance.now() > run.untilMs;
  }

  /** Gives code that ran before what it got next. When it has nothing to do, or is over, it must have asked for that. */
  #giveNext(run: Run): boolean {
    const next = run.before.shift();
    if (next === undefined || this.#isOverTime(run)) return false;
    const isAsked = run.asked.some(({ id, asked }) => id === next.id && asked === next.asked);
    if (run.end !== undefined || !isAsked) {
      run.end = { isOther: true };
      return false;
    }
    const { id, text, isRefused = false } = next;
    if (text === undefined) return true;
    run.asked = run.asked.filter((each) => each.id !== id);
    this.#settle(run, id, { text, isRefused });
    return true;
  }

  /** Makes the globals; gives the prelude's own functions. */
  #prepare(vm: QuickJs.QuickJSContext, state: string): Run["call"] {
    const tell = vm.newFunction("tell", (...given) => {
      // Code may have put its own in the place of what the prelude uses: nothing but strings and numbers comes through.
      const [kind, text, more] = given.map((each) =>
        ["string", "number"].includes(vm.typeof(each)) ? vm.dump(each) : undefined,
      );
      const run = this.#run;
      if (run === undefined) return;
      if (kind === "log") this.#post({ line: String(text) });
      else if (kind === "call") {
        run.waiting += 1;
        run.asked.push({ id: more, asked: text });
      } else {
        const how = kind === "value" ? { value: text } : this.#describeThrown(JSON.parse(text));
        run.end ??= { ...how, state: more };
      }
    });
    const { prelude, sources, maxCalls } = this.#settings;
    const make = vm.unwrapResult(vm.evalCode(prelude, "prelude.js"));
    const names = vm.unwrapResult(vm.evalCode(`(${JSON.stringify(sources)})`));
    const given = [tell, names, vm.newString(state), vm.newNumber(2 * maxCalls)];
    const inside = vm.unwrapResult(vm.callFunction(make, vm.undefined, ...given));
    return (name, ...values) =>
      vm.unwrapResult(vm.callFunction(vm.getProp(inside, name), vm.undefined, ...values)).dispose();
  }

  /** As it is, else without its types: what is JavaScript needs no transform. */
  #begin(run: Run, code: string): void {
    // On one line with the code: the lines of an error are the model's own.
    const wrapped = `(async () => {${code}\n})`;
    const { sucrase } = this.#settings;
    this.#evaluate(run, wrapped);
    if (run.end?.thrown?.name !== "SyntaxError" || sucrase === undefined) return;
    try {
      const options = { transforms: ["typescript"], disableESTransforms: true };
      const { code: text } = this.#load(sucrase).transform(wrapped, options);
      run.end = undefined;
      this.#evaluate(run, text);
    } catch (error) {
      const told = error instanceof Error ? error.message : "";
      const [, message = told, line] = /^(?:.*: )?(.*) \((\d+):\d+\)$/.exec(told) ?? [];
      run.end = { thrown: { name: "SyntaxError", message, ...(line && { line: Number(line) }) } };
    }
  }

  /** Starts the code, unless it can't. */
  #evaluate(run: Run, text: string): void {
    const result = run.vm.evalCode(text, "code.js");
    if (result.error === undefined) run.call("run", result.value);
    else run.end = this.#describeThrown(Object(run.vm.dump(result.error)));
  }

  #settle(run: Run, id: number, { text, isRefused }: CodeReply): void {
    const { vm } = run;
    run.waiting -= 1;
    const given = vm.newString(text);
    run.call("settle", vm.newNumber(id), given, isRefused ? vm.true : vm.false);
    // The text counts as memory of the code, which has its value by now.
    given.dispose();
  }

  /** What the prelude, or QuickJS, says of an error. */
  #describeThrown({ name = "", message = "", stack }: Record<string, unknown>): RunEnd {
    if (name === "InternalError" && message === "out of memory") return { limit: "memoryBytes" };
    const [, line] = /\bcode\.js:(\d+)/.exec(String(stack)) ?? [];
    return { thrown: { name: String(name), message: String(message), ...(line && { line: Number(line) }) } };
  }

  /** An error that came through WebAssembly: of QuickJS (then it has its name and message), or because its stack is used up. */
  #describeBreak(error: unknown): RunEnd {
    const { name, message, cause } = Object(error);
    const inner = Object(cause);
    return this.#describeThrown(typeof inner.message === "string" ? inner : { name, message });
  }

  #post(message: FromSandbox): void {
    this.#port.postMessage(message);
  }
}
