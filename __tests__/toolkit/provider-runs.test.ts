/** One call by the package of each provider, in both forms: what goes out for the tool, and what an agent reads of a model that fills every member. */

import { beforeEach, describe, expect, it } from "@jest/globals";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage } from "@langchain/core/messages";
import { ChatGoogle } from "@langchain/google";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, providerStrategy } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { apiSourcesMiddleware } from "langchain-api-sources/middleware";
import { z } from "zod";
import { sendJson, startHttpServer } from "../support/http-server.js";

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 1, 255]);
const api = await startHttpServer(({ url }, response) => {
  if (url !== "/a.png") return sendJson(response, { total: 2 });
  response.writeHead(200, { "content-type": "image/png" });
  response.end(png);
});
const toolkit = await ApiSourceToolkit.fromSources([
  { name: "Acme", api: { baseUrl: api.url, methods: ["GET", "POST"] } },
]);

/** A GET as models write it to whom every member is shown as required, and to whom only `method` and `path` are. */
const written = {
  required: {
    method: "GET",
    path: "/items",
    query: [],
    body: "{}",
    headers: [],
    select: "",
    pages: 0,
    wait: 0,
    until: "",
  },
  plain: { method: "GET", path: "/items" },
};
type Form = keyof typeof written;

interface Reply {
  /** The answer of the provider's API that calls the tool. */
  readonly call: (args: object, name?: string) => object;
  /** The one that ends the run. */
  readonly end: (text: string) => object;
}

const completion = (message: object, finish_reason: string) => ({
  id: "1",
  object: "chat.completion",
  model: "gpt-5",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
});
const response = (item: object) => ({
  id: "1",
  object: "response",
  status: "completed",
  model: "gpt-5",
  output: [{ id: "o1", status: "completed", ...item }],
});
const message = (part: object, stop_reason: string) => ({
  id: "1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [part],
  stop_reason,
  usage: { input_tokens: 1, output_tokens: 1 },
});
const candidate = (part: object) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
});

const chat: Reply = {
  call: (args, name = "acme") => {
    const called = { name, arguments: JSON.stringify(args) };
    const tool_calls = [{ id: "c1", type: "function", function: called }];
    return completion({ content: null, tool_calls }, "tool_calls");
  },
  end: (content) => completion({ content }, "stop"),
};
const responses: Reply = {
  call: (args, name = "acme") => {
    const called = { name, arguments: JSON.stringify(args) };
    return response({ type: "function_call", call_id: "c1", ...called });
  },
  end: (text) => {
    const content = [{ type: "output_text", text, annotations: [] }];
    return response({ type: "message", role: "assistant", content });
  },
};
const claude: Reply = {
  call: (input, name = "acme") => message({ type: "tool_use", id: "c1", name, input }, "tool_use"),
  end: (text) => message({ type: "text", text }, "end_turn"),
};
const gemini: Reply = {
  call: (args, name = "acme") => candidate({ functionCall: { name, args } }),
  end: (text) => candidate({ text }),
};

/** What the provider's API receives, and the form whose call it answers with. */
const sent: string[] = [];
let form: Form = "required";
let reply: Reply = chat;
/** The image that the model asks for, in place of the call. */
let imageId: string | undefined;
const final = JSON.stringify({ total: 2 });
function answer(body: string): object {
  sent.push(body);
  if (sent.length > 1) return reply.end(final);
  return imageId === undefined
    ? reply.call(written[form])
    : reply.call({ id: imageId, as: "image" }, "read_api_response");
}
const provider = await startHttpServer(({ body }, response) => sendJson(response, answer(body)));

const shared = { apiKey: "unused", maxRetries: 0 };
const openai = { ...shared, model: "gpt-5", configuration: { baseURL: provider.url } };
/** `@langchain/google` sends only to https. */
const apiClient = {
  hasApiKey: () => true,
  getProjectId: async () => "unused",
  fetch: async (request: Request) => Response.json(answer(await request.text())),
};
const models: Record<string, [reply: Reply, model: () => BaseChatModel]> = {
  "OpenAI Chat Completions": [chat, () => new ChatOpenAI(openai)],
  "OpenAI Responses": [responses, () => new ChatOpenAI({ ...openai, useResponsesApi: true })],
  Anthropic: [
    claude,
    () =>
      new ChatAnthropic({ ...shared, model: "claude-sonnet-4-5", anthropicApiUrl: provider.url }),
  ],
  "Google by google-genai": [
    gemini,
    () =>
      new ChatGoogleGenerativeAI({ ...shared, model: "gemini-2.5-flash", baseUrl: provider.url }),
  ],
  Google: [
    gemini,
    () => new ChatGoogle({ ...shared, model: "gemini-2.5-flash", apiClient: apiClient as never }),
  ],
};

/** The definition of the tool in the first request, wherever the provider has it. */
function findTool(): Record<string, unknown> {
  const [tool] = JSON.parse(sent[0] ?? "{}").tools;
  return tool.function ?? tool.functionDeclarations?.[0] ?? tool;
}
const listRequired = (tool: Record<string, unknown>): unknown => {
  const { required } = Object(tool["parameters"] ?? tool["input_schema"]);
  return required;
};

beforeEach(() => {
  sent.length = 0;
  imageId = undefined;
});

async function run(name: keyof typeof models, asked: Form, more: object = {}) {
  const [ownReply, createModel] = models[name] ?? [chat, () => new ChatOpenAI(openai)];
  reply = ownReply;
  form = asked;
  const tools = toolkit.getTools({ strict: asked === "required" });
  const agent = createAgent({ model: createModel(), tools, ...more });
  return agent.invoke({ messages: [new HumanMessage("How many items are there?")] });
}

const cases = Object.keys(models).flatMap((name) =>
  (["required", "plain"] as const).map((each) => [name, each] as const),
);

describe("an agent on a provider's API", () => {
  it.each(cases)(
    "%s makes a GET in the %s form, and the model reads the answer",
    async (name, asked) => {
      await run(name, asked);
      expect(listRequired(findTool())).toEqual(Object.keys(written[asked]));
      expect(api.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
        ["GET", "/items", ""],
      ]);
      expect(sent).toHaveLength(2);
      expect(sent[1]?.replaceAll("\\", "")).toContain('"status":200,"data":{"total":2}');
    },
  );

  it.each([
    ["OpenAI Chat Completions", "required", true],
    ["OpenAI Chat Completions", "plain", true],
    ["OpenAI Responses", "required", null],
    ["OpenAI Responses", "plain", null],
  ] as const)(
    "%s with a responseFormat sends the %s form with strict: %s",
    async (name, asked, strict) => {
      const responseFormat = providerStrategy(z.object({ total: z.number() }));
      const result: object = await run(name, asked, { responseFormat });
      const tool = findTool();
      expect(tool["strict"]).toBe(strict);
      // With `strict: true` OpenAI refuses a definition whose members are not all required.
      expect(listRequired(tool)).toEqual(Object.keys(written[asked]));
      expect(result).toMatchObject({ structuredResponse: { total: 2 } });
    },
  );

  const data = png.toString("base64");
  const url = `data:image/png;base64,${data}`;
  it.each<[string, object, isShownBare: boolean]>([
    ["OpenAI Chat Completions", { type: "image_url", image_url: { url } }, false],
    ["OpenAI Responses", { type: "input_image", detail: "auto", image_url: url }, false],
    [
      "Anthropic",
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
      true,
    ],
    ["Google by google-genai", { inlineData: { mimeType: "image/png", data } }, true],
    ["Google", { inlineData: { mimeType: "image/png", data } }, false],
  ])(
    "%s is given a kept image by the middleware (%o), and without it: %s",
    async (name, part, isShownBare) => {
      for (const middleware of [[apiSourcesMiddleware(toolkit)], []]) {
        sent.length = 0;
        const [client] = toolkit.listClients();
        const { artifact } = { ...(await client?.call({ method: "GET", path: "/a.png" })) };
        imageId = artifact?.file?.id;
        await run(name, "plain", { middleware });
        const isShown = middleware.length > 0 || isShownBare;
        expect(sent[1]?.includes(JSON.stringify(part))).toBe(isShown);
        expect(sent[1]?.includes(data)).toBe(isShown);
        expect(sent[1]?.includes("no_images")).toBe(!isShown);
      }
    },
  );
});
