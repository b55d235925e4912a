/** The rows of the table in docs/approval.md where a run can be interrupted, on the oldest and on the newest supported packages. */

import { describe, expect, it } from "@jest/globals";
import {
  Command,
  isGraphBubbleUp,
  MemorySaver,
  MessagesAnnotation,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createDeepAgent } from "deepagents";
import { createAgent, toolRetryMiddleware } from "langchain";
import type { ClientOptions } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import {
  approve,
  interruptsOf,
  type ScriptedCall,
  scripted,
  scriptedCalls,
  startShop,
  write,
} from "./shop.js";

const shop = await startShop();

interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
}
type Items = readonly string[];

const bodyOf = (item: string): string => JSON.stringify({ item });
const order = (item: string): ScriptedCall => ({
  name: "shop",
  args: { method: "POST", path: "/orders", body: bodyOf(item) },
});
const ordering = (items: Items) => scriptedCalls(() => items.map(order));
const toolsOf = async (options: ClientOptions) =>
  (await shop.open({ approve: "writes", ...options })).getTools();

/** What orders the items, all at once, in each place where a run can be interrupted. */
const graphs: Readonly<Record<string, (items: Items, options?: ClientOptions) => Promise<Graph>>> =
  {
    async agent(items, options = {}) {
      return createAgent({
        model: ordering(items),
        tools: await toolsOf(options),
        checkpointer: new MemorySaver(),
      }) as unknown as Graph;
    },
    async subagent(items, options = {}) {
      const buyer = {
        name: "buyer",
        description: "Buys",
        systemPrompt: "Buy.",
        tools: await toolsOf(options),
        model: scriptedCalls((item) => [order(item)]),
      };
      const tasks = items.map((description) => ({
        name: "task",
        args: { description, subagent_type: "buyer" },
      }));
      return createDeepAgent({
        model: scriptedCalls(() => tasks),
        subagents: [buyer],
        checkpointer: new MemorySaver(),
      } as never) as unknown as Graph;
    },
    async subgraph(items, options = {}) {
      const inner = createAgent({ model: ordering(items), tools: await toolsOf(options) });
      return new StateGraph(MessagesAnnotation)
        .addNode("buyer", inner.graph as never)
        .addEdge("__start__", "buyer" as never)
        .compile({ checkpointer: new MemorySaver() }) as unknown as Graph;
    },
    async "one node (ToolNode)"(items, options = {}) {
      const model = ordering(items);
      return new StateGraph(MessagesAnnotation)
        .addNode("buyer", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
        .addNode("tools", new ToolNode(await toolsOf(options)) as never)
        .addEdge("__start__", "buyer" as never)
        .addEdge("buyer" as never, "tools" as never)
        .compile({ checkpointer: new MemorySaver() }) as unknown as Graph;
    },
    async run_api_code(items, options = {}) {
      const code = `const answers = await Promise.all(${JSON.stringify(items)}.map((item) => api.shop.post("/orders", { body: { item } }))); return answers.map(({ ok }) => ok);`;
      return createAgent({
        model: scriptedCalls(() => [{ name: "run_api_code", args: { code } }]),
        tools: [createApiCodeTool(await shop.open(options), { writes: "approve" })],
        checkpointer: new MemorySaver(),
      }) as unknown as Graph;
    },
  };

const thread = { configurable: { thread_id: "1" } };
const start = { messages: [{ role: "user", content: "Order." }] };

describe.each(Object.entries(graphs))("%s", (_place, open) => {
  it("interrupts the run before anything is sent, and sends once what was approved", async () => {
    const graph = await open(["chair"]);
    const asked = await graph.invoke(start, thread);
    expect([interruptsOf(asked).length, shop.writes()]).toEqual([1, []]);
    await graph.invoke(new Command({ resume: approve }), thread);
    expect(shop.writes()).toEqual([bodyOf("chair")]);
  });

  it("asks about each of two writes at once, and sends the one that was approved, once", async () => {
    const graph = await open(["chair", "table"]);
    let state = await graph.invoke(start, thread);
    const asked: string[] = [];
    while (interruptsOf(state).length > 0 && asked.length < 5) {
      const resume = interruptsOf(state).map(({ id, value: { request } }) => {
        asked.push(request.body);
        const type = request.body === bodyOf("table") ? "approve" : "reject";
        return [id, { decisions: [{ type }] }];
      });
      state = await graph.invoke(new Command({ resume: Object.fromEntries(resume) }), thread);
    }
    expect(asked.sort()).toEqual([bodyOf("chair"), bodyOf("table")]);
    expect(shop.writes()).toEqual([bodyOf("table")]);
  });

  it("sends nothing for an answer without an id where two questions are shown, and never both", async () => {
    const graph = await open(["chair", "table"]);
    const shown = interruptsOf(await graph.invoke(start, thread));
    await graph.invoke(new Command({ resume: approve }), thread);
    expect(shop.writes().length).toBeLessThanOrEqual(shown.length === 1 ? 1 : 0);
  });
});

/** Middleware that catches what a tool throws, the interrupt of a run included. */
async function openAgent(settings: Parameters<typeof toolRetryMiddleware>[0]) {
  return createAgent({
    model: scripted("shop", write),
    tools: (await shop.open({ approve: "writes" })).getTools(),
    checkpointer: new MemorySaver(),
    middleware: [toolRetryMiddleware({ initialDelayMs: 1, ...settings })],
  });
}

describe("toolRetryMiddleware", () => {
  it("swallows the interrupt by default, and nothing is sent", async () => {
    const state = await (await openAgent({})).invoke(start as never, thread);
    expect([interruptsOf(state), shop.writes()]).toEqual([[], []]);
  });

  it("lets a person decide with the documented setting, and the write is sent once", async () => {
    const agent = await openAgent({
      retryOn: (error) => !isGraphBubbleUp(error),
      onFailure: (error) => {
        if (isGraphBubbleUp(error)) throw error;
        return error.message;
      },
    });
    expect(interruptsOf(await agent.invoke(start as never, thread))).toHaveLength(1);
    await agent.invoke(new Command({ resume: approve }), thread);
    expect(shop.writes()).toEqual(['{"item":"chair"}']);
  });
});
