/**
 * A write that a person approves inside the tool: two orders in one turn of an agent, one approved, one rejected; then one that a
 * person changes first. Real requests to the demo shop, a scripted model, no key.
 *
 *   npm run example:approve-a-write
 */

import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { say } from "./transcript.js";

interface Question {
  readonly id?: string;
  readonly value?: {
    readonly request: {
      readonly method: string;
      readonly url: string;
      readonly body?: string;
      readonly digest: string;
    };
  };
}

interface Turn {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: Question[];
}

const shop = await startShopServer();
const toolkit = await ApiSourceToolkit.fromSources(
  [
    {
      name: "Shop",
      api: { baseUrl: `${shop.url}/header`, authType: "header", headerName: "X-Api-Key" },
    },
  ],
  { approve: "writes", credentials: { shop: { apiKey: shopCredentials.header } } },
);

const order = (title: string, price: number, id: string) => {
  const items = [{ sku: "SKU-100", title, quantity: 1, price }];
  const body = { customer_id: 1003, items, total: price };
  return { name: "shop", args: { method: "POST", path: "/orders", body }, id };
};
const model = fakeModel()
  .respondWithTools([order("Desk lamp", 39.9, "call_1"), order("Golden desk", 3990, "call_2")])
  .respond((messages) => new AIMessage(`Done: ${readAnswers(messages).join(" ")}`))
  .respondWithTools([order("Office chair", 1200, "call_3")])
  .respond((messages) => new AIMessage(`Done: ${readAnswers(messages).join(" ")}`));

const agent = createAgent({ model, tools: toolkit.getTools(), checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: "1" } };
try {
  await ask("Order a desk lamp and a golden desk for customer 1003.");
  await ask("And an office chair.");
} finally {
  await shop.close();
}

async function ask(question: string): Promise<void> {
  say("bold", `\n${question}`);
  let turn = (await agent.invoke({ messages: [new HumanMessage(question)] }, thread)) as Turn;
  while (turn.__interrupt__ !== undefined) {
    say("dim", `  requests that reached the shop so far: ${shop.requests.length}`);
    const resume = Object.fromEntries(turn.__interrupt__.map(decide));
    turn = (await agent.invoke(new Command({ resume }), thread)) as Turn;
  }
  say("bold", `  ${turn.messages.at(-1)?.text}`);
  for (const { method, url, status } of shop.requests.splice(0))
    say("dim", `  the shop received ${method} ${url} and answered ${status}`);
}

/** The person's part. The digest ties a decision to the request that was shown. */
function decide({ id = "", value }: Question): [string, unknown] {
  if (value === undefined) throw new Error("An interrupt without a question.");
  const { method, url, body = "", digest } = value.request;
  const { pathname } = new URL(url);
  say("dim", `  asked: ${method} ${pathname} ${body}`);
  const input = JSON.parse(body) as { total: number };
  if (input.total > 2000) {
    say("dim", "  decided: reject");
    return [id, { decisions: [{ type: "reject", message: "That is over the budget.", digest }] }];
  }
  if (input.total > 1000) {
    say("dim", "  decided: edit, with a note for the shop");
    const args = { method, path: "/orders", body: { ...input, note: "Call before delivery" } };
    return [id, { decisions: [{ type: "edit", editedAction: { name: "shop", args }, digest }] }];
  }
  say("dim", "  decided: approve");
  return [id, { decisions: [{ type: "approve", digest }] }];
}

/** What the tool said since the model's last words. */
function readAnswers(messages: readonly BaseMessage[]): string[] {
  const asked = messages.findLastIndex((message) => message.type === "ai");
  return messages.slice(asked + 1).map(({ text }) => {
    const { data, error } = JSON.parse(text) as {
      data?: { id: string };
      error?: { message: string };
    };
    return error === undefined ? `order ${data?.id} was placed.` : error.message;
  });
}
