/** One call while it runs: what its steps share. */

import type { Gate } from "../approval/gate.js";
import type { RateLimit } from "../limits/rate-limit.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import type { Deadline } from "../transport/deadline.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { Sender } from "./create-sender.js";
import type { PreparedCall } from "./prepare-call.js";

export interface CallableSource {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  /** Made on the first call: what the source's limits ask for may not be there, which is an answer. */
  openSender(): Sender;
  /** Instead of the runtime's gate: asked about every call after the request policy, before anything is sent. */
  readonly gate?: Gate;
}

export interface RunningCall extends CallableSource {
  readonly context: CallContext;
  readonly deadline: Deadline;
  /** Changes when a 401 leads to another token. */
  prepared: PreparedCall;
  readonly progress: CallProgress;
}

/** What is known of a call so far, for an outcome when a later step fails. */
export interface CallProgress {
  request?: string;
  /** Method and path as they were asked for, not redacted. */
  asked?: string;
  /** Set as soon as an answer came: a write that was answered must not look as if it had not been. */
  status?: number;
  bytes?: number;
  attempts?: number;
  /** Whether a request of it may have reached the wire. */
  isSent?: boolean;
  rateLimit?: RateLimit;
  redact: (text: string) => string;
}
