import { inspect } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import {
  ApiSourceToolkit,
  type ClientOptions,
  createApiSourceTool,
  createReadApiResponseTool,
} from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { openTestFolder } from "../support/test-folder.js";
import { asRecords } from "../support/unchecked.js";

type Answer = ReturnType<typeof JSON.parse>;

const rows = Array.from({ length: 900 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  price: id / 2,
  note: "words ".repeat(30),
}));
const folder = openTestFolder();
const server = await startHttpServer(({ url, headers }, response) => {
  if (url === "/small") return sendJson(response, { a: 1 });
  if (url !== "/limited") return sendJson(response, { rows });
  sendJson(response, { ok: 1 }, 200, {
    "x-ratelimit-remaining": headers["x-app"] === "key-of-ada" ? "0" : "9",
    "x-ratelimit-reset": "60",
  });
});

const record = (name: string, api: object = {}) => ({ name, api: { baseUrl: server.url, ...api } });
const askWith =
  (tool: StructuredToolInterface | undefined) =>
  async (input: object, configurable: object = {}): Promise<Answer> =>
    JSON.parse(await tool?.invoke(input, { configurable }));

/** A toolkit of one source: its tool, its reader, and a GET as most tests make it. */
async function open(options: ClientOptions = {}, api: object = {}) {
  const toolkit = await ApiSourceToolkit.fromSources([record("A", api)], options);
  const [call, read] = toolkit.getTools().map(askWith);
  if (call === undefined) throw new Error("no tool");
  const get = (path: string, configurable?: object) => call({ method: "GET", path }, configurable);
  return { toolkit, call, get, read: read ?? call };
}

describe("a toolkit", () => {
  it("names its own functions to a caller in JavaScript who writes `new`", () => {
    for (const given of [[], [[record("A")]], [[record("A")], {}]]) {
      expect(() => Reflect.construct(ApiSourceToolkit, given)).toThrow(
        expect.objectContaining({
          category: "not_configured",
          code: "wrong_options",
          hint: expect.stringContaining("await ApiSourceToolkit.fromSources(records, options)"),
        }),
      );
    }
  });

  it("leaves the reader out on demand, and then names no id", async () => {
    const { toolkit, get } = await open({ readApiResponse: false });
    expect(toolkit.getTools().map((tool) => tool.name)).toEqual(["a"]);
    const { shortened } = await get("/rows");
    expect([shortened.id, shortened.try.length > 0]).toEqual([undefined, true]);
  });

  it("gives one tool per source in order, then the reader, of records, a file or a directory", async () => {
    const names = (toolkit: ApiSourceToolkit): string[] =>
      toolkit.getTools().map(({ name }) => name);
    const ofRecords = await ApiSourceToolkit.fromSources([record("B"), record("A")]);
    expect(names(ofRecords)).toEqual(["b", "a", "read_api_response"]);
    const file = await folder.write("a.json", record("a"));
    await folder.write("b.json", record("b"));
    const fromFile = await ApiSourceToolkit.fromFile(file);
    const fromDirectory = await ApiSourceToolkit.fromDirectory(folder.path);
    expect(names(fromFile)).toEqual(["a", "read_api_response"]);
    expect(names(fromDirectory)).toEqual(["a", "b", "read_api_response"]);
  });

  it.each([
    ["two names that collide", () => [record("A B"), record("a-b")]],
    ["wrong records, all of them", () => [{ api: { baseUrl: "ftp://x" } }, { api: {} }]],
  ])("rejects %s with one error", async (_what, records) => {
    const failure = ApiSourceToolkit.fromSources(asRecords(records()));
    await expect(failure).rejects.toMatchObject({
      name: "SourceRecordError",
      problems: expect.any(Array),
    });
  });

  it("shows no credential, however it is printed", async () => {
    const token = "9-tok-Kx81vQpL02";
    const { toolkit, get } = await open(
      { credentials: { a: { token } }, secrets: { APP_KEY: `${token}2` } },
      { authType: "bearer", headers: { "X-App": "${APP_KEY}" } },
    );
    await get("/small");
    const { authorization, "x-app": app } = server.requests[0]?.headers ?? {};
    expect([authorization, app]).toEqual([`Bearer ${token}`, `${token}2`]);
    expect(
      inspect(toolkit, { depth: 20, showHidden: true }) + JSON.stringify(toolkit),
    ).not.toContain(token);
  });
});

describe("a large answer", () => {
  it("that the application can't count is counted by the estimate, so that a write does not look as if it had not been received", async () => {
    const countTokens = (): number => {
      throw new TypeError("no tokenizer");
    };
    const { call } = await open({ countTokens });
    expect(await call({ method: "POST", path: "/small" })).toEqual({ status: 200, data: { a: 1 } });
    const answer = await call({ method: "POST", path: "/rows" });
    expect(answer).toMatchObject({ status: 200, data: { rows: expect.any(Array) } });
    expect(answer.error).toBeUndefined();
    expect(server.requests.length).toBe(2);
  });
});

describe("kept responses", () => {
  const select = "length(rows)";

  it("belong to their thread", async () => {
    const { toolkit, get, read } = await open();
    const [t1, t2] = [{ thread_id: "t1" }, { thread_id: "t2" }];
    const { id } = (await get("/rows", t1)).shortened;
    const other = "r_aaaaaaaaaaaaaaaa";
    expect((await read({ id, select }, t1)).data).toBe(900);
    const [foreign, unknown] = [await read({ id, select }, t2), await read({ id: other }, t1)];
    expect(foreign.error.category).toBe("not_found");
    expect(JSON.stringify(foreign).replaceAll(id, other)).toBe(JSON.stringify(unknown));
    expect(await toolkit.readResponse(id, { select, threadId: "t1" })).toBe(900);
    expect(await toolkit.readResponse(id, { threadId: "t2" })).toBeUndefined();
  });

  it("belong, without a thread, to their toolkit", async () => {
    const [one, other] = [await open(), await open()];
    const { id } = (await one.get("/rows")).shortened;
    expect(await other.toolkit.readResponse(id)).toBeUndefined();
    expect(await one.toolkit.readResponse(id, { select: "rows[0].id" })).toBe(0);
  });

  it("belong to whom responseScope names", async () => {
    const { get, read } = await open({
      responseScope: ({ configurable }) => ["user", String(configurable?.["user"])],
    });
    const as = (user: string) => ({ user, thread_id: "same" });
    const { id } = (await get("/rows", as("ada@example.com"))).shortened;
    expect((await read({ id, select }, as("ada@example.com"))).data).toBe(900);
    expect((await read({ id }, as("bob"))).error.category).toBe("not_found");
  });

  it("are found by a reader that was made alone", async () => {
    const alone = await askWith(createApiSourceTool(record("A")))({ method: "GET", path: "/rows" });
    const reader = askWith(createReadApiResponseTool());
    expect((await reader({ id: alone.shortened.id, select })).data).toBe(900);
  });

  it.each([
    ["LangGraph's InMemoryStore", "given"],
    ["the agent's own store", "runtime"],
  ])("go to %s", async (_what, where) => {
    const store = new InMemoryStore();
    const { toolkit } = await open({ responseStore: where === "given" ? store : "runtime" });
    const readWhatWasKept = (messages: BaseMessage[]): AIMessage => {
      const { id } = JSON.parse(messages.at(-1)?.text ?? "{}").shortened;
      const call = {
        name: "read_api_response",
        args: { id, select },
        id: "c2",
        type: "tool_call" as const,
      };
      return new AIMessage({ content: "", tool_calls: [call] });
    };
    const model = fakeModel()
      .respondWithTools([{ name: "a", args: { method: "GET", path: "/rows" }, id: "c1" }])
      .respond(readWhatWasKept)
      .respond(new AIMessage("done"));
    const agent = createAgent({
      model,
      tools: toolkit.getTools(),
      store,
      checkpointer: new MemorySaver(),
    });
    const { messages } = await agent.invoke(
      { messages: "go" },
      { configurable: { thread_id: "t9" } },
    );
    const [, read] = messages.filter((message) => ToolMessage.isInstance(message));
    expect(JSON.parse(read?.text ?? "")).toEqual({ status: 200, data: 900 });
    const [kept] = messages.filter((message) => ToolMessage.isInstance(message));
    const { id } = JSON.parse(kept?.text ?? "").shortened;
    expect(await toolkit.readResponse(id, { select, threadId: "t9", store })).toBe(900);
    expect((await store.search(["api-responses"])).length).toBe(1);
    const unnamed = [toolkit.readResponse(id), toolkit.readFile(id)];
    for (const each of unnamed)
      if (where === "given") expect(await each).toBeUndefined();
      else await expect(each).rejects.toMatchObject({ code: "store_required" });
  });

  it("answer without an id when the store fails, and say so in notes and in the log", async () => {
    const logged: unknown[] = [];
    const warn = (...line: unknown[]): number => logged.push(line);
    const { get, read } = await open({
      responseStore: {
        get: () => Promise.reject(new Error("down")),
        put: () => Promise.reject(new Error("no room", { cause: new Error("disk is full") })),
        delete: async () => {},
      },
      logger: { debug() {}, info() {}, warn, error() {} },
    });
    const { status, shortened, notes } = await get("/rows");
    expect([status, shortened.id]).toEqual([200, undefined]);
    expect(notes).toEqual(["The whole body was not kept: the response store could not save it."]);
    expect(JSON.stringify(logged)).toMatch(/could not be kept.*no room.*disk is full/);
    expect((await read({ id: "r_aaaaaaaaaaaaaaaa" })).error.category).toBe("not_found");
  });
});

describe("errorWhen", () => {
  it.each([
    [
      "makes a failure of a body under 200 where it holds",
      "a == `1`",
      { error: expect.objectContaining({ details: { a: 1 } }) },
    ],
    ["takes a body for a success where it does not hold", "b == `1`", { data: { a: 1 } }],
    ["takes a body for a success where it does not fit", "sum(a) > `1`", { data: { a: 1 } }],
  ])("%s", async (_what, errorWhen, answer) => {
    const { get } = await open({}, { errorWhen });
    expect(await get("/small")).toEqual({ status: 200, ...answer });
  });

  it("is a list of rules, of which the first that is true counts", async () => {
    const errorWhen = [
      { when: "b == `1`", category: "not_found" as const },
      { when: "a == `1`", category: "conflict" as const, message: "Someone edits it." },
      { when: "a", category: "forbidden" as const },
    ];
    const { get } = await open({}, { errorWhen });
    expect(await get("/small")).toMatchObject({
      status: 200,
      error: { category: "conflict", message: "Someone edits it." },
    });
    await expect(open({}, { errorWhen: [{ when: "a[" }] })).rejects.toMatchObject({
      problems: [{ path: "api.errorWhen[0].when" }],
    });
    await expect(
      open({}, { errorWhen: [{ when: "a", category: "network" as never }] }),
    ).rejects.toMatchObject({
      problems: [{ path: expect.stringContaining("api.errorWhen[0].category") }],
    });
  });

  it.each([
    ["ok = false", "a single = at character 4, which is no comparison"],
    ["ok == false", "a member called false"],
    ["errors[?done != true]", "a member called true"],
    ["ok === false", "not a JMESPath"],
    ["ok == `false", "` at character 7 is not closed"],
  ])("that is %j is refused in words for a condition, not for a select", async (when, what) => {
    const error = await open({}, { errorWhen: [{ when }] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: expect.stringContaining(what),
      problems: [{ fix: expect.stringContaining("ok == `false`") }],
    });
    expect(String(error)).not.toMatch(/rows|items|select/);
  });

  it("may compare with null as it is written, since no body has a member of that name", async () => {
    const { get } = await open({}, { errorWhen: "a != null" });
    expect(await get("/small")).toMatchObject({ error: { category: "bad_request" } });
  });

  it("is refused when it is not a JMESPath: by a toolkit when it is made, by a tool before a request", async () => {
    await expect(open({}, { errorWhen: "a[" })).rejects.toMatchObject({
      name: "SourceRecordError",
      problems: [{ path: "api.errorWhen" }],
    });
    const tool = createApiSourceTool(record("A", { errorWhen: "a[" }));
    const { error } = await askWith(tool)({ method: "POST", path: "/small" });
    expect(error).toMatchObject({
      category: "not_configured",
      message: expect.stringContaining("errorWhen"),
    });
    expect(server.requests).toEqual([]);
  });
});

describe("one user's call", () => {
  it("spends that user's quota alone, also where only a secret header distinguishes users", async () => {
    const { get } = await open(
      { secrets: (_name, _source, { configurable }) => `key-of-${String(configurable?.["user"])}` },
      { headers: { "X-App": "${APP_KEY}" } },
    );
    await get("/limited", { user: "ada" });
    const answers = [
      await get("/limited", { user: "ada" }),
      await get("/limited", { user: "bob" }),
    ];
    expect(answers.map(({ error }) => error?.category)).toEqual(["rate_limited", undefined]);
  });
});

it("names what takes a path where one is given in place of a record", async () => {
  const given = ApiSourceToolkit.fromSources(asRecords(["./shop.json"]));
  await expect(given).rejects.toThrow(/fromFile/);
});
