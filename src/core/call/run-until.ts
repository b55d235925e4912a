/** Runs the condition of a call that waits on a response that was polled. */

import { ApiSourceError } from "../base/errors.js";
import { isJmespathTrue } from "../query/kinds.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { Page } from "./running-call.js";

/** The result of a condition. */
interface Condition {
  readonly isTrue: boolean;
  readonly notes: readonly string[];
}

/** An `until` that can't be run on this body is not true yet: the member that it reads may come later. */
export async function runUntil(
  until: string,
  { document, kind }: Page["body"],
): Promise<Condition> {
  if (document === undefined)
    return { isTrue: false, notes: ["The response has no document for `until`."] };
  const engine = await loadQueryEngine();
  try {
    const { value, notes } = engine.run(document, until, { kind, name: "until" });
    return { isTrue: isJmespathTrue(value), notes };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    return { isTrue: false, notes: [error.message] };
  }
}
