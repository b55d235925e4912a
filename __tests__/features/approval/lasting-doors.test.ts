/** A decision with `always` in an agent's run, in code and over MCP: one list for all of them. */

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { createMcpServer } from "langchain-api-sources/mcp";
import { startHttpServer } from "../../support/http-server.js";
import { copyCheckpoints, openNode, type RunState } from "../../support/one-node.js";
import { noSleep } from "../../support/seams.js";

const server = await startHttpServer();
let toolkit: ApiSourceToolkit;
beforeEach(async () => {
  toolkit = await open();
});

const open = (options: ClientOptions = {}, api: object = {}): Promise<ApiSourceToolkit> =>
  ApiSourceToolkit.fromSources(
    [{ name: "Shop", api: { baseUrl: server.url, ...api } }],
    { approve: "writes", responseStore: new InMemoryStore(), ...options },
    { sleep: noSleep },
  );

const post = (item: string, path = "/orders"): object => ({ method: "POST", path, body: { item } });
const sent = (): string[] =>
  server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`);
const listQuestions = ({ __interrupt__: asked = [] }: RunState) =>
  asked.map(({ value }) => value.request);
const always = { decisions: [{ type: "approve", always: true }] };
const config = { configurable: { thread_id: "t" } };
const list = async (): Promise<string[]> =>
  (await toolkit.listApprovals("t")).map(
    ({ source, method, path }) => `${source} ${method} ${path}`,
  );

/** A graph whose one node makes these calls of the tool. */
function openGraph(calls: readonly object[], checkpointer?: MemorySaver) {
  const toolCalls = calls.map((args, at) => ({ name: "shop", args: { ...args }, id: `c${at}` }));
  const run = openNode<RunState>(new ToolNode(toolkit.getTools()), checkpointer);
  const messages = [new AIMessage({ content: "", tool_calls: toolCalls })];
  return (resume?: object) =>
    run(resume === undefined ? { messages } : new Command({ resume }), config.configurable);
}

describe("in a run", () => {
  it("a run that stopped after its request was sent is not let pass by its own decision", async () => {
    const checkpointer = new MemorySaver();
    const run = openGraph([post("a")], checkpointer);
    const question = await run();
    const copied = copyCheckpoints(checkpointer);
    const resume = { [String(question.__interrupt__?.[0]?.id)]: always };
    await run(resume);
    expect(await list()).toHaveLength(1);
    const again = await openGraph([post("a")], copied)(resume);
    expect(JSON.parse(String(again.messages.at(-1)?.content))).toMatchObject({
      error: { code: "decision_used" },
    });
    expect(sent()).toHaveLength(1);
  });
});

describe("in code", () => {
  it("one decision covers all writes of a loop, and the tool afterwards; reads only stays reads only", async () => {
    const code = `const out = [];
      for (const item of ["a", "b", "c"]) out.push((await api.shop.post("/orders", { body: { item } })).status);
      return out;`;
    const tool = createApiCodeTool(toolkit, { writes: "approve" });
    let content = "";
    const run = openNode<RunState>(async () => {
      content = await tool.invoke({ code });
      return {};
    });
    const stopped = await run({ messages: [] }, config.configurable);
    expect(listQuestions(stopped)).toMatchObject([
      { always: "every later POST /orders of Shop in this conversation" },
    ]);
    await run(new Command({ resume: always }), config.configurable);
    expect(JSON.parse(content).data).toEqual([200, 200, 200]);
    expect(sent()).toHaveLength(3);
    await openGraph([post("d")])();
    expect(sent()).toHaveLength(4);
    const reader = createApiCodeTool(toolkit);
    const refused = await reader.invoke(
      { code: `return (await api.shop.post("/orders", { body: {} })).error.code;` },
      config,
    );
    expect(JSON.parse(String(refused)).data).toBe("writes_refused");
    expect(sent()).toHaveLength(4);
  });
});

describe("over MCP", () => {
  let clients: Client[] = [];
  let asked: { readonly properties: object }[] = [];
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    [clients, asked] = [[], []];
  });

  async function connect(
    session: string,
    content?: object,
  ): Promise<(args: object) => Promise<string>> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await createMcpServer(toolkit, { session }).connect(far);
    const client = new Client(
      { name: "tests", version: "1" },
      { capabilities: { elicitation: {} } },
    );
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(Object(params).requestedSchema);
      return { action: "accept", ...(content && { content }) } as never;
    });
    await client.connect(near);
    clients.push(client);
    return async (args) =>
      JSON.stringify((await client.callTool({ name: "shop", arguments: { ...args } })).content);
  }

  it("the form has a box that is not ticked; ticked, it covers the session, and no other one", async () => {
    const call = await connect("t", { always: true });
    for (const item of ["a", "b"]) expect(await call(post(item))).toContain("200");
    expect(asked.map(({ properties }) => properties)).toEqual([
      {
        always: {
          type: "boolean",
          title: "Always",
          description:
            "Do not ask again for 24 hours about every later POST /orders of Shop in this conversation.",
          default: false,
        },
      },
    ]);
    expect(await list()).toEqual(["shop POST /orders"]);
    await (await connect("u"))(post("c"));
    expect(asked).toHaveLength(2);
    await toolkit.revokeApprovals("t");
    await call(post("d"));
    expect(asked).toHaveLength(3);
    expect(sent()).toHaveLength(4);
  });

  it.each([{ always: "true" }, undefined])(
    "a form with %j is a decision that counts once",
    async (content) => {
      const call = await connect("t", content);
      for (const item of ["a", "b"]) await call(post(item));
      expect([asked.length, sent().length, await list()]).toEqual([2, 2, []]);
    },
  );
});
