/** The reader: kept responses as one LangChain tool, without a new request. */

import type { ClientOptions } from "../client/client-options.js";
import { type SharedRuntime, shareClientRuntime } from "../client/create-source-client.js";
import { AnsweringTool } from "./answering-tool.js";
import { createReadSchema, type ReadSchema } from "./tool-schema.js";

/** A LangChain tool that reads a kept response by its id. */
export type ReadApiResponseTool = AnsweringTool<ReadSchema>;

export const readApiResponseToolName = "read_api_response";

const description = [
  "Reads an API response that was too large to show whole, by the id from shortened.id or kept of that answer. Sends no request.",
  "select: JMESPath over all of it, to count, filter, group, sum. find: text to search for. offset, limit: a part of a list or text.",
].join("\n");

/** Makes the reader alone, for tools that were made with `createApiSourceTool` and the same store options. */
export function createReadApiResponseTool(options: ClientOptions = {}): ReadApiResponseTool {
  return toReader(shareClientRuntime([], options));
}

/** The reader of a runtime that is there already. */
export function toReader(shared: SharedRuntime): ReadApiResponseTool {
  return new AnsweringTool({
    name: readApiResponseToolName,
    description,
    schema: createReadSchema(),
    metadata: { apiSource: readApiResponseToolName },
    answer: async (input, context) => {
      const { readKept } = await import("../client/read-kept.js");
      return readKept(await shared.open(), input, context);
    },
  });
}
