/**
 * A first agent: one record, one tool, one question. The model finds out what the shop has, asks for what it needs, and answers.
 *
 *   npm run example:first-agent                                    a scripted model, no key needed
 *   npm run example:first-agent -- --model openai:gpt-5-mini       a real one
 */

import { parseArgs } from "node:util";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, fakeModel, initChatModel } from "langchain";
import { ApiSourceToolkit, defineSource } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { printQuestion, printStep, say } from "./transcript.js";

const { values } = parseArgs({ options: { model: { type: "string" } } });
const question = "Who is customer 1004, and how many orders does this customer have?";
const shop = await startShopServer();

// 1. The record: where the API is, and how it wants to be asked. No credential is in it.
const record = defineSource({
  name: "Shop",
  tagline: "Customers and orders of a small shop",
  api: {
    baseUrl: `${shop.url}/bearer`,
    authType: "bearer",
    methods: ["GET"],
    endpoints: [
      { method: "GET", path: "/customers/1000", about: "one customer" },
      { method: "GET", path: "/orders", about: "orders", query: { customer_id: 1000 } },
    ],
  },
});

// 2. The toolkit: one tool for each record. In an application the token comes from SHOP_TOKEN.
const toolkit = await ApiSourceToolkit.fromSources([record], {
  credentials: { shop: { token: shopCredentials.bearer } },
});
say("bold", "What the model reads of the tool:");
say("dim", `${toolkit.getTools()[0]?.description}`.replace(/^/gm, "  "));

// 3. The model. The script says what a real one says: look at the customer, count the orders, answer.
const call = (id: string, args: Record<string, unknown>): AIMessage =>
  new AIMessage({ content: "", tool_calls: [{ name: "shop", args, id, type: "tool_call" }] });
const scripted = fakeModel()
  .respond(
    call("call_1", { method: "GET", path: "/customers/1004", select: "{name: name, tier: tier}" }),
  )
  .respond(
    call("call_2", {
      method: "GET",
      path: "/orders",
      query: [{ name: "customer_id", value: "1004" }],
      select: "length(orders)",
    }),
  )
  .respond((messages) => {
    const [customer, orders] = messages
      .filter(({ type }) => type === "tool")
      .map(({ text }) => JSON.parse(text));
    return new AIMessage(
      `${customer.data.name} (tier ${customer.data.tier}) has ${orders.data} orders.`,
    );
  });
const model = values.model === undefined ? scripted : await initChatModel(values.model);

// 4. The agent is LangChain's own.
const agent = createAgent({ model, tools: toolkit.getTools() });
try {
  printQuestion(question, 1);
  const input = { messages: [new HumanMessage(question)] };
  for await (const step of await agent.stream(input, { streamMode: "updates" })) {
    for (const { messages = [] } of Object.values(step) as { messages?: BaseMessage[] }[])
      printStep(messages, shop.requests.splice(0));
  }
} finally {
  await shop.close();
}
