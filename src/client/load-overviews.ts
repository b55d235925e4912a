/** Reads the descriptions and guides of sources before their tools are made: what can't be read is told now, not in the middle of a run. */

import { type RecordProblem, SourceRecordError } from "../errors.js";
import {
  findDocumentProblems,
  hasKnowledge,
  loadKnowledge,
  type Overview,
  readOverview,
} from "../map/knowledge.js";
import { silentLogger } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import type { LoadOptions } from "../source/load-sources.js";

/** By slug; sources with neither document are not in it. */
export type Overviews = ReadonlyMap<string, Overview>;

export interface LoadedOverviews {
  /** Those whose documents can be read. */
  readonly sources: readonly ApiSource[];
  readonly overviews: Overviews;
}

/** @throws SourceRecordError that lists every document that can't be read, unless `onInvalid` is `"skip"`. */
export async function loadOverviews(
  sources: readonly ApiSource[],
  { onInvalid = "throw", logger = silentLogger }: LoadOptions,
): Promise<LoadedOverviews> {
  // One after the other: reading a large one keeps the process busy anyway.
  const judged: { readonly source: ApiSource; readonly problems: readonly RecordProblem[] }[] = [];
  for (const source of sources) judged.push({ source, problems: await findDocumentProblems([source]) });
  const problems = judged.flatMap((each) => each.problems);
  if (problems.length > 0 && onInvalid === "throw") throw new SourceRecordError(problems);
  if (problems.length > 0) logger.warn("Records that are wrong were skipped.", { problems });
  const left = judged.filter((each) => each.problems.length === 0).map(({ source }) => source);
  const overviews = new Map<string, Overview>();
  for (const source of left.filter(hasKnowledge))
    overviews.set(source.slug, readOverview(await loadKnowledge(source)));
  return { sources: left, overviews };
}
