/** The tools that a model is shown, without the sources that are hidden from its run. */

import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { AnsweringTool } from "../../toolkit/answering-tool.js";
import { combinedToolName } from "../../toolkit/combined-tool.js";
import type { HiddenSources } from "./hidden-sources.js";

/** Leaves out the tools of hidden sources, and narrows the tool of many sources. Other tools stay as they are. */
export function showTools<Tool>(tools: readonly Tool[], hidden: HiddenSources): Tool[] {
  if (hidden.size === 0) return [...tools];
  return tools.flatMap((tool) => {
    if (!(tool instanceof AnsweringTool)) return [tool];
    if (hidden.has(String(tool.metadata?.["apiSource"]))) return [];
    return tool.name === combinedToolName ? narrowTool<Tool>(tool, hidden) : [tool];
  });
}

/**
 * Narrows `call_api` for one model call: LangChain takes no other instance of a tool that it knows, but any definition of a provider's. A tool without
 * sources is left out.
 */
function narrowTool<Tool>(tool: StructuredToolInterface, hidden: HiddenSources): Tool[] {
  const definition = convertToOpenAITool(tool);
  const { description = "", parameters } = definition.function;
  const { properties } = Object(parameters);
  const slugs: readonly string[] = properties.source.enum;
  const shown = slugs.filter((slug) => !hidden.has(slug));
  if (shown.length === 0) return [];
  const lines = description.split("\n").filter((line) => !hidden.has(line.split(":")[0] ?? ""));
  const source = { ...properties.source, enum: shown };
  const narrowed = {
    type: "function",
    function: {
      name: tool.name,
      description: lines.join("\n"),
      parameters: { ...parameters, properties: { ...properties, source } },
    },
  };
  return [narrowed as unknown as Tool];
}
