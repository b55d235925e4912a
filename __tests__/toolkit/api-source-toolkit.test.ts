import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { createApiSourceTool } from "../../src/toolkit/create-api-source-tool.js";
import { createReadApiResponseTool } from "../../src/toolkit/create-read-api-response-tool.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

const rows = Array.from({ length: 900 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  price: id / 2,
  note: "words ".repeat(30),
}));
let server: HttpServer;

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    if (request.url.startsWith("/small")) return sendJson(response, { a: 1 });
    if (request.url.startsWith("/text")) {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("0123456789".repeat(10_000));
      return;
    }
    if (request.url.startsWith("/bytes")) {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      response.end(Buffer.from([0, 1, 2, 3, 255, 254]));
      return;
    }
    sendJson(response, { rows });
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const record = (name: string) => ({ name, api: { baseUrl: server.url } });

interface Document {
  status?: number;
  data?: unknown;
  error?: { category: string; message: string; hint: string };
  notes?: string[];
  next?: Record<string, unknown>;
  kept?: string;
  shortened?: {
    id?: string;
    tokens: number;
    shownTokens: number;
    omitted: { path: string; shown?: number; of?: number }[];
    try?: string[];
  };
}

async function invoke(
  tool: { invoke(input: never, config?: never): Promise<unknown> } | undefined,
  input: unknown,
  config?: unknown,
): Promise<Document> {
  return JSON.parse((await tool?.invoke(input as never, config as never)) as string);
}

const inThread = (thread_id: string) => ({ configurable: { thread_id } });

describe("getTools", () => {
  it("gives one tool per source, in order, then the reader", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("B"), record("A")]);
    expect(toolkit.getTools().map((tool) => tool.name)).toEqual(["b", "a", "read_api_response"]);
  });

  it("leaves the reader out on demand, and then names no id", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], { readApiResponse: false });
    expect(toolkit.getTools().map((tool) => tool.name)).toEqual(["a"]);
    const { shortened } = await invoke(toolkit.getTools()[0], { method: "GET", path: "/rows" });
    expect(shortened?.id).toBeUndefined();
    expect(shortened?.try?.length).toBeGreaterThan(0);
  });
});

describe("loading", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sources-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("reads a file and a directory", async () => {
    writeFileSync(join(folder, "a.json"), JSON.stringify(record("A")));
    writeFileSync(join(folder, "b.json"), JSON.stringify(record("B")));
    const fromFile = await ApiSourceToolkit.fromFile(join(folder, "a.json"));
    const fromDirectory = await ApiSourceToolkit.fromDirectory(folder);
    expect([fromFile, fromDirectory].map((toolkit) => toolkit.getTools().length)).toEqual([2, 3]);
  });

  it.each([
    ["two names that collide", () => [record("A B"), record("a-b")]],
    ["wrong records, all of them", () => [{ api: { baseUrl: "ftp://x" } }, { api: {} }]],
  ])("rejects %s with one error", async (_what, records) => {
    const failure = ApiSourceToolkit.fromSources(records());
    await expect(failure).rejects.toMatchObject({ name: "SourceRecordError", problems: expect.any(Array) });
  });
});

describe("a large answer", () => {
  it("offers queries that work, on the call as on the reader", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], { maxTokens: 1_500 });
    const [tool, reader] = toolkit.getTools();
    const { shortened } = await invoke(tool, { method: "GET", path: "/rows", select: "rows" });
    for (const select of shortened?.try ?? []) {
      const [called, read] = [
        await invoke(tool, { method: "GET", path: "/rows", select }),
        await invoke(reader, { id: shortened?.id, select }),
      ];
      expect(called.error).toBeUndefined();
      expect(read.data).toEqual(called.data);
    }
    expect(shortened?.try?.length).toBeGreaterThan(0);
  });

  it("keeps what a select left out when it can't be asked for again: of a write, not of a GET", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("A")]);
    const [tool, reader] = toolkit.getTools();
    const input = { path: "/small", select: "a" };
    expect(await invoke(tool, { method: "GET", ...input })).toEqual({ status: 200, data: 1 });
    const answer = await invoke(tool, { method: "POST", ...input });
    expect(answer).toEqual({ status: 200, data: 1, kept: expect.stringMatching(/^r_/) });
    expect((await invoke(reader, { id: answer.kept })).data).toEqual({ a: 1 });
  });

  it("keeps bytes and gives them to code", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("A")]);
    const { data, shortened } = await invoke(toolkit.getTools()[0], { method: "GET", path: "/bytes" });
    expect(data).toMatchObject({ type: "application/octet-stream", bytes: 6 });
    expect(await toolkit.readResponse(shortened?.id ?? "")).toEqual(Uint8Array.from([0, 1, 2, 3, 255, 254]));
  });

  it("prefers the record's budget to the toolkit's", async () => {
    const small = { ...record("A"), api: { baseUrl: server.url, limits: { maxTokens: 500 } } };
    const toolkit = await ApiSourceToolkit.fromSources([small], { maxTokens: 3_000 });
    const { shortened } = await invoke(toolkit.getTools()[0], { method: "GET", path: "/rows" });
    expect(shortened?.shownTokens).toBeLessThanOrEqual(500);
  });
});

describe("a failure after the answer came", () => {
  it("keeps the status, so that a write does not look as if it had not been received", async () => {
    const countTokens = (): number => {
      throw new TypeError("no tokenizer");
    };
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], { countTokens });
    const answer = await invoke(toolkit.getTools()[0], { method: "POST", path: "/small" });
    expect(answer).toMatchObject({ status: 200, error: { category: "not_configured" } });
    expect(server.requests.length).toBe(1);
  });
});

describe("kept responses", () => {
  it("belong to their thread", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("A")]);
    const [tool, reader] = toolkit.getTools();
    const id = (await invoke(tool, { method: "GET", path: "/rows" }, inThread("t1"))).shortened?.id ?? "";
    const own = await invoke(reader, { id, select: "length(rows)" }, inThread("t1"));
    const foreign = await invoke(reader, { id, select: "length(rows)" }, inThread("t2"));
    const unknown = await invoke(reader, { id: "r_aaaaaaaaaaaaaaaa" }, inThread("t1"));
    expect(own.data).toBe(900);
    expect(foreign.error?.category).toBe("not_found");
    expect(foreign.error?.hint).toBe(unknown.error?.hint);
    expect(foreign.error?.message.replace(id, "")).toBe(
      unknown.error?.message.replace("r_aaaaaaaaaaaaaaaa", ""),
    );
    expect(await toolkit.readResponse(id, { select: "length(rows)", threadId: "t1" })).toBe(900);
    expect(await toolkit.readResponse(id, { threadId: "t2" })).toBeUndefined();
  });

  it("belong, without a thread, to their toolkit", async () => {
    const [one, other] = await Promise.all([
      ApiSourceToolkit.fromSources([record("A")]),
      ApiSourceToolkit.fromSources([record("A")]),
    ]);
    const id = (await invoke(one?.getTools()[0], { method: "GET", path: "/rows" })).shortened?.id ?? "";
    expect(await other?.readResponse(id)).toBeUndefined();
    expect(await one?.readResponse(id, { select: "rows[0].id" })).toBe(0);
  });

  it("belong to whom responseScope names", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], {
      responseScope: ({ configurable }) => ["user", String(configurable?.["user"])],
    });
    const [tool, reader] = toolkit.getTools();
    const as = (user: string) => ({ configurable: { user, thread_id: "same" } });
    const id = (await invoke(tool, { method: "GET", path: "/rows" }, as("ada@example.com"))).shortened?.id;
    expect((await invoke(reader, { id, select: "length(rows)" }, as("ada@example.com"))).data).toBe(900);
    expect((await invoke(reader, { id }, as("bob"))).error?.category).toBe("not_found");
  });

  it("are found by a reader that was made alone", async () => {
    const tool = createApiSourceTool(record("A"));
    const id = (await invoke(tool, { method: "GET", path: "/rows" })).shortened?.id;
    expect((await invoke(createReadApiResponseTool(), { id, select: "length(rows)" })).data).toBe(900);
  });

  it.each([
    ["LangGraph's InMemoryStore", "given"],
    ["the agent's own store", "runtime"],
  ])("go to %s", async (_what, where) => {
    const store = new InMemoryStore();
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], {
      responseStore: where === "given" ? store : "runtime",
    });
    const model = fakeModel()
      .respondWithTools([{ name: "a", args: { method: "GET", path: "/rows" }, id: "c1" }])
      .respond((messages: BaseMessage[]) => {
        const { shortened } = JSON.parse(messages.at(-1)?.text ?? "{}");
        return new AIMessage({
          content: "",
          tool_calls: [
            {
              name: "read_api_response",
              args: { id: shortened.id, select: "length(rows)" },
              id: "c2",
              type: "tool_call",
            },
          ],
        });
      })
      .respond(new AIMessage("done"));
    const agent = createAgent({ model, tools: toolkit.getTools(), store, checkpointer: new MemorySaver() });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, inThread("t9"));
    const answers = messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => JSON.parse(message.text));
    expect(answers[1]).toEqual({ status: 200, data: 900 });
    expect((await store.search(["api-responses"])).length).toBe(1);
  });

  it("are deleted when they have expired, from a store that ends nothing by itself", async () => {
    const store = new InMemoryStore();
    let nowMs = 1_000_000;
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], {
      responseStore: store,
      clock: { now: () => nowMs },
    });
    const [tool, reader] = toolkit.getTools();
    const keep = async (): Promise<string> =>
      (await invoke(tool, { method: "GET", path: "/rows" })).shortened?.id ?? "";
    const keys = async (): Promise<string[]> => (await store.search(["api-responses"])).map(({ key }) => key);
    const first = await keep();
    nowMs += 3_599_999;
    const second = await keep();
    expect((await keys()).sort()).toEqual([first, second].sort());
    nowMs += 1;
    await invoke(reader, { id: second });
    expect(await keys()).toEqual([second]);
    nowMs += 3_600_000;
    const third = await keep();
    expect(await keys()).toEqual([third]);
  });

  it("answer without an id when the store fails, and say so in notes and in the log", async () => {
    const broken = {
      get: () => Promise.reject(new Error("down")),
      put: () => Promise.reject(new Error("no room", { cause: new Error("disk is full") })),
      delete: async () => {},
    };
    const logged: unknown[] = [];
    const warn = (...line: unknown[]): number => logged.push(line);
    const toolkit = await ApiSourceToolkit.fromSources([record("A")], {
      responseStore: broken,
      logger: { debug() {}, info() {}, warn, error() {} },
    });
    const [tool, reader] = toolkit.getTools();
    const { status, shortened, notes } = await invoke(tool, { method: "GET", path: "/rows" });
    expect({ status, id: shortened?.id }).toEqual({ status: 200, id: undefined });
    expect(notes).toEqual(["The whole body was not kept: the store of kept responses could not take it."]);
    expect(JSON.stringify(logged)).toMatch(/could not be kept.*no room.*disk is full/);
    expect((await invoke(reader, { id: "r_aaaaaaaaaaaaaaaa" })).error?.category).toBe("not_found");
  });
});

describe("the toolkit itself", () => {
  it("shows no credential, however it is printed", async () => {
    const token = "9-tok-Kx81vQpL02";
    const toolkit = await ApiSourceToolkit.fromSources(
      [{ name: "A", api: { baseUrl: server.url, authType: "bearer", headers: { "X-App": "${APP_KEY}" } } }],
      { credentials: { a: { token } }, secrets: { APP_KEY: `${token}2` } },
    );
    await invoke(toolkit.getTools()[0], { method: "GET", path: "/small" });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      "x-app": `${token}2`,
    });
    expect(inspect(toolkit, { depth: 20, showHidden: true }) + JSON.stringify(toolkit)).not.toContain(token);
  });
});

describe("errorWhen", () => {
  const failing = (errorWhen: string) => ({ name: "A", api: { baseUrl: server.url, errorWhen } });

  it("makes a failure of a body under 200", async () => {
    const toolkit = await ApiSourceToolkit.fromSources([failing("a == `1`")]);
    const answer = await invoke(toolkit.getTools()[0], { method: "GET", path: "/small" });
    expect(answer).toMatchObject({ status: 200, error: { category: expect.any(String) }, data: { a: 1 } });
  });

  it.each(["b == `1`", "sum(a) > `1`"])(
    "takes a body for a success when %s does not hold or fit",
    async (errorWhen) => {
      const toolkit = await ApiSourceToolkit.fromSources([failing(errorWhen)]);
      expect(await invoke(toolkit.getTools()[0], { method: "GET", path: "/small" })).toEqual({
        status: 200,
        data: { a: 1 },
      });
    },
  );

  it("is refused when it is no JMESPath: by a toolkit when it is made, by a tool before a request", async () => {
    await expect(ApiSourceToolkit.fromSources([failing("a[")])).rejects.toMatchObject({
      name: "SourceRecordError",
      problems: [{ path: "api.errorWhen" }],
    });
    const answer = await invoke(createApiSourceTool(failing("a[")), { method: "POST", path: "/small" });
    expect(answer.error).toMatchObject({
      category: "not_configured",
      message: expect.stringContaining("errorWhen"),
    });
    expect(server.requests).toEqual([]);
  });
});

describe("a short token behind a scheme of its own", () => {
  it("is redacted where the API echoes what was sent, and shreds no word", async () => {
    const echo = await startHttpServer((request, response) => {
      sendJson(response, { said: `got ${request.headers.authorization} from you`, word: "kitty corner" });
    });
    const source = { name: "A", api: { baseUrl: echo.url, authType: "bearer", authScheme: "Splunk" } };
    const toolkit = await ApiSourceToolkit.fromSources([source], { credentials: { a: { token: "kitty" } } });
    const { data } = await invoke(toolkit.getTools()[0], { method: "GET", path: "/a" });
    await echo.close();
    expect(data).toEqual({ said: "got [REDACTED] from you", word: "kitty corner" });
  });
});

describe("a quota that is used up", () => {
  it("is kept apart by user, also where only a secret header tells users apart", async () => {
    const limited = await startHttpServer((request, response) => {
      const isSpent = request.headers["x-app"] === "key-of-ada";
      sendJson(response, { ok: 1 }, 200, {
        "x-ratelimit-remaining": isSpent ? "0" : "9",
        "x-ratelimit-reset": "60",
      });
    });
    const toolkit = await ApiSourceToolkit.fromSources(
      [{ name: "A", api: { baseUrl: limited.url, headers: { "X-App": "${APP_KEY}" } } }],
      { secrets: (_name, _source, { configurable }) => `key-of-${String(configurable?.["user"])}` },
    );
    const call = (user: string): Promise<Document> =>
      invoke(toolkit.getTools()[0], { method: "GET", path: "/a" }, { configurable: { user } });
    await call("ada");
    const answers = [await call("ada"), await call("bob")];
    await limited.close();
    expect(answers.map(({ error }) => error?.category)).toEqual(["rate_limited", undefined]);
  });
});
