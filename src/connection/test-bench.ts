/** What every request of one source's test shares, and what is redacted in it besides the secrets. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Sender } from "../client/create-sender.js";
import type { ProbeOptions } from "../client/probe-source.js";
import type { ApiSource } from "../source/api-source.js";
import { listMeantSecrets } from "./credential-look.js";
import { listShownSecrets } from "./lint-record.js";

export interface TestBench {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  readonly sender: Sender;
  readonly signal: AbortSignal | undefined;
}

/**
 * How a probe of this test is prepared. Redacted besides the secrets is what they were meant to be (a server may echo a
 * quoted key without its quotes), and a key that stands in the test endpoint's query.
 */
export function listProbeOptions({ source, signal }: TestBench): ProbeOptions {
  return {
    context: signal === undefined ? {} : { signal },
    alsoSecret: ({ credential }) => [
      ...listMeantSecrets(source, credential),
      ...listShownSecrets(source.api.testEndpoint ?? ""),
    ],
  };
}
