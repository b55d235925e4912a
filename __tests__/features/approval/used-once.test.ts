import { describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ApiSourceToolkit, type CallContext, type ClientOptions } from "langchain-api-sources";
import { processState } from "../../../src/toolkit/client/process-state.js";
import { startHttpServer } from "../../support/http-server.js";
import { runsOf } from "../../support/long-run.js";
import { openMapStore } from "../../support/map-store.js";
import { copyCheckpoints, openNode, type RunState } from "../../support/one-node.js";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";
import { openTestFolder } from "../../support/test-folder.js";
import { shopDescription } from "../openapi/shop-description.js";

const folder = openTestFolder();
const server = await startHttpServer();

/** No wait of a claim takes time. */
const atOnce = { sleep: noSleep };
const approve = { decisions: [{ type: "approve" }] };

/** A run of one call that waits for a person, and another process: nothing is shared but what is given. */
async function openRun(
  checkpointer: MemorySaver,
  options: TestOptions,
  { api = {}, call = {} }: { readonly api?: object; readonly call?: object } = {},
): Promise<(input: unknown, configurable?: object) => Promise<RunState>> {
  const record = { name: "Shop", api: { baseUrl: server.url, ...api } };
  const toolkit = await ApiSourceToolkit.fromSources(
    [record],
    ...splitOptions({ approve: "writes", ...options }),
  );
  const run = openNode<RunState>(new ToolNode(toolkit.getTools()), checkpointer);
  const args = { method: "POST", path: "/orders", body: { item: "chair" }, ...call };
  const start = {
    messages: [new AIMessage({ content: "", tool_calls: [{ name: "shop", args, id: "c1" }] })],
  };
  return (input, configurable = {}) =>
    run(input === "start" ? start : input === "go on" ? null : new Command({ resume: input }), {
      thread_id: "t",
      ...configurable,
    });
}

/** An answer by the id of its question: without one, a question that changed is asked anew. */
const approveById = ({ __interrupt__: asked = [] }: RunState): object => ({
  [String(asked[0]?.id)]: approve,
});

const lastAnswer = ({ messages }: RunState): unknown =>
  JSON.parse(String(messages.at(-1)?.content));
const refused = (code: string) => ({ error: { category: "approval_required", code } });

describe("a decision that was used", () => {
  it("is not used again by another scope that resumes the same checkpoint", async () => {
    const checkpointer = new MemorySaver();
    const responseScope = ({ configurable }: CallContext): string => String(configurable?.["user"]);
    const run = await openRun(checkpointer, { responseScope });
    await run("start", { user: "ada" });
    const copied = copyCheckpoints(checkpointer);
    await run(approve, { user: "ada" });
    const other = await openRun(copied, { responseScope });
    expect(lastAnswer(await other(approve, { user: "bob" }))).toMatchObject(
      refused("decision_used"),
    );
    expect(server.requests).toHaveLength(1);
  });

  it.each(["everything", "the notes that were written last"])(
    "is not used again when the store loses %s",
    async (lost) => {
      const { entries, responseStore } = openMapStore();
      const options = { responseStore, ...atOnce };
      const checkpointer = new MemorySaver();
      const run = await openRun(checkpointer, options);
      const question = await run("start");
      const copied = copyCheckpoints(checkpointer);
      const asked = [...entries.keys()];
      await run(approve);
      if (lost === "everything") entries.clear();
      else for (const key of entries.keys()) if (!asked.includes(key)) entries.delete(key);
      const again = await (await openRun(copied, options))(approveById(question));
      expect(lastAnswer(again)).toMatchObject({ error: { category: "approval_required" } });
      expect(server.requests).toHaveLength(1);
    },
  );

  it("is not used when another process writes its claim over this one", async () => {
    const { entries, responseStore } = openMapStore();
    const sleep = async (): Promise<void> => {
      for (const { value } of entries.values())
        if ("holder" in value) value["holder"] = "another process";
    };
    const run = await openRun(new MemorySaver(), { responseStore, sleep });
    const question = await run("start");
    expect(lastAnswer(await run(approveById(question)))).toMatchObject(refused("decision_used"));
    expect(server.requests).toHaveLength(0);
  });

  it("is not used when the store loses the question between the decision and its claim", async () => {
    const { entries, responseStore } = openMapStore();
    let reads = Number.NEGATIVE_INFINITY;
    const get = async (namespace: string[], key: string) => {
      if (namespace[0] === "api-decisions" && ++reads === 2) entries.delete(key);
      return responseStore.get(namespace, key);
    };
    const run = await openRun(new MemorySaver(), {
      responseStore: { ...responseStore, get },
      ...atOnce,
    });
    const question = await run("start");
    reads = 0;
    const answer = lastAnswer(await run(approveById(question)));
    expect(answer).toMatchObject({ error: { category: "approval_required" } });
    expect(reads).toBeGreaterThan(1);
    expect(server.requests).toHaveLength(0);
  });

  it("sends a call with a misspelt name, also where another process answered that name", async () => {
    const openapi = await folder.write("shop.json", shopDescription);
    const options = { responseStore: new InMemoryStore(), ...atOnce };
    const call = { path: "/orders/7/refund" };
    const [first, checkpointer] = [new MemorySaver(), new MemorySaver()];
    const start = await openRun(first, options, { api: { openapi }, call });
    expect(lastAnswer(await start("start"))).toMatchObject({ error: { code: "misspelt_name" } });
    const run = await openRun(checkpointer, options, { api: { openapi }, call });
    const question = await run("start");
    processState.answeredNames.clear();
    const other = await openRun(checkpointer, options, { api: { openapi }, call });
    expect(lastAnswer(await other(approveById(question)))).toMatchObject({ data: { ok: true } });
    expect(server.requests).toHaveLength(1);
  });

  it("is not used by a process that does not share the store", async () => {
    const checkpointer = new MemorySaver();
    const open = () => openRun(checkpointer, { responseStore: new InMemoryStore(), ...atOnce });
    const question = await (await open())("start");
    const answer = lastAnswer(await (await open())(approveById(question)));
    expect(answer).toMatchObject(refused("decision_for_another"));
    expect(server.requests).toHaveLength(0);
  });

  it("is kept only in this process without a responseStore, with one warning", async () => {
    const warnings: string[] = [];
    const logger = { ...console, warn: (message: string) => void warnings.push(message) };
    const run = await openRun(new MemorySaver(), { logger });
    for (const thread_id of ["a", "b"]) await run("start", { thread_id });
    expect(warnings).toEqual([expect.stringContaining("responseStore")]);
    const shared = await openRun(new MemorySaver(), { logger, responseStore: new InMemoryStore() });
    await shared("start");
    expect(warnings).toHaveLength(1);
  });

  it("is not used again by a process that starts after another was killed during the write, and a person reads why they are asked again", async () => {
    const checkpointer = new MemorySaver();
    let copied = new MemorySaver();
    const onCall: ClientOptions["onCall"] = ({ phase }) => {
      // The checkpoints as they are while the request is under way: all that a process leaves behind when it is killed.
      if (phase === "before") copied = copyCheckpoints(checkpointer);
    };
    const own = () => ({ responseStore: new InMemoryStore(), ...atOnce });
    const run = await openRun(checkpointer, { ...own(), onCall });
    const question = await run("start");
    await run(approveById(question));
    expect(server.requests).toHaveLength(1);
    const restarted = await openRun(copied, own());
    const { __interrupt__: asked = [] } = await restarted("go on");
    expect(asked).toMatchObject([
      { value: { note: expect.stringContaining("may have been sent") } },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it("is used once by toolkits that claim it at the same instant through one store", async () => {
    const rounds = runsOf(50);
    const responseStore = new InMemoryStore();
    const options = { responseStore, ...atOnce };
    for (let round = 0; round < rounds; round += 1) {
      const thread = { thread_id: `t${round}` };
      const checkpointer = new MemorySaver();
      const run = await openRun(checkpointer, options);
      await run("start", thread);
      const others = await Promise.all(
        [1, 2, 3].map(() => openRun(copyCheckpoints(checkpointer), options)),
      );
      await Promise.all([run, ...others].map((each) => each(approve, thread)));
    }
    expect(server.requests).toHaveLength(rounds);
  });
});

describe("a decision for one tenant", () => {
  const api = {
    baseUrl: "",
    variables: { tenant: "${TENANT}" },
    headers: { "X-Tenant": "${TENANT}" },
  };

  it.each<[string, () => object, object]>([
    ["a variable of the base URL", () => ({ ...api, baseUrl: `${server.url}/{tenant}` }), {}],
    ["a constant header", () => ({ baseUrl: server.url, headers: api.headers }), {}],
    ["a constant parameter", () => ({ query: { tenant: "${TENANT}" } }), {}],
  ])("sends nothing for another tenant, which is %s", async (_place, toApi, call) => {
    const checkpointer = new MemorySaver();
    const secrets = (_name: string, _source: unknown, { configurable }: CallContext): string =>
      String(configurable?.["tenant"]);
    const run = await openRun(checkpointer, { secrets }, { api: toApi(), call });
    const question = await run("start", { tenant: "tenant-of-ada-91" });
    const copied = copyCheckpoints(checkpointer);
    const other = await openRun(copied, { secrets }, { api: toApi(), call });
    const answer = lastAnswer(await other(approveById(question), { tenant: "tenant-of-bob-17" }));
    expect(answer).toMatchObject(refused("decision_for_another"));
    expect(server.requests).toEqual([]);
    await run(approve, { tenant: "tenant-of-ada-91" });
    expect(server.requests).toHaveLength(1);
  });

  it("is still valid when a constant credential was renewed in between", async () => {
    const checkpointer = new MemorySaver();
    let key = "first-api-key-3391";
    const run = await openRun(
      checkpointer,
      { secrets: () => key },
      { api: { headers: { "X-Api-Key": "${KEY}" } } },
    );
    await run("start");
    key = "second-api-key-8810";
    await run(approve);
    expect(server.requests).toHaveLength(1);
  });
});
