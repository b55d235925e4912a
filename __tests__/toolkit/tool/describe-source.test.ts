import { describe, expect, it } from "@jest/globals";
import { ChatAnthropic } from "@langchain/anthropic";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { ChatOpenAICompletions } from "@langchain/openai";
import { ApiSourceToolkit, createApiSourceTool } from "langchain-api-sources";

const endpoints = (count: number, about = "what it is good for") =>
  Array.from({ length: count }, (_, index) => ({
    method: "GET" as const,
    path: `/things/${index}`,
    about,
  }));

function describeTool(api: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const tool = createApiSourceTool({
    name: "Things",
    api: { baseUrl: "https://api.example", ...api },
    ...more,
  });
  const { parameters } = convertToOpenAITool(tool).function;
  const path = (parameters as { properties: { path: { description: string } } }).properties.path
    .description;
  return { tool, description: tool.description, text: `${tool.description}\n${path}` };
}

describe("the description of a tool", () => {
  it("has each endpoint: what doesn't fit is where the agent reads of paths", () => {
    const more = { tagline: "word ".repeat(180) };
    const { description, text } = describeTool({ endpoints: endpoints(60) }, more);
    expect(description).toContain("Things: word word");
    expect(description).toContain("https://api.example");
    expect(description.length).toBeLessThan(1_024);
    for (let index = 0; index < 60; index += 1)
      expect(text).toContain(`\n- GET /things/${index}: `);
  });
});

describe("the sentence on authentication", () => {
  const sentence = "Authentication is added.";
  it.each<[Record<string, unknown>, boolean]>([
    [{}, false],
    [{ headers: { "X-Version": "2" } }, false],
    [{ authType: "bearer" }, true],
    [{ headers: { "X-Key": "${KEY}" } }, true],
    [{ query: { key: "${KEY}" } }, true],
    [{ login: { path: "/login", cookie: "sid" } }, true],
  ])("of a source with %j is there: %p", (api, isThere) => {
    expect(describeTool(api).description.includes(sentence)).toBe(isThere);
  });

  it("of one tool for many sources is there where one of them has a credential", async () => {
    const open = { slug: "open", api: { baseUrl: "https://a.example" } };
    const shop = {
      slug: "shop",
      api: { baseUrl: "https://b.example", authType: "bearer" as const },
    };
    for (const sources of [[open], [open, shop]]) {
      const toolkit = await ApiSourceToolkit.fromSources(sources);
      const [tool] = toolkit.getTools({ combined: true });
      expect(tool?.description.includes(sentence)).toBe(sources.length > 1);
    }
  });
});

describe("extras", () => {
  it("hold each endpoint as a complete input, for the providers that know input examples", () => {
    const { tool } = describeTool({
      endpoints: [
        {
          method: "GET",
          path: "/orders",
          about: "orders",
          query: { status: "paid", tag: ["a", "b"], limit: 5 },
        },
        { method: "POST", path: "/orders", about: "create", query: "dry=1", body: { sku: "é" } },
        {
          method: "POST",
          path: "/notes",
          about: "note",
          query: [{ name: "a", value: "1" }],
          body: "text",
        },
        { method: "GET", path: "/ping", about: "ping" },
        // No call can have such a query.
        { method: "GET", path: "/wrong", about: "wrong", query: { a: { b: 1 } } },
      ],
    });
    const none = { headers: null, select: null, pages: null, wait: null, until: null };
    const pair = (name: string, value: string) => ({ name, value });
    expect(tool.extras).toEqual({
      input_examples: [
        {
          method: "GET",
          path: "/orders",
          body: null,
          ...none,
          query: [pair("status", "paid"), pair("tag", "a"), pair("tag", "b"), pair("limit", "5")],
        },
        {
          method: "POST",
          path: "/orders",
          query: [pair("dry", "1")],
          body: '{"sku":"é"}',
          ...none,
        },
        { method: "POST", path: "/notes", query: [pair("a", "1")], body: "text", ...none },
        { method: "GET", path: "/ping", query: null, body: null, ...none },
      ],
    });
  });

  it("leave out in the plain form what is absent", async () => {
    const api = { baseUrl: "https://api.example", endpoints: endpoints(1) };
    const toolkit = await ApiSourceToolkit.fromSources([{ name: "Things", api }]);
    expect(toolkit.getTools({ strict: false })[0]?.extras).toEqual({
      input_examples: [{ method: "GET", path: "/things/0" }],
    });
  });

  it("reach Anthropic, and change nothing that OpenAI is sent", () => {
    const { tool } = describeTool({ endpoints: endpoints(1) });
    const anthropic = new ChatAnthropic({ apiKey: "unused", model: "claude-sonnet-4-5" });
    expect(anthropic.invocationParams({ tools: [tool] }).tools?.[0]).toMatchObject({
      name: "things",
      input_examples: tool.extras?.["input_examples"],
    });
    const openai = new ChatOpenAICompletions({ apiKey: "unused", model: "gpt-4o" });
    expect(JSON.stringify(openai.invocationParams({ tools: [tool] }))).not.toContain(
      "input_examples",
    );
  });
});
