/**
 * A whole run to look at: a demo API, four source files, an agent that uses them, and a transcript of what each side saw.
 *
 *   npm run demo                                    a scripted model, no key needed
 *   npm run demo -- --model openai:gpt-5-mini       a real one, through LangChain's initChatModel
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, initChatModel } from "langchain";
import { ApiSourceToolkit, loadSources } from "langchain-api-sources";
import { createScriptedModel, questions } from "./scripted-model.js";
import { type ShopServer, shopCredentials, startShopServer } from "./shop-server.js";
import { printQuestion, printStep, say } from "./transcript.js";

/** The port that stands in the records of examples/sources. */
const recordedPort = 4620;

const scriptedNote =
  "No model was named: a scripted one (LangChain's fakeModel) plays its part. Real requests, real answers.";

const { values } = parseArgs({ options: { model: { type: "string" } } });
const server = await startShopServer();
try {
  await runDemo(server, values.model);
} finally {
  await server.close();
}

async function runDemo(shop: ShopServer, modelName: string | undefined): Promise<void> {
  const toolkit = await loadToolkit(shop.port);
  const tools = toolkit.getTools();
  say("bold", `Demo API at ${shop.url}, one door for each authType; tools of the agent:`);
  for (const { name, description } of tools) {
    say("dim", `  ${name.padEnd(18)} ${description.split("\n", 1)[0]}`);
  }
  say("dim", modelName === undefined ? scriptedNote : `Model: ${modelName}`);
  const model = await openModel(modelName);
  const agent = createAgent({ model, tools });
  let messages: BaseMessage[] = [];
  for (const [index, question] of questions.entries()) {
    printQuestion(question, index + 1);
    messages = [...messages, new HumanMessage(question)];
    for await (const step of await agent.stream({ messages }, { streamMode: "updates" })) {
      for (const update of Object.values(step)) {
        const added = (update as { messages?: BaseMessage[] }).messages ?? [];
        messages = [...messages, ...added];
        printStep(added, shop.requests.splice(0));
      }
    }
  }
}

async function openModel(name: string | undefined): Promise<BaseChatModel> {
  return name === undefined
    ? createScriptedModel()
    : ((await initChatModel(name)) as BaseChatModel);
}

/** The records name a fixed port; the demo takes a free one, so that it runs beside anything. */
async function loadToolkit(port: number): Promise<ApiSourceToolkit> {
  const sources = await loadSources(
    fileURLToPath(new URL("../../examples/sources", import.meta.url)),
  );
  const records = sources.map((source) => ({
    ...source,
    api: { ...source.api, baseUrl: source.api.baseUrl.replace(`:${recordedPort}`, `:${port}`) },
  }));
  // In an application these come from the environment (.env.example); the demo's server only lives while it runs.
  return ApiSourceToolkit.fromSources(records, {
    credentials: {
      shop_customers: { token: shopCredentials.bearer },
      shop_orders: { apiKey: shopCredentials.header },
      shop_reports: { apiKey: shopCredentials.query },
      shop_admin: shopCredentials.basic,
    },
  });
}
