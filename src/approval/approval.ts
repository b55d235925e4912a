/** What a person is shown of a call, and what they can decide; the shapes of LangChain's `humanInTheLoopMiddleware`. */

import type { CallContext } from "../runtime.js";

/** A call as a person reads it; no secret is in it. */
export interface ApprovalRequest {
  /** The tool's name. */
  readonly source: string;
  readonly method: string;
  readonly url: string;
  /** Where the call sets headers of its own: those that are sent with it, without the record's constant ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is sent; the fields of a form one to a line. Absent when there is none. */
  readonly body?: string;
  /**
   * Names this question: SHA-256 over the exact bytes (method, URL, headers, body), the thread, and the place in the run. A decision that
   * carries it counts for this request and no other.
   */
  readonly digest: string;
  /** The input of the tool. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a person decided. With a `digest` it counts for that request alone. */
export type ApprovalDecision =
  | { readonly type: "approve"; readonly digest?: string }
  | {
      readonly type: "edit";
      /** The tool's whole input as it should be. */
      readonly editedAction: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
      readonly digest?: string;
    }
  | { readonly type: "reject"; readonly message?: string; readonly digest?: string };

/** Which calls wait for a decision: everything but GET, all, or those that a function names. */
export type Approve =
  | "writes"
  | "all"
  | ((request: ApprovalRequest, context: CallContext) => boolean | Promise<boolean>);

/** Asked outside of a LangGraph run. */
export type Approver = (request: ApprovalRequest, context: CallContext) => Promise<ApprovalDecision>;
