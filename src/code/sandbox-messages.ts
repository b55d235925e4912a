/** What a run and its sandbox tell each other: strings and numbers, never an object of the host's that code could reach. */

import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from "quickjs-emscripten";

/** One run of code. */
export interface SandboxJob {
  readonly kind: "run";
  readonly code: string;
  /** The names below `api`. */
  readonly sources: readonly string[];
  /** JSON text of an object. */
  readonly state: string;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** The sandbox itself refuses what is far beyond: as many calls, and as many reads of kept responses. */
  readonly maxCalls: number;
  /** Of what is returned, as JSON. */
  readonly maxResultCharacters: number;
  /** What the clock of the sandbox says for the whole run; the real time where it is absent. */
  readonly frozenMs?: number;
}

/** The answer to one call of the code. */
export interface SandboxReply {
  readonly kind: "reply";
  readonly id: number;
  /** JSON text of what the call resolves to; the message of its error where it is refused. */
  readonly text: string;
  readonly isRefused: boolean;
}

/** What a piece of code threw. */
export interface ThrownByCode {
  readonly name: string;
  readonly message: string;
  /** The line of the model's own code, from 1. */
  readonly line?: number;
  /** The name that was looked for below `api` and is none. */
  readonly unknownSource?: string;
}

/** Which limit ended a run: names of the tool's options, but for the depth of calls, which has none. */
export type SandboxLimit = "timeoutMs" | "cpuMs" | "memoryBytes";

/** How a run ended. */
export interface SandboxEnd {
  readonly kind: "end";
  /** JSON text of what was returned; absent for `undefined`. */
  readonly value?: string | undefined;
  readonly thrown?: ThrownByCode;
  readonly limit?: SandboxLimit;
  /** JSON text of `state`, where it could be read; its parts are the sandbox's own words. */
  readonly state?: string;
  /** Whether the sandbox can't be trusted with another run. */
  readonly isBroken?: boolean;
}

export type FromSandbox =
  | { readonly kind: "call"; readonly id: number; readonly text: string }
  | { readonly kind: "log"; readonly text: string }
  /** Nothing is left to do until a reply comes. */
  | { readonly kind: "idle"; readonly usedMs: number }
  | SandboxEnd;

/** What a sandbox's thread is started with. */
export interface SandboxFiles {
  /** Where quickjs-emscripten is. */
  readonly quickjs: string;
  /** What the code of a run may hold. */
  readonly memoryBytes: number;
  /** Where sucrase is, which strips types; without it code is JavaScript. */
  readonly sucrase?: string;
  /** Source of the function that makes what code sees. */
  readonly prelude: string;
}

/** What is used of the package, which the thread loads itself. */
export interface QuickJsPackage {
  readonly RELEASE_SYNC: QuickJSSyncVariant;
  newVariant(
    base: QuickJSSyncVariant,
    options: { wasmModule: object; wasmMemory: object },
  ): QuickJSSyncVariant;
  newQuickJSWASMModule(variant: QuickJSSyncVariant): Promise<QuickJSWASMModule>;
}

/** The package that strips types. */
export interface Sucrase {
  transform(code: string, options: object): { code: string };
}

/** A QuickJS and the memory that it runs in. */
export interface Instance {
  readonly module: QuickJSWASMModule;
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly maxBytes: number;
}

/** One run, while it lasts. */
export interface Run {
  readonly job: SandboxJob;
  readonly runtime: QuickJSRuntime;
  readonly vm: QuickJSContext;
  readonly inside: QuickJSHandle;
  /** Whether its memory has been nearly full. */
  readonly wasFull: () => boolean;
  /** Calls without a reply. */
  waiting: number;
  usedMs: number;
  /** When QuickJS was entered. */
  sinceMs: number;
  isOverTime: boolean;
  end?: Omit<SandboxEnd, "kind">;
}
