/** The nouns of one run of code: what the tool was made with, and what the run's parts share. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { SourceClient } from "../client/create-source-client.js";
import type { CallContext } from "../runtime.js";
import type { Deadline } from "../transport/deadline.js";
import type { SandboxThreads } from "./threads.js";

export const codeToolName = "run_api_code";

export interface ApiCodeToolOptions {
  /**
   * What may be sent beside GET: nothing, what a person approves (in a LangGraph run with a checkpointer, or by the toolkit's `approver`), or
   * everything. Calls that the toolkit's own `approve` names wait for a person in any case.
   *
   * @default "refuse"
   */
  readonly writes?: "refuse" | "approve" | "allow";
  /** The whole run, waits for the APIs included, and for a person not. @default 60000 */
  readonly timeoutMs?: number;
  /** Computing alone. @default 10000 */
  readonly cpuMs?: number;
  /** What the code may hold. @default 128000000 */
  readonly memoryBytes?: number;
  /** @default 200 */
  readonly maxCalls?: number;
  /** How many calls are under way at the same time. @default 8 */
  readonly concurrency?: number;
  /** The budget of the answer. @default that of the toolkit, else 2000 */
  readonly maxTokens?: number;
}

/** The options with their defaults. */
export type CodeSettings = Required<Omit<ApiCodeToolOptions, "maxTokens">> &
  Pick<ApiCodeToolOptions, "maxTokens">;

export interface CodeHost {
  readonly clients: readonly SourceClient[];
  readonly runtime: ClientRuntime;
  readonly threads: SandboxThreads;
  readonly settings: CodeSettings;
}

export interface RunningCode extends CodeHost {
  readonly code: string;
  readonly context: CallContext;
  /** A person's time does not count. */
  readonly deadline: Deadline;
}

/** Why a run can't begin, or go on; in words for the model. */
export class RunProblem extends Error {}
