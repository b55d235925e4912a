/** What one step of the test found out, and the facts of a source that every diagnosis speaks of. */

import type { CredentialOrigin } from "../client/trace-credential.js";
import type { UsableCredential } from "../credentials/parse-credential.js";
import type { ApiSource } from "../source/api-source.js";
import type { ConnectionVerdict } from "./connection-report.js";

export interface Finding {
  readonly verdict: ConnectionVerdict;
  readonly message: string;
  readonly fix: string;
  /** @default false */
  readonly credentialVerified?: boolean;
  /** More to know although it is not the cause. */
  readonly notes?: readonly string[];
}

/** What is known of a source once its secrets are resolved. */
export interface Subject {
  readonly source: ApiSource;
  readonly credential: UsableCredential | undefined;
  readonly origin: CredentialOrigin;
  /** With every placeholder filled in. */
  readonly baseUrl: string;
  /** With every placeholder filled in. */
  readonly testEndpoint: string;
  /** As sent, without the credential. */
  readonly url: string;
}
