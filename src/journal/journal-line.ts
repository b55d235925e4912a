/** One line of a journal: what one call was and how it ended, as plain JSON without bodies. */

import type { CallEvent } from "../client/client-options.js";
import { dropUndefined } from "../drop-undefined.js";
import { readPlainJson } from "../input.js";

export interface JournalLine {
  /** When the call ended, as ISO 8601 in UTC. */
  readonly time: string;
  /** The tool's name. */
  readonly source: string;
  readonly method?: string;
  /** The path below the base URL with its query, redacted. */
  readonly path?: string;
  /** Absent when no response arrived. */
  readonly status?: number;
  readonly ms: number;
  /** Size of the body, decompressed. */
  readonly bytes?: number;
  /** Tokens of the answer that the model read. */
  readonly tokens?: number;
  /** How many requests were sent. */
  readonly attempts?: number;
  /** How long the call waited before requests, in milliseconds. */
  readonly waitedMs?: number;
  /** Why the call failed; absent when it succeeded. */
  readonly category?: string;
  /** What a person decided about the call. */
  readonly approval?: string;
  /** Names the request that the decision was about. */
  readonly digest?: string;
  readonly thread?: string;
}

/** @param nowMs - When the call ended, in milliseconds since the Unix epoch. */
export function toJournalLine(event: CallEvent & { readonly phase: "call" }, nowMs: number): JournalLine {
  const { source, method, path, status, bytes, tokens, attempts, waitedMs, category, approval, digest } =
    event;
  const time = new Date(nowMs).toISOString();
  return dropUndefined({
    ...{ time, source, method, path, status, ms: event.durationMs, bytes, tokens, attempts, waitedMs },
    ...{ category, approval, digest, thread: event.threadId },
  });
}

/** @returns undefined for a line that is not one of a journal, such as one that is incomplete because a process was killed. */
export function parseJournalLine(text: string): JournalLine | undefined {
  const line: Partial<JournalLine> = Object(readPlainJson(text));
  const isWhole = [line.time, line.source].every((each) => typeof each === "string");
  return isWhole && typeof line.ms === "number" ? (line as JournalLine) : undefined;
}
