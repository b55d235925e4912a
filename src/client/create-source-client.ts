/** One source, ready to call: joins the rooms to its left and knows no LangChain. */

import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import { callSource } from "./call-source.js";
import type { ClientOptions } from "./client-options.js";
import { type ClientRuntime, createClientRuntime } from "./create-client-runtime.js";
import { createSender } from "./create-sender.js";
import type { Outcome } from "./outcome.js";

export interface SourceClient {
  readonly source: ApiSource;
  /**
   * Sends one request and reads the answer.
   *
   * @param request - `{ method, path, query?, body?, headers?, select? }`.
   * @param context - Whose call it is, and a signal that cancels it.
   * @returns The answer document and plain data about it; a failure, wrong input included, is an outcome too.
   * @throws The signal's reason, when the caller cancels. Nothing else.
   */
  call(request: unknown, context?: CallContext): Promise<Outcome>;
}

/**
 * Makes a client of one source.
 *
 * @throws SourceRecordError when the record is wrong.
 */
export function createSourceClient(record: unknown, options: ClientOptions = {}): SourceClient {
  const source = parseSource(record, options.logger === undefined ? {} : { logger: options.logger });
  return joinSourceClient(source, createClientRuntime([source], options));
}

/** A client of a source whose runtime is shared with others. */
export function joinSourceClient(source: ApiSource, runtime: ClientRuntime): SourceClient {
  const sender = createSender(source, runtime);
  return {
    source,
    call: (request, context = {}) => callSource({ source, runtime, sender }, request, context),
  };
}
