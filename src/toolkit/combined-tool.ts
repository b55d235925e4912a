/** One LangChain tool for all sources of a toolkit: its input names the source, and everything else is as with a source's own tool. */

import type { Outcome } from "../core/answer/outcome.js";
import { isAbsent } from "../core/base/input.js";
import type { CallContext } from "../core/base/runtime.js";
import { httpMethods } from "../core/record/api-source.js";
import { AnsweringTool } from "./answering-tool.js";
import type { OpenServices } from "./client/share-services.js";
import type { UntypedClient } from "./client/source-client.js";
import { answerCall, mayWaitFor, type ToolSettings } from "./create-tools.js";
import { describeSources } from "./tool/describe-sources.js";
import { type CombinedSchema, createCombinedSchema } from "./tool/tool-schema.js";

export const combinedToolName = "call_api";

/** The client that the input of `call_api` names; undefined where it names none. The only source needs no name. */
export function findNamedClient(
  clients: readonly UntypedClient[],
  input: Readonly<Record<string, unknown>>,
): UntypedClient | undefined {
  const { source: slug } = input;
  const [only] = clients;
  if (isAbsent(slug) && clients.length === 1) return only;
  return clients.find(({ source }) => source.slug === slug);
}

/** Makes the tool of many sources. */
export function toCombinedTool(
  clients: readonly UntypedClient[],
  openServices: OpenServices,
  settings: Omit<ToolSettings, "overview">,
): AnsweringTool<CombinedSchema> {
  const { answers = "view", strict = true, interrupts } = settings;
  const sources = clients.map(({ source }) => source);
  const methods = httpMethods.filter((method) =>
    sources.some(({ api }) => api.methods.includes(method)),
  );
  return new AnsweringTool({
    name: combinedToolName,
    description: describeSources(sources, answers),
    schema: createCombinedSchema(
      sources.map(({ slug }) => slug),
      methods,
      strict,
    ),
    sends: methods.join() === "GET" ? "reads" : "writes",
    metadata: { apiSource: combinedToolName },
    interrupts,
    mayWait: (input) => {
      const client = findNamedClient(clients, input);
      return client !== undefined && mayWaitFor(client.source, input, settings);
    },
    answer: async (input, context) => {
      const client = findNamedClient(clients, input);
      if (client === undefined) return refuseSource(clients, openServices, input, context);
      return answerCall(client, input, context, { answers, isCombined: true });
    },
  });
}

/** Answers a call that names no source of the toolkit. */
async function refuseSource(
  clients: readonly UntypedClient[],
  openServices: OpenServices,
  input: Readonly<Record<string, unknown>>,
  { signal }: CallContext,
): Promise<Outcome> {
  const { toOutcome } = await import("../core/answer/outcome.js");
  const { findSource } = await import("../core/record/find-source.js");
  const sources = clients.map(({ source }) => source);
  const call = { source: combinedToolName, input, signal };
  return toOutcome(await openServices(), call, async () => {
    findSource(sources, input["source"]);
    return {};
  });
}
