/** Middleware that catches what a tool throws, the interrupt of a run included. */

import { describe, expect, it } from "@jest/globals";
import { Command, isGraphBubbleUp, MemorySaver } from "@langchain/langgraph";
import { createAgent, toolRetryMiddleware } from "langchain";
import { approve, interruptsOf, scripted, startShop, write } from "./shop.js";

const shop = await startShop();

const thread = { configurable: { thread_id: "1" } };
const start = { messages: [{ role: "user" as const, content: "Order a chair." }] };

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
    const state = await (await openAgent({})).invoke(start, thread);
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
    expect(interruptsOf(await agent.invoke(start, thread))).toHaveLength(1);
    await agent.invoke(new Command({ resume: approve }), thread);
    expect(shop.writes()).toEqual(['{"item":"chair"}']);
  });
});
