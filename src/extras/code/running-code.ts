/** The nouns of one run of code: what the tool was created with, what the parts of the run share, and why it can't go on. */

import type { CallContext } from "../../core/base/runtime.js";
import type { ApprovalResult, Approve } from "../../core/call/slots.js";
import type { Deadline } from "../../core/http/deadline.js";
import type { ToolkitServices } from "../../toolkit/client/create-services.js";
import type { SourceClient } from "../../toolkit/client/source-client.js";
import type { SandboxSettings } from "./sandbox-messages.js";

export const codeToolName = "run_api_code";

export interface ApiCodeToolOptions {
  /**
   * Requests besides GET that may be sent: none, those that a person approves (in a LangGraph run with a checkpointer, or by the toolkit's `approver`), or
   * everything. Calls that the toolkit's own `approve` names wait for a person in any case.
   *
   * @default "refuse"
   */
  readonly writes?: "refuse" | "approve" | "allow" | undefined;
  /** The whole run with its calls; the time of a person, of `sleep` and `wait`, and the wait for other runs do not count. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** Computing alone. @default 10000 */
  readonly cpuMs?: number | undefined;
  /** The memory of the code. As many runs go on at once in a process as fit into 330 MB together, with 32 MB more for each. @default 128000000 */
  readonly memoryBytes?: number | undefined;
  /** Calls, descriptions and reads of kept responses. @default 200 */
  readonly maxCalls?: number | undefined;
  /** How many calls are under way at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** The budget of the answer. @default that of the toolkit, else 2000 */
  readonly maxTokens?: number | undefined;
}

/** The options with their defaults. */
export type CodeSettings = Pick<ApiCodeToolOptions, "maxTokens"> & {
  readonly [Name in Exclude<keyof ApiCodeToolOptions, "maxTokens">]-?: NonNullable<
    ApiCodeToolOptions[Name]
  >;
};

export interface CodeHost {
  readonly clients: readonly SourceClient[];
  readonly runtime: ToolkitServices;
  readonly sandbox: SandboxSettings;
  readonly settings: CodeSettings;
  /** The `approve` of the door that the tool is behind, which holds beside the toolkit's own. */
  readonly door?: Approve | undefined;
}

export interface RunningCode extends CodeHost {
  readonly code: string;
  readonly context: CallContext;
  /** The time of a person, of sleeps and of waits does not count. */
  readonly deadline: Deadline;
  /** From which confidential source to which other one the run may send what it has read. */
  readonly flows: {
    /** The names of those that a person opened. */
    readonly open: Set<string>;
    /** The questions of this run: calls at the same time share one. */
    readonly asked: Map<string, Promise<ApprovalResult | undefined>>;
  };
  /** The slugs of the sources that the run has read, in an earlier run, too, whose `state` it has. */
  readonly madeOf: Set<string>;
  /** Whether a call may stop the run for a person, so that what it did before is recorded. */
  readonly mayStop: boolean;
}

/** Why a run can't begin, or go on; in words for the model. */
export class RunProblem extends Error {
  /** @param code - For a program, such as `busy`. */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}
