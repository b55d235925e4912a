/**
 * The service of web-service.ts with the demo shop behind it, and a scripted model: it orders what it is asked for.
 *
 *   DATABASE_URL=postgresql://… npm run web-service
 *   DATABASE_URL=postgresql://… npm run web-service -- --model openai:gpt-5-mini
 */

import { parseArgs } from "node:util";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { fakeModel } from "langchain";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { startService } from "./web-service.js";

const { values } = parseArgs({ options: { model: { type: "string" } } });
const {
  DATABASE_URL: databaseUrl = "",
  PORT: port = "4642",
  SHOP_PORT: shopPort = "4641",
} = process.env;
const shop = await startShopServer(Number(shopPort));

/** Orders after a person's message, and reports after the tool's answer. */
function play(messages: readonly BaseMessage[]): AIMessage {
  const last = messages.at(-1);
  if (last?.type === "tool") {
    const { data, error } = JSON.parse(last.text);
    return new AIMessage(
      error === undefined ? `Order ${data.id} is ${data.status}.` : error.message,
    );
  }
  const items = [{ sku: "SKU-100", title: "Desk lamp", quantity: 1, price: 39.9 }];
  const args = { method: "POST", path: "/orders", body: { customer_id: 1003, items, total: 39.9 } };
  return new AIMessage({
    content: "",
    tool_calls: [{ name: "shop", args, id: "call_1", type: "tool_call" }],
  });
}
const scripted = fakeModel();
for (let turn = 0; turn < 1_000; turn += 1) scripted.respond((messages) => play(messages));

const service = await startService({
  records: [{ name: "Shop", api: { baseUrl: `${shop.url}/bearer`, authType: "bearer" } }],
  credentials: { shop: { token: shopCredentials.bearer } },
  model: values.model ?? scripted,
  databaseUrl,
  users: new Map([
    ["token-of-ada", "ada"],
    ["token-of-ben", "ben"],
  ]),
  port: Number(port),
});
console.log(`The service listens at ${service.url}`);
process.once("SIGTERM", async () => {
  await service.stop();
  await shop.close();
});
