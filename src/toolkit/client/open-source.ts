/** What has to be right before the first call of a source: its expressions, and the documents beside its record. */

import { type RecordProblem, SourceRecordError } from "../../core/base/errors.js";
import { type Seams, silentLogger } from "../../core/base/runtime.js";
import { checkExpressions } from "../../core/call/call-request.js";
import type { ApiSource } from "../../core/record/api-source.js";
import type { LoadOptions } from "../../core/record/load-sources.js";
import { parseSource } from "../../core/record/parse-source.js";
import type { Overview } from "../../features/openapi/knowledge.js";
import { hasDocuments } from "../../features/openapi/knowledge-base.js";
import { checkOptions } from "./check-options.js";
import type { ClientOptions } from "./client-options.js";
import { createServices, type ToolkitServices } from "./create-services.js";

/** Reads a record and makes its runtime, for a test outside of a toolkit. @throws SourceRecordError for a wrong record. */
export async function openSource(
  record: unknown,
  options: ClientOptions,
  seams?: Seams,
): Promise<{ readonly source: ApiSource; readonly services: ToolkitServices }> {
  const source = parseSource(record, options);
  checkOptions(options, [source]);
  await checkExpressions([source]);
  if (hasDocuments(source)) await loadOverviews([source], {});
  return { source, services: createServices([source], options, undefined, seams) };
}

/** By slug; sources with neither document are not in it. */
export type Overviews = ReadonlyMap<string, Overview>;

/**
 * Reads the descriptions and guides of sources before their tools are made: what can't be read is an error now, not in the middle of a run.
 *
 * @returns the sources whose documents can be read.
 * @throws SourceRecordError that lists every document that can't be read, unless `onInvalid` is `"skip"`.
 */
export async function loadOverviews(
  given: readonly ApiSource[],
  { onInvalid = "throw", logger = silentLogger }: LoadOptions,
): Promise<{ readonly sources: readonly ApiSource[]; readonly overviews: Overviews }> {
  const { loadKnowledge, readOverview } = await import("../../features/openapi/knowledge.js");
  const overviews = new Map<string, Overview>();
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
