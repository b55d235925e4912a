/** What an application receives of its calls, by the option `onCall`. */

import type { ErrorCategory } from "../base/errors.js";

/** Which request, and whose. */
export interface CallEventRequest {
  /** The tool's name. */
  readonly source: string;
  readonly method: string;
  /** The path below the base URL as sent, its query included; of a call that was refused, as it was asked for. */
  readonly path: string;
  /** The agent's typed run-time context, as the call received it. */
  readonly context?: unknown;
  readonly threadId?: string;
}

/** How a request ended. */
export interface CallEventResult {
  /** Absent when no answer came. */
  readonly status?: number;
  /** Why it failed; absent when it succeeded. */
  readonly category?: ErrorCategory;
  readonly durationMs: number;
  /** Size of the body, decompressed. */
  readonly bytes?: number;
  /** How many requests were sent, retries and redirects included. */
  readonly attempts?: number;
}

/** How a whole call ended: all its requests together. */
export interface CallEventSummary extends CallEventResult {
  /** Tokens of the answer that the model reads; absent for code and `fetchBytes`. */
  readonly tokens?: number;
  /** How long the call waited before requests, in milliseconds. */
  readonly waitedMs?: number;
  /** What a person decided about the call, where one was asked; `"always"` where an earlier decision with `always` covers it. */
  readonly approval?: "approve" | "edit" | "reject" | "always";
  /** Names the request that the decision was about: with `"always"` the earlier one. */
  readonly digest?: string;
  /** The confidential sources whose content the request might have carried to another one, whether it was sent or not. */
  readonly confidential?: readonly string[];
}

/**
 * `before`: a request is about to be sent; each page of a call with `pages` is one. `after`: its answer was read, or it failed. `refused`: a call
 * ended without any request, and why. `call`: a call is over and its answer is written; once per call.
 */
export type CallEvent =
  | (CallEventRequest & { readonly phase: "before" })
  | (CallEventRequest & CallEventResult & { readonly phase: "after" })
  | (Partial<CallEventRequest> &
      Pick<CallEventRequest, "source"> &
      CallEventSummary & { readonly phase: "call" })
  | (Partial<CallEventRequest> &
      Pick<CallEventRequest, "source"> & {
        readonly phase: "refused";
        readonly category: ErrorCategory;
        readonly reason: string;
        readonly durationMs: number;
      });

/** Is called for each request. It is not waited for, and what it throws is logged. */
export type OnCall = (event: CallEvent) => unknown;
