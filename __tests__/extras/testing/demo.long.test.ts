import { readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { HumanMessage } from "@langchain/core/messages";
import { createAgent } from "langchain";
import {
  ApiSourceToolkit,
  type CallEvent,
  journalTo,
  loadSources,
  type TransportOption,
} from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { recordTo, replayFrom } from "langchain-api-sources/testing";
import { createScriptedModel, questions } from "../../../examples/scripted-model.js";
import { type ShopServer, shopCredentials, startShopServer } from "../../../examples/shop-server.js";
import { useDirectory } from "../../support/temporary-directory.js";

const directory = useDirectory();
let shop: ShopServer;
beforeEach(async () => {
  shop = await startShopServer();
});

const journalFile = () => directory("calls.jsonl");

async function loadToolkit(transport: TransportOption, writes: unknown[] = []): Promise<ApiSourceToolkit> {
  const sources = await loadSources("examples/sources");
  const journal = journalTo(journalFile());
  return ApiSourceToolkit.fromSources(
    sources.map((source) => ({
      ...source,
      api: { ...source.api, baseUrl: source.api.baseUrl.replace(":4620", `:${shop.port}`) },
    })),
    {
      transport,
      onCall: (event: CallEvent) => void writes.push(journal(event)),
      credentials: {
        shop_customers: { token: shopCredentials.bearer },
        shop_orders: { apiKey: shopCredentials.header },
        shop_reports: { apiKey: shopCredentials.query },
        shop_admin: shopCredentials.basic,
      },
    },
  );
}

/** Every answer that the model of `npm run demo` reads; ids of kept responses are random. */
async function runDemo(transport: TransportOption): Promise<string[]> {
  const writes: unknown[] = [];
  const toolkit = await loadToolkit(transport, writes);
  const agent = createAgent({ model: createScriptedModel(), tools: toolkit.getTools() });
  let state: Parameters<typeof agent.invoke>[0] = { messages: [] };
  for (const question of questions)
    state = await agent.invoke({ messages: [...Object(state).messages, new HumanMessage(question)] });
  await Promise.all(writes);
  const { messages } = Object(state);
  return messages
    .filter(({ type }: { type: string }) => type === "tool")
    .map(({ text }: { text: string }) => text.replace(/r_[0-9a-z]+/g, "r_id"));
}

const secretsOf = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Object.values(Object(value)).flatMap(secretsOf);

describe("the demo", () => {
  it("replays byte for byte without its API, and its recordings and journal hold no credential", async () => {
    const recorded = await runDemo(recordTo(directory("api")));
    await shop.close();
    const replay = replayFrom(directory("api"));
    expect(await runDemo(replay)).toEqual(recorded);
    replay.assertAllUsed();
    expect(recorded.length).toBeGreaterThan(5);
    const files = readdirSync(directory("api")).map((name) => directory("api", name));
    const texts = [...files, journalFile()].map((path) => readFileSync(path, "utf8")).join("\n");
    const secrets = secretsOf(shopCredentials).filter((text) => text.length > 7);
    expect(secrets.filter((secret) => texts.includes(secret))).toEqual([]);
    expect(readFileSync(journalFile(), "utf8").split("\n").length).toBeGreaterThan(10);
  });
});

describe("code over the sources", () => {
  it("replays, too", async () => {
    const code = 'return (await api.shop_orders.get("/orders", { query: { limit: 2 } })).status';
    const writes: unknown[] = [];
    const run = async (transport: TransportOption): Promise<unknown> =>
      Object(JSON.parse(await createApiCodeTool(await loadToolkit(transport, writes)).invoke({ code }))).data;
    const recorded = await run(recordTo(directory("api")));
    await shop.close();
    const replay = replayFrom(directory("api"));
    expect(await run(replay)).toEqual(recorded);
    replay.assertAllUsed();
    await Promise.all(writes);
  });
});
