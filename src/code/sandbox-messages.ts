/** What a thread with a sandbox is told, and tells: strings and numbers, never an object of the host's that code could reach. */

/** What a thread is started with. */
export interface SandboxSettings {
  /** Where quickjs-emscripten is. */
  readonly quickjs: string;
  /** Where sucrase is, which strips types; without it code is JavaScript. */
  readonly sucrase?: string | undefined;
  /** Source of the function that makes what code sees. */
  readonly prelude: string;
  /** The names below `api`. */
  readonly sources: readonly string[];
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** The sandbox itself refuses what is far beyond: as many calls, and as many reads of kept responses. */
  readonly maxCalls: number;
}

/** A call, and what the code asked by it, as the sandbox wrote it. */
export interface Asked {
  readonly id: number;
  readonly asked: string;
}

/** What a call of code resolves to: JSON text, or the message of its error. */
export interface CodeReply {
  readonly text: string;
  readonly isRefused: boolean;
}

/** Code to run. */
export interface SandboxJob {
  readonly code: string;
  /** JSON text of an object. */
  readonly state: string;
  /** What its clock says for the whole run; the real time where it is absent. */
  readonly frozenMs?: number | undefined;
  /** What it asked when it ran before. It must ask the same again, and gets the replies in their order, before any call leaves. */
  readonly before: readonly (Asked & Partial<CodeReply>)[];
}

export type ToSandbox = { readonly job: SandboxJob } | { readonly id: number; readonly reply: CodeReply };

/** A line of its log, at once; what the code has asked by the time that it has nothing to do; how it ended. */
export interface FromSandbox {
  readonly line?: string;
  readonly calls?: readonly Asked[];
  readonly end?: RunEnd | undefined;
}

/** How a run ended. */
export interface RunEnd {
  /** JSON text of what was returned; absent for `undefined`. */
  readonly value?: string | undefined;
  /** What the code threw; `line` is of the model's own code, from 1. */
  readonly thrown?: { readonly name: string; readonly message: string; readonly line?: number };
  /** The option whose limit ended it. */
  readonly limit?: "timeoutMs" | "cpuMs" | "memoryBytes";
  /** JSON text of `state`, `""` where it is none; absent where the code did not come to its end. */
  readonly state?: string;
  /** Whether it did something else than when it ran before. */
  readonly isOther?: boolean;
  /** Whether the sandbox can't be trusted with another run. */
  readonly isBroken?: boolean;
}
