/** Which calls a person should approve: the setting that LangChain's `humanInTheLoopMiddleware` takes. */

import type { ApiSource } from "../source/api-source.js";

/** Fits `humanInTheLoopMiddleware({ interruptOn })` of `langchain`, which is not imported for it. */
export interface InterruptOnWrites {
  readonly allowedDecisions: ("approve" | "edit" | "reject")[];
  /** Whether this call must wait: every call but a plain GET. Never throws, whatever it is given. */
  when(request: { readonly toolCall: { readonly args: Record<string, unknown> } }): boolean;
}

/**
 * By tool name: interrupt for everything that is not exactly a GET, malformed input included. The method that was approved is
 * the one that is carried out: the request policy refuses a GET with a parameter that would make another of it.
 */
export function interruptOnWrites(sources: readonly ApiSource[]): Record<string, InterruptOnWrites> {
  const setting: InterruptOnWrites = {
    allowedDecisions: ["approve", "edit", "reject"],
    when: (request) => {
      try {
        // The middleware hands over the model's raw arguments, unvalidated: whatever is not surely a read counts as a write.
        return request.toolCall.args["method"] !== "GET";
      } catch {
        // There is no such member, or reading it threw.
        return true;
      }
    },
  };
  return Object.fromEntries(sources.map(({ slug }) => [slug, setting]));
}
