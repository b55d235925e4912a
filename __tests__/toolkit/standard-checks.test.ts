import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ToolMessage } from "@langchain/core/messages";
import { isStructuredTool, type StructuredToolInterface } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import {
  ApiSourceToolkit,
  createApiSourceTool,
  createReadApiResponseTool,
  defineSource,
} from "langchain-api-sources";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";
import { withSeams } from "../support/seams.js";

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
const record = () => defineSource({ name: "Shop", api: { baseUrl: api.url, authType: "bearer" } });
const options = withSeams({ readEnvironment });

interface Subject {
  make(): Promise<StructuredToolInterface>;
  /** A call that succeeds. */
  example(): Promise<Record<string, unknown>>;
}

const call = { method: "GET", path: "/rows" };

async function keep(): Promise<string> {
  const text = String(await createApiSourceTool(record(), options).invoke(call));
  return JSON.parse(text).shortened.id;
}

const fromToolkit = async (answers: "view" | "whole"): Promise<StructuredToolInterface> => {
  const toolkit = await ApiSourceToolkit.fromSources([record()], options);
  const [tool] = toolkit.getTools({ answers });
  if (tool === undefined) throw new Error("no such tool");
  return tool;
};

const subjects: Record<string, Subject> = {
  createApiSourceTool: {
    make: async () => createApiSourceTool(record(), options),
    example: async () => call,
  },
  createReadApiResponseTool: {
    make: async () => createReadApiResponseTool(options),
    example: async () => ({ id: await keep(), select: "length(@)" }),
  },
  "a source's tool of a toolkit": { make: () => fromToolkit("view"), example: async () => call },
  "its tool with whole answers": { make: () => fromToolkit("whole"), example: async () => call },
};

describe.each(Object.entries(subjects))("%s", (_name, { make, example }) => {
  const toCall = async () =>
    ({ type: "tool_call", id: "call_1", name: (await make()).name, args: await example() }) as const;

  it("1 to 5: can be made of the environment alone, has a name that every provider takes, and a schema with every parameter of a call", async () => {
    const tool = await make();
    expect(isStructuredTool(tool as never)).toBe(true);
    expect(JSON.parse(String(await tool.invoke(await example()))).status).toBe(200);
    expect(tool.name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    const { type, properties = {} } = toJsonSchema(tool.schema as never) as {
      type?: string;
      properties?: object;
    };
    expect(type).toBe("object");
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(await example())));
  });

  it("6 and 7: answers a tool call with a ToolMessage, text and an artifact, and so does a batch of them", async () => {
    const tool = await make();
    const messages: unknown[] = [
      await tool.invoke(await toCall()),
      ...(await tool.batch([await toCall(), await toCall()] as never)),
    ];
    for (const message of messages) {
      if (!ToolMessage.isInstance(message)) throw new Error("no ToolMessage");
      const artifact = { source: expect.any(String) };
      expect(message).toMatchObject({ tool_call_id: "call_1", status: "success", artifact });
      expect(typeof message.content).toBe("string");
      expect(JSON.parse(message.text).status).toBe(200);
    }
    expect(messages).toHaveLength(3);
  });

  it("8 and 9: answers bare arguments with text, and so does a batch of them", async () => {
    const tool = await make();
    const texts: unknown[] = [
      await tool.invoke(await example()),
      ...(await tool.batch([await example(), await example()] as never)),
    ];
    expect(texts.map((text) => typeof text === "string" && JSON.parse(text).status)).toEqual([200, 200, 200]);
  });
});
