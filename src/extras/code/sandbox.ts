/** The thread's side of a sandbox: runs one piece of code in a QuickJS of its own. */

import type { MessagePort } from "node:worker_threads";
import type * as QuickJs from "quickjs-emscripten";
import type { SandboxExit } from "./sandbox-exit.js";
import type {
  Asked,
  CodeReply,
  FromSandbox,
  RunEnd,
  SandboxStart,
  ToSandbox,
} from "./sandbox-messages.js";

interface Run {
  readonly vm: QuickJs.QuickJSContext;
  /** How much of the memory that it may have is in use, from 0 to 1; it never shrinks. */
  readonly fullness: () => number;
  /** Calls a function of the prelude. */
  readonly call: (name: "run" | "settle" | "stop", ...given: QuickJs.QuickJSHandle[]) => void;
  readonly exit: SandboxExit;
  readonly before: (Asked & Partial<CodeReply>)[];
  leftMs: number;
  /** When its time is up, while it computes. */
  untilMs: number;
}

/**
 * A thread is started with the text of this class, so that no file has to be found, in ESM, in CommonJS and in a bundle: it may use nothing
 * of this module but types.
 */
export class Sandbox {
  readonly #port: MessagePort;
  readonly #start: SandboxStart;
  readonly #load: NodeJS.Require;
  readonly #Exit: typeof SandboxExit;
  /** Undefined before it begins, and when it is over. */
  #run: Run | undefined;

  constructor(
    port: MessagePort,
    start: SandboxStart,
    load: NodeJS.Require,
    Exit: typeof SandboxExit,
  ) {
    [this.#port, this.#start, this.#load, this.#Exit] = [port, start, load, Exit];
    const now = Date.now;
    // QuickJS reads it for `Date`, and for the seed of `Math.random`.
    Date.now = () => this.#run?.exit.frozenMs ?? start.job.frozenMs ?? now();
    port.on("message", ({ id, reply }: ToSandbox) =>
      this.#enter((run) => this.#settle(run, id, reply)),
    );
    this.#open().then(
      (run) => {
        this.#run = run;
        this.#enter(() => this.#begin(run, start.job.code));
      },
      (error) => this.#post({ end: this.#describeBreak(error) }),
    );
  }

  async #open(): Promise<Run> {
    const { quickjs: path, wasmModule, limits, job } = this.#start;
    const quickjs: typeof QuickJs = this.#load(path);
    // Node's types don't contain it.
    const { Memory } = Reflect.get(globalThis, "WebAssembly");
    // QuickJS counts no bytes here (it has no `malloc_usable_size`): the limit is that its memory can't grow. 16 MiB are its own.
    const maximum = Math.min(256 + Math.ceil(limits.memoryBytes / 65_536), 32_768);
    const wasmMemory = new Memory({ initial: 256, maximum });
    const variant = quickjs.newVariant(quickjs.RELEASE_SYNC, { wasmModule, wasmMemory });
    const module = await quickjs.newQuickJSWASMModule(variant);
    const vm = module.newContext();
    vm.runtime.setMemoryLimit(limits.memoryBytes);
    vm.runtime.setMaxStackSize(256 * 1024);
    const run: Run = {
      vm,
      fullness: () => wasmMemory.buffer.byteLength / (maximum * 65_536),
      call: this.#prepare(vm, job.state),
      exit: new this.#Exit(vm, limits, (message) => this.#post(message), job.frozenMs),
      before: [...job.before],
      leftMs: limits.cpuMs,
      untilMs: 0,
    };
    vm.runtime.setInterruptHandler(() => this.#isOverTime(run));
    return run;
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
      if (this.#isOverTime(run)) run.exit.end = { limit: "cpuMs" };
      else if (run.exit.end === undefined && run.exit.waiting === 0) {
        // Something was lost for want of memory.
        if (run.fullness() > 0.9) run.exit.end = { limit: "memoryBytes" };
        else run.call("stop");
      }
    } catch (error) {
      const how =
        run.fullness() > 0.9 ? { limit: "memoryBytes" as const } : this.#describeBreak(error);
      run.exit.end = this.#isOverTime(run) ? { limit: "cpuMs" } : how;
    }
    // QuickJS throws null where it has no memory left for the error.
    if (run.exit.end?.thrown?.message === "null" && run.fullness() > 0.8)
      run.exit.end = { limit: "memoryBytes" };
    run.leftMs = run.untilMs - performance.now();
    const calls = run.exit.takeAsked();
    const { end } = run.exit;
    if (end !== undefined) {
      this.#run = undefined;
      this.#post({ calls, end });
    } else if (calls.length > 0) this.#post({ calls });
  }

  #doJobs(run: Run): void {
    while (run.exit.end === undefined && run.vm.runtime.hasPendingJob() && !this.#isOverTime(run))
      run.vm.runtime.executePendingJobs(100).dispose();
  }

  #isOverTime(run: Run): boolean {
    return performance.now() > run.untilMs;
  }

  /** Gives code that ran before its next reply. When it has nothing to do, or is over, it must have asked for that. */
  #giveNext(run: Run): boolean {
    const next = run.before.shift();
    if (next === undefined || this.#isOverTime(run)) return false;
    if (run.exit.end !== undefined || !run.exit.hasAsked(next)) {
      run.exit.end = { isOther: true };
      return false;
    }
    const { id, text, isRefused = false } = next;
    if (text === undefined) return true;
    this.#settle(run, id, { text, isRefused });
    return true;
  }

  #prepare(vm: QuickJs.QuickJSContext, state: string): Run["call"] {
    const send = vm.newFunction("send", (...given) => {
      const answer = this.#run?.exit.hear(given);
      if (answer === undefined) return undefined;
      return typeof answer === "number" ? vm.newNumber(answer) : vm.newString(answer);
    });
    const { prelude, sources, hidden = [] } = this.#start;
    const make = vm.unwrapResult(vm.evalCode(prelude, "prelude.js"));
    const names = vm.unwrapResult(vm.evalCode(`(${JSON.stringify({ sources, hidden })})`));
    const inside = vm.unwrapResult(
      vm.callFunction(make, vm.undefined, send, names, vm.newString(state)),
    );
    return (name, ...values) =>
      vm.unwrapResult(vm.callFunction(vm.getProp(inside, name), vm.undefined, ...values)).dispose();
  }

  /** As it is, else without its types: what is JavaScript needs no transform. */
  #begin(run: Run, code: string): void {
    // On one line with the code: the lines of an error are the model's own.
    const wrapped = `(async () => {${code}\n})`;
    const { sucrase } = this.#start;
    this.#evaluate(run, wrapped);
    if (run.exit.end?.isUnread !== true || sucrase === undefined) return;
    try {
      const options = { transforms: ["typescript"], disableESTransforms: true };
      const loadsMs = performance.now();
      const { transform } = this.#load(sucrase);
      // It takes 100 ms, in each run's thread anew, and none of them is the code's.
      run.untilMs += performance.now() - loadsMs;
      const { code: text } = transform(wrapped, options);
      run.exit.end = undefined;
      this.#evaluate(run, text);
    } catch (error) {
      const given = error instanceof Error ? error.message : "";
      const [, message = given, line] = /^(?:.*: )?(.*) \((\d+):\d+\)$/.exec(given) ?? [];
      const stack = line && `code.js:${line}`;
      const end = this.#Exit.describeThrown({ name: "SyntaxError", message, stack });
      run.exit.end = { ...end, isUnread: true };
    }
  }

  /** Starts the code, unless it can't. */
  #evaluate(run: Run, text: string): void {
    const result = run.vm.evalCode(text, "code.js");
    if (result.error === undefined) {
      run.call("run", result.value);
      return;
    }
    const end = this.#Exit.describeThrown(Object(run.vm.dump(result.error)));
    run.exit.end = { ...end, isUnread: end.thrown?.name === "SyntaxError" };
  }

  #settle(run: Run, id: number, { text, isRefused }: CodeReply): void {
    const { vm } = run;
    if (text.length > this.#start.limits.largeReplyCharacters) this.#post({ taken: id });
    run.exit.settle(id);
    const given = vm.newString(text);
    run.call("settle", vm.newNumber(id), given, isRefused ? vm.true : vm.false);
    // The text counts as memory of the code, which has its value by now.
    given.dispose();
  }

  /** An error that came through WebAssembly: of QuickJS (then it has its name and message), or because its stack is used up. */
  #describeBreak(error: unknown): RunEnd {
    const { name, message, cause } = Object(error);
    const inner = Object(cause);
    return this.#Exit.describeThrown(typeof inner.message === "string" ? inner : { name, message });
  }

  #post(message: FromSandbox): void {
    this.#port.postMessage(message);
  }
}
