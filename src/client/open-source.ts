/** What a test of records outside of a toolkit needs: the source, or its problems, and a runtime of its own. */

import { ApiSourceError, type RecordProblem, SourceRecordError } from "../errors.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import type { ClientOptions } from "./client-options.js";
import { type ClientRuntime, createClientRuntime } from "./create-client-runtime.js";

export type OpenedSource =
  | { readonly source: ApiSource; readonly runtime: ClientRuntime }
  | { readonly problems: readonly RecordProblem[] };

/** Reads a record and makes its runtime; a wrong record is a list of problems and not an error. */
export async function openSource(record: unknown, options: ClientOptions): Promise<OpenedSource> {
  try {
    const source = parseSource(record, options.logger === undefined ? {} : { logger: options.logger });
    await checkErrorWhen([source]);
    return { source, runtime: createClientRuntime([source], options) };
  } catch (error) {
    if (error instanceof SourceRecordError) return { problems: error.problems };
    throw error;
  }
}

/** @throws SourceRecordError that lists every record whose `errorWhen` is no JMESPath. */
export async function checkErrorWhen(sources: readonly ApiSource[]): Promise<void> {
  const asked = sources.filter(({ api }) => api.errorWhen !== undefined);
  if (asked.length === 0) return;
  const engine = await loadQueryEngine();
  const problems = asked.flatMap(({ name, api }): RecordProblem[] => {
    const expression = api.errorWhen ?? "";
    try {
      engine.check(expression);
      return [];
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      return [
        {
          source: name,
          path: "api.errorWhen",
          given: JSON.stringify(expression.slice(0, 200)),
          message: error.message.replace(/^select/, "errorWhen"),
          fix: `${error.hint} Another: status=='failed'.`,
        },
      ];
    }
  });
  if (problems.length > 0) throw new SourceRecordError(problems);
}
