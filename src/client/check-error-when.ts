/** A record's `errorWhen` is a query: a wrong one is found when the record is loaded, or at the latest before a request. */

import { ApiSourceError, type RecordProblem, SourceRecordError } from "../errors.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource } from "../source/api-source.js";

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
