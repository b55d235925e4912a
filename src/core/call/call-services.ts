/** What the steps of a call share, for all calls of one toolkit. */

import type { AnswerServices } from "../answer/answer-services.js";
import type { Host } from "../base/runtime.js";
import type { ReadFile } from "../body/files/application-file.js";
import type { CredentialResolver } from "../credentials/create-credential-resolver.js";
import type { UsableCredential } from "../credentials/credential.js";
import type { Cooldowns } from "../http/limits/create-cooldowns.js";
import type { TransportOption } from "../http/observed-attempt.js";
import type { LearnedNames } from "../paging/learned-names.js";
import type { ApiSource } from "../record/api-source.js";
import type { Secret } from "../secrets/secret.js";
import type { CallSlots } from "./slots.js";

export interface CallServices extends AnswerServices {
  /** Where the credential comes from; a token renews itself after a 401. */
  readonly credentials: CredentialResolver;
  /** Files of the application's own. */
  readonly readFile: ReadFile | undefined;
  /** What pages have shown. */
  readonly names: LearnedNames;
  readonly slots: CallSlots;
}

/** What the sender of a source is made with. */
export interface SenderServices {
  readonly host: Host;
  readonly traffic: Traffic;
}

export interface Traffic {
  readonly transport: TransportOption | undefined;
  /** A client of the application's, for one quota of several processes. */
  readonly redis: unknown;
  readonly cooldowns: Cooldowns;
  /**
   * An opaque name of the caller, the same in every process, to keep one user's quota apart from another's: the credential, and
   * the secrets in headers and query that some APIs take instead of one.
   */
  fingerprint(
    source: ApiSource,
    credential: UsableCredential | undefined,
    secrets: readonly Secret[],
  ): string;
}
