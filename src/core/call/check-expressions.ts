/** The JMESPath expressions of a record and of a call, checked before anything is sent. */

import { ApiSourceError, invalidInput, type RecordProblem, SourceRecordError } from "../base/errors.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource } from "../record/api-source.js";
import { listExpressions } from "../record/read-values.js";
import { type ParsedCall, parseCallRequest } from "./call-request.js";

/** The records without a mistake: a record is checked once. */
const sound = new WeakSet<ApiSource>();

/** @throws SourceRecordError that lists every field of every record that does not hold a valid JMESPath. */
export async function checkExpressions(sources: readonly ApiSource[]): Promise<void> {
  const fresh = sources.filter((source) => !sound.has(source));
  const problems = (await Promise.all(fresh.map(listProblems))).flat();
  if (problems.length > 0) throw new SourceRecordError(problems);
  for (const source of fresh) sound.add(source);
}

async function listProblems(source: ApiSource): Promise<RecordProblem[]> {
  const asked = listExpressions(source);
  if (asked.length === 0) return [];
  const engine = await loadQueryEngine();
  return asked.flatMap(({ field, name, text }) => {
    try {
      engine.check(text);
      return [];
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      const given = JSON.stringify(text.slice(0, 200));
      const message = error.message.replace(/^select/, name);
      const fix = name.endsWith("When") ? `${error.hint} Another: status=='failed'.` : error.hint;
      return [{ source: source.name, path: field, given, message, fix }];
    }
  });
}

/** Parses a call, its expressions included. @throws ApiSourceError `invalid_input` */
export async function parseCall(input: unknown): Promise<ParsedCall> {
  const request = parseCallRequest(input);
  const { select, until } = request;
  if (select !== undefined) (await loadQueryEngine()).check(select);
  if (until !== undefined) await checkUntil(until);
  return request;
}

/** @throws ApiSourceError `invalid_input` */
async function checkUntil(until: string): Promise<void> {
  try {
    (await loadQueryEngine()).check(until);
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    throw invalidInput(error.message.replace(/^select/, "until"), error.hint);
  }
}
