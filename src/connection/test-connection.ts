/** Tests one record: whether the source works, and if not, exactly why. */

import type { ClientOptions } from "../client/client-options.js";
import type { ConnectionReport } from "./connection-report.js";

export interface TestConnectionOptions extends ClientOptions {
  /** Cancels the test. */
  readonly signal?: AbortSignal;
}

/**
 * Sends GET `api.testEndpoint` as the tool would, and when that succeeds, once more without the credential.
 *
 * @param record - A record as a file holds it, or a source that was read. A wrong one is a report that lists every problem.
 * @returns What happened and what to change; every text is redacted. A failure is a report, never an error.
 * @throws The signal's reason, when the caller cancels. Nothing else.
 */
export async function testConnection(
  record: unknown,
  options: TestConnectionOptions = {},
): Promise<ConnectionReport> {
  options.signal?.throwIfAborted();
  // Loaded here, because importing the package should not cost what only a test needs.
  const [{ openSource }, { testSource }, { reportProblems }] = await Promise.all([
    import("../client/open-source.js"),
    import("./test-source.js"),
    import("./write-report.js"),
  ]);
  const opened = await openSource(record, options);
  return "problems" in opened
    ? reportProblems(opened.problems)
    : testSource(opened.source, opened.runtime, options.signal);
}
