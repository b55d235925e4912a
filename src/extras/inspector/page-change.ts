/** The event that the page receives when something changed. */

import type { CallEventRequest } from "../../core/call/call-event.js";
import type { ApprovalRequest } from "../../core/call/slots.js";
import type { ApiSettings } from "../../core/record/api-source.js";
import type { JournalLine } from "../../toolkit/journal/journal.js";

/** How many calls are held; the oldest go first. A journal has them all. */
export const maxCalls = 1_000;

export interface PageChange {
  /** The sources that the page can call; empty where no calls are made on it. */
  readonly sources: readonly CallableSource[];
  /** The calls since the last change. */
  readonly calls: readonly ListedCall[];
  readonly running: readonly RunningRequest[];
  readonly questions: readonly Question[];
}

/** A source that the page can call, and what its record permits. */
export interface CallableSource extends Pick<ApiSettings, "methods" | "paths"> {
  readonly slug: string;
}

/** One call in the list. */
export interface ListedCall extends JournalLine {
  /** Its number, from 1. */
  readonly id: number;
  /** Whether it comes from a journal, which has no more of it than this. */
  readonly isFromJournal?: true;
}

/** A request that was sent and is not answered. */
export interface RunningRequest extends Pick<CallEventRequest, "source" | "method" | "path"> {
  /** In milliseconds since the Unix epoch. */
  readonly startedMs: number;
}

/** A call that waits for a decision. */
export interface Question extends Omit<ApprovalRequest, "args"> {
  /** Names the question in the answer to it, once. */
  readonly nonce: string;
  /** The input of the tool as JSON, to be edited; absent where that can't be done. */
  readonly input?: string;
}

/**
 * How long a question is at its place before it can be decided, in milliseconds: the second click of a double click would decide the one that
 * took the place of the first.
 */
export const settleMs = 1_000;
