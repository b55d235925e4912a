/** What a toolkit, a tool, a client and a connection test can be told, and what they tell; every option is optional. */

import type { Approve, Approver } from "../approval/approval.js";
import type { CredentialsOption, SecretsOption } from "../credentials/create-credential-resolver.js";
import type { ReadEnvironment } from "../credentials/environment.js";
import type { ErrorCategory } from "../errors.js";
import type { TokenStore } from "../oauth/token-store.js";
import type { CallContext, Clock, Logger, Random, RuntimeStore, Sleep } from "../runtime.js";
import type { ResponseStore } from "../store/response-store.js";
import type { TransportFunction } from "../transport/own-transport.js";
import type { CountTokens, Summarizer } from "../view/summary.js";

export interface ClientOptions {
  /**
   * The credentials: by tool name, a function asked on each call, or a provider. What it has no entry for comes
   * from the environment.
   */
  readonly credentials?: CredentialsOption;
  /**
   * Which calls wait until a person approved them: every call but a GET, all, or those for which a function says so. In a LangGraph run with a
   * checkpointer the tool interrupts; elsewhere `approver` is asked. @default none
   */
  readonly approve?: Approve;
  /** Asked for a decision outside of a LangGraph run. @default nobody: such a call is refused */
  readonly approver?: Approver;
  /** The values of `"${NAME}"`: by name, or a function asked on each call; else the environment. */
  readonly secrets?: SecretsOption;
  /** Whether large answers are kept and named by an id that `read_api_response` reads. @default true */
  readonly readApiResponse?: boolean;
  /**
   * Where responses are kept. `"runtime"` is the store of the running agent (`createAgent({ store })`), when there is one.
   *
   * @default one bounded in-process store for all toolkits of the process
   */
  readonly responseStore?: ResponseStore | "runtime";
  /** Whom a kept response belongs to. @default the thread, else one scope per toolkit */
  readonly responseScope?: (context: CallContext) => string | readonly string[];
  /**
   * Where the tokens of sources with `oauth2` or `login` are kept: `fileTokenStore(dir)`, a LangGraph store, or `"runtime"`, the store
   * of the running agent when there is one.
   *
   * @default memory, as long as the toolkit or client lives
   */
  readonly tokenStore?: TokenStore | RuntimeStore | "runtime";
  /** Counts tokens. @default an estimate that is never more than 10 % under */
  readonly countTokens?: CountTokens;
  /** Makes large answers small. @default `projectionSummarizer()` */
  readonly summarizer?: Summarizer;
  /** The budget of one answer in tokens, for sources whose record sets none. @default 2000 */
  readonly maxTokens?: number;
  /** An ioredis or node-redis client: `requestsPerMinute` is then one quota for all processes. */
  readonly redis?: unknown;
  /** @default silent */
  readonly logger?: Logger;
  /** Told before and after each request, and of each call that was refused: for metrics and audit. Not waited for. */
  readonly onCall?: OnCall;
  /** Answers requests in place of the network, so that an application is tested without one. @default the network */
  readonly transport?: TransportFunction;
  /** @default the system's */
  readonly clock?: Clock;
  /** How waits are slept. @default a timer */
  readonly sleep?: Sleep;
  /** Spreads retries. @default `Math.random` */
  readonly random?: Random;
  /** Reads an environment variable. @default that of the process */
  readonly readEnvironment?: ReadEnvironment;
}

/** Which request, and whose. */
export interface CallEventRequest {
  /** The tool's name. */
  readonly source: string;
  readonly method: string;
  /** The path below the base URL as sent, its query included; of a call that was refused, as it was asked for. */
  readonly path: string;
  /** The agent's typed run-time context, as the call got it. */
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

/**
 * `before`: a request is about to be sent; each page of a call with `pages` is one. `after`: its answer was read, or it failed. `refused`: a call
 * ended without any request, and why.
 */
export type CallEvent =
  | (CallEventRequest & { readonly phase: "before" })
  | (CallEventRequest & CallEventResult & { readonly phase: "after" })
  | (Partial<CallEventRequest> &
      Pick<CallEventRequest, "source"> & {
        readonly phase: "refused";
        readonly category: ErrorCategory;
        readonly reason: string;
        readonly durationMs: number;
      });

/** Is told of each request. It is not waited for, and what it throws is logged. */
export type OnCall = (event: CallEvent) => unknown;
