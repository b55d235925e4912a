/** What every request of one source's test shares. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Sender } from "../client/create-sender.js";
import type { ProbeOptions } from "../client/probe-source.js";
import type { ApiSource } from "../source/api-source.js";
import { findCredentialFlaws } from "./find-credential-flaws.js";
import { listShownSecrets } from "./lint-test-endpoint.js";

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
export function toProbeOptions({ source, signal }: TestBench): ProbeOptions {
  return {
    context: signal === undefined ? {} : { signal },
    alsoSecret: ({ credential }) => [
      ...findCredentialFlaws(source, credential).flatMap(({ meant }) => (meant === undefined ? [] : [meant])),
      ...listShownSecrets(source.api.testEndpoint ?? ""),
    ],
  };
}
