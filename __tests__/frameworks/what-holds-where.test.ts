/** The rows of the table in docs/approval.md, each with the packages that it names. */

import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { Command, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createCodeInterpreterMiddleware } from "@langchain/quickjs";
import { createDeepAgent } from "deepagents";
import { createAgent } from "langchain";
import { type ClientOptions, createSourceClient } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { approve, interruptsOf, type Shop, scripted, startShop, toolTexts, write } from "./shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.api.close());
afterEach(() => {
  shop.api.requests.length = 0;
});

interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
}

const code = `const { ok } = await api.shop.post("/orders", { body: { item: "chair" } }); return ok;`;
const evalCode = `await tools.shop(${JSON.stringify(write)})`;

const agentOf = async (options: ClientOptions): Promise<Graph> =>
  createAgent({
    model: scripted("shop", write),
    tools: (await shop.open({ approve: "writes", ...options })).getTools(),
    checkpointer: new MemorySaver(),
  }) as unknown as Graph;

/** What makes the write, in each place where a run can be interrupted. */
const graphs: Readonly<Record<string, (options: ClientOptions) => Promise<Graph>>> = {
  agent: agentOf,
  async subagent(options) {
    const tools = (await shop.open({ approve: "writes", ...options })).getTools();
    const model = scripted("shop", write);
    return createDeepAgent({
      model: scripted("task", { description: "Order a chair.", subagent_type: "buyer" }),
      subagents: [{ name: "buyer", description: "Buys", systemPrompt: "Buy.", tools, model }],
      checkpointer: new MemorySaver(),
    }) as unknown as Graph;
  },
  async subgraph(options) {
    const inner = createAgent({
      model: scripted("shop", write),
      tools: (await shop.open({ approve: "writes", ...options })).getTools(),
    });
    return new StateGraph(MessagesAnnotation)
      .addNode("buyer", inner.graph as never)
      .addEdge("__start__", "buyer" as never)
      .compile({ checkpointer: new MemorySaver() }) as unknown as Graph;
  },
  async run_api_code(options) {
    return createAgent({
      model: scripted("run_api_code", { code }),
      tools: [createApiCodeTool(await shop.open(options), { writes: "approve" })],
      checkpointer: new MemorySaver(),
    }) as unknown as Graph;
  },
};

const interpreter = async (options: ClientOptions, tools?: { interrupts: boolean }): Promise<Graph> => {
  const toolkit = await shop.open({ approve: "writes", ...options });
  const ptc = toolkit.getTools({ answers: "whole", ...tools });
  return createDeepAgent({
    model: scripted("eval", { code: evalCode }),
    middleware: [createCodeInterpreterMiddleware({ ptc, executionTimeoutMs: 40_000 })],
    checkpointer: new MemorySaver(),
  }) as unknown as Graph;
};

const thread = { configurable: { thread_id: "1" } };
const start = { messages: [{ role: "user", content: "Order a chair." }] };

describe.each(Object.entries(graphs))("%s", (_place, open) => {
  it("interrupts the run before anything is sent, and sends once what was approved", async () => {
    const graph = await open({});
    const asked = await graph.invoke(start, thread);
    expect([interruptsOf(asked).length, shop.writes()]).toEqual([1, []]);
    await graph.invoke(new Command({ resume: approve }), thread);
    expect(shop.writes()).toEqual(['{"item":"chair"}']);
  });

  it("asks an explicit approver instead, and sends once", async () => {
    const asked: string[] = [];
    const graph = await open({
      approver: async ({ method, url }) => {
        asked.push(`${method} ${url}`);
        return { type: "approve" };
      },
    });
    const state = await graph.invoke(start, thread);
    expect(interruptsOf(state)).toEqual([]);
    expect(asked).toEqual([`POST ${shop.api.url}/orders`]);
    expect(shop.writes()).toEqual(['{"item":"chair"}']);
  });

  it("answers approval_required with interrupts: false and without an approver", async () => {
    const state = await (await open({ interrupts: false })).invoke(start, thread);
    expect([interruptsOf(state), shop.writes()]).toEqual([[], []]);
  });
});

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
      const [text = ""] = toolTexts(await (await interpreter(options, tools)).invoke(start, thread));
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
    const client = new MultiServerMCPClient({ shop: { command, args: args(), cwd, transport: "stdio" } });
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

describe("a plain call", () => {
  it("asks the approver, and is answered approval_required without one", async () => {
    const refused = await createSourceClient(shop.record, { approve: "writes" }).call(write);
    expect(JSON.parse(refused.content).error.category).toBe("approval_required");
    expect(shop.writes()).toEqual([]);
    const approver: ClientOptions["approver"] = async () => ({ type: "approve" });
    await createSourceClient(shop.record, { approve: "writes", approver }).call(write);
    expect(shop.writes()).toEqual(['{"item":"chair"}']);
  });
});
