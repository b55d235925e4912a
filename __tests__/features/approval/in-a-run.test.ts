import { describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver, type MessagesAnnotation } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit, type ApprovalRequest } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openNode, type RunState } from "../../support/one-node.js";

type Question = NonNullable<RunState["__interrupt__"]>[number];

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id: string;
}

interface Graph {
  start(thread: string, calls: readonly Call[]): Promise<RunState>;
  resume(thread: string, resume: unknown): Promise<RunState>;
}

const secret = "tok-5uP3r-s3cret-9912";
const server = await startHttpServer((request, response) =>
  sendJson(response, { did: `${request.method} ${request.url}`, got: request.body }),
);

const openToolkit = (options: object = {}): Promise<ApiSourceToolkit> =>
  ApiSourceToolkit.fromSources(
    [
      {
        name: "Shop",
        api: { baseUrl: server.url, authType: "bearer", idempotencyHeader: "Idempotency-Key" },
      },
    ],
    { approve: "writes", credentials: { shop: { token: secret } }, ...options },
  );

const toolCalls = (calls: readonly Call[]): AIMessage =>
  new AIMessage({
    content: "",
    tool_calls: calls.map((call) => ({ ...call, type: "tool_call" as const })),
  });

const openAgent = (toolkit: ApiSourceToolkit, checkpointer: MemorySaver): Graph => {
  const agentFor = (calls: readonly Call[]) => {
    const model = fakeModel();
    if (calls.length > 0) model.respondWithTools(calls.map((call) => ({ ...call })));
    return createAgent({
      model: model.respond(new AIMessage("done")).respond(new AIMessage("done")),
      tools: toolkit.getTools(),
      checkpointer,
    });
  };
  const invoke = async (
    calls: readonly Call[],
    thread: string,
    input: unknown,
  ): Promise<RunState> =>
    (await agentFor(calls).invoke(input as never, {
      configurable: { thread_id: thread },
    })) as never;
  return {
    start: (thread, calls) => invoke(calls, thread, { messages: [new HumanMessage("go")] }),
    resume: (thread, resume) => invoke([], thread, new Command({ resume })),
  };
};

const openGraph = (work: unknown, checkpointer: MemorySaver): Graph => {
  const run = openNode<RunState>(work, checkpointer);
  return {
    start: (thread, calls) => run({ messages: [toolCalls(calls)] }, { thread_id: thread }),
    resume: (thread, resume) => run(new Command({ resume }), { thread_id: thread }),
  };
};

const openToolNode = (toolkit: ApiSourceToolkit, checkpointer: MemorySaver): Graph =>
  openGraph(new ToolNode(toolkit.getTools()), checkpointer);

/** A node of one's own that calls the tool with bare arguments, one after the other. */
const openPlainGraph = (toolkit: ApiSourceToolkit, checkpointer: MemorySaver): Graph => {
  const [tool] = toolkit.getTools();
  const work = async ({ messages }: typeof MessagesAnnotation.State): Promise<object> => {
    const answers: AIMessage[] = [];
    for (const { args } of (messages.at(-1) as AIMessage).tool_calls ?? [])
      answers.push(new AIMessage(String(await tool?.invoke(args))));
    return { messages: answers };
  };
  return openGraph(work, checkpointer);
};

const waysIn = { agent: openAgent, ToolNode: openToolNode, "plain graph": openPlainGraph };
const write = (id: string, body: unknown): Call => ({
  name: "shop",
  args: { method: "POST", path: "/orders", body },
  id,
});
const [A, B, C] = ["A", "B", "C"].map((item) => JSON.stringify({ item }));
const approve = { decisions: [{ type: "approve" }] };
const answersOf = ({ messages }: RunState): unknown[] =>
  messages.flatMap(({ content }) =>
    typeof content === "string" && content.startsWith("{") ? [JSON.parse(content)] : [],
  );
const bodies = (): string[] => server.requests.map(({ body }) => body);
const ask = ({ __interrupt__: asked = [] }: RunState): Question => {
  const [question] = asked;
  if (question === undefined) throw new Error("Nobody was asked.");
  return question;
};

describe.each(Object.entries(waysIn))("approval in a run: %s", (_name, open) => {
  it("asks with the payload of LangChain's middleware and a digest, and sends once what was approved", async () => {
    const graph = open(await openToolkit(), new MemorySaver());
    const call = write("c1", { item: "chair" });
    const args = { ...call.args, headers: { "If-Match": '"7"' } };
    const asked = await graph.start("t", [{ ...call, args }]);
    expect(bodies()).toEqual([]);
    expect(asked.__interrupt__).toHaveLength(1);
    const { value } = ask(asked);
    const action = {
      name: "shop",
      args,
      description: `POST ${server.url}/orders\nIf-Match: "7"\nContent-Type: application/json\n\n{"item":"chair"}`,
    };
    expect(value).toEqual({
      actionRequests: [action],
      reviewConfigs: [{ actionName: "shop", allowedDecisions: ["approve", "edit", "reject"] }],
      action_requests: [action],
      review_configs: [{ action_name: "shop", allowed_decisions: ["approve", "edit", "reject"] }],
      request: {
        source: "shop",
        method: "POST",
        url: `${server.url}/orders`,
        headers: { "If-Match": '"7"', "Content-Type": "application/json" },
        body: '{"item":"chair"}',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(JSON.stringify(asked)).not.toContain(secret);
    const done = await graph.resume("t", approve);
    expect(bodies()).toEqual(['{"item":"chair"}']);
    expect(answersOf(done)).toMatchObject([{ status: 200, data: { did: "POST /orders" } }]);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      "idempotency-key": expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    });
  });

  it.each<[string, unknown, object?]>([
    [
      "that rejects",
      { decisions: [{ type: "reject", message: "Not before Monday." }] },
      { message: "Not before Monday.", code: "rejected" },
    ],
    ["that carries another digest", { decisions: [{ type: "approve", digest: "0".repeat(64) }] }],
    ["that is none", { decisions: [{ type: "respond" }] }],
    ["of two", { decisions: [{ type: "approve" }, { type: "reject" }] }],
    ["whose always is only a word", { decisions: [{ type: "approve", always: "yes" }] }],
    ["that is only a word", "yes"],
    [
      "for another tool",
      { decisions: [{ type: "edit", editedAction: { name: "bank", args: { path: "/" } } }] },
    ],
  ])("sends nothing for an answer %s", async (_answer, resume, error = {}) => {
    const graph = open(await openToolkit(), new MemorySaver());
    await graph.start("t", [write("c1", 1)]);
    const done = await graph.resume("t", resume);
    expect(bodies()).toEqual([]);
    expect(answersOf(done)).toMatchObject([{ error: { category: "approval_required", ...error } }]);
  });

  it("does not accept a decision of another thread", async () => {
    const graph = open(await openToolkit(), new MemorySaver());
    const first = ask(await graph.start("first", [write("c1", 1)]));
    const second = ask(await graph.start("second", [write("c1", 1)]));
    const { digest } = first.value.request;
    expect(second.value.request.digest).not.toBe(digest);
    await graph.resume("second", { [first.id]: approve });
    await graph.resume("second", { decisions: [{ type: "approve", digest }] });
    expect(bodies()).toEqual([]);
    await graph.resume("first", { decisions: [{ type: "approve", digest }] });
    expect(bodies()).toEqual(["1"]);
  });

  it("sends nothing for a decision that is given twice", async () => {
    const graph = open(await openToolkit(), new MemorySaver());
    await graph.start("t", [write("c1", 1)]);
    await Promise.allSettled([graph.resume("t", approve), graph.resume("t", approve)]);
    await graph.resume("t", approve).catch(() => {});
    expect(bodies()).toEqual(["1"]);
  });

  it("requests two decisions for two writes of one turn, and the rejection of one doesn't drop the other", async () => {
    const graph = open(await openToolkit(), new MemorySaver());
    let state = await graph.start("t", [
      write("c1", { item: "A" }),
      write("c2", { item: "B" }),
      write("c3", { item: "C" }),
    ]);
    for (let round = 0; round < 3 && state.__interrupt__ !== undefined; round += 1) {
      const resume = Object.fromEntries(
        state.__interrupt__.map(({ id, value }) => [
          id,
          value.request.body === B ? { decisions: [{ type: "reject", message: "no" }] } : approve,
        ]),
      );
      state = await graph.resume("t", resume);
    }
    expect(bodies().sort()).toEqual([A, C]);
    const answers = answersOf(state);
    expect(answers).toHaveLength(3);
    expect(answers[1]).toMatchObject({ error: { message: "no" } });
  });

  it("continues in another process after each decision, and sends no request twice", async () => {
    const checkpointer = new MemorySaver();
    const fresh = async (): Promise<Graph> => open(await openToolkit(), checkpointer);
    let state = await (await fresh()).start("t", [
      write("c1", { item: "A" }),
      write("c2", { item: "B" }),
    ]);
    for (let round = 0; round < 3 && state.__interrupt__ !== undefined; round += 1)
      state = await (await fresh()).resume("t", { [ask(state).id]: approve });
    expect(bodies().sort()).toEqual([A, B]);
  });

  it("asks about all calls, or those that a function names", async () => {
    const read = { name: "shop", args: { method: "GET", path: "/orders/1", pages: 3 }, id: "c1" };
    const all = open(await openToolkit({ approve: "all" }), new MemorySaver());
    expect((await all.start("t", [read])).__interrupt__).toHaveLength(1);
    const seen: unknown[] = [];
    const some = open(
      await openToolkit({
        approve: ({ url, method, body }: ApprovalRequest, { threadId }: { threadId: string }) => {
          seen.push({ url, method, body, threadId });
          return method === "DELETE";
        },
      }),
      new MemorySaver(),
    );
    expect((await some.start("t2", [write("c1", 1)])).__interrupt__).toBeUndefined();
    expect(seen).toEqual([
      { url: `${server.url}/orders`, method: "POST", body: "1", threadId: "t2" },
    ]);
    const remove = { name: "shop", args: { method: "DELETE", path: "/orders/1" }, id: "c1" };
    expect((await some.start("t3", [remove])).__interrupt__).toHaveLength(1);
    expect(bodies()).toEqual(["1"]);
  });

  it("asks about a GET with a GraphQL mutation, and about no other", async () => {
    const get = (path: string, query?: object): Call => ({
      name: "shop",
      args: { method: "GET", path, query },
      id: "c1",
    });
    const graph = open(await openToolkit(), new MemorySaver());
    const writes = [
      get("/graphql", { query: "mutation { pay }" }),
      get("/graphql?query=%6dutation%7Bpay%7D"),
    ];
    for (const [index, call] of writes.entries())
      expect((await graph.start(`w${index}`, [call])).__interrupt__).toHaveLength(1);
    expect(server.requests).toHaveLength(0);
    const read = await graph.start("r", [get("/graphql", { query: "{ paid }" })]);
    expect(read.__interrupt__).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it("sends nothing when the function that decides fails", async () => {
    const graph = open(
      await openToolkit({
        approve: () => {
          throw new Error(`no ${secret}`);
        },
      }),
      new MemorySaver(),
    );
    const done = await graph.start("t", [write("c1", 1)]);
    expect(bodies()).toEqual([]);
    expect(answersOf(done)).toMatchObject([{ error: { code: "internal_error" } }]);
    expect(JSON.stringify(done)).not.toContain(secret);
  });
});

describe("approval in a turn of an agent", () => {
  it("uses an answer without an id for neither of two waiting questions", async () => {
    const graph = openAgent(await openToolkit(), new MemorySaver());
    const asked = await graph.start("t", [write("c1", { item: "A" }), write("c2", { item: "B" })]);
    expect(asked.__interrupt__).toHaveLength(2);
    const again = await graph.resume("t", approve);
    expect(bodies()).toEqual([]);
    expect(again.__interrupt__).toHaveLength(2);
    for (const { value } of again.__interrupt__ ?? []) {
      expect(value.note).toMatch(/without an id .* digest/);
      expect(value.actionRequests[0]?.description).toContain(value.note);
    }
    const digest = again.__interrupt__?.find(({ value }) => value.request.body === B)?.value.request
      .digest;
    const last = await graph.resume("t", { decisions: [{ type: "approve", digest }] });
    expect(bodies()).toEqual([B]);
    expect(last.__interrupt__).toHaveLength(1);
    await graph.resume("t", approve);
    expect(bodies()).toEqual([B, A]);
  });

  it("is decided by an explicit approver, and the run is not interrupted", async () => {
    const asked: string[] = [];
    const approver = async ({ method }: ApprovalRequest): Promise<object> => {
      asked.push(method);
      return { type: "approve" };
    };
    const graph = openAgent(await openToolkit({ approver }), new MemorySaver());
    const done = await graph.start("t", [write("c1", { item: "A" })]);
    expect([done.__interrupt__, asked, bodies()]).toEqual([undefined, ["POST"], [A]]);
  });

  it("takes one answer without an id for two questions when each decision has its digest", async () => {
    const graph = openAgent(await openToolkit(), new MemorySaver());
    const asked = await graph.start("t", [write("c1", { item: "A" }), write("c2", { item: "B" })]);
    expect(asked.__interrupt__?.map(({ value }) => value.note)).toEqual([undefined, undefined]);
    const decisions = asked.__interrupt__?.map(({ value: { request } }) =>
      request.body === A
        ? { type: "approve", digest: request.digest }
        : { type: "reject", digest: request.digest },
    );
    const done = await graph.resume("t", { decisions });
    expect(done.__interrupt__).toBeUndefined();
    expect(bodies()).toEqual([A]);
  });
});

describe("approval in one node", () => {
  it("gives an answer to the call that was shown, however fast the calls are the next time", async () => {
    let turn = 0;
    const slow = { token: secret };
    const credentials = async (): Promise<{ token: string }> => {
      turn += 1;
      // The first call is slow in the first run, the second one in the others.
      await new Promise((resolve) => setTimeout(resolve, turn % 2 === 1 ? 30 : 1));
      return slow;
    };
    const graph = openToolNode(await openToolkit({ credentials }), new MemorySaver());
    const asked = await graph.start("t", [write("c1", { item: "A" }), write("c2", { item: "B" })]);
    const shown = ask(asked).value.request.body;
    const next = await graph.resume("t", approve);
    expect(bodies()).toEqual([shown]);
    await graph.resume("t", { decisions: [{ type: "reject" }] });
    expect(bodies()).toEqual([shown]);
    expect(ask(next).value.request.body).not.toBe(shown);
  });
});

describe("approval in a version of LangGraph without one of its internals", () => {
  it.each([
    "__pregel_scratchpad",
    "__pregel_checkpointer",
    "__pregel_task_id",
    "__pregel_call",
    "checkpoint_map",
  ])("sends nothing before a decision, and nothing twice, without %s", async (internal) => {
    const [tool] = (await openToolkit()).getTools();
    const work = async (_state: unknown, config: { configurable: object }): Promise<object> => {
      const left = Object.entries(config.configurable).filter(([name]) => name !== internal);
      await tool?.invoke(write("c1", 1).args, {
        ...config,
        configurable: Object.fromEntries(left),
      } as object);
      return {};
    };
    const graph = openGraph(work, new MemorySaver());
    await graph.start("t", []);
    expect(bodies()).toEqual([]);
    for (let round = 0; round < 3; round += 1) await graph.resume("t", approve).catch(() => {});
    expect(bodies().length).toBeLessThanOrEqual(1);
  });
});
