/** One source as one LangChain tool. */

import type { Outcome } from "../core/answer/outcome.js";
import type { CallContext, Seams } from "../core/base/runtime.js";
import type { ApiSourceRecord } from "../core/record/api-source.js";
import { parseSource } from "../core/record/parse-source.js";
import type { Overview } from "../features/openapi/knowledge.js";
import { AnsweringTool } from "./answering-tool.js";
import type { ClientOptions } from "./client/client-options.js";
import {
  joinSourceClient,
  type SharedServices,
  shareServices,
  type UntypedClient,
} from "./client/create-source-client.js";
import { describeSource, listInputExamples } from "./tool/describe-source.js";
import { type CallSchema, createCallSchema } from "./tool/tool-schema.js";

/** A LangChain tool that sends method, path, query and body to one API. */
export type ApiSourceTool = AnsweringTool<CallSchema>;

/**
 * Makes the tool of one source.
 *
 * `tool.invoke({ method, path, query, body, headers, select })` gives the answer as JSON text;
 * `tool.invoke({ type: "tool_call", id, name, args })` gives a ToolMessage with `artifact` and `status`.
 *
 * @param seams - For the tests of this package.
 * @throws SourceRecordError when the record is wrong.
 */
export function createApiSourceTool(
  record: ApiSourceRecord,
  options: ClientOptions = {},
  seams: Seams = {},
): ApiSourceTool {
  const source = parseSource(record, options);
  const shared = shareServices([source], options, undefined, seams);
  return toTool(joinSourceClient(source, shared, options), { ...options, mayHold: shared.mayHold });
}

export interface ToolSettings {
  /** As `ApiSourceToolkit.getTools` takes it. @default "view" */
  readonly answers?: "view" | "whole";
  /** As `ApiSourceToolkit.getTools` takes it. @default true */
  readonly isStrict?: boolean;
  /** As the client has it. */
  readonly approve?: ClientOptions["approve"] | undefined;
  /** Whether a call may have to wait because of a confidential source: known anew for each call. */
  readonly mayHold: SharedServices["mayHold"];
  readonly interrupts?: ClientOptions["interrupts"] | undefined;
  readonly logger?: ClientOptions["logger"] | undefined;
  /** Of the API's description, where `describe_api` gives the rest of it. */
  readonly overview?: Overview | undefined;
}

/** The tool of a client that is there already. */
export function toTool(
  client: UntypedClient,
  { answers = "view", isStrict = true, approve, mayHold, interrupts, logger, overview }: ToolSettings,
): ApiSourceTool {
  const { source } = client;
  const grant = source.api.oauth2?.grant;
  const isByConsent = grant === "authorization_code" || grant === "device_code";
  const { text, more, warning } = describeSource(source, answers, overview);
  if (warning !== "") logger?.warn(warning, { source: source.slug });
  const { methods } = source.api;
  const examples = listInputExamples(source, isStrict);
  return new AnsweringTool({
    name: client.tool.name,
    description: text,
    schema: createCallSchema(methods, more, isStrict),
    sends: methods.join() === "GET" ? "reads" : "writes",
    ...(examples.length === 0 ? {} : { extras: { input_examples: examples } }),
    metadata: { apiSource: source.slug },
    interrupts,
    mayWait: ({ method }) =>
      isByConsent || mayHold() || (approve !== undefined && !(approve === "writes" && method === "GET")),
    answer: (input, context) =>
      answers === "view"
        ? client.call(input, context, { isFromModel: true })
        : answerWhole(client, input, context),
  });
}

async function answerWhole(client: UntypedClient, input: unknown, context: CallContext): Promise<Outcome> {
  const { writeContent } = await import("../core/answer/outcome.js");
  const { ok, answer, artifact, redactor } = await client.callWhole(input, context, {
    followsPages: true,
    isFromModel: true,
  });
  return { ok, content: writeContent(answer, (text) => redactor.redact(text)), artifact };
}
