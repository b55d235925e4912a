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
  ...{ toolNames: undefined, traces: undefined, transport: undefined, userOf: undefined },
};

it("an option that is undefined is the same as one that is left out", async () => {
  const api = await startHttpServer((_request, response) => sendJson(response, "x".repeat(20_000)));
  const record = { name: "Shop", api: { baseUrl: api.url, testEndpoint: "/" } };
  const ask = async (options: ClientOptions, context: object): Promise<number> =>
    (await createSourceClient(record, options).call({ path: "/", select: undefined }, context))
      .content.length;
  expect(await ask(none, { threadId: undefined, signal: undefined })).toBe(await ask({}, {}));
  expect(await testConnection(record, { ...none, signal: undefined })).toMatchObject({
    verdict: "ok",
  });
  const toolkit = await ApiSourceToolkit.fromSources([record], none);
  expect(toolkit.getTools({ answers: undefined, interrupts: undefined })).toHaveLength(2);
  const tool = createApiCodeTool(toolkit, {
    writes: undefined,
    timeoutMs: undefined,
    maxTokens: undefined,
  });
  expect(await tool.invoke({ code: "return 1;" })).toContain('"data":1');
  createMcpServer(toolkit, { session: undefined, approve: undefined, version: undefined });
  const store = createMemoryStore({ maxBytes: undefined, ttlMs: undefined });
  await store.put(["a"], "k", { text: "x" });
  expect(await store.get(["a"], "k")).toEqual({ value: { text: "x" } });
});
