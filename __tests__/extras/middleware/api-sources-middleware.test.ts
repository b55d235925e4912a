/** The sources of a toolkit in an agent: hidden ones, and older answers in few tokens. */

import { beforeEach, describe, expect, it } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import {
  type ApiSourcesMiddlewareOptions,
  apiSourcesMiddleware,
} from "langchain-api-sources/middleware";
import { z } from "zod";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const rows = Array.from({ length: 900 }, (_, id) => ({ id, name: `Article ${id}`, price: id * 3 }));
const server = await startHttpServer(({ url, method }, response) => {
  if (/\/rows(\?|$)/.test(url) && method === "GET") return sendJson(response, rows);
  if (url.endsWith("/rows")) return sendJson(response, rows, 201);
  if (url.endsWith("/gone")) return sendJson(response, { rows, message: "gone" }, 404);
  sendJson(response, { did: `${method} ${url}` });
});

const records = ["Shop", "Payroll"].map((name) => ({
  name,
  tagline: `All of ${name}`,
  api: {
    baseUrl: `${server.url}/${name.toLowerCase()}`,
    endpoints: [{ method: "GET" as const, path: "/rows", about: "rows" }],
  },
}));

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

const ignore = (): void => {};
let toolkit: ApiSourceToolkit;
const open = async (options: ClientOptions = {}): Promise<void> => {
  toolkit = await ApiSourceToolkit.fromSources(records, options);
};
beforeEach(() => open());

/** Runs the calls one after the other, each in a step of its own. */
async function run(
  calls: readonly Call[],
  options: ApiSourcesMiddlewareOptions,
  {
    combined = false,
    context = {},
    more = [],
  }: {
    readonly combined?: boolean;
    readonly context?: object;
    readonly more?: readonly StructuredToolInterface[];
  } = {},
) {
  const model = fakeModel();
  calls.forEach(({ name, args }, index) => {
    model.respondWithTools([{ name, args, id: `c${calls.length}-${index}` }]);
  });
  model.respond(new AIMessage("done"));
  const other = tool(() => "x".repeat(20_000), {
    name: "other",
    description: "o",
    schema: z.object({}),
  });
  const bound: unknown[][] = [];
  const tools: StructuredToolInterface[] = [
    ...toolkit.getTools({ combined }),
    createApiCodeTool(toolkit),
    other,
    ...more,
  ];
  const agent = createAgent({
    model,
    tools,
    contextSchema: z.object({ sources: z.array(z.string()).optional() }),
    middleware: [
      apiSourcesMiddleware(toolkit, options),
      createMiddleware({
        name: "Watch",
        wrapModelCall: (request, handler) => {
          bound.push([...request.tools]);
          return handler(request);
        },
      }),
    ],
    checkpointer: new MemorySaver(),
  });
  const result = await agent.invoke(
    { messages: [new HumanMessage("go")] },
    { configurable: { thread_id: "t" }, context },
  );
  const messages = result.messages as BaseMessage[];
  const answers = messages.filter((message) => message.getType() === "tool");
  return { answers: answers.map(({ text }) => text), bound, seen: model.calls };
}

const hidesPayroll = { visible: (slug: string) => slug !== "payroll" };
const get = (name: string, path: string): Call => ({ name, args: { method: "GET", path } });
const namesOf = (tools: readonly unknown[]): string[] =>
  tools.map((each) => Object(each).name ?? Object(each).function?.name);

describe("visible", () => {
  it("shows a model no tool of a hidden source, and refuses its call unsent", async () => {
    const { answers, bound } = await run([get("payroll", "/x"), get("shop", "/x")], hidesPayroll);
    expect(namesOf(bound[0] ?? [])).not.toContain("payroll");
    expect(namesOf(bound[0] ?? [])).toContain("shop");
    const [refused, sent] = answers.map((text) => JSON.parse(text));
    expect(refused.error).toMatchObject({
      category: "refused_by_policy",
      message: "The source payroll is not available in this run; nothing was sent or read.",
    });
    expect(sent.status).toBe(200);
    expect(server.requests.map(({ url }) => url)).toEqual(["/shop/x"]);
  });

  it("is asked with the runtime, for each run", async () => {
    const options = {
      visible: (slug: string, { context }: { context?: unknown }) =>
        Object(context).sources.includes(slug),
    };
    const of = async (sources: string[]) =>
      namesOf((await run([], options, { context: { sources } })).bound[0] ?? []);
    expect(await of(["payroll"])).toEqual(expect.arrayContaining(["payroll"]));
    expect(await of(["payroll"])).not.toContain("shop");
    expect(await of([])).not.toContain("payroll");
  });

  it("narrows the tool of all sources, and refuses a hidden one", async () => {
    const call = (source: string): Call => ({
      name: "call_api",
      args: { source, method: "GET", path: "/x" },
    });
    const { answers, bound } = await run([call("payroll"), call("shop")], hidesPayroll, {
      combined: true,
    });
    const shown = Object(
      (bound[0] ?? []).find((each) => Object(each).function?.name === "call_api"),
    );
    expect(shown.function.parameters.properties.source.enum).toEqual(["shop"]);
    expect(shown.function.description).toContain("\nshop: All of Shop");
    expect(shown.function.description).not.toContain("payroll");
    expect(JSON.parse(answers[0] ?? "").error.category).toBe("refused_by_policy");
    expect(JSON.parse(answers[1] ?? "").status).toBe(200);
  });

  it("refuses a kept answer, the description and the client in code of a hidden source, in the same words", async () => {
    const first = await run([get("payroll", "/rows")], {});
    const { id } = JSON.parse(first.answers[0] ?? "").shortened;
    const code = (text: string): Call => ({ name: "run_api_code", args: { code: text } });
    const calls: Call[] = [
      { name: "read_api_response", args: { id } },
      { name: "describe_api", args: { source: "payroll" } },
      code('return (await api.payroll.get("/x")).error.message;'),
      code(`return await kept("${id}");`),
      { name: "call_api", args: { source: "shop", method: "GET", path: "/x" } },
      {
        name: "call_api",
        args: { source: "shop", method: "POST", path: "/x", body: JSON.stringify({ $file: id }) },
      },
    ];
    const requests = server.requests.length;
    const { answers } = await run(calls, hidesPayroll, { combined: true });
    for (const text of answers.slice(0, 3))
      expect(text).toContain("The source payroll is not available in this run");
    expect(answers[3]).not.toContain("Article 1");
    expect(answers[4]).toContain('"status":200');
    expect(answers[5]).toContain("The source payroll is not available in this run");
    expect(server.requests.slice(requests).map(({ url }) => url)).toEqual(["/shop/x"]);
  });

  it("refuses what code made of a hidden source and kept, and leaves its state as it is", async () => {
    const code = (text: string): Call => ({ name: "run_api_code", args: { code: text } });
    const read = async (calls: Call[], options = {}) => (await run(calls, options)).answers;
    const idOf = (text = ""): string => JSON.parse(text).shortened.id;
    const fetch = 'const { data } = await api.payroll.get("/rows"); state.pay = "secret pay";';
    const [made = ""] = await read([code(`${fetch} return data;`)]);
    const again = `return await kept("${idOf(made)}");`;
    const [copied, fromState] = await read([
      code(again),
      code("return Array(5000).fill(state.pay)"),
    ]);
    for (const text of [made, copied, fromState]) {
      const id = idOf(text);
      const [refused] = await read([{ name: "read_api_response", args: { id } }], hidesPayroll);
      expect(refused).toContain("The source payroll is not available in this run");
    }
    const change = 'state.pay = "other"; return "done"';
    const hidden = await read([code("return state"), code(change), code(again)], hidesPayroll);
    expect(hidden.join()).not.toMatch(/secret pay|Article 1/);
    expect(JSON.parse(hidden[0] ?? "")).toMatchObject({
      data: {},
      notes: [expect.stringContaining("is not kept now")],
    });
    expect((await read([code("return state.pay")]))[0]).toContain("secret pay");
    const [shop = ""] = await read(
      [code('return (await api.shop.get("/rows")).data')],
      hidesPayroll,
    );
    const [shown] = await read(
      [{ name: "read_api_response", args: { id: idOf(shop) } }],
      hidesPayroll,
    );
    expect(shown).not.toContain("error");
  });

  it("is what tools of many sources are described by, and no answer to a wrong name tells of a hidden one", async () => {
    const calls: Call[] = [
      { name: "call_api", args: { source: "payrol", method: "GET", path: "/x" } },
      { name: "call_api", args: { method: "GET", path: "/x" } },
      { name: "describe_api", args: { source: "payrol" } },
      { name: "run_api_code", args: { code: "return api.payrol" } },
      { name: "run_api_code", args: { code: "return Object.keys(api)" } },
    ];
    const { answers, bound } = await run(calls, hidesPayroll, { combined: true });
    expect(JSON.parse(answers[0] ?? "").error).toMatchObject({
      message: 'There is no source "payrol".',
      hint: "Give one of: shop.",
    });
    for (const text of answers) expect(text).not.toContain("payroll");
    const shown = (bound[0] ?? []).filter((each) => Object(each).name !== "other");
    expect(namesOf(shown)).toEqual([
      "call_api",
      "read_api_response",
      "describe_api",
      "run_api_code",
    ]);
    for (const each of shown)
      expect(JSON.stringify(Object(each).function ?? {})).not.toMatch(/payroll/i);
  });

  it("leaves out the tools of many sources where it hides all", async () => {
    const { bound } = await run([], { visible: () => false }, { combined: true });
    expect(namesOf(bound[0] ?? [])).toEqual(["read_api_response", "other"]);
  });

  it("of an outer run holds for an agent that its tools run, whatever that one's own says", async () => {
    const [, payroll] = toolkit.getTools();
    if (payroll === undefined) throw new Error("There is no tool.");
    const model = fakeModel()
      .respondWithTools([{ name: "payroll", args: { method: "GET", path: "/x" }, id: "i1" }])
      .respond(new AIMessage("done"));
    const inner = createAgent({
      model,
      tools: [payroll],
      middleware: [apiSourcesMiddleware(toolkit, { visible: () => true })],
    });
    const ask = tool(
      async () => {
        const { messages } = await inner.invoke({ messages: [new HumanMessage("go")] });
        return messages.map(({ text }) => text).join("\n");
      },
      { name: "ask", description: "Asks another agent.", schema: z.object({}) },
    );
    const { answers } = await run([{ name: "ask", args: {} }], hidesPayroll, { more: [ask] });
    expect(answers[0]).toContain("The source payroll is not available in this run");
    expect(server.requests).toHaveLength(0);
  });

  it("that throws, or is no plain yes, hides the source", async () => {
    const broken = () => {
      throw new Error("no directory");
    };
    for (const visible of [
      broken,
      async () => Promise.reject(new Error("x")),
      () => "yes" as never,
    ]) {
      const { answers, bound } = await run([get("shop", "/x")], { visible });
      expect(namesOf(bound[0] ?? [])).not.toContain("shop");
      expect(JSON.parse(answers[0] ?? "").error.category).toBe("refused_by_policy");
    }
  });

  it("that throws is reported with the source", async () => {
    const warnings: unknown[] = [];
    const warn = (text: string, data?: object): void => void warnings.push([text, data]);
    await open({ logger: { debug: ignore, info: ignore, error: ignore, warn } });
    const visible = () => {
      throw new TypeError("no directory");
    };
    await run([], { visible });
    const fields = { source: "payroll", error: "TypeError: no directory" };
    const report = ["The application's visible failed.", expect.objectContaining(fields)];
    expect(warnings).toContainEqual(report);
  });

  it("is not waited for when the run is cancelled", async () => {
    const reason = new Error("the user left");
    const warnings: unknown[] = [];
    const warn = (text: string): void => void warnings.push(text);
    await open({ logger: { debug: ignore, info: ignore, error: ignore, warn } });
    const controller = new AbortController();
    const visible = () => {
      controller.abort(reason);
      return new Promise<boolean>(() => {});
    };
    const agent = createAgent({
      model: fakeModel().respond(new AIMessage("done")),
      tools: toolkit.getTools(),
      middleware: [apiSourcesMiddleware(toolkit, { visible })],
    });
    const { signal } = controller;
    const started = agent.invoke({ messages: [new HumanMessage("go")] }, { signal });
    await expect(started).rejects.toThrow();
    expect(warnings).toEqual([]);
  });

  it("hides nothing from calls outside of the agent", async () => {
    await run([get("shop", "/x")], hidesPayroll);
    const payroll = toolkit.getTools().find(({ name }) => name === "payroll");
    expect(JSON.parse(String(await payroll?.invoke({ method: "GET", path: "/x" }))).status).toBe(
      200,
    );
  });
});

describe("clearAfterTokens", () => {
  const lastSeen = ({ seen }: Awaited<ReturnType<typeof run>>): string[] =>
    (seen.at(-1)?.messages ?? []).flatMap((message: BaseMessage) =>
      message.getType() === "tool" ? [message.text] : [],
    );

  it("shows older answers by their id, and the last answer of each source whole", async () => {
    const calls = [get("shop", "/rows"), get("payroll", "/rows"), get("shop", "/rows")];
    const done = await run(calls, { clearAfterTokens: 100 });
    const [first = "", second = "", third = ""] = lastSeen(done);
    const { cleared, status, kept } = JSON.parse(first);
    expect({ cleared, status }).toEqual({ cleared: "GET /rows", status: 200 });
    expect(JSON.parse(second).data).toBeDefined();
    expect(JSON.parse(third).data).toBeDefined();
    expect(done.answers[0]).toContain("Article 1");
    const reader = toolkit.getTools().find(({ name }) => name === "read_api_response");
    const config = { configurable: { thread_id: "t" } };
    const read = await reader?.invoke({ id: kept, select: "length(@)" }, config);
    expect(JSON.parse(String(read)).data).toBe(900);
  });

  it("finds an answer that belongs to what the application reads in the run's config", async () => {
    await open({ responseScope: ({ configurable }) => `owner of ${configurable?.["thread_id"]}` });
    const done = await run([get("shop", "/rows"), get("shop", "/rows")], { clearAfterTokens: 100 });
    expect(lastSeen(done).map((seen) => seen.startsWith('{"cleared"'))).toEqual([true, false]);
  });

  it("clears no more of them than the limit needs", async () => {
    const calls = [1, 2, 3].map(() => get("shop", "/rows"));
    await open({ countTokens: (text) => text.length / 4 });
    const { answers, seen } = await run(calls, {});
    const all =
      seen
        .at(-1)
        ?.messages.map(({ text }: BaseMessage) => text)
        .join("") ?? "";
    // Half an answer is too much.
    const clearAfterTokens = (all.length - (answers[0] ?? "").length / 2) / 4;
    const done = await run(calls, { clearAfterTokens });
    const isCleared = lastSeen(done).map((seen) => seen.startsWith('{"cleared"'));
    expect(isCleared).toEqual([true, false, false]);
  });

  it("leaves writes, failures, answers without an id and other tools as they are", async () => {
    const calls: Call[] = [
      { name: "shop", args: { method: "POST", path: "/rows", body: "{}" } },
      get("shop", "/rows?query=mutation%7Bpay%7D"),
      get("shop", "/gone"),
      get("shop", "/x"),
      { name: "other", args: {} },
      get("shop", "/rows"),
    ];
    const done = await run(calls, { clearAfterTokens: 100 });
    expect(lastSeen(done)).toEqual(done.answers);
  });

  it("leaves all as it is below the limit, and where the id can't be read any more", async () => {
    const calls = [get("shop", "/rows"), get("shop", "/rows")];
    const below = await run(calls, { clearAfterTokens: 1_000_000 });
    expect(lastSeen(below)).toEqual(below.answers);
    const entries = new Map<string, unknown>();
    await open({
      responseStore: {
        get: async () => null,
        put: async (_namespace, key, value) => void entries.set(key, value),
        delete: async () => {},
      },
    });
    const lost = await run(calls, { clearAfterTokens: 100 });
    expect(entries.size).toBeGreaterThan(0);
    expect(lastSeen(lost)).toEqual(lost.answers);
  });
});

describe("apiSourcesMiddleware", () => {
  it("refuses a wrong option", () => {
    expect(() => apiSourcesMiddleware(toolkit, { visibel: () => true } as never)).toThrow(
      /visible/,
    );
    expect(() => apiSourcesMiddleware(toolkit, { clearAfterTokens: 0 })).toThrow(
      /clearAfterTokens/,
    );
  });
});
