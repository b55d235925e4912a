/** The nouns of a call: what all calls of a toolkit share, and what the steps of one make of each other. */

import type { NextCall, NextWay, Waited } from "../answer/answer.js";
import type { AnswerServices } from "../answer/outcome.js";
import type { ApiSourceError, CallError } from "../base/errors.js";
import type { CallContext, Host } from "../base/runtime.js";
import type { KeptFile, ReadFile } from "../body/files/file.js";
import type { ResponseBody } from "../body/response-body.js";
import type { RequestInterceptor } from "../credentials/create-auth-interceptor.js";
import type { CredentialResolver } from "../credentials/create-credential-resolver.js";
import type { UsableCredential } from "../credentials/credential.js";
import type { Deadline } from "../http/deadline.js";
import type { Cooldowns } from "../http/limits/cooldowns.js";
import type { RateLimit } from "../http/limits/rate-limit.js";
import type { TransportOption } from "../http/own-transport.js";
import type { RepeatFacts } from "../http/send-failure.js";
import type { Exchange, SendOptions } from "../http/transport.js";
import type { Paging } from "../paging/paging.js";
import type { ApiSource } from "../record/api-source.js";
import type { ResolvedSource } from "../record/resolve-source.js";
import type { BuiltRequest, ShownRequest } from "../request/wire-request.js";
import type { LearningRedactor } from "../secrets/redactor.js";
import type { Secret } from "../secrets/secret.js";
import type { BodyRenewals } from "./body-renewals.js";
import type { CallEventRequest, CallEventResult } from "./call-event.js";
import type { ParsedCall } from "./call-request.js";
import type { FailingCalls } from "./failing-calls.js";
import type { OpenKeys } from "./idempotency-keys.js";
import type { CallIdentity } from "./identify-call.js";
import type { ApprovalCheck, ApprovalNote, CallSlots } from "./slots.js";

export interface CallServices extends AnswerServices {
  /** Where the credential comes from; a token renews itself after a 401. */
  readonly credentials: CredentialResolver;
  readonly known: KnownSources;
  /** Files of the application's own. */
  readonly readFile: ReadFile | undefined;
  /** Tokens that were renewed because of a body. */
  readonly renewals: BodyRenewals;
  readonly failing: FailingCalls;
  readonly traffic: Traffic;
  readonly slots: CallSlots;
}

/** The facts about sources that are found out by their first call. */
export interface KnownSources {
  /** The sources without a mistake in an expression. */
  readonly checked: WeakSet<ApiSource>;
  /** The resolution of sources without a placeholder, which is the same for each call. */
  readonly resolved: WeakMap<ApiSource, ResolvedSource>;
}

/** The services that the sender of a source needs. */
export interface SenderServices {
  readonly host: Host;
  readonly traffic: Traffic;
}

/** Names a caller without a credential. */
export const anonymousCaller = "anonymous";

export interface Traffic {
  readonly transport: TransportOption | undefined;
  /** A client of the application's, for one quota of several processes. */
  readonly redis: unknown;
  readonly cooldowns: Cooldowns;
  /** The idempotency keys of writes whose effect is not known. */
  readonly openKeys: OpenKeys;
  /**
   * An opaque name of the caller, the same in every process.
   *
   * @param owners - What it is known by; empty texts alone for a caller without a credential.
   */
  nameCaller(source: ApiSource, owners: readonly string[]): string;
}

export interface CallableSource {
  readonly source: ApiSource;
  readonly services: CallServices;
  /** Made on the first call: what the source's limits ask for may not be there, which is an answer. */
  openSender(): Sender;
  /** Asked about every call after the request policy, before anything is sent. */
  readonly checkApproval: ApprovalCheck | undefined;
  /** The slug that inputs have as `source`, and the next input that an answer gives; absent for a source's own tool. */
  readonly inputSlug?: string | undefined;
  /** Whether a model wrote the request: bytes that a person cannot read come from code and the application only. @default false */
  readonly isFromModel?: boolean;
}

/** One call while it runs. No step changes it: another credential makes another one, which goes on with the same log. */
export interface RunningCall extends CallableSource {
  readonly context: CallContext;
  readonly deadline: Deadline;
  readonly prepared: PreparedCall;
  readonly log: CallLog;
}

/** A call as it began, and what its steps have found out, in their order: for the report, also when a later step fails. */
export interface CallLog {
  /** As the caller gave it. */
  readonly input: unknown;
  readonly context: CallContext;
  readonly startedMs: number;
  /** By what it is known to those who observe it; absent where no one does. */
  readonly identity: CallIdentity | undefined;
  readonly facts: CallFact[];
}

export type CallFact =
  /** Method and path as they were requested, not redacted. */
  | { readonly kind: "requested"; readonly line: string }
  /** From here on its redactor knows the secrets of the call. */
  | { readonly kind: "prepared"; readonly prepared: PreparedCall }
  | BuiltFact
  /** A person wrote another request in the place of the one that was built. */
  | { readonly kind: "replaced" }
  /** The request may carry content of these confidential sources to another one. */
  | { readonly kind: "carries"; readonly confidential: readonly string[] }
  /** A person decided about it. */
  | { readonly kind: "decided"; readonly approval: ApprovalNote }
  /** It waited so long for persons. */
  | { readonly kind: "paused"; readonly ms: number }
  | { readonly kind: "sent"; readonly built: BuiltRequest }
  | { readonly kind: "read"; readonly bytes: number; readonly rateLimit: RateLimit | undefined }
  /** A request is over; without a description where it was not sent. */
  | { readonly kind: "ended"; readonly attempts: number; readonly request?: SentRequest }
  /** An answer came: a write that was answered must not look as if it had not been. */
  | { readonly kind: "answered"; readonly status: number }
  /** The body of the answer is kept as a file. */
  | { readonly kind: "kept"; readonly file: KeptFile };

/** A request was built, which may be sent. */
export interface BuiltFact {
  readonly kind: "built";
  /** Method, path and query as sent, redacted. */
  readonly line: string;
  readonly built: BuiltRequest;
  readonly prepared: PreparedCall;
  /** Whether its end counts where the same call keeps failing: a model or a person wrote it, and it waits for no job. */
  readonly isCounted: boolean;
}

/** One request of a call, as it ended. */
export type SentRequest = Pick<CallEventRequest, "method" | "path"> & CallEventResult;

/** Step 2: everything a request needs besides what was asked. */
export interface PreparedCall {
  readonly resolved: ResolvedSource;
  readonly credential: UsableCredential | undefined;
  /** An opaque name of the caller, to keep one user's quotas, failures and keys apart from another's. A new token does not change it. */
  readonly caller: string;
  readonly authenticate: RequestInterceptor | undefined;
  /** Knows every secret of the toolkit and of this call, and learns what its answers issue. */
  readonly redactor: LearningRedactor;
  /** Has secrets redacted from now on, which are known only when the request is sent: in this call, and in later ones of the source. */
  learn(secrets: readonly Secret[]): void;
  readonly context: CallContext;
}

/** Step 3: a request that may be sent. */
export interface BuiltCall {
  /** The requested input: a person may have changed it. */
  readonly request: ParsedCall;
  readonly built: BuiltRequest;
  /** Method, path and query as sent, redacted: `GET /issues?page=2`. */
  readonly line: string;
  readonly notes: readonly string[];
  /** Notes that a success must have besides: query parameters that the API's document doesn't have. */
  readonly undescribed: readonly string[];
}

/** Steps 3 to 8: one answer of the API, read and judged, and the way to the next. */
export interface Page extends BuiltCall, Reply {
  /** The call as it goes on after this answer: with the credential that the request was sent with. */
  readonly call: RunningCall;
  readonly error: CallError | undefined;
  /** The input for the page after it; absent on the last one. */
  readonly next?: NextCall;
  /** The ways to the page after it, best first. */
  readonly ways?: readonly NextWay[];
  /** The member names that lead to its rows; none where the body itself is the list. */
  readonly rows?: readonly string[];
  /** How many rows there are in all, where the API reports it. */
  readonly total?: number;
  /** The facts that it shows about its list. */
  readonly paging?: Paging;
  /** Whether the request may change something, so that it is not sent for each page. */
  readonly mayWrite?: boolean;
  /** The job that it started. */
  readonly job?: FoundJob;
}

/** A job that an answer names. */
export interface FoundJob {
  /** The path where it is read, below the base URL; absent where it can't be. */
  readonly path?: string;
  /** Why it can't be read. */
  readonly why?: string;
  /** A link to its result. */
  readonly result?: string | undefined;
  /** The state with which the API accepted the work. */
  readonly word?: string | undefined;
}

/** Steps 4 to 6: a response that was read. */
export interface Reply {
  /** The response, its headers redacted. */
  readonly exchange: Omit<Exchange, "failure" | "refusal"> & {
    /** Why the body did not arrive whole; absent when it did. */
    readonly incomplete?: string;
    /** Why the answer can't be used as it is: it is incomplete, or is a redirect that was not followed. */
    readonly failure?: ApiSourceError;
  };
  readonly body: ResponseBody;
  /** Whether it may report that it failed, all of it or in part. */
  readonly mayFail: boolean;
  /** Whether the same call may be made again. */
  readonly repeat: RepeatFacts;
  /** Shows the request, with all secrets that are known by then; `above` of a 404 is the nearest path above that a GET of this process was answered at. */
  readonly show: () => ShownRequest;
  readonly rateLimit: RateLimit | undefined;
  /** Set when the call waited, or was sent more than once. */
  readonly waited?: Waited;
}

export interface SendLimits
  extends Pick<SendOptions, "deadline" | "waitMs" | "onSend" | "onAttempt" | "trace" | "why"> {
  /** Whether a call is refused without a request while the source is cooling down. @default true */
  readonly useCooldown?: boolean;
}

export interface Sender {
  /** @throws ApiSourceError when nothing came back, or the request was not sent at all. */
  send(built: BuiltRequest, prepared: PreparedCall, limits: SendLimits): Promise<Reply>;
  /** Closes idle connections now, and the others when the calls that use them are over. */
  close(): void;
}
