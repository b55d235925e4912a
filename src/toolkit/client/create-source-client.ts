/** The two doors for one record without LangChain: its client, and the test of its connection. */

import { SourceRecordError } from "../../core/base/errors.js";
import type { Seams } from "../../core/base/runtime.js";
import type { RecordOf } from "../../core/record/judged-record.js";
import { parseSource } from "../../core/record/parse-source.js";
import type { ConnectionReport } from "../../features/connection/connection-report.js";
import type { ClientOptions } from "./client-options.js";
import { joinSourceClient } from "./join-source-client.js";
import { openSources } from "./open-source.js";
import { shareServices } from "./share-services.js";
import type { SourceClient } from "./source-client.js";

/**
 * Makes a client of one source.
 *
 * @param record - A record, or a source that was read; a value of unknown type first goes through `parseSource`.
 * @param seams - For the tests of this package.
 * @throws SourceRecordError when the record is wrong.
 */
export function createSourceClient<const Given extends object>(
  record: RecordOf<Given>,
  options: ClientOptions = {},
  seams: Seams = {},
): SourceClient {
  const source = parseSource(record);
  const openServices = shareServices([source], options, undefined, seams);
  return joinSourceClient(source, openServices, { ...options, isOwner: true });
}

export interface TestConnectionOptions extends ClientOptions {
  /** Cancels the test. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends GET `api.testEndpoint` as the tool would, and when that succeeds, once more without the credential.
 *
 * @param record - A record as a file holds it, or a source that was read. A wrong one is a report that lists every problem.
 * @param seams - For the tests and the command of this package.
 * @returns What happened and what to change; every text is redacted. A failure is a report, never an error.
 * @throws The signal's reason, when the caller cancels; ApiSourceError `not_configured` for wrong options. Nothing else.
 *
 * @example
 * const report = await testConnection({ name: "Shop", api: { baseUrl: "https://api.shop.example", testEndpoint: "/me", authType: "bearer" } });
 * console.log(report.verdict, report.fix);
 */
export async function testConnection<const Given extends object>(
  record: RecordOf<Given>,
  options: TestConnectionOptions = {},
  seams: Seams = {},
): Promise<ConnectionReport> {
  options.signal?.throwIfAborted();
  // Loaded here, because importing the package should not cost what only a test needs.
  const { testSource } = await import("../../features/connection/test-source.js");
  try {
    const source = parseSource(record);
    const openServices = shareServices([source], options, undefined, seams);
    await openSources([source]);
    return await testSource(source, await openServices(), options.signal);
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const { reportProblems } = await import("../../features/connection/connection-report.js");
    return reportProblems(error.problems);
  }
}
