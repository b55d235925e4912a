/** The tools of a toolkit over the Model Context Protocol: the same names, descriptions, policy and answers to any client. */

import { randomUUID } from "node:crypto";
import { ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { ApiSourceToolkit } from "../toolkit/api-source-toolkit.js";

export interface McpServerOptions {
  /**
   * Whom kept responses belong to. A server that is made anew for each request of a session needs it, to read what an earlier one kept.
   *
   * @default one that only this server has
   */
  readonly session?: string;
  /** What the server says its version is. @default "0" */
  readonly version?: string;
}

/**
 * Makes an MCP server of a toolkit. It serves one connection: give each its own, they may share the toolkit.
 *
 * @param toolkit - What `ApiSourceToolkit.fromDirectory` and its kin give.
 * @returns A server of `@modelcontextprotocol/server`, to be connected to a transport.
 * @example
 * const toolkit = await ApiSourceToolkit.fromDirectory("./sources");
 * const server = createMcpServer(toolkit);
 * await server.connect(new StdioServerTransport()); // of @modelcontextprotocol/server/stdio
 */
export function createMcpServer(toolkit: ApiSourceToolkit, options: McpServerOptions = {}): McpServer {
  const { session = randomUUID(), version = "0" } = options;
  const mcp = new McpServer({ name: "langchain-api-sources", version }, { capabilities: { tools: {} } });
  const tools = new Map(toolkit.getTools().map((tool) => [tool.name, tool]));
  const described = [...tools.values()].map(describeTool);
  mcp.server.setRequestHandler("tools/list", () => ({ tools: described }));
  mcp.server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of that name.`);
    }
    return callTool(tool, params.arguments ?? {}, { session, context });
  });
  return mcp;
}

/** A tool as a client is shown it: the schema is the one that models get. */
function describeTool({ name, description, schema }: StructuredToolInterface): Tool {
  const inputSchema: Tool["inputSchema"] = JSON.parse(JSON.stringify(toJsonSchema(schema)));
  const method = inputSchema.properties?.["method"];
  const methods = typeof method === "object" && method !== null && "enum" in method ? method.enum : undefined;
  // A tool that takes no method sends nothing: it reads what was kept.
  const readOnlyHint = method === undefined || (Array.isArray(methods) && methods.join() === "GET");
  return {
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint, openWorldHint: method !== undefined },
  };
}

interface Call {
  readonly session: string;
  readonly context: ServerContext;
}

/** A failure is a result that is marked as one, as the tool's own answer is. */
async function callTool(
  tool: StructuredToolInterface,
  args: Record<string, unknown>,
  { session, context }: Call,
): Promise<CallToolResult> {
  const { id, signal } = context.mcpReq;
  const config = { signal, configurable: { thread_id: session }, writer: createProgress(context) };
  const call = { type: "tool_call" as const, id: String(id), name: tool.name, args };
  const message: unknown = await tool.invoke(call, config);
  if (!ToolMessage.isInstance(message)) throw new Error(`The tool ${tool.name} gave no message.`);
  return { content: [{ type: "text", text: message.text }], isError: message.status === "error" };
}

/** Tells of each page of a long call, to a client that asked to be told. */
function createProgress({ mcpReq }: ServerContext): (progress: object) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let told = 0;
  return (progress) => {
    told += 1;
    const params = { progressToken, progress: told, message: JSON.stringify(progress) };
    // A client that is gone has nothing to be told.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
