/** What models are shown of a tool that reaches them through an MCP client. */

import { describe, expect, it } from "@jest/globals";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { startShop } from "./shop.js";

type Members = Readonly<
  Record<string, { readonly type?: unknown; readonly description?: unknown }>
>;

const readers = {
  async "@langchain/mcp-adapters"(server: {
    command: string;
    args: string[];
    cwd: string;
  }): Promise<Members> {
    const client = new MultiServerMCPClient({ shop: { ...server, transport: "stdio" } });
    const tool = (await client.getTools()).find(({ name }) => name === "shop");
    if (tool === undefined) throw new Error("The client has no tool shop.");
    const { parameters } = convertToOpenAITool(tool).function;
    await client.close();
    return (parameters as { properties: Members }).properties;
  },
  async "the AI SDK"(server: { command: string; args: string[]; cwd: string }): Promise<Members> {
    const { createMCPClient } = await import("@ai-sdk/mcp");
    const { Experimental_StdioMCPTransport: StdioTransport } = await import(
      "@ai-sdk/mcp/mcp-stdio"
    );
    const { asSchema } = await import("ai");
    const client = await createMCPClient({ transport: new StdioTransport(server) });
    const { shop } = await client.tools();
    if (shop === undefined) throw new Error("The client has no tool shop.");
    const { properties } = await asSchema(shop.inputSchema as never).jsonSchema;
    await client.close();
    return properties as Members;
  },
};

// The AI SDK has no part in the oldest versions of LangChain's packages.
const isOldest = process.env["FRAMEWORKS_SET"] === "oldest";
const tested = Object.entries(readers).filter(
  ([name]) => !isOldest || name.startsWith("@langchain"),
);

describe.each(tested)("the inputs of a tool through %s", (_client, read) => {
  it("have each their type, and a description but for the enumeration and the pairs", async () => {
    const shop = await startShop();
    const cwd = new URL("..", import.meta.url).pathname;
    const members = await read({
      command: process.execPath,
      // The oldest client starts servers in the folder of its own process.
      args: [`${cwd}src/mcp-server.mjs`, shop.api.url],
      cwd,
    });
    expect(
      Object.fromEntries(Object.entries(members).map(([name, { type }]) => [name, type])),
    ).toEqual({
      method: "string",
      path: "string",
      query: "array",
      body: "string",
      headers: "array",
      select: "string",
      pages: "integer",
      wait: "integer",
      until: "string",
    });
    const undescribed = Object.entries(members).filter(
      ([, { description }]) => typeof description !== "string",
    );
    expect(undescribed.map(([name]) => name)).toEqual(["method", "query", "headers"]);
  });
});
