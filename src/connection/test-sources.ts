/** Tests many sources side by side. */

import type { ClientRuntime } from "../client/create-client-runtime.js";
import type { ApiSource } from "../source/api-source.js";
import type { ConnectionReport } from "./connection-report.js";
import { testSource } from "./test-source.js";

export interface TestSourcesOptions {
  /** How many sources are tested at the same time; at least 1. @default all */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reports in the order of the sources. All at once, the whole takes as long as the slowest of them.
 *
 * @throws The signal's reason, when the caller cancels. Nothing else.
 */
export async function testSources(
  sources: readonly ApiSource[],
  runtime: ClientRuntime,
  options: TestSourcesOptions,
): Promise<ConnectionReport[]> {
  const { concurrency = sources.length, signal } = options;
  const waiting = sources.entries();
  const reports: ConnectionReport[] = [];
  const work = async (): Promise<void> => {
    for (const [index, source] of waiting) {
      reports[index] = await testSource(source, runtime, signal);
    }
  };
  const wanted = Number.isFinite(concurrency) ? Math.floor(concurrency) : sources.length;
  const workers = Math.max(1, Math.min(wanted, sources.length));
  await Promise.all(Array.from({ length: workers }, work));
  return reports;
}
