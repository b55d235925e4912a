/** What the methods of a toolkit take. */

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
  /**
   * `false`: optional members may be left out, which saves a model 80 tokens per definition and 28 per call. `true`: every member is required, and
   * null means absent; strict modes of providers need it. What is accepted is the same.
   *
   * @default true
   */
  readonly strict?: boolean | undefined;
  /** As the option of that name, for these tools alone: `false` for tools that an interpreter calls. @default the toolkit's option */
  readonly interrupts?: boolean | undefined;
}

export interface ReadFileOptions {
  /** The thread that it was kept in. @default the toolkit's own scope */
  readonly threadId?: string | undefined;
}

export interface ReadResponseOptions extends ReadFileOptions {
  /** A JMESPath over the whole kept body. */
  readonly select?: string | undefined;
}
