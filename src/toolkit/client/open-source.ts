/** The checks of sources before their first call: their expressions, and the documents beside their records. */

import { type RecordProblem, SourceRecordError } from "../../core/base/errors.js";
import { type ApiSource, hasDocuments } from "../../core/record/api-source.js";
import { listExpressions } from "../../core/record/templates.js";
import type { Overview } from "../../features/openapi/knowledge.js";

/** By slug; sources without documents are not in it. */
export type Overviews = ReadonlyMap<string, Overview>;

/**
 * Compiles expressions and reads documents before tools are made: what can't be read is an error now, not in the middle of a run.
 *
 * @throws SourceRecordError that lists every document that can't be read.
 */
export async function openSources(sources: readonly ApiSource[]): Promise<Overviews> {
  if (sources.some((source) => listExpressions(source).length > 0)) {
    const { checkExpressions } = await import("../../core/call/call-request.js");
    await checkExpressions(sources);
  }
  const overviews = new Map<string, Overview>();
  if (!sources.some(hasDocuments)) return overviews;
  const { loadKnowledge, readOverview } = await import("../../features/openapi/knowledge.js");
  const problems: RecordProblem[] = [];
  // One after the other: reading a large one keeps the process busy anyway.
  for (const source of sources) {
    const knowledge = await loadKnowledge(source);
    problems.push(...knowledge.problems);
    if (hasDocuments(source)) overviews.set(source.slug, readOverview(knowledge));
  }
  if (problems.length > 0) throw new SourceRecordError(problems);
  return overviews;
}
