/** Tests records: whether a source works, and if not, exactly why. */

import { SourceRecordError } from "../../core/base/errors.js";
import type { Seams } from "../../core/base/runtime.js";
import type { ApiSource, ApiSourceRecord } from "../../core/record/api-source.js";
import type { ConnectionReport } from "../../features/connection/connection-report.js";
import type { TestServices } from "../../features/connection/test-source.js";
import type { ClientOptions } from "./client-options.js";

/** What `toolkit.testConnections` takes. */
export interface TestConnectionsOptions {
  /** How many sources are tested at the same time. @default all */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
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
export async function testConnection(
  record: ApiSourceRecord,
  options: TestConnectionOptions = {},
  seams: Seams = {},
): Promise<ConnectionReport> {
  options.signal?.throwIfAborted();
  // Loaded here, because importing the package should not cost what only a test needs.
  const { openSource } = await import("./open-source.js");
  const { testSource } = await import("../../features/connection/test-source.js");
  try {
    const { source, services } = await openSource(record, options, seams);
    return await testSource(source, services, options.signal);
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    const { reportProblems } = await import("../../features/connection/connection-report.js");
    return reportProblems(error.problems);
  }
}

/**
 * Reports in the order of the sources. All at once, the whole takes as long as the slowest of them.
 *
 * @throws The signal's reason, when the caller cancels; ApiSourceError `not_configured` for wrong options. Nothing else.
 */
export async function testSources(
  sources: readonly ApiSource[],
  services: TestServices,
  { concurrency = sources.length, signal }: TestConnectionsOptions,
): Promise<ConnectionReport[]> {
  const { testSource } = await import("../../features/connection/test-source.js");
  const waiting = sources.entries();
  const reports: ConnectionReport[] = [];
  const work = async (): Promise<void> => {
    for (const [index, source] of waiting) reports[index] = await testSource(source, services, signal);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, sources.length) }, work));
  return reports;
}
