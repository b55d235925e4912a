/** The state that all toolkits of one process share on purpose: an application may make a toolkit, or a client, for each request that it serves. */

import type { OpenKeys } from "../../core/call/idempotency-keys.js";
import type { NodeTurns } from "../../features/approval/langgraph-run.js";
import type { ConfidentialMemory } from "../../features/confidential/loaded.js";

export interface ProcessState {
  /** A write that is sent again by another client of the process is the same write. Made by the first toolkit that sends. */
  openKeys?: OpenKeys;
  /** A thread with content of a confidential source is held by each toolkit that serves it. */
  readonly confidential: ConfidentialMemory;
  /** The questions whose decision is being claimed: it is used once. */
  readonly claiming: Set<string>;
  /** The calls of one node of a graph wait for one another, whatever toolkit made their tools. */
  readonly turns: NodeTurns;
  /** A misspelt name is answered once, and is sent when it comes again. */
  readonly answeredNames: Set<string>;
}

export const processState: ProcessState = {
  confidential: { isLoaded: false, marked: new Map() },
  claiming: new Set(),
  turns: new WeakMap(),
  answeredNames: new Set(),
};
