/** One LangChain tool for all sources of a toolkit: its input names the source, and everything else is as with a source's own tool. */

import type { Outcome } from "../core/answer/outcome.js";
import { type CallContext, isVisible } from "../core/base/runtime.js";
import { type ApiSource, type HttpMethod, httpMethods } from "../core/record/api-source.js";
import { matchSource, refuseSource } from "../core/record/find-source.js";
import { AnsweringTool, type ToolText } from "./answering-tool.js";
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
  const sources = clients.map(({ source }) => source);
  const named = matchSource(sources, input["source"]);
  return clients.find(({ source }) => source === named);
}

/** Makes the tool of many sources. */
export function toCombinedTool(
  clients: readonly UntypedClient[],
  openServices: OpenServices,
  settings: Omit<ToolSettings, "overview">,
): AnsweringTool<CombinedSchema> {
  const { answers = "view", strict = true, interrupts, door } = settings;
  const sources = clients.map(({ source }) => source);
  const slugs = sources.map(({ slug }) => slug);
  const describe = (shown: ReadonlySet<string>): ToolText<CombinedSchema> => {
    const described = sources.filter(({ slug }) => shown.has(slug));
    const schema = createCombinedSchema([...shown], listMethods(described), strict);
    return { description: describeSources(described, answers), schema };
  };
  return new AnsweringTool({
    name: combinedToolName,
    ...describe(new Set(slugs)),
    many: { slugs, describe },
    sends: listMethods(sources).join() === "GET" ? "reads" : "writes",
    metadata: { apiSource: combinedToolName },
    interrupts,
    mayWait: (input) => {
      const client = findNamedClient(clients, input);
      return client !== undefined && mayWaitFor(client.source, input, settings);
    },
    holdBy: (approve) => toCombinedTool(clients, openServices, { ...settings, door: approve }),
    answer: async (input, context) => {
      const client = findNamedClient(clients, input);
      if (client === undefined) return answerUnnamed(clients, openServices, input, context);
      return answerCall(client, input, context, { answers, isCombined: true, door });
    },
  });
}

/** The methods that at least one of some sources takes. */
function listMethods(sources: readonly ApiSource[]): readonly HttpMethod[] {
  return httpMethods.filter((method) => sources.some(({ api }) => api.methods.includes(method)));
}

/** Answers a call that names no source of the toolkit. */
async function answerUnnamed(
  clients: readonly UntypedClient[],
  openServices: OpenServices,
  input: Readonly<Record<string, unknown>>,
  { signal }: CallContext,
): Promise<Outcome> {
  const { toOutcome } = await import("../core/answer/outcome.js");
  const sources = clients.map(({ source }) => source);
  const call = { source: combinedToolName, input, signal };
  const services = await openServices();
  const isShown = ({ slug }: ApiSource): boolean => isVisible(services.host.visibility, slug);
  return toOutcome(services, call, async () => {
    throw refuseSource(sources, input["source"], isShown);
  });
}
