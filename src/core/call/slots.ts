/** The slots of a call: each is a function of a feature, absent where its feature is off. `toolkit` fills them. */

import type { NextCall } from "../answer/answer.js";
import type { CallError } from "../base/errors.js";
import type { CallContext } from "../base/runtime.js";
import type { Deadline } from "../http/deadline.js";
import type { ApiSource } from "../record/api-source.js";
import type { DescribedParameter, OperationForm } from "../request/operation-form.js";
import type { QueryPair } from "../request/query-style.js";
import type { BuiltRequest, SentFile } from "../request/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type { OnCall } from "./call-event.js";
import type { CallIdentity } from "./identify-call.js";

export interface CallSlots {
  /** Before anything is sent, in this order. */
  readonly beforeSend: BeforeSend;
  /** The knowledge of the API's documents; absent where no source has one. */
  readonly document?: DocumentFacts | undefined;
  /** Adds the document's knowledge about a call that the API refused to its hint. */
  readonly advise?: ((call: AdvisedCall, error: CallError) => Promise<CallError>) | undefined;
  /** For each request, and when a call is over. */
  readonly afterAnswer?: OnCall | undefined;
  /** Names a call for those who observe it; absent where no one does. */
  readonly identify?: ((context: CallContext) => CallIdentity) | undefined;
}

/** A step that throws answers the call unsent. */
export interface BeforeSend {
  /**
   * Compares the names that a model or code wrote with those of the document.
   *
   * @returns Notes for a success. @throws ApiSourceError `invalid_input`, code `misspelt_name`
   */
  readonly compareNames?:
    | ((call: CallToApprove, body: unknown) => Promise<readonly string[]>)
    | undefined;
  /** The rule about confidential sources. */
  readonly confidential: ConfidentialRule;
  /** Asks a person what the option `approve` asks for; absent where no one is asked. */
  readonly approve?: ApprovalCheck | undefined;
  /** An approval check of another rule that asks the same people. */
  readonly openApproval: (approve: Approve) => ApprovalCheck;
}

/** Which threads may have content of confidential sources. */
export interface ConfidentialRule {
  /** Whether a call has to look: a confidential record was loaded in this process, or the toolkit has the option `flow`. */
  readonly isOn: boolean;
  /** Whether a call may have to wait for a person because of the rule. */
  readonly mayHold: boolean;
  /**
   * The marks whose content a request to this source may carry, and must not without a person.
   *
   * @throws ApiSourceError `refused_by_policy` with the option `flow: "refuse"`
   */
  judge(target: ApiSource, context: CallContext): Promise<readonly Mark[]>;
  /** Marks the thread before a request to a confidential source. @throws ApiSourceError `not_marked`: then nothing may be sent. */
  mark(source: ApiSource, context: CallContext): Promise<void>;
}

/** A confidential source whose content a thread may have. */
export interface Mark {
  /** Its slug; `*` where the store cannot be read, so that no one knows. */
  readonly source: string;
  /** As the record has it. */
  readonly baseUrl: string;
  /** The slugs of the sources that its content may go to. */
  readonly sharesWith: readonly string[];
}

/** The sources of some marks, each once. */
export function listSources(marks: readonly Mark[]): string[] {
  return [...new Set(marks.map(({ source }) => source))];
}

/** In words: `the confidential source payroll`. */
export function nameSources(sources: readonly string[]): string {
  if (sources.includes("*")) return "a confidential source";
  return `the confidential source${sources.length === 1 ? "" : "s"} ${sources.join(", ")}`;
}

/** Facts of a document that the steps of a call use. */
export interface DocumentFacts {
  /**
   * The operation that a call means; undefined where no document has it.
   *
   * @param query - What the call's path has behind `?`: it distinguishes operations whose path in the document has a query.
   */
  findOperation(
    source: ApiSource,
    method: string,
    path: string,
    query?: readonly QueryPair[],
  ): Promise<DescribedOperation | undefined>;
  /** The parameters of the operation that a request means; undefined where no document has it. */
  listParameters(
    source: ApiSource,
    method: string,
    path: string,
  ): Promise<readonly DescribedParameter[] | undefined>;
  /** The values that the document has for a member of an operation's response, by the keys that lead to it; undefined where it has none. */
  listValues(
    source: ApiSource,
    response: DescribedResponse,
    at: readonly string[],
  ): Promise<readonly string[] | undefined>;
  /** The media types that the document has for an operation's response; none where it has no such response. */
  listTypes(source: ApiSource, response: DescribedResponse): Promise<readonly string[]>;
  /** Remembers what an API named as its next page: its path, parameters and members are right, described or not. */
  addNext(source: ApiSource, next: NextCall): void;
}

export interface DescribedResponse {
  readonly method: string;
  /** Below the base URL, without a query. */
  readonly path: string;
  readonly status: number;
}

/** The statements of a document about one operation. */
export interface DescribedOperation extends OperationForm {}

/** A call that the API refused. */
export interface AdvisedCall
  extends Pick<CallToApprove, "source" | "built" | "redactor" | "deadline"> {
  /** The answer of the API. */
  readonly status: number;
}

/** A call as a person reads it; no secret is in it. */
export interface ApprovalRequest {
  /** The tool's name. */
  readonly source: string;
  /** The HTTP method. */
  readonly method: string;
  /** The whole URL, secrets redacted. */
  readonly url: string;
  /** Where the call sets headers of its own: those that are sent with it, without the record's constant ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is sent; the fields of a form one to a line. Absent without a body. */
  readonly body?: string;
  /** The files that are sent with it. */
  readonly files?: readonly SentFile[];
  /** The confidential sources whose content it may carry to another one, by slug; `*` where no one knows which. */
  readonly confidential?: readonly string[];
  /** The code that makes it, where the question is whether content may go there at all until the code ends. */
  readonly program?: string;
  /**
   * The calls that a decision with `always: true` covers, in words, such as `every later DELETE /orders/{id} of Shop in this conversation: every order`; absent
   * where a decision counts once, and for the function `approve`.
   */
  readonly always?: string;
  /**
   * Names this question: a keyed hash (HMAC-SHA-256) of the method, URL, headers, body and files, their secret parts included, of `confidential` and `always`,
   * of the thread, and of the place in the run. A decision that carries it counts for this request and no other. The function `approve` receives another
   * one.
   */
  readonly digest: string;
  /** The input of the tool. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** The `value` of an interrupt. The members with underscores are the same in LangChain's other spelling. */
export interface ApprovalQuestion {
  /** The request that waits. */
  readonly request: Omit<ApprovalRequest, "args">;
  /** The request in the form of LangChain's `humanInTheLoopMiddleware`. */
  readonly actionRequests: readonly [ActionRequest];
  /** The decisions that it takes, in that form. */
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly ApprovalDecision["type"][];
  }[];
  /** The same under the name of LangChain's Python form. */
  readonly action_requests: readonly [ActionRequest];
  /** The same under the name of LangChain's Python form. */
  readonly review_configs: readonly {
    readonly action_name: string;
    readonly allowed_decisions: readonly ApprovalDecision["type"][];
  }[];
  /** Why the question is asked again. */
  readonly note?: string;
}

/** The call as LangChain's middleware describes one. */
interface ActionRequest {
  /** The tool's name. */
  readonly name: string;
  /** The input of the tool. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The request as a person reads it: method, URL, headers and body. */
  readonly description: string;
}

/** A person's decision. With a `digest` it counts for that request alone. */
export type ApprovalDecision =
  | {
      readonly type: "approve";
      /**
       * Whether later calls that `request.always` covers are not asked about for 24 hours: of this thread, to the same source and tenant.
       * @default false
       */
      readonly always?: boolean;
      readonly digest?: string;
    }
  | {
      readonly type: "edit";
      /** The tool's whole input as it should be. */
      readonly editedAction: {
        readonly name: string;
        readonly args: Readonly<Record<string, unknown>>;
      };
      readonly digest?: string;
    }
  | { readonly type: "reject"; readonly message?: string; readonly digest?: string };

/** Which calls wait for a decision: everything but GET, all, or those that a function names. */
export type Approve =
  | "writes"
  | "all"
  | ((request: ApprovalRequest, context: CallContext) => boolean | Promise<boolean>);

/** The rule of a check that asks about data flows alone, and about no call of its own. */
export const asksOnlyAboutFlows: Approve = () => false;

/** Decides in place of an interrupt. */
export type Approver = (
  request: ApprovalRequest,
  context: CallContext,
) => Promise<ApprovalDecision>;

/** A call that passed the request policy, and nothing of which was sent yet. */
export interface CallToApprove {
  readonly source: ApiSource;
  /** The input of the call, reduced to what is there. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly built: BuiltRequest;
  /** Knows every secret of the call. */
  readonly redactor: Redactor;
  readonly context: CallContext;
  /** The confidential sources whose content it may carry to another one: a person decides about it, whatever `approve` is. */
  readonly flows?: readonly Mark[];
  /** The run of code that makes it: a person is asked about the flows alone, for the whole run. */
  readonly program?: { readonly code: string; readonly place: string | undefined };
  /** Whether a person wrote it: only what they were not asked about is asked. */
  readonly isEdited?: boolean;
  /** A person takes longer than a request: wait for one by `deadline.pause`. */
  readonly deadline: Deadline;
}

/** A person's decision, and the request that it is about; `always` is an earlier decision that covers this one. */
export interface ApprovalNote {
  readonly decision: "approve" | "edit" | "always";
  readonly digest: string;
}

/** How a call goes on. */
export interface ApprovalResult {
  /** The input of another call to make instead: it is judged by the request policy, and not by the approval check again. */
  readonly input?: unknown;
  /** The decision, for the journal. */
  readonly approval?: ApprovalNote;
  /** The request to send instead of the one that was built. */
  readonly built?: BuiltRequest;
  /** The note about it in the answer. */
  readonly notes?: readonly string[];
}

/**
 * Lets a call pass, as it is where it gives nothing.
 *
 * @throws ApiSourceError for a call that must not be sent: it is the answer.
 * @throws CallInterruption to leave the run without an answer.
 */
export type ApprovalCheck = (call: CallToApprove) => Promise<ApprovalResult | undefined>;

/** Carries out of a call what interrupts the run: everything else that is thrown becomes an answer. */
export class CallInterruption extends Error {
  override readonly name: string = "CallInterruption";

  constructor(readonly reason: unknown) {
    super("The call waits for a decision.");
  }
}
