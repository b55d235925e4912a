/** The messages between the host and the thread of a sandbox: strings and numbers, never an object of the host that code could reach. */

/**
 * The limits of every sandbox that are not options: what a run may send out. The host works on all of it in its event loop (parsing,
 * redaction, the view), so that each bound is as large as fits into half a second of that work.
 */
export const sandboxLimits = {
  maxQuestionCharacters: 1_000_000,
  /** The sum of all questions without a reply. */
  maxOpenCharacters: 20_000_000,
  maxLogCharacters: 20_000,
  /** The overhead that a line counts besides its own characters. */
  lineCharacters: 50,
  maxResultCharacters: 5_000_000,
  /** The members of one object of the result: a view of more of them would block the host. */
  maxResultMembers: 20_000,
  maxStateCharacters: 100_000,
  /** A reply of more characters is confirmed, so that large replies never wait in the thread's queue. */
  largeReplyCharacters: 65_536,
};

/** The thread enforces these by itself, outside of QuickJS: code can't change it, and can't fill the host with what the host would refuse. */
export type SandboxLimits = Readonly<typeof sandboxLimits> & {
  /** Computing alone. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** Calls, reads of kept responses, descriptions and sleeps of one run. */
  readonly maxQuestions: number;
};

/** The settings that the sandboxes of a tool share. */
export interface SandboxSettings {
  /** The file of quickjs-emscripten. */
  readonly quickjs: string;
  /** The file of sucrase, which strips types; without it code is JavaScript. */
  readonly sucrase?: string;
  /** The names below `api`. */
  readonly sources: readonly string[];
  /** Slugs that the run may not use: no list names one, and its calls are refused. @default none */
  readonly hidden?: readonly string[];
  readonly limits: SandboxLimits;
}

/** A question of the code (a call, a read, a sleep), as JSON text that the sandbox wrote. */
export interface Asked {
  readonly id: number;
  readonly asked: string;
}

/** The reply to a question: JSON text, or the message of its error. */
export interface CodeReply {
  readonly text: string;
  readonly isRefused: boolean;
}

/** The data that a thread is started with. */
export interface SandboxStart extends SandboxSettings {
  /** Source of the function that makes what code sees. */
  readonly prelude: string;
  readonly wasmModule: object;
  readonly job: SandboxJob;
}

/** Code to run. */
export interface SandboxJob {
  readonly code: string;
  /** JSON text of an object. */
  readonly state: string;
  /** The time of the clock of the whole run, which only `sleep` advances; the real time where it is absent. */
  readonly frozenMs?: number;
  /** The questions of an earlier run of the same code. It must ask the same again, and receives the replies in their order, before any call is sent. */
  readonly before: readonly (Asked & Partial<CodeReply>)[];
}

/** The reply to a question. */
export interface ToSandbox {
  readonly id: number;
  readonly reply: CodeReply;
}

/** A line of the log, at once; the questions that the code asked until it had nothing to do; the large reply that was taken; how the run ended. */
export interface FromSandbox {
  readonly line?: string;
  readonly calls?: readonly Asked[];
  readonly taken?: number;
  readonly end?: RunEnd;
}

/** How a run ended. */
export interface RunEnd {
  /** JSON text of what was returned; absent for `undefined`. */
  readonly value?: string;
  /** The error that the code threw; `line` is of the model's own code, from 1. */
  readonly thrown?: { readonly name: string; readonly message: string; readonly line?: number };
  /** Whether the code is no program: nothing of it ran. */
  readonly isUnread?: boolean;
  /** The option whose limit ended it. */
  readonly limit?: "timeoutMs" | "cpuMs" | "memoryBytes";
  /** JSON text of `state`, `""` where it can't be kept; absent where the code did not come to its end. */
  readonly state?: string;
  /** Why it did not go on, for a program; such as `busy`. */
  readonly code?: string;
  /** Whether it did something else than when it ran before. */
  readonly isOther?: boolean;
}
