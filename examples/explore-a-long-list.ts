/**
 * A list that is too long to read: a view of it first, then questions to all of it, by `select`, by `pages`, and to what was kept.
 *
 *   npm run example:explore-a-long-list                                    a scripted model, no key needed
 *   npm run example:explore-a-long-list -- --model openai:gpt-5-mini       a real one
 */

import { parseArgs } from "node:util";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, fakeModel, initChatModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { printQuestion, printStep } from "./transcript.js";

const { values } = parseArgs({ options: { model: { type: "string" } } });
const question =
  "What do the orders look like? Which status has how many, and in which cities do refunded ones go?";
const shop = await startShopServer();
const toolkit = await ApiSourceToolkit.fromSources(
  [
    {
      name: "Shop",
      api: { baseUrl: `${shop.url}/bearer`, authType: "bearer", limits: { maxTokens: 500 } },
    },
  ],
  { credentials: { shop: { token: shopCredentials.bearer } } },
);

const call = (name: string, args: Record<string, unknown>): AIMessage =>
  new AIMessage({
    content: "",
    tool_calls: [{ name, args, id: `call_${name}`, type: "tool_call" }],
  });
const last = (messages: readonly BaseMessage[]) => JSON.parse(messages.at(-1)?.text ?? "{}");

const scripted = fakeModel()
  // A look: the first rows nearly whole, later ones thinner, and what is left out, with counts.
  .respond(
    call("shop", { method: "GET", path: "/orders", query: [{ name: "limit", value: "100" }] }),
  )
  // The page it saw was kept: a question to it costs no request.
  .respond((messages) =>
    call("read_api_response", { id: last(messages).shortened.id, select: "length(orders)" }),
  )
  // All pages in one call: six requests, one answer, and the query runs over the rows of all.
  .respond(
    call("shop", {
      method: "GET",
      path: "/orders?limit=100",
      pages: 20,
      select: "items(group_by(orders, &status))[*].{status: [0], count: length([1])}",
    }),
  )
  // The whole of it was kept as well.
  .respond((messages) =>
    call("read_api_response", {
      id: last(messages).kept,
      select: "sort(keys(group_by(orders[?status=='refunded'], &shipping_address.city)))",
    }),
  )
  .respond((messages) => new AIMessage(`Refunded orders go to ${last(messages).data.join(", ")}.`));
const model = values.model === undefined ? scripted : await initChatModel(values.model);

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
