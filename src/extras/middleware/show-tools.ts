/** The tools that a model is shown, without the sources that are hidden from its run. */

import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { AnsweringTool, type ToolText } from "../../toolkit/answering-tool.js";

/** Leaves out the tools of hidden sources, and narrows those of many sources. Other tools stay as they are. */
export function showTools<Tool>(tools: readonly Tool[], hidden: ReadonlySet<string>): Tool[] {
  if (hidden.size === 0) return [...tools];
  return tools.flatMap((tool) => {
    if (!(tool instanceof AnsweringTool)) return [tool];
    const text = tool.narrow(hidden);
    if (text === undefined) return [];
    return text === tool ? [tool] : [define<Tool>(tool.name, text)];
  });
}

/** LangChain takes no other instance of a tool that it knows, but any definition of a provider's. */
function define<Tool>(name: string, { description, schema }: ToolText<object>): Tool {
  return convertToOpenAITool({ name, description, schema }) as unknown as Tool;
}
