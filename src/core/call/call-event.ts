/** The events that an application receives of its calls: one for each request, for each attempt on the wire, and for the whole call. */

import type { CallArtifact } from "../answer/outcome.js";
import type { CallContext } from "../base/runtime.js";

/** Which request, and whose. */
export interface CallEventRequest {
  /** Names the call: the same in each of its events, and no other call's. */
  readonly callId: string;
  /** The tool's name. */
  readonly source: string;
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL as sent, its query included; of a call that was refused, as it was asked for. */
  readonly path: string;
  /** The agent's typed run-time context, as the call received it. */
  readonly context?: unknown;
  /** The conversation, where the call belongs to one. */
  readonly threadId?: string;
  /** The user of the call, by the option `userOf`. */
  readonly user?: string;
}

/** How a request ended; `status` is absent when no answer came, and `category` when it succeeded. */
export type CallEventResult = Pick<
  CallArtifact,
  "status" | "category" | "durationMs" | "bytes" | "attempts"
>;

/** How a whole call ended: all its requests together. */
export interface CallEventSummary extends CallEventResult {
  /** Why it failed, in words, where no answer came: for one, because it was refused and nothing was sent. */
  readonly reason?: string;
  /** Tokens of the answer that the model reads; absent for code and `fetchBytes`. */
  readonly tokens?: number;
  /** How long the call waited before requests, in milliseconds. */
  readonly waitedMs?: number;
  /** A person's decision about the call, where one was asked; `"always"` where an earlier decision with `always` covers it. */
  readonly approval?: "approve" | "edit" | "reject" | "always";
  /** Names the request that the decision was about: with `"always"` the earlier one. */
  readonly digest?: string;
  /** The confidential sources whose content the request might have carried to another one, whether it was sent or not. */
  readonly confidential?: readonly string[];
}

/** One request on the wire. */
export interface CallEventAttempt {
  /** Absent when no answer came. */
  readonly status?: number;
  /** Why no answer came, as a code of Node's such as `ECONNRESET`. */
  readonly code?: string;
  /** From the request to the head of its answer, in milliseconds. */
  readonly durationMs: number;
  /** Why it was sent after another one, such as `429, Retry-After 2`; absent for the first. */
  readonly why?: string;
  /** The header that it was sent with, by the option `traces`. */
  readonly traceparent?: string;
}

/**
 * `before`: a request is about to be sent; each page of a call with `pages` is one. `attempt`: one request on the wire was answered or broke off; a retry and
 * a redirect that is followed are attempts of their own. `after`: the answer of a request was read, or it failed. `call`: a call is over and its answer is
 * written; once per call.
 */
export type CallEvent =
  | (CallEventRequest & { readonly phase: "before" })
  | (CallEventRequest & CallEventAttempt & { readonly phase: "attempt" })
  | (CallEventRequest & CallEventResult & { readonly phase: "after" })
  | (Partial<CallEventRequest> &
      Pick<CallEventRequest, "source" | "callId"> &
      CallEventSummary & { readonly phase: "call" });

/** Is called for each request. It is not waited for, and what it throws is logged. */
export type OnCall = (event: CallEvent) => unknown;

/**
 * Names the user of a call, for events and the journal.
 *
 * @returns undefined for a call without one.
 * @example
 * const userOf: UserOf = ({ configurable }) => String(configurable?.["user_id"] ?? "") || undefined;
 */
export type UserOf = (context: CallContext) => string | undefined;
