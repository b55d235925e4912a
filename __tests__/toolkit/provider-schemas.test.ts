/** Both forms of the input, in the requests that the packages of providers send. */

import { afterEach, describe, expect, it } from "@jest/globals";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { ChatGoogle } from "@langchain/google";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { ApiSourceToolkit, loadSources } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

const server = await startHttpServer((_request, response) => sendJson(response, {}, 400));
const toolkit = await ApiSourceToolkit.fromSources([
  { name: "Acme", api: { baseUrl: "https://api.acme.test", methods: ["GET", "POST"] } },
]);
const forms = { required: toolkit.getTools(), plain: toolkit.getTools({ strict: false }) };

const shared = { apiKey: "unused", maxRetries: 0 };
const openai = { ...shared, model: "gpt-5", configuration: { baseURL: server.url } };
let sentByGoogle: unknown;
/** `@langchain/google` sends only to https. */
const apiClient = {
  hasApiKey: () => true,
  getProjectId: async () => "unused",
  fetch: async (request: Request) => {
    sentByGoogle = await request.json();
    return new Response("{}", { status: 400 });
  },
};
const models: Record<string, () => BaseChatModel> = {
  "@langchain/openai (chat)": () => new ChatOpenAI(openai),
  "@langchain/openai (chat, strict)": () =>
    new ChatOpenAI({ ...openai, supportsStrictToolCalling: true }),
  "@langchain/openai (Responses)": () => new ChatOpenAI({ ...openai, useResponsesApi: true }),
  "@langchain/anthropic": () =>
    new ChatAnthropic({ ...shared, model: "claude-sonnet-4-5", anthropicApiUrl: server.url }),
  "@langchain/google-genai": () =>
    new ChatGoogleGenerativeAI({ ...shared, model: "gemini-2.5-flash", baseUrl: server.url }),
  "@langchain/google": () =>
    new ChatGoogle({ ...shared, model: "gemini-2.5-flash", apiClient: apiClient as never }),
};

/** What the model's package sends for the tools: the schema of each input, wherever it is. */
async function captureSchemas(
  model: BaseChatModel,
  tools: readonly StructuredToolInterface[],
): Promise<Schema[]> {
  const bound = model.bindTools?.([...tools]);
  await bound?.invoke("hi").catch(() => {});
  const found: Schema[] = [];
  JSON.stringify(
    sentByGoogle ?? JSON.parse(server.requests.at(-1)?.body ?? "null"),
    (key, value) => {
      if (["parameters", "input_schema"].includes(key)) found.push(value);
      return value;
    },
  );
  return found;
}

afterEach(() => {
  sentByGoogle = undefined;
});

/** The same shape without what is only a provider's spelling of it. */
function normalize(schema: Schema): unknown {
  const { $schema, additionalProperties, anyOf, nullable, items, properties, ...rest } = schema;
  const [one, other] = anyOf ?? [];
  if (one !== undefined && other?.["type"] === "null") return normalize({ ...one, nullable: true });
  const members = Object.entries(properties ?? {}).map(([name, member]) => [
    name,
    normalize(member),
  ]);
  return {
    ...rest,
    ...(nullable === true && { nullable }),
    ...(items && { items: normalize(items) }),
    ...(properties && { properties: Object.fromEntries(members) }),
  };
}

describe.each(Object.entries(models))("%s", (_name, createModel) => {
  it.each(["required", "plain"] as const)("sends the %s form as it is", async (form) => {
    const tools = forms[form];
    const shown = tools.map((tool) => convertToOpenAITool(tool).function.parameters as Schema);
    const sent = await captureSchemas(createModel(), tools);
    expect(sent.map(normalize)).toEqual(shown.map(normalize));
  });
});

describe("getTools", () => {
  const [required, plain] = [forms.required, forms.plain].map(
    (tools) => tools.map((tool) => convertToOpenAITool(tool).function.parameters as Schema)[0],
  );
  const pairs = {
    type: "array",
    items: {
      type: "object",
      properties: { name: { type: "string" }, value: { type: "string" } },
      required: ["name", "value"],
      additionalProperties: false,
    },
  };
  const types = {
    query: pairs,
    body: { type: "string" },
    headers: pairs,
    select: { type: "string" },
    pages: { type: "integer" },
    wait: { type: "integer" },
    until: { type: "string" },
  };
  const names = ["method", "path", ...Object.keys(types)];

  it("shows a closed object whose members are all required, nullable where they may be left out; plain with strict: false", () => {
    const forms = [
      [required, names, (type: object) => ({ anyOf: [type, { type: "null" }] })],
      [plain, ["method", "path"], (type: object) => type],
    ] as const;
    for (const [shown, needed, show] of forms) {
      const { properties = {}, ...rest } = shown ?? {};
      expect(rest).toEqual({ type: "object", required: needed, additionalProperties: false });
      expect(Object.keys(properties)).toEqual(names);
      expect(properties["method"]).toMatchObject({ type: "string", enum: ["GET", "POST"] });
      for (const [name, type] of Object.entries(types))
        expect(properties[name]).toMatchObject(show(type));
    }
    expect(JSON.stringify(plain)).not.toContain("null");
  });

  it("costs at most so many tokens for a source's tool, and for the reader", async () => {
    const record = { name: "Acme", api: { baseUrl: "https://api.acme.test" } };
    const usual = await ApiSourceToolkit.fromSources([record]);
    const count = (tool: StructuredToolInterface) =>
      encode(JSON.stringify(convertToOpenAITool(tool))).length;
    const [[source = 0, reader = 0] = [], [sourcePlain = 0, readerPlain = 0] = []] = [
      usual.getTools().map(count),
      usual.getTools({ strict: false }).map(count),
    ];
    expect(source).toBeLessThanOrEqual(440);
    expect(sourcePlain).toBeLessThanOrEqual(340);
    expect(reader).toBeLessThanOrEqual(130);
    expect(readerPlain).toBeLessThanOrEqual(115);
  });

  it.each([
    [10, { combined: true }, 680],
    [30, { combined: true }, 1_050],
    [10, {}, 3_600],
    [30, {}, 10_700],
  ])("costs for %d recipes and the reader with %o at most %d tokens", async (count, form, most) => {
    const recipes = await loadSources("recipes");
    const many = await ApiSourceToolkit.fromSources(recipes.slice(0, count));
    const tools = many.getTools({ ...form, strict: false });
    // Some have a document, which is described apart.
    const shown = tools.filter(({ name }) => name !== "describe_api");
    const sizes = shown.map((tool) => encode(JSON.stringify(convertToOpenAITool(tool))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
  });
});
