/** Whether the toolkit of some sources has to do with values of confidential ones. A file of its own: tools ask before their first call. */

import type { FlowRule } from "../flow/flow.js";
import type { ApiSource } from "../source/api-source.js";

/** Whether what these sources answer is remembered: one of them is confidential, or the application decides what happens to requests. */
export function isWatched(rule: FlowRule | undefined, sources: readonly ApiSource[]): boolean {
  return rule !== undefined || sources.some(({ api }) => api.confidential === true);
}

/** Whether a call of these sources may be held, so that its tool must be able to wait for a person. */
export function mayHold(rule: FlowRule | undefined, sources: readonly ApiSource[]): boolean {
  return (rule === undefined || rule === "hold") && isWatched(rule, sources);
}
