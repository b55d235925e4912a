/** What stands between a built request and the wire: whoever must decide about a call does so here. */

import type { BuiltRequest } from "../policy/wire-request.js";
import type { CallContext } from "../runtime.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ApiSource } from "../source/api-source.js";
import type { Deadline } from "../transport/deadline.js";

/** A call that passed the request policy, and nothing of which was sent yet. */
export interface GatedCall {
  readonly source: ApiSource;
  /** The input of the call, reduced to what is there. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly built: BuiltRequest;
  /** Knows every secret of the call. */
  readonly redactor: Redactor;
  readonly context: CallContext;
  /** A person takes longer than a request: wait for one by `deadline.pause`. */
  readonly deadline: Deadline;
}

/** How a call goes on. */
export interface Passage {
  /** The input of another call to make instead: it is judged by the request policy, and not by the gate again. */
  readonly input?: unknown;
  /** What to send instead of what was built. */
  readonly built?: BuiltRequest;
  /** What the answer must say of it. */
  readonly notes?: readonly string[];
}

/**
 * Lets a call pass, as it is where it gives nothing.
 *
 * @throws ApiSourceError for a call that must not be sent: it is the answer.
 * @throws CallInterruption to leave the run without an answer.
 */
export type Gate = (call: GatedCall) => Promise<Passage | undefined>;

/** Carries out of a call what interrupts the run: everything else that is thrown becomes an answer. */
export class CallInterruption extends Error {
  override readonly name: string = "CallInterruption";
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("The call waits for a decision.");
    this.reason = reason;
  }
}
