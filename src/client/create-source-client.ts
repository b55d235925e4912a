/** One source, ready to call: joins the rooms to its left and knows no LangChain. */

import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { parseSource } from "../source/parse-source.js";
import type { ClientOptions } from "./client-options.js";
import type { Outcome } from "./outcome.js";
import type { CallableSource } from "./running-call.js";
import { type SharedRuntime, shareClientRuntime } from "./share-client-runtime.js";

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
  return joinSourceClient(source, shareClientRuntime([source], options));
}

/** A client of a source whose runtime is shared with others. */
export function joinSourceClient(source: ApiSource, shared: SharedRuntime): SourceClient {
  type CallSource = typeof import("./call.js").callSource;
  let opened: Promise<[CallSource, CallableSource]> | undefined;
  const open = async (): Promise<[CallSource, CallableSource]> => {
    const [{ callSource }, { createSender }, runtime] = await Promise.all([
      import("./call.js"),
      import("./create-sender.js"),
      shared.open(),
    ]);
    let sender: ReturnType<typeof createSender> | undefined;
    const openSender = (): ReturnType<typeof createSender> => {
      sender ??= createSender(source, runtime);
      return sender;
    };
    return [callSource, { source, runtime, openSender }];
  };
  return {
    source,
    async call(request, context = {}) {
      opened ??= open();
      const [callSource, callable] = await opened;
      return callSource(callable, request, context);
    },
  };
}
