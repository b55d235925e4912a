/** Which calls a person should approve: the setting that LangChain's `humanInTheLoopMiddleware` takes. */

import type { ApiSource } from "../source/api-source.js";

/** Fits `humanInTheLoopMiddleware({ interruptOn })` of `langchain`, which is not imported for it. */
export interface InterruptOnWrites {
  readonly allowedDecisions: ("approve" | "edit" | "reject")[];
  /** Whether this call must wait: every call but a plain GET. */
  when(request: { readonly toolCall: { readonly args: Record<string, unknown> } }): boolean;
}

/** By tool name: interrupt for everything that is not exactly a GET, malformed input included. */
export function interruptOnWrites(sources: readonly ApiSource[]): Record<string, InterruptOnWrites> {
  const setting: InterruptOnWrites = {
    allowedDecisions: ["approve", "edit", "reject"],
    // The middleware hands over the model's raw arguments, unvalidated: whatever is not surely a read counts as a write.
    when: (request) => request.toolCall.args["method"] !== "GET",
  };
  return Object.fromEntries(sources.map(({ slug }) => [slug, setting]));
}
