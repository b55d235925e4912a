/**
 * Code over two APIs: a model joins customers and orders in one run, then orders something for the best of them, which a person approves.
 * Real requests to the demo shop, a scripted model, no key.
 *
 *   npm run example:code-over-apis
 */

import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { say } from "./transcript.js";

interface Turn {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: {
    readonly value?: { readonly request: { method: string; url: string; body?: string } };
  }[];
}

const shop = await startShopServer();
const toolkit = await ApiSourceToolkit.fromSources(
  [
    { name: "Customers", api: { baseUrl: `${shop.url}/bearer`, authType: "bearer" } },
    {
      name: "Orders",
      api: { baseUrl: `${shop.url}/header`, authType: "header", headerName: "X-Api-Key" },
    },
  ],
  {
    credentials: {
      customers: { token: shopCredentials.bearer },
      orders: { apiKey: shopCredentials.header },
    },
  },
);

const join = `const [customers, orders] = await Promise.all([
  api.customers.get("/customers", { query: { country: "DE" }, pages: 20 }),
  api.orders.get("/orders", { query: { status: "paid", limit: 500 }, pages: 20 }),
]);
const names = new Map(customers.data.map(({ id, name }) => [id, name]));
const sums = new Map<string, number>();
for (const { customer_id, total } of orders.data.orders as { customer_id: number; total: number }[])
  if (names.has(customer_id)) sums.set(customer_id, (sums.get(customer_id) ?? 0) + total);
const best = [...sums].sort((a, b) => b[1] - a[1])[0];
state.best = best[0];
return { customers: names.size, orders: orders.data.orders.length, best: names.get(best[0]), spent: Math.round(best[1]) };`;

const thank = `const { ok, data, error } = await api.orders.post("/orders", {
  body: { customer_id: state.best, items: [{ sku: "SKU-100", title: "Thank-you card", quantity: 1, price: 1 }], total: 1 },
});
return ok ? data.id : error;`;

const call = (code: string, id: string) => ({ name: "run_api_code", args: { code }, id });
const model = fakeModel()
  .respondWithTools([call(join, "call_1")])
  .respondWithTools([call(thank, "call_2")])
  .respond(new AIMessage("The best customer gets a card."));

const tool = createApiCodeTool(toolkit, { writes: "approve" });
const agent = createAgent({ model, tools: [tool], checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: "1" } };
try {
  const question = "Which German customer spent most? Send them a thank-you card.";
  say("bold", question);
  let turn = (await agent.invoke({ messages: [new HumanMessage(question)] }, thread)) as Turn;
  const before = shop.requests.length;
  for (const { value } of turn.__interrupt__ ?? []) {
    if (value === undefined) throw new Error("An interrupt without a question.");
    const { method, url, body = "" } = value.request;
    say("dim", `  asked: ${method} ${new URL(url).pathname} ${body}`);
  }
  say("dim", "  decided: approve");
  turn = (await agent.invoke(
    new Command({ resume: { decisions: [{ type: "approve" }] } }),
    thread,
  )) as Turn;
  for (const { type, text } of turn.messages)
    if (type === "tool") say("dim", `  run_api_code: ${text}`);
  say("bold", turn.messages.at(-1)?.text ?? "");
  for (const [index, { method, url, status }] of shop.requests.entries())
    say(
      "dim",
      `  ${index < before ? "before" : "after"} the decision: ${method} ${url.split("?")[0]} ${status}`,
    );
} finally {
  await shop.close();
}
