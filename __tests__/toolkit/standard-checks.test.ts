import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ToolMessage } from "@langchain/core/messages";
import { isStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { ApiSourceToolkit, createApiSourceTool, createReadApiResponseTool } from "../../src/index.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

/*
 * The nine checks of `langchain_tests.unit_tests.ToolsUnitTests` and `integration_tests.ToolsIntegrationTests` (langchain-tests for Python): there are none
 * for tools in JavaScript. By their names there: test_init, test_init_from_env, test_has_name, test_has_input_schema,
 * test_input_schema_matches_invoke_params, test_invoke_matches_output_schema, test_async_invoke_matches_output_schema, test_invoke_no_tool_call,
 * test_async_invoke_no_tool_call. In JavaScript every call is asynchronous: `invoke` and `batch` stand for the two.
 */

let api: HttpServer;
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Row ${id}` }));
beforeAll(async () => {
  api = await startHttpServer(({ headers }, response) => {
    if (headers.authorization !== "Bearer 0-from-env") return sendJson(response, { message: "who?" }, 401);
    sendJson(response, rows);
  });
});
afterAll(() => api.close());

const environment = { SHOP_TOKEN: "0-from-env" };
const readEnvironment = (name: string): string | undefined => environment[name as keyof typeof environment];
const record = () => ({ name: "Shop", api: { baseUrl: api.url, authType: "bearer" } });
const options = { readEnvironment };

interface Subject {
  make(): Promise<StructuredToolInterface>;
  /** A call that succeeds, by the same instance's toolkit. */
  example(): Promise<Record<string, unknown>>;
}

const call = { method: "GET", path: "/rows" };

async function keep(): Promise<string> {
  const text = String(await createApiSourceTool(record(), options).invoke(call));
  return JSON.parse(text).shortened.id;
}

const fromToolkit = async (index: number, answers?: "whole"): Promise<StructuredToolInterface> => {
  const toolkit = await ApiSourceToolkit.fromSources([record()], options);
  const tool = toolkit.getTools(answers === undefined ? {} : { answers })[index];
  if (tool === undefined) throw new Error("no such tool");
  return tool;
};

const subjects: [string, Subject][] = [
  [
    "createApiSourceTool",
    { make: async () => createApiSourceTool(record(), options), example: async () => call },
  ],
  [
    "createReadApiResponseTool",
    {
      make: async () => createReadApiResponseTool(options),
      example: async () => ({ id: await keep(), select: "length(@)" }),
    },
  ],
  ["a source's tool of a toolkit", { make: () => fromToolkit(0), example: async () => call }],
  ["its tool with whole answers", { make: () => fromToolkit(0, "whole"), example: async () => call }],
];

describe.each(subjects)("%s", (_name, { make, example }) => {
  const toCall = async (): Promise<{
    type: "tool_call";
    id: string;
    name: string;
    args: Record<string, unknown>;
  }> => ({
    type: "tool_call",
    id: "call_1",
    name: (await make()).name,
    args: await example(),
  });

  it("1: can be made", async () => {
    expect(isStructuredTool((await make()) as never)).toBe(true);
  });

  it("2: can be made of the environment alone, and uses it", async () => {
    expect(JSON.parse(String(await (await make()).invoke(await example()))).status).toBe(200);
  });

  it("3: has a name that every provider takes", async () => {
    expect((await make()).name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  });

  it("4: has an input schema", async () => {
    expect(toJsonSchema((await make()).schema as never)).toMatchObject({
      type: "object",
      properties: expect.any(Object),
    });
  });

  it("5: has in it every parameter of a call", async () => {
    const { properties = {} } = toJsonSchema((await make()).schema as never) as { properties?: object };
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(await example())));
  });

  it("6: answers a tool call with a ToolMessage: text and an artifact", async () => {
    const message: unknown = await (await make()).invoke(await toCall());
    if (!ToolMessage.isInstance(message)) throw new Error("no ToolMessage");
    expect(message).toMatchObject({
      tool_call_id: "call_1",
      status: "success",
      artifact: { source: expect.any(String) },
    });
    expect(typeof message.content).toBe("string");
    expect(JSON.parse(message.text).status).toBe(200);
  });

  it("7: and so does a batch of them", async () => {
    const tool = await make();
    const messages: unknown[] = await tool.batch([await toCall(), await toCall()] as never);
    expect(messages.map((message) => ToolMessage.isInstance(message) && message.status)).toEqual([
      "success",
      "success",
    ]);
  });

  it("8: answers bare arguments with text", async () => {
    expect(typeof (await (await make()).invoke(await example()))).toBe("string");
  });

  it("9: and so does a batch of them", async () => {
    const texts: unknown[] = await (await make()).batch([await example(), await example()] as never);
    expect(texts.map((text) => JSON.parse(String(text)).status)).toEqual([200, 200]);
  });
});
