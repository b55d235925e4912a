/** What the requests of one source's test share, and the time each of them has. */

import { ApiSourceError } from "../../core/base/errors.js";
import type { CallContext } from "../../core/base/runtime.js";
import { type ProbeOptions, startProbeDeadline } from "../../core/call/probe-source.js";
import type { CallServices, Sender, SenderServices } from "../../core/call/running-call.js";
import type { GrantFacts } from "../../core/credentials/credential.js";
import type { Subject } from "../../core/failure/facts.js";
import type { Deadline } from "../../core/http/deadline.js";
import type { ApiSource } from "../../core/record/api-source.js";

/** What a test is made with. */
export interface TestServices extends Pick<CallServices, "credentials" | "secrets">, SenderServices {
  /** What is kept of the token that was sent; undefined where the application gave it. */
  describeGrant(source: ApiSource, context: CallContext): Promise<GrantFacts | undefined>;
}

/** What every request of one source's test shares. */
export interface TestContext {
  readonly source: ApiSource;
  readonly services: TestServices;
  readonly sender: Sender;
  readonly signal: AbortSignal | undefined;
  readonly probeOptions: ProbeOptions;
}

/** A source whose placeholders are filled in, with the request to its test endpoint. */
export type TestSubject = Subject & { readonly baseUrl: string; readonly testEndpoint: string };

/** Runs within the time of one call. What fails in an expected way is returned; only a cancelled test rejects. */
export async function applyDeadline<Result>(
  { source, services, signal }: TestContext,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result | ApiSourceError> {
  const deadline = startProbeDeadline(source, services, signal);
  try {
    return await run(deadline);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ApiSourceError)) throw error;
    return error;
  } finally {
    deadline.close();
  }
}
