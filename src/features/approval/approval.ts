/** Decisions that last, and which question a decision is about. */

import type { CallContext } from "../../core/base/runtime.js";

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
