import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import type { ApprovalRequest } from "../../src/approval/approval.js";
import type { ClientOptions } from "../../src/client/client-options.js";
import { type ApiCodeToolOptions, createApiCodeTool } from "../../src/code/create-api-code-tool.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

type Answer = ReturnType<typeof JSON.parse>;

let server: HttpServer;
beforeAll(async () => {
  let served = 0;
  server = await startHttpServer((request, response) => {
    served += 1;
    const answer = { did: `${request.method} ${request.url}`, got: request.body, served };
    setTimeout(() => sendJson(response, answer), request.url === "/late" ? 150 : 0);
  });
});
afterAll(() => server.close());
afterEach(() => {
  server.requests.length = 0;
});

const sent = (): string[] => server.requests.map(({ method, url }) => `${method} ${url}`);

/** What a process has: made anew, it stands for a restart. Only checkpointer and store outlive it. */
async function openProcess(
  { saver, store }: { readonly saver: MemorySaver; readonly store: InMemoryStore },
  code: string,
  options: ApiCodeToolOptions = { writes: "approve" },
  clientOptions: ClientOptions = {},
  others: readonly string[] = [],
): Promise<{ start(thread: string): Promise<Run>; resume(thread: string, resume: unknown): Promise<Run> }> {
  const records = ["Shop", ...others].map((name) => ({ name, api: { baseUrl: server.url } }));
  const toolkit = await ApiSourceToolkit.fromSources(records, { responseStore: store, ...clientOptions });
  const call = { name: "run_api_code", args: { code }, id: "call_1" };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", () => ({ messages: [new AIMessage({ content: "", tool_calls: [call] })] }))
    .addNode("tools", new ToolNode([createApiCodeTool(toolkit, options)]))
    .addEdge("__start__", "model")
    .addEdge("model", "tools")
    .compile({ checkpointer: saver });
  const invoke = async (thread: string, input: unknown): Promise<Run> => {
    const state = await graph.invoke(input as never, { configurable: { thread_id: thread } });
    const { messages, __interrupt__: asked = [] } = state as unknown as RunState;
    const last = messages.at(-1);
    return {
      questions: asked.map(({ value }) => value.request),
      answer: asked.length > 0 ? undefined : JSON.parse(String(last?.content)),
    };
  };
  return {
    start: (thread) => invoke(thread, { messages: [new HumanMessage("go")] }),
    resume: (thread, resume) => invoke(thread, new Command({ resume })),
  };
}

interface RunState {
  readonly messages: { readonly content: unknown }[];
  readonly __interrupt__?: { readonly value: { readonly request: ApprovalRequest } }[];
}
interface Run {
  readonly questions: readonly ApprovalRequest[];
  readonly answer: Answer;
}

const openMemory = (): { saver: MemorySaver; store: InMemoryStore } => ({
  saver: new MemorySaver(),
  store: new InMemoryStore(),
});

/** A node that calls the tool itself: once with each code, the run being resumed between. */
async function callFromNode(codes: readonly string[], clientOptions: ClientOptions = {}): Promise<Answer[]> {
  const records = [{ name: "Shop", api: { baseUrl: server.url } }];
  const tool = createApiCodeTool(await ApiSourceToolkit.fromSources(records, clientOptions), {
    writes: "approve",
  });
  const answers: Answer[] = [];
  let turn = 0;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("work", async () => {
      turn += 1;
      answers.push(JSON.parse(await tool.invoke({ code: codes[turn - 1] ?? "" })));
      return {};
    })
    .addEdge("__start__", "work")
    .compile({ checkpointer: new MemorySaver() });
  for (const index of codes.keys()) {
    server.requests.length = 0;
    const input = index === 0 ? { messages: [] } : new Command({ resume: approve });
    await graph.invoke(input as never, { configurable: { thread_id: "t" } });
  }
  return answers;
}
const approve = { decisions: [{ type: "approve" }] };

const twoWrites = `
state.runs = (state.runs ?? 0) + 1;
const first = await api.shop.get("/a");
const [second, third] = await Promise.all([api.shop.get("/b"), api.shop.get("/c")]);
console.log("before");
const one = await api.shop.post("/orders", { body: { after: first.data.served } });
const fourth = await api.shop.get("/d");
const two = await api.shop.delete("/orders/1");
return [first, second, third, one, fourth, two].map(({ ok, data, error }) => (ok ? data.did : error.message)).concat(state.runs);
`;

describe("run_api_code in a graph", () => {
  it("stops at each write, goes on after the decision, and sends no call twice, also in another process", async () => {
    const memory = openMemory();
    const first = await (await openProcess(memory, twoWrites)).start("t");
    expect(first.questions).toMatchObject([{ method: "POST", url: `${server.url}/orders`, source: "shop" }]);
    expect(sent().sort()).toEqual(["GET /a", "GET /b", "GET /c"]);

    const second = await (await openProcess(memory, twoWrites)).resume("t", approve);
    expect(second.questions).toMatchObject([{ method: "DELETE" }]);
    expect(sent().slice(3)).toEqual(["POST /orders", "GET /d"]);

    const third = await (await openProcess(memory, twoWrites)).resume("t", approve);
    expect(sent().slice(5)).toEqual(["DELETE /orders/1"]);
    expect(third.answer).toMatchObject({
      data: ["GET /a", "GET /b", "GET /c", "POST /orders", "GET /d", "DELETE /orders/1", 1],
      calls: { sent: 6, failed: 0, waitedMs: 0 },
      log: ["before"],
    });
  });

  it("gives the code a rejection as the call's error, and an edited call's answer with a note", async () => {
    const memory = openMemory();
    const process = await openProcess(memory, twoWrites);
    await process.start("t");
    await process.resume("t", { decisions: [{ type: "reject", message: "not this one" }] });
    const args = { method: "DELETE", path: "/orders/2" };
    const { answer } = await process.resume("t", {
      decisions: [{ type: "edit", editedAction: { name: "shop", args } }],
    });
    expect(sent().slice(3)).toEqual(["GET /d", "DELETE /orders/2"]);
    expect(answer.data).toEqual([
      "GET /a",
      "GET /b",
      "GET /c",
      "not this one",
      "GET /d",
      "DELETE /orders/2",
      1,
    ]);
  });

  it("asks one after the other about writes that the code makes at the same time", async () => {
    const code = `return (await Promise.all([1, 1, 2].map((id) => api.shop.post("/same", { body: { id } })))).map(({ ok }) => ok)`;
    const process = await openProcess(openMemory(), code);
    const questions: ApprovalRequest[] = [...(await process.start("t")).questions];
    questions.push(...(await process.resume("t", approve)).questions);
    questions.push(...(await process.resume("t", approve)).questions);
    const { answer } = await process.resume("t", approve);
    expect(questions.map(({ body }) => body)).toEqual(['{"id":1}', '{"id":1}', '{"id":2}']);
    expect(answer.data).toEqual([true, true, true]);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"id":1}', '{"id":1}', '{"id":2}']);
  });

  it("gives the code the same time and the same random numbers after the decision", async () => {
    const code = `const name = Date.now() + "-" + Math.random();
      await api.shop.get("/" + name); await api.shop.post("/x"); return name;`;
    const process = await openProcess(openMemory(), code);
    await process.start("t");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { answer } = await process.resume("t", approve);
    expect(sent()).toEqual([`GET /${answer.data}`, "POST /x"]);
  });

  it("ends with an error, and sends nothing, when the code is another one after the decision", async () => {
    const [answer] = await callFromNode([twoWrites, `${twoWrites}// but for this`]);
    expect(sent()).toEqual([]);
    expect(answer).toMatchObject({ error: different });
  });

  const different = {
    category: "code_error",
    message: expect.stringContaining("did something else than before"),
  };
  const isNew = "Object.keys(api).length > 1";
  it.each([
    ["asks something else", `await api.shop.get(${isNew} ? "/x" : "/a"); await api.shop.post("/orders")`],
    ["asks less", `if (!(${isNew})) await api.shop.get("/a"); await api.shop.post("/orders")`],
    [
      "asks something else later than what a person approved",
      `const order = api.shop.post("/orders"); if (${isNew}) for (let i = 0; i < 1e7; i++);
       await api.shop.get(${isNew} ? "/x" : "/a"); await order`,
    ],
    [
      "waits for what came later",
      `const late = api.shop.get("/late"); if (!(${isNew})) await api.shop.get("/a"); await late; await api.shop.post("/orders")`,
    ],
    ["is over sooner", `if (${isNew}) return 1; await api.shop.get("/a"); await api.shop.post("/orders")`],
  ])(
    "ends with an error, and sends nothing, where the same code %s in a process with another set of sources",
    async (_how, code) => {
      const memory = openMemory();
      // What is asked about takes a while to find out: by then the other calls are under way.
      const isAsked = ({ method }: ApprovalRequest): Promise<boolean> =>
        new Promise((resolve) => setTimeout(resolve, 50, method !== "GET"));
      const options = { approve: isAsked };
      const { questions } = await (await openProcess(memory, code, undefined, options)).start("t");
      expect(questions).toHaveLength(1);
      server.requests.length = 0;
      const other = await openProcess(memory, code, undefined, options, ["Post"]);
      const { answer } = await other.resume("t", approve);
      expect(sent()).toEqual([]);
      expect(answer).toMatchObject({ error: different });
    },
  );

  it("writes nothing when what it did before the decision is not known any more", async () => {
    const { saver, store } = openMemory();
    const code = `await api.shop.get("/a"); return api.shop.post("/x");`;
    await (await openProcess({ saver, store }, code)).start("t");
    server.requests.length = 0;
    const forgetful = await openProcess({ saver, store: new InMemoryStore() }, code);
    const { answer } = await forgetful.resume("t", approve);
    expect(sent().filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(answer.error).toMatchObject({ category: "code_error" });
  });

  const nothing = { get: async () => null, put: async () => {}, delete: async () => {} };
  const broken = {
    keys: ["r_1"],
    text: "{",
    kind: "text",
    status: 0,
    source: "x",
    request: "x",
    expiresAt: 1e15,
  };
  it.each([
    ["can't be written", { put: () => Promise.reject(new Error("disk full")) }, "could not be noted down"],
    ["can't be read", { get: () => Promise.reject(new Error("disk broken")) }, "could not be read"],
    ["holds something else", { get: async () => ({ value: broken }) }, "could not be read"],
  ])("does not stop, and writes nothing, where the store %s", async (_what, store, told) => {
    const [answer] = await callFromNode([twoWrites], { responseStore: { ...nothing, ...store } });
    expect(answer.error).toMatchObject({ category: "code_error", message: expect.stringContaining(told) });
    expect(JSON.stringify(answer)).not.toContain("disk");
    expect(sent().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });
});

describe("run_api_code outside of a graph", () => {
  const run = async (
    options: ApiCodeToolOptions,
    clientOptions: ClientOptions = {},
    method: "get" | "post" = "post",
  ): Promise<Answer> => {
    const toolkit = await ApiSourceToolkit.fromSources(
      [{ name: "Shop", api: { baseUrl: server.url } }],
      clientOptions,
    );
    const code = `const { ok, error } = await api.shop.${method}("/x"); return ok || error;`;
    return JSON.parse(await createApiCodeTool(toolkit, options).invoke({ code }));
  };

  it("refuses a write unless it is told otherwise, as an answer that the code can look at", async () => {
    const { data, calls } = await run({});
    expect(data).toMatchObject({ category: "refused_by_policy", code: "writes_refused" });
    expect([sent(), calls]).toEqual([[], { sent: 0, failed: 1, waitedMs: 0 }]);
    expect((await run({ writes: "allow" })).data).toBe(true);
    expect(sent()).toEqual(["POST /x"]);
  });

  it("asks the approver, whose time does not count, and without one sends nothing", async () => {
    const asked: string[] = [];
    const approver = async ({ method, url }: ApprovalRequest): Promise<{ type: "approve" }> => {
      asked.push(`${method} ${url}`);
      await new Promise((resolve) => setTimeout(resolve, 700));
      return { type: "approve" };
    };
    expect((await run({ writes: "approve", timeoutMs: 600 }, { approver })).data).toBe(true);
    expect(asked).toEqual([`POST ${server.url}/x`]);
    server.requests.length = 0;
    expect((await run({ writes: "approve" })).data).toMatchObject({ category: "approval_required" });
    expect(sent()).toEqual([]);
  });

  it("asks about what the toolkit has approved, whatever the tool allows", async () => {
    const approver = async (): Promise<{ type: "reject" }> => ({ type: "reject" });
    for (const writes of ["allow", "approve"] as const) {
      const { data } = await run({ writes }, { approve: "all", approver }, "get");
      expect(data).toMatchObject({ category: "approval_required", code: "rejected" });
    }
    expect(sent()).toEqual([]);
  });
});
