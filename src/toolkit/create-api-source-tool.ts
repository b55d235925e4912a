/** One source as one LangChain tool. */

import type { ClientOptions } from "../client/client-options.js";
import { createSourceClient, type SourceClient } from "../client/create-source-client.js";
import type { Outcome } from "../client/outcome.js";
import type { Overview } from "../map/knowledge.js";
import type { CallContext } from "../runtime.js";
import { AnsweringTool } from "./answering-tool.js";
import { describeSource, listInputExamples } from "./describe-source.js";
import { type CallSchema, createCallSchema } from "./tool-schema.js";

/** A LangChain tool that sends method, path, query and body to one API. */
export type ApiSourceTool = AnsweringTool<CallSchema>;

/**
 * Makes the tool of one source.
 *
 * `tool.invoke({ method, path, query, body, headers, select })` gives the answer as JSON text;
 * `tool.invoke({ type: "tool_call", id, name, args })` gives a ToolMessage with `artifact` and `status`.
 *
 * @throws SourceRecordError when the record is wrong.
 */
export function createApiSourceTool(record: unknown, options: ClientOptions = {}): ApiSourceTool {
  return toTool(createSourceClient(record, options), options);
}

export interface ToolSettings {
  /** As `ApiSourceToolkit.getTools` takes it. @default "view" */
  readonly answers?: "view" | "whole";
  /** As the client has it. */
  readonly approve?: ClientOptions["approve"] | undefined;
  readonly logger?: ClientOptions["logger"] | undefined;
  /** Of the API's description, where `describe_api` tells the rest of it. */
  readonly overview?: Overview | undefined;
}

/** The tool of a client that is there already. */
export function toTool(
  client: SourceClient,
  { answers = "view", approve, logger, overview }: ToolSettings = {},
): ApiSourceTool {
  const { source } = client;
  const { grant } = { grant: undefined, ...source.api.oauth2 };
  const isByConsent = grant === "authorization_code" || grant === "device_code";
  const { text, more, warning } = describeSource(source, answers, overview);
  if (warning !== undefined) logger?.warn(warning, { source: source.slug });
  const examples = listInputExamples(source);
  return new AnsweringTool({
    name: source.slug,
    description: text,
    schema: createCallSchema(source.api.methods, more),
    ...(examples.length === 0 ? {} : { extras: { input_examples: examples } }),
    metadata: { apiSource: source.slug },
    mayWait: ({ method }) =>
      isByConsent || (approve !== undefined && !(approve === "writes" && method === "GET")),
    answer:
      answers === "view"
        ? (input, context) => client.call(input, context)
        : (input, context) => answerWhole(client, input, context),
  });
}

async function answerWhole(client: SourceClient, input: unknown, context: CallContext): Promise<Outcome> {
  const { writeOutcome } = await import("../client/outcome.js");
  return writeOutcome(await client.callWhole(input, context, { followsPages: true }));
}
