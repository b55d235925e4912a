/** The rows of the table in docs/approval.md where a run cannot be interrupted, each with the packages that it names. */

import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { describe, expect, it } from "@jest/globals";
import { MemorySaver } from "@langchain/langgraph";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createCodeInterpreterMiddleware } from "@langchain/quickjs";
import { createDeepAgent } from "deepagents";
import type { ClientOptions } from "langchain-api-sources";
import { interruptsOf, scripted, startShop, toolTexts, write } from "./shop.js";

const shop = await startShop();

interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
}

const interpreter = async (
  options: ClientOptions,
  tools?: { interrupts: boolean },
): Promise<Graph> => {
  const toolkit = await shop.open({ approve: "writes", ...options });
  const ptc = toolkit.getTools({ answers: "whole", ...tools });
  return createDeepAgent({
    model: scripted("eval", { code: `await tools.shop(${JSON.stringify(write)})` }),
    middleware: [createCodeInterpreterMiddleware({ ptc, executionTimeoutMs: 40_000 })],
    checkpointer: new MemorySaver(),
  }) as unknown as Graph;
};

const thread = { configurable: { thread_id: "1" } };
const start = { messages: [{ role: "user", content: "Order a chair." }] };

describe("eval", () => {
  it("asks an explicit approver, and gives the interpreter the answer", async () => {
    let asked = 0;
    const approver: ClientOptions["approver"] = async () => {
      asked += 1;
      return { type: "approve" };
    };
    const [text = ""] = toolTexts(await (await interpreter({ approver })).invoke(start, thread));
    expect([asked, shop.writes()]).toEqual([1, ['{"item":"chair"}']]);
    expect(text).toContain('"status":200');
  });

  it.each([
    ["of the toolkit", { interrupts: false }, undefined],
    ["of getTools", {}, { interrupts: false }],
  ])(
    "gives the interpreter approval_required as an answer with interrupts: false %s",
    async (_of, options, tools) => {
      const [text = ""] = toolTexts(
        await (await interpreter(options, tools)).invoke(start, thread),
      );
      expect(shop.writes()).toEqual([]);
      expect(text).toContain('"category":"approval_required"');
      expect(text).not.toContain("actionRequests");
    },
  );

  it("sends nothing where neither is set, and the interrupt does not leave the interpreter", async () => {
    const state = await (await interpreter({})).invoke(start, thread);
    expect([interruptsOf(state), shop.writes()]).toEqual([[], []]);
  });
});

describe("MCP", () => {
  const command = process.execPath;
  const args = (): string[] => ["src/mcp-server.mjs", shop.api.url];
  const cwd = new URL("..", import.meta.url).pathname;

  it("asks the person through a client that can ask, and sends once", async () => {
    const client = await createMCPClient({
      transport: new StdioTransport({ command, args: args(), cwd }),
      capabilities: { elicitation: {} },
    });
    const asked: string[] = [];
    client.onElicitationRequest(ElicitationRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: {} };
    });
    try {
      const { shop: tool } = await client.tools();
      await tool?.execute?.(write, { toolCallId: "1", messages: [] } as never);
      expect(asked).toHaveLength(1);
      expect(shop.writes()).toEqual(['{"item":"chair"}']);
    } finally {
      await client.close();
    }
  });

  it("sends nothing through a client that cannot ask", async () => {
    const client = new MultiServerMCPClient({
      shop: { command, args: args(), cwd, transport: "stdio" },
    });
    try {
      const [tool] = await client.getTools();
      const answer: unknown = await tool?.invoke(write).catch((error: unknown) => error);
      expect(String(answer)).toContain("approval_required");
      expect(shop.writes()).toEqual([]);
    } finally {
      await client.close();
    }
  });
});
