/** What the page receives when something changed. */

import type { ApprovalRequest } from "../../core/call/slots.js";
import type { ConnectionReport } from "../../features/connection/connection-report.js";
import type { ListedCall } from "./call-log.js";

export interface PageChange {
  readonly sources: readonly ListedSource[];
  /** The calls since the last change. */
  readonly calls: readonly ListedCall[];
  readonly questions: readonly Question[];
  readonly canCall: boolean;
}

export interface ListedSource {
  readonly slug: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly methods: readonly string[];
  readonly isTesting: boolean;
  /** The last test. */
  readonly report?: ConnectionReport;
}

/** A call that waits for a decision. */
export interface Question extends Omit<ApprovalRequest, "args"> {
  /** Names the question in the answer to it, once. */
  readonly nonce: string;
}

/**
 * How long a question is at its place before it can be decided, in milliseconds: the second click of a double click would decide the one that
 * took the place of the first.
 */
export const settleMs = 1_000;
