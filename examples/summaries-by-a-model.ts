/**
 * A summary in a model's words beside the view of a large answer, and the view alone when the model fails.
 *
 *   npm run example:summaries-by-a-model                                    a scripted model, no key needed
 *   npm run example:summaries-by-a-model -- --model openai:gpt-5-mini       a real one
 */

import { parseArgs } from "node:util";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel, initChatModel } from "langchain";
import { createApiSourceTool, defineSource, modelSummarizer } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { layOut, say } from "./transcript.js";

const { values } = parseArgs({ options: { model: { type: "string" } } });
const shop = await startShopServer();
const record = defineSource({
  name: "Shop",
  api: { baseUrl: `${shop.url}/bearer`, authType: "bearer", limits: { maxTokens: 500 } },
});

/** What a model is given: how to summarise, then the body between two lines that it can't contain. */
const scripted = fakeModel().respond((messages) => {
  say("bold", "\nThe summarizing model is told:");
  for (const message of messages) say("dim", `${message.text.slice(0, 420)} […]`.replace(/^/gm, "  "));
  return new AIMessage(
    "Orders of a shop: number, customer, status, total in EUR, items, address. Totals run from a few euros to some hundreds; " +
      "many have a comment for the courier.",
  );
});
const failing = fakeModel().alwaysThrow(new Error("overloaded"));

try {
  const model =
    values.model === undefined ? scripted : ((await initChatModel(values.model)) as BaseChatModel);
  const asked = await ask("With a model", model);
  say("green", `\n  summary: ${asked.summary}`);
  const alone = await ask("With a model that fails", failing);
  say("green", `\n  summary: ${alone.summary ?? "none; the view is the same as without a model"}`);
} finally {
  await shop.close();
}

async function ask(title: string, model: BaseChatModel): Promise<{ summary?: string }> {
  const tool = createApiSourceTool(record, {
    credentials: { shop: { token: shopCredentials.bearer } },
    summarizer: modelSummarizer(model, { maxSummaryTokens: 80 }),
    // What failed is for whoever runs the application; the agent gets its answer.
    logger: { debug: () => {}, info: () => {}, warn: console.log, error: console.log },
  });
  say("bold", `\n${title}: GET /orders?limit=200`);
  const answer = JSON.parse(String(await tool.invoke({ method: "GET", path: "/orders?limit=200" })));
  const { tokens, shownTokens } = answer.shortened;
  say("dim", `  the whole has about ${tokens} tokens, the view ${shownTokens}`);
  console.log(`${layOut({ orders: answer.data.orders.slice(0, 2) })}`.replace(/^/gm, "  "));
  return answer;
}
