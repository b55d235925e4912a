import { afterEach, describe, expect, it } from "@jest/globals";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import type { ApprovalRequest, ClientOptions } from "langchain-api-sources";
import type { ApiCodeToolOptions } from "langchain-api-sources/code";
import { processState } from "../../../src/toolkit/client/process-state.js";
import { shopDescription } from "../../features/openapi/shop-description.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openNode } from "../../support/one-node.js";
import { noSleep } from "../../support/seams.js";
import { openTestFolder } from "../../support/test-folder.js";
import { type Answer, openCode } from "./open-code.js";

const folder = openTestFolder();

let served = 0;
const server = await startHttpServer((request, response) => {
  served += 1;
  const answer = { did: `${request.method} ${request.url}`, got: request.body, served };
  setTimeout(() => sendJson(response, answer), request.url === "/late" ? 150 : 0);
});

const sent = (): string[] => server.requests.map(({ method, url }) => `${method} ${url}`);

interface Process {
  /** What outlives it. */
  readonly memory?: { readonly saver: MemorySaver; readonly store: InMemoryStore };
  readonly options?: ApiCodeToolOptions;
  readonly clientOptions?: ClientOptions;
  /** Sources beside the shop. */
  readonly others?: readonly string[];
  /** More settings of the sources. */
  readonly api?: object;
}
interface State {
  readonly __interrupt__?: readonly {
    readonly id: string;
    readonly value: { readonly request: ApprovalRequest; readonly note?: string };
  }[];
}
interface Run {
  readonly questions: readonly ApprovalRequest[];
  /** Of the first question. */
  readonly id: string | undefined;
  readonly answer: Answer;
}

/** Why questions were asked again. */
const notes: string[] = [];
afterEach(() => {
  notes.length = 0;
});

const openMemory = () => ({ saver: new MemorySaver(), store: new InMemoryStore() });

/** A process with a graph that calls the tool: a step begins its run, or goes on with a decision. Made anew, it stands for a restart. */
async function openProcess(
  code: string,
  {
    memory = openMemory(),
    options = { writes: "approve" },
    clientOptions,
    others = [],
    api,
  }: Process = {},
): Promise<(decision?: object, id?: string) => Promise<Run>> {
  const sources = ["Shop", ...others].map((name) => ({ name }));
  const given = { sources, responseStore: memory.store, sleep: noSleep, ...clientOptions };
  const { run } = await openCode({ baseUrl: server.url, ...api }, options, given);
  let answer: Answer;
  const step = openNode<State>(async () => {
    answer = await run(code);
    return {};
  }, memory.saver);
  return async (decision, id) => {
    const decisions = { decisions: [decision] };
    const resume = id === undefined ? decisions : { [id]: decisions };
    const input = decision === undefined ? { messages: [] } : new Command({ resume });
    const { __interrupt__: asked = [] } = await step(input, { thread_id: "t" });
    notes.push(...asked.flatMap(({ value: { note = [] } }) => note));
    return { questions: asked.map(({ value }) => value.request), id: asked[0]?.id, answer };
  };
}

const approve = { type: "approve" };
const different = {
  category: "code_error",
  message: expect.stringContaining("behaved differently than before"),
};

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
    const first = await (await openProcess(twoWrites, { memory }))();
    expect(first.questions).toMatchObject([
      { method: "POST", url: `${server.url}/orders`, source: "shop" },
    ]);
    expect(sent().sort()).toEqual(["GET /a", "GET /b", "GET /c"]);
    const second = await (await openProcess(twoWrites, { memory }))(approve);
    expect(second.questions).toMatchObject([{ method: "DELETE" }]);
    expect(sent().slice(3)).toEqual(["POST /orders", "GET /d"]);
    const third = await (await openProcess(twoWrites, { memory }))(approve);
    expect(sent().slice(5)).toEqual(["DELETE /orders/1"]);
    expect(notes).toEqual([]);
    expect(third.answer).toMatchObject({
      data: ["GET /a", "GET /b", "GET /c", "POST /orders", "GET /d", "DELETE /orders/1", 1],
      calls: { sent: 6, failed: 0, waitedMs: 0 },
      log: ["before"],
    });
  });

  it("gives the code a rejection as the call's error, and an edited call's answer", async () => {
    const step = await openProcess(twoWrites);
    await step();
    await step({ type: "reject", message: "not this one" });
    const args = { method: "DELETE", path: "/orders/2" };
    const { answer } = await step({ type: "edit", editedAction: { name: "shop", args } });
    expect(sent().slice(3)).toEqual(["GET /d", "DELETE /orders/2"]);
    expect(answer.data.slice(3)).toEqual(["not this one", "GET /d", "DELETE /orders/2", 1]);
  });

  it("asks one after the other about writes that the code makes at the same time", async () => {
    const code = `return (await Promise.all([1, 1, 2].map((id) => api.shop.post("/same", { body: { id } })))).map(({ ok }) => ok)`;
    const step = await openProcess(code);
    const runs = [await step(), await step(approve), await step(approve)];
    const { answer } = await step(approve);
    const bodies = ['{"id":1}', '{"id":1}', '{"id":2}'];
    expect(runs.flatMap(({ questions }) => questions.map(({ body }) => body))).toEqual(bodies);
    expect(answer.data).toEqual([true, true, true]);
    expect(server.requests.map(({ body }) => body)).toEqual(bodies);
  });

  it("counts each call once, however often the run stopped while it waited for its turn", async () => {
    const code = `return (await Promise.allSettled([1, 2, 3, 4].map((id) => api.shop.post("/orders", { body: { id } })))).map(({ status }) => status)`;
    const step = await openProcess(code, { options: { writes: "approve", maxCalls: 2 } });
    await step();
    await step(approve);
    const { answer } = await step(approve);
    expect(answer).toMatchObject({
      data: ["fulfilled", "fulfilled", "rejected", "rejected"],
      calls: { used: 2, sent: 2 },
    });
  });

  it("makes the call that was asked about before the others, however slow it is after the decision", async () => {
    let slow = "";
    const isAsked = ({ url }: ApprovalRequest): Promise<boolean> =>
      new Promise((resolve) => setTimeout(resolve, url.endsWith(slow) ? 100 : 0, true));
    const step = await openProcess(
      `return (await Promise.all(["/a", "/b"].map((path) => api.shop.post(path)))).map(({ ok }) => ok)`,
      { clientOptions: { approve: isAsked }, options: { writes: "allow" } },
    );
    const [first] = (await step()).questions;
    slow = new URL(first?.url ?? "").pathname;
    await step(approve);
    expect(sent()).toEqual([`POST ${slow}`]);
    expect((await step(approve)).answer.data).toEqual([true, true]);
    expect(sent()).toHaveLength(2);
  });

  it("gives the code the same time and the same random numbers after the decision", async () => {
    const step = await openProcess(`const name = Date.now() + "-" + Math.random();
      await api.shop.get("/" + name); await api.shop.post("/x"); return name;`);
    await step();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { answer } = await step(approve);
    expect(sent()).toEqual([`GET /${answer.data}`, "POST /x"]);
  });

  it("ends with an error, and sends nothing, when the code is another one after the decision", async () => {
    const memory = openMemory();
    await (await openProcess(twoWrites, { memory }))();
    server.requests.length = 0;
    const { answer } = await (await openProcess(`${twoWrites}// but for this`, { memory }))(
      approve,
    );
    expect([sent(), answer]).toMatchObject([[], { error: different }]);
  });

  const isNew = "Object.keys(api).length > 1";
  it.each([
    [
      "asks something else",
      `await api.shop.get(${isNew} ? "/x" : "/a"); await api.shop.post("/orders")`,
    ],
    [
      "asks something else later than what a person approved",
      `const order = api.shop.post("/orders"); if (${isNew}) for (let i = 0; i < 1e7; i++);
       await api.shop.get(${isNew} ? "/x" : "/a"); await order`,
    ],
    [
      "waits for what came later",
      `const late = api.shop.get("/late"); if (!(${isNew})) await api.shop.get("/a"); await late; await api.shop.post("/orders")`,
    ],
    [
      "is over sooner",
      `if (${isNew}) return 1; await api.shop.get("/a"); await api.shop.post("/orders")`,
    ],
  ])(
    "ends with an error, and sends nothing, where the same code %s in a process with another set of sources",
    async (_how, code) => {
      // What is asked about takes a while to find out: by then the other calls are under way.
      const isAsked = ({ method }: ApprovalRequest): Promise<boolean> =>
        new Promise((resolve) => setTimeout(resolve, 50, method !== "GET"));
      const own = { memory: openMemory(), clientOptions: { approve: isAsked } };
      expect((await (await openProcess(code, own))()).questions).toHaveLength(1);
      server.requests.length = 0;
      const { answer } = await (await openProcess(code, { ...own, others: ["Post"] }))(approve);
      expect([sent(), answer]).toMatchObject([[], { error: different }]);
    },
  );

  it("sends nothing again when a limit ends it before it is where it stopped", async () => {
    const clientOptions = {
      approve: ({ method }: ApprovalRequest): boolean => method === "DELETE",
    };
    const own = { memory: openMemory(), clientOptions };
    const code = `const made = api.shop.post("/orders"); for (let i = 0; i < 1e7; i++);
      await made; await api.shop.delete("/orders/1");`;
    expect(
      (await (await openProcess(code, { ...own, options: { writes: "allow" } }))()).questions,
    ).toHaveLength(1);
    expect(sent()).toEqual(["POST /orders"]);
    const slower = { ...own, options: { writes: "allow", cpuMs: 100 } } as const;
    const { answer } = await (await openProcess(code, slower))(approve);
    expect(answer.error).toMatchObject({ category: "code_error", code: "cpuMs" });
    expect(sent()).toEqual(["POST /orders"]);
  });

  it("gives code the answer to a misspelt name again after the decision, and sends it when code repeats it", async () => {
    const memory = openMemory();
    const openapi = await folder.write("shop.json", shopDescription);
    const code = `
const given = [];
for (const path of ["/orders/7/refund", "/orders/7/refund", "/search"]) {
  const { ok, data, error } = await api.shop.post(path, { body: { q: 1 } });
  given.push(ok ? data.did : error.code);
}
return given;`;
    const own = { memory, api: { openapi } };
    expect((await (await openProcess(code, own))()).questions).toHaveLength(1);
    // Another process has answered no name.
    processState.answeredNames.clear();
    expect((await (await openProcess(code, own))(approve)).questions).toHaveLength(1);
    processState.answeredNames.clear();
    const { answer } = await (await openProcess(code, own))(approve);
    expect(answer.data).toEqual(["misspelt_name", "POST /orders/7/refund", "POST /search"]);
    expect(sent()).toEqual(["POST /orders/7/refund", "POST /search"]);
  });

  it("writes nothing when what it did before the decision is not known any more", async () => {
    const memory = openMemory();
    const code = `await api.shop.get("/a"); return api.shop.post("/x");`;
    await (await openProcess(code, { memory }))();
    const forgetful = { memory: { ...memory, store: new InMemoryStore() } };
    // The store lost the question too: a person is asked again.
    await (await openProcess(code, forgetful))(approve);
    expect(new Set(sent())).toEqual(new Set(["GET /a"]));
  });

  it("names responseStore when a decision reaches a process that does not share the store", async () => {
    const memory = openMemory();
    const code = `return api.shop.post("/x");`;
    const { id } = await (await openProcess(code, { memory }))();
    const other = await openProcess(code, { memory: { ...memory, store: new InMemoryStore() } });
    const { answer } = await other(approve, id);
    expect([sent(), answer.error.message]).toEqual([[], expect.stringContaining("responseStore")]);
  });

  const value = { keys: ["r_1"], text: "{", kind: "text", status: 0, source: "x", expiresAt: 1e15 };
  const fail = () => Promise.reject(new Error("disk full"));
  it.each([
    ["can't be read", { get: fail }, "could not be read"],
    [
      "holds something else",
      { get: async () => ({ value: { ...value, request: "x" } }) },
      "could not be read",
    ],
  ])("does not stop, and writes nothing, where the store %s", async (_what, store, told) => {
    const responseStore = { put: async () => {}, delete: async () => {}, ...store };
    const { answer } = await (await openProcess(twoWrites, { clientOptions: { responseStore } }))();
    expect(answer.error).toMatchObject({
      category: "code_error",
      message: expect.stringContaining(told),
    });
    expect(JSON.stringify(answer)).not.toContain("disk");
    expect(sent().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  it("writes nothing where the store can't be written", async () => {
    const responseStore = { get: async () => null, put: fail, delete: async () => {} };
    const { answer } = await (await openProcess(twoWrites, { clientOptions: { responseStore } }))();
    expect(JSON.stringify(answer)).not.toContain("disk");
    expect(sent().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });
});

describe("run_api_code outside of a graph", () => {
  const run = async (
    options: ApiCodeToolOptions,
    clientOptions: ClientOptions = {},
    method = "post",
  ): Promise<Answer> => {
    const { run: runCode } = await openCode({ baseUrl: server.url }, options, clientOptions);
    // A thread takes its time to begin.
    await runCode("return 1");
    return runCode(`const { ok, error } = await api.shop.${method}("/x"); return ok || error;`);
  };

  it("refuses a write unless an option allows it, as an answer that the code can look at", async () => {
    const { data, calls } = await run({});
    expect(data).toMatchObject({ category: "refused_by_policy", code: "writes_refused" });
    expect([sent(), calls]).toMatchObject([[], { used: 1, sent: 0, failed: 1, requests: 0 }]);
    expect((await run({ writes: "allow" })).data).toBe(true);
    expect(sent()).toEqual(["POST /x"]);
  });

  it("asks the approver, whose time does not count, and without one sends nothing", async () => {
    const asked: string[] = [];
    const approver = async ({ method, url }: ApprovalRequest): Promise<{ type: "approve" }> => {
      asked.push(`${method} ${url}`);
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      return { type: "approve" };
    };
    expect((await run({ writes: "approve", timeoutMs: 2_000 }, { approver })).data).toBe(true);
    expect(asked).toEqual([`POST ${server.url}/x`]);
    server.requests.length = 0;
    expect((await run({ writes: "approve" })).data).toMatchObject({
      category: "approval_required",
    });
    expect(sent()).toEqual([]);
  });

  it("asks about each write, also where the toolkit's own function asks about other calls alone", async () => {
    const asked: string[] = [];
    const approver = async ({ method }: ApprovalRequest): Promise<{ type: "approve" }> => {
      asked.push(method);
      return { type: "approve" };
    };
    for (const method of ["GET", "POST"]) {
      const approve = (call: { readonly method: string }): boolean => call.method === method;
      expect((await run({ writes: "approve" }, { approve, approver })).data).toBe(true);
    }
    expect(asked).toEqual(["POST", "POST"]);
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
