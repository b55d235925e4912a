import { expect, it } from "@jest/globals";
import {
  ApiSourceToolkit,
  type ClientOptions,
  createMemoryStore,
  createSourceClient,
  testConnection,
} from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { createMcpServer } from "langchain-api-sources/mcp";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const none: { readonly [Name in keyof Required<ClientOptions>]: undefined } = {
  ...{ approve: undefined, approver: undefined, flow: undefined, countTokens: undefined },
  ...{ credentials: undefined, interrupts: undefined, logger: undefined, maxTokens: undefined },
  ...{ onCall: undefined, readApiResponse: undefined },
  ...{ readFile: undefined, redis: undefined, responseScope: undefined, responseStore: undefined },
  ...{ secrets: undefined, summarizer: undefined, tokenStore: undefined },
  ...{ toolNames: undefined, transport: undefined },
};

const rows = Array.from({ length: 500 }, (_, id) => ({ id, note: `row ${id} `.repeat(10) }));
const api = await startHttpServer((_request, response) => sendJson(response, rows));
const record = { name: "Shop", api: { baseUrl: api.url, authType: "bearer" as const } };
process.env["SHOP_TOKEN"] = "0-token";

it("an option that is undefined is the same as one that is left out", async () => {
  const request = { method: "GET", path: "/rows", query: undefined, select: undefined, pages: undefined };
  const id = /r_[0-9a-z]{16}/g;
  const ask = async (options: ClientOptions, context: object): Promise<string> => {
    const { content } = await createSourceClient(record, options).call(request, context);
    return content.replace(id, "r_");
  };
  const context = { context: undefined, threadId: undefined, signal: undefined, onProgress: undefined };
  expect(await ask(none, context)).toBe(await ask({}, {}));
  const verdicts = [
    await testConnection(record, { ...none, signal: undefined }),
    await testConnection(record),
  ];
  expect(verdicts[0]?.verdict).toBe(verdicts[1]?.verdict);
});

it("options of what is made of a toolkit may be undefined", async () => {
  const toolkit = await ApiSourceToolkit.fromSources([record], none);
  expect(await toolkit.testConnections({ signal: undefined })).toHaveLength(1);
  expect(toolkit.getTools({ answers: undefined, interrupts: undefined })).toHaveLength(2);
  createApiCodeTool(toolkit, { writes: undefined, timeoutMs: undefined, maxTokens: undefined });
  createMcpServer(toolkit, { session: undefined, approve: undefined, version: undefined });
  const store = createMemoryStore({ maxBytes: undefined, ttlMs: undefined });
  await store.put(["a"], "k", { text: "x" });
  expect(await store.get(["a"], "k")).toEqual({ value: { text: "x" } });
});
