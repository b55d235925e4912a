/** What a test of records outside of a toolkit needs: the source, or its problems, and a runtime of its own. */

import { type RecordProblem, SourceRecordError } from "../errors.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { checkErrorWhen } from "./check-error-when.js";
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
