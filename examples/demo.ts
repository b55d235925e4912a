/**
 * A whole run to look at: a demo API, four source files, an agent that uses them, and a transcript of what each side saw.
 *
 *   npm run demo                                    a scripted model, no key needed
 *   npm run demo -- --model openai:gpt-5-mini       a real one, through LangChain's initChatModel
 */

import { fileURLToPath } from "node:url";
import { parseArgs, styleText } from "node:util";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, initChatModel } from "langchain";
import { ApiSourceToolkit, loadSources } from "langchain-api-sources";
import { createScriptedModel, questions } from "./scripted-model.js";
import { type ShopRequest, type ShopServer, shopCredentials, startShopServer } from "./shop-server.js";

/** The port that stands in the records of examples/sources. */
const recordedPort = 4620;
const maxShownCharacters = 900;

const { values } = parseArgs({ options: { model: { type: "string" } } });
const server = await startShopServer();
try {
  await runDemo(server, values.model);
} finally {
  await server.close();
}

async function runDemo(shop: ShopServer, modelName: string | undefined): Promise<void> {
  const toolkit = await loadToolkit(shop.port);
  const scripted = modelName === undefined;
  const model = scripted ? createScriptedModel() : ((await initChatModel(modelName)) as BaseChatModel);
  const agent = createAgent({ model, tools: toolkit.getTools() });
  say(
    "bold",
    `Demo API at ${shop.url}; tools: ${toolkit
      .getTools()
      .map((tool) => tool.name)
      .join(", ")}`,
  );
  say(
    "dim",
    scripted
      ? "No model was named: a scripted one (LangChain's fakeModel) plays its part."
      : `Model: ${modelName}`,
  );
  let messages: BaseMessage[] = [];
  for (const question of questions) {
    say("bold", `\n━━━ ${question}`);
    messages = [...messages, { role: "user", content: question } as unknown as BaseMessage];
    for await (const step of await agent.stream({ messages }, { streamMode: "updates" })) {
      for (const update of Object.values(step)) {
        const added = (update as { messages?: BaseMessage[] }).messages ?? [];
        messages = [...messages, ...added];
        for (const message of added) printMessage(message);
        printRequests(shop.requests.splice(0));
      }
    }
  }
}

/** The records name a fixed port; the demo takes a free one, so that it runs beside anything. */
async function loadToolkit(port: number): Promise<ApiSourceToolkit> {
  const sources = await loadSources(fileURLToPath(new URL("../../examples/sources", import.meta.url)));
  const records = sources.map((source) => ({
    ...source,
    api: { ...source.api, baseUrl: source.api.baseUrl.replace(`:${recordedPort}`, `:${port}`) },
  }));
  return ApiSourceToolkit.fromSources(records, {
    credentials: {
      shop_customers: { token: shopCredentials.bearer },
      shop_orders: { apiKey: shopCredentials.header },
      shop_reports: { apiKey: shopCredentials.query },
      shop_admin: shopCredentials.basic,
    },
  });
}

function printMessage(message: BaseMessage): void {
  if (AIMessage.isInstance(message)) {
    for (const { name, args } of message.tool_calls ?? []) {
      say("cyan", `\n→ calls ${name}`);
      say("cyan", `  ${JSON.stringify(args)}`);
    }
    if (message.text !== "") say("green", `\n✓ ${message.text}`);
  } else if (ToolMessage.isInstance(message)) {
    const failed = message.status === "error" ? " (marked as an error)" : "";
    say("yellow", `  the model saw${failed}, ${message.text.length} characters:`);
    console.log(`  ${clip(message.text)}`);
  }
}

function printRequests(requests: readonly ShopRequest[]): void {
  for (const { method, url, credential, body, status } of requests) {
    say(
      "magenta",
      `  the server received: ${method} ${url}  [${credential}]${body === "" ? "" : `  ${body}`}  → ${status}`,
    );
  }
}

function clip(text: string): string {
  if (text.length <= maxShownCharacters) return text;
  const half = maxShownCharacters / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

function say(style: "bold" | "dim" | "cyan" | "green" | "yellow" | "magenta", text: string): void {
  console.log(process.stdout.isTTY ? styleText(style, text) : text);
}
