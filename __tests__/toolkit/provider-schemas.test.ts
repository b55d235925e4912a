import { describe, expect, it } from "@jest/globals";
import { ChatAnthropic } from "@langchain/anthropic";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { ChatGoogle } from "@langchain/google";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAICompletions } from "@langchain/openai";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createApiSourceTool, createReadApiResponseTool } from "langchain-api-sources";

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

const apiKey = "unused";
const tools = [
  createApiSourceTool({ name: "Acme", api: { baseUrl: "https://api.acme.test", methods: ["GET", "POST"] } }),
  createReadApiResponseTool(),
];

/** What each provider's package would send for a tool: the members of the tool's input schema. */
const converters: Record<string, (tool: StructuredToolInterface) => Schema> = {
  OpenAI: (tool) => {
    const model = new ChatOpenAICompletions({ apiKey, model: "gpt-4o" });
    return parametersOf(model.invocationParams({ tools: [tool] }).tools?.[0], "parameters");
  },
  "OpenAI strict": (tool) => {
    const model = new ChatOpenAICompletions({ apiKey, model: "gpt-4o" });
    return parametersOf(model.invocationParams({ tools: [tool], strict: true }).tools?.[0], "parameters");
  },
  Anthropic: (tool) => {
    const model = new ChatAnthropic({ apiKey, model: "claude-sonnet-4-5" });
    return parametersOf(model.invocationParams({ tools: [tool] }).tools?.[0], "input_schema");
  },
  "Google GenAI": (tool) => {
    const model = new ChatGoogleGenerativeAI({ apiKey, model: "gemini-2.5-flash" });
    return parametersOf(model.invocationParams({ tools: [tool] }).tools?.[0], "parameters");
  },
  Google: (tool) => {
    const model = new ChatGoogle({ apiKey, model: "gemini-2.5-flash" });
    return parametersOf(model.invocationParams({ tools: [tool] } as never).tools?.[0], "parameters");
  },
};

/** Each package nests the schema differently; the name of the member tells where it is. */
function parametersOf(converted: unknown, member: string): Schema {
  let found: Schema | undefined;
  JSON.stringify(converted, (key, value) => {
    if (key === member) found ??= value;
    return value;
  });
  if (found === undefined) throw new Error(`${member} is not there: ${JSON.stringify(converted)}`);
  return found;
}

/** The same shape without what is only a provider's spelling of it. */
function normalize(schema: Schema): unknown {
  const { $schema, additionalProperties, nullable, ...rest } = schema;
  const [one, other] = schema.anyOf ?? [];
  if (one !== undefined && other?.["type"] === "null") {
    return normalize({ ...one, nullable: true });
  }
  return {
    ...rest,
    ...(nullable === true ? { nullable } : {}),
    ...(schema.items === undefined ? {} : { items: normalize(schema.items) }),
    ...(schema.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([key, value]) => [key, normalize(value)]),
          ),
        }),
  };
}

describe.each(Object.entries(converters))("the converter of %s", (_provider, convert) => {
  it.each(tools.map((tool) => ({ name: tool.name, tool })))(
    "passes the input of $name through intact",
    ({ tool }) => {
      const reference = converters["Anthropic"]?.(tool) as Schema;
      expect(normalize(convert(tool))).toEqual(normalize(reference));
    },
  );
});

describe("the input that models are shown", () => {
  it("allows no other members, which strict modes need", () => {
    const schemas = tools.map((tool) => converters["OpenAI strict"]?.(tool));
    expect(schemas.map((schema) => schema?.["additionalProperties"])).toEqual([false, false]);
  });

  it("costs at most 700 tokens with everything else that defines a source's tool and the reader", () => {
    const texts = tools.map((tool) => JSON.stringify(convertToOpenAITool(tool)));
    expect(texts.join("")).not.toContain("$schema");
    expect(encode(texts.join("\n")).length).toBeLessThanOrEqual(700);
  });

  it("names the members of a call, the record's methods, and pairs for query and headers", () => {
    const schema = normalize(converters["Anthropic"]?.(tools[0] as StructuredToolInterface) as Schema);
    const pairs = {
      type: "array",
      nullable: true,
      description: expect.any(String),
      items: {
        type: "object",
        properties: { name: { type: "string" }, value: { type: "string" } },
        required: ["name", "value"],
      },
    };
    expect(schema).toEqual({
      type: "object",
      required: ["method", "path", "query", "body", "headers", "select", "pages", "wait", "until"],
      properties: {
        method: { type: "string", enum: ["GET", "POST"] },
        path: { type: "string", description: expect.any(String) },
        query: pairs,
        body: { type: "string", nullable: true, description: expect.any(String) },
        headers: pairs,
        select: { type: "string", nullable: true, description: expect.any(String) },
        pages: { type: "integer", nullable: true, description: expect.any(String) },
        wait: { type: "integer", nullable: true, description: expect.any(String) },
        until: { type: "string", nullable: true, description: expect.any(String) },
      },
    });
  });

  it.each(tools.map((tool) => ({ name: tool.name, tool })))(
    "is strict for $name: every object closed, every member required",
    ({ tool }) => {
      const open: string[] = [];
      const visit = (schema: Schema, path: string): void => {
        if (schema["type"] === "object") {
          const names = Object.keys(schema.properties ?? {});
          if (
            schema["additionalProperties"] !== false ||
            JSON.stringify(schema["required"]) !== JSON.stringify(names)
          )
            open.push(path);
          for (const [name, member] of Object.entries(schema.properties ?? {}))
            visit(member, `${path}.${name}`);
        }
        if (schema.items !== undefined) visit(schema.items, `${path}[]`);
        for (const option of schema.anyOf ?? []) visit(option, path);
      };
      visit(converters["OpenAI strict"]?.(tool) as Schema, "$");
      expect(open).toEqual([]);
    },
  );
});
