/** Whether this process has to do with confidential sources. A file of its own: tools ask before their first call. */

import type { ApiSource } from "../../core/record/api-source.js";

/** The treatment of a request to another source by a thread with content of a confidential one: a person decides, or it is refused. */
export type FlowRule = "hold" | "refuse";

/** The memory of confidential sources, which all toolkits of a process share. */
export interface ConfidentialMemory {
  /** Set with the first confidential record, or content of one, and never unset. */
  isLoaded: boolean;
  /** The marks by thread (never the scope: holding too much is safe), without end. Calls without a thread are one thread. */
  readonly marked: Map<string | undefined, ReadonlySet<string>>;
}

/** From now on each call of this process looks, if one of the sources is confidential. */
export function noteConfidential(
  sources: readonly ApiSource[],
  confidential: ConfidentialMemory,
): void {
  confidential.isLoaded ||= sources.some(({ api }) => api.confidential === true);
}

/** Whether a call may have to wait for a person because of the rule. */
export function mayHold(
  flow: FlowRule | undefined,
  { isLoaded }: Pick<ConfidentialMemory, "isLoaded">,
): boolean {
  return flow === "hold" || (flow === undefined && isLoaded);
}
