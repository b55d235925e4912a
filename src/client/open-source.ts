/** What a test of records outside of a toolkit needs: the source, or its problems, and a runtime of its own. */

import { ApiSourceError, type RecordProblem, SourceRecordError } from "../errors.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { listExpressions } from "../source/read-values.js";
import type { ClientOptions } from "./client-options.js";
import { type ClientRuntime, createClientRuntime } from "./create-client-runtime.js";

export type OpenedSource =
  | { readonly source: ApiSource; readonly runtime: ClientRuntime }
  | { readonly problems: readonly RecordProblem[] };

/** Reads a record and makes its runtime; a wrong record is a list of problems and not an error. */
export async function openSource(record: unknown, options: ClientOptions): Promise<OpenedSource> {
  try {
    const source = parseSource(record, options.logger === undefined ? {} : { logger: options.logger });
    await checkExpressions([source]);
    await checkDocuments([source]);
    return { source, runtime: createClientRuntime([source], options) };
  } catch (error) {
    if (error instanceof SourceRecordError) return { problems: error.problems };
    throw error;
  }
}

/** @throws SourceRecordError that lists every description and guide that can't be read. */
export async function checkDocuments(sources: readonly ApiSource[]): Promise<void> {
  if (sources.every(({ api }) => api.openapi === undefined && api.guide === undefined)) return;
  const { findDocumentProblems } = await import("../map/knowledge.js");
  const problems = await findDocumentProblems(sources);
  if (problems.length > 0) throw new SourceRecordError(problems);
}

/** @throws SourceRecordError that lists every field of every record that should be a JMESPath and is none. */
export async function checkExpressions(sources: readonly ApiSource[]): Promise<void> {
  const asked = sources.flatMap((source) => listExpressions(source).map((each) => ({ ...source, ...each })));
  if (asked.length === 0) return;
  const engine = await loadQueryEngine();
  const problems = asked.flatMap(({ name, path, expression }): RecordProblem[] => {
    try {
      engine.check(expression);
      return [];
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      return [
        {
          source: name,
          path,
          given: JSON.stringify(expression.slice(0, 200)),
          message: error.message.replace(/^select/, path.split(".").at(-1) ?? ""),
          fix: path === "api.errorWhen" ? `${error.hint} Another: status=='failed'.` : error.hint,
        },
      ];
    }
  });
  if (problems.length > 0) throw new SourceRecordError(problems);
}
