/** What a person is shown of a call and can decide, in the shapes of LangChain's `humanInTheLoopMiddleware`; and how the call goes on. */

import type { Mark } from "../confidential/marks.js";
import type { BuiltRequest, SentFile } from "../policy/wire-request.js";
import type { CallContext } from "../runtime.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ApiSource } from "../source/api-source.js";
import type { Deadline } from "../transport/deadline.js";

/** A call as a person reads it; no secret is in it. */
export interface ApprovalRequest {
  /** The tool's name. */
  readonly source: string;
  readonly method: string;
  readonly url: string;
  /** Where the call sets headers of its own: those that are sent with it, without the record's constant ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is sent; the fields of a form one to a line. Absent without a body. */
  readonly body?: string;
  /** The files that are sent with it. */
  readonly files?: readonly SentFile[];
  /** The confidential sources whose content it may carry to another one, by slug; `*` where no one knows which. */
  readonly confidential?: readonly string[];
  /** The code that makes it, where the question is whether content may go this way at all until the code ends. */
  readonly program?: string;
  /**
   * What a decision with `always: true` covers, in words, such as `every later DELETE /orders/{id} of Shop in this conversation: every order`; absent
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

/** What a person decided. With a `digest` it counts for that request alone. */
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
      readonly editedAction: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
      readonly digest?: string;
    }
  | { readonly type: "reject"; readonly message?: string; readonly digest?: string };

/** Which calls wait for a decision: everything but GET, all, or those that a function names. */
export type Approve =
  | "writes"
  | "all"
  | ((request: ApprovalRequest, context: CallContext) => boolean | Promise<boolean>);

/** Decides in place of an interrupt. */
export type Approver = (request: ApprovalRequest, context: CallContext) => Promise<ApprovalDecision>;

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
  readonly ways?: readonly Mark[];
  /** The run of code that makes it: a person is asked about the ways alone, for the whole run. */
  readonly program?: { readonly code: string; readonly place: string | undefined };
  /** Whether a person wrote it: only what they were not asked about is asked. */
  readonly isEdited?: boolean;
  /** A person takes longer than a request: wait for one by `deadline.pause`. */
  readonly deadline: Deadline;
}

/** What a person decided about which request; `always` is an earlier decision that covers this one. */
export interface ApprovalNote {
  readonly decision: "approve" | "edit" | "always";
  readonly digest: string;
}

/** How a call goes on. */
export interface ApprovalResult {
  /** The input of another call to make instead: it is judged by the request policy, and not by the approval check again. */
  readonly input?: unknown;
  /** What was decided, for the journal. */
  readonly approval?: ApprovalNote;
  /** What to send instead of what was built. */
  readonly built?: BuiltRequest;
  /** What the answer must say of it. */
  readonly notes?: readonly string[];
}

/** A decision with `always: true`, while it lasts. */
export interface LastingApproval {
  /** The tool's name. */
  readonly source: string;
  /** The confidential source whose content may go there by any request; method and path are `*` then. */
  readonly from?: string;
  readonly method: string;
  /** The path that it covers, or the path template of the API's description. Every secret in it is redacted. */
  readonly path: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Of the request that the person approved. */
  readonly digest: string;
}

/** What a decision with `always` is about. */
export interface LastingSubject extends Pick<LastingApproval, "source" | "from" | "method" | "path"> {
  /** Source, tenant, method and path as they are, secrets included: stored as a keyed hash. */
  readonly identity: string;
}

/** What a decision about a call would cover with `always`, also in words, or why it counts once. */
export type Coverage =
  | { readonly subjects: readonly LastingSubject[]; readonly words: string; readonly why?: undefined }
  | { readonly subjects?: undefined; readonly words?: undefined; readonly why: string };

/** Remembers decisions with `always`. `find` and `add` reject when the store does. */
export interface LastingApprovals {
  /** Why no decision of this caller can last, as a clause. */
  findHindrance(context: CallContext): string | undefined;
  find(subject: LastingSubject, context: CallContext): Promise<LastingApproval | undefined>;
  add(subject: LastingSubject, digest: string, context: CallContext): Promise<void>;
  /** Those of a thread, the oldest first. @throws ApiSourceError `not_configured` without a thread or store, and when the store fails. */
  list(threadId: string, context: CallContext): Promise<LastingApproval[]>;
  /** Ends those of a thread, at once for each process that shares the store. Throws as `list` does. */
  revoke(threadId: string, context: CallContext): Promise<void>;
}

/** Remembers questions and used decisions. Each function rejects when its store does. */
export interface Decisions {
  /**
   * Gives the random key of a question: the same each time, and in each process that shares the store. Where the store lost it, the key is
   * another one, so that the digest changes and no earlier decision counts.
   */
  openQuestion(name: string, context: CallContext): Promise<string>;
  /** Whether a question was opened before. */
  wasOpened(name: string, context: CallContext): Promise<boolean>;
  /** Uses the decision about a question: false when it was used before, in this process or in another one. */
  claim(name: string, context: CallContext): Promise<boolean>;
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
