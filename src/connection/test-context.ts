/** What the requests of one source's test share, and the time each of them has. */

import { type ProbeOptions, startProbeDeadline } from "../call/probe-source.js";
import type { Sender } from "../call/running-call.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { Subject } from "../diagnosis/facts.js";
import { ApiSourceError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import type { Deadline } from "../transport/deadline.js";

/** What every request of one source's test shares. */
export interface TestContext {
  readonly source: ApiSource;
  readonly runtime: ClientRuntime;
  readonly sender: Sender;
  readonly signal: AbortSignal | undefined;
  readonly probeOptions: ProbeOptions;
}

/** A source whose placeholders are filled in, with the request to its test endpoint. */
export type TestSubject = Subject & { readonly baseUrl: string; readonly testEndpoint: string };

/** Runs within the time of one call. What fails in an expected way is returned; only a cancelled test rejects. */
export async function applyDeadline<Result>(
  { source, runtime, signal }: TestContext,
  run: (deadline: Deadline) => Promise<Result>,
): Promise<Result | ApiSourceError> {
  const deadline = startProbeDeadline(source, runtime, signal);
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
