/** What the methods of a toolkit take, and the check of it: a misspelt option would have no effect. */

import {
  aBoolean,
  anAbortSignal,
  aText,
  atLeast,
  checkOwnOptions,
  type OptionRule,
  oneOf,
} from "../option-rules.js";
import type { InterruptOptions } from "./interrupt-on.js";

export interface TestConnectionsOptions {
  /** How many sources are tested at the same time. @default all */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GetToolsOptions {
  /**
   * `"view"`: answers within the budget, for a model. `"whole"`: for code that calls the tools (an interpreter, programmatic tool calling):
   * nothing is shortened or kept, all pages of a list are followed, and an integer beyond 2^53 is a string.
   *
   * @default "view"
   */
  readonly answers?: "view" | "whole" | undefined;
  /** As the option of that name, for these tools alone: `false` for tools that an interpreter calls. @default the toolkit's option */
  readonly interrupts?: boolean | undefined;
}

export interface ReadResponseOptions {
  /** A JMESPath over the whole kept body. */
  readonly select?: string | undefined;
  /** The thread the response was kept in. @default the toolkit's own scope */
  readonly threadId?: string | undefined;
}

export interface ReadFileOptions {
  /** The thread the file was kept in. @default the toolkit's own scope */
  readonly threadId?: string | undefined;
}

interface OptionsByMethod {
  readonly getTools: GetToolsOptions;
  readonly testConnections: TestConnectionsOptions;
  readonly interruptOn: InterruptOptions;
  readonly readResponse: ReadResponseOptions;
  readonly readFile: ReadFileOptions;
}

/** One rule per option: the compiler finds an option without one. */
const rules: {
  readonly [Method in keyof OptionsByMethod]: Record<keyof OptionsByMethod[Method], OptionRule>;
} = {
  getTools: {
    answers: oneOf("view", "whole"),
    interrupts: aBoolean,
  },
  testConnections: {
    concurrency: atLeast(1),
    signal: anAbortSignal,
  },
  interruptOn: {
    reads: {
      allows: (value) => Array.isArray(value) && value.every((read) => typeof read === "string"),
      expected: 'a list of calls, such as ["POST /search"]',
    },
  },
  readResponse: { select: aText, threadId: aText },
  readFile: { threadId: aText },
};

/** @throws ApiSourceError `not_configured`, code `wrong_options`, that lists every problem with its fix */
export function checkToolkitOptions<Method extends keyof OptionsByMethod>(
  method: Method,
  options: OptionsByMethod[Method],
): void {
  checkOwnOptions(method, options, rules[method]);
}
