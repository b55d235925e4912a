/** What has to be right before the first call of sources: their expressions, and the documents beside their records. */

import { type RecordProblem, SourceRecordError } from "../../core/base/errors.js";
import { silentLogger } from "../../core/base/runtime.js";
import { type ApiSource, hasDocuments } from "../../core/record/api-source.js";
import type { LoadOptions } from "../../core/record/load-sources.js";
import { listExpressions } from "../../core/record/resolve-source.js";
import type { Overview } from "../../features/openapi/knowledge.js";

/** By slug; sources without documents are not in it. */
export type Overviews = ReadonlyMap<string, Overview>;

/**
 * Compiles expressions and reads documents before tools are made: what can't be read is an error now, not in the middle of a run.
 *
 * @returns the sources whose documents can be read.
 * @throws SourceRecordError that lists every document that can't be read, unless `onInvalid` is `"skip"`.
 */
export async function openSources(
  given: readonly ApiSource[],
  { onInvalid = "throw", logger = silentLogger }: LoadOptions,
): Promise<{ readonly sources: readonly ApiSource[]; readonly overviews: Overviews }> {
  if (given.some((source) => listExpressions(source).length > 0)) {
    const { checkExpressions } = await import("../../core/call/call-request.js");
    await checkExpressions(given);
  }
  const overviews = new Map<string, Overview>();
  if (!given.some(hasDocuments)) return { sources: given, overviews };
  const { loadKnowledge, readOverview } = await import("../../features/openapi/knowledge.js");
  const problems: RecordProblem[] = [];
  const sources: ApiSource[] = [];
  // One after the other: reading a large one keeps the process busy anyway.
  for (const source of given) {
    const knowledge = await loadKnowledge(source);
    problems.push(...knowledge.problems);
    if (knowledge.problems.length > 0) continue;
    sources.push(source);
    if (hasDocuments(source)) overviews.set(source.slug, readOverview(knowledge));
  }
  if (problems.length > 0 && onInvalid === "throw") throw new SourceRecordError(problems);
  if (problems.length > 0) logger.warn("Records that are wrong were skipped.", { problems });
  return { sources, overviews };
}
