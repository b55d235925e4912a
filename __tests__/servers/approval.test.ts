import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { ApiSourceToolkit } from "langchain-api-sources";
import { startChild } from "../support/child-process.js";
import { compilePrograms } from "../support/compiled-programs.js";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { startPostgres } from "./support/postgres.js";
import { startRedisServer } from "./support/redis-server.js";

interface State {
  readonly messages: { readonly content: unknown }[];
  readonly __interrupt__?: { readonly id: string; readonly value: { readonly request: { body: string } } }[];
}

const api = await startHttpServer(({ url }, response) => {
  if (url !== "/never") sendJson(response, { ok: true });
});
const [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));
const savers: PostgresSaver[] = [];
const stores: PostgresStore[] = [];

afterEach(async () => {
  for (const saver of savers.splice(0)) await saver.end();
  for (const store of stores.splice(0)) await store.stop();
});

async function openSaver(): Promise<PostgresSaver> {
  const saver = PostgresSaver.fromConnString(postgres.url);
  await saver.setup();
  savers.push(saver);
  return saver;
}

/** As a process that has just started: nothing is shared but the database. */
async function openToolkit(): Promise<ApiSourceToolkit> {
  const responseStore = PostgresStore.fromConnString(postgres.url);
  await responseStore.setup();
  stores.push(responseStore);
  return ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: api.url } }], {
    approve: "writes",
    responseStore,
  });
}

const calls = ["A", "B", "C"].map((item) => ({
  name: "shop",
  args: { method: "POST", path: "/orders", body: { item } },
  id: `call_${item}`,
}));
const configOf = (thread: string) => ({ configurable: { thread_id: thread } });

async function openNode(checkpointer: BaseCheckpointSaver) {
  const toolkit = await openToolkit();
  return new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(toolkit.getTools()))
    .addEdge("__start__", "tools")
    .compile({ checkpointer });
}

const input = { messages: [new AIMessage({ content: "", tool_calls: calls.map((call) => ({ ...call })) })] };
const bodies = (): string[] => api.requests.map(({ body }) => body).sort();
const decide = ({ __interrupt__: asked = [] }: State, count: number) =>
  new Command<unknown, Record<string, never>, never>({
    resume: Object.fromEntries(
      asked
        .slice(0, count)
        .map(({ id, value }) => [
          id,
          { decisions: [{ type: value.request.body.includes("B") ? "reject" : "approve" }] },
        ]),
    ),
  });

describe("approval with PostgresSaver and PostgresStore, each step in a process of its own", () => {
  it("decides about the calls of a ToolNode one after the other, and sends each approved one once", async () => {
    const config = configOf("node");
    let state: State = await (await openNode(await openSaver())).invoke(input, config);
    for (let round = 0; round < 4 && state.__interrupt__ !== undefined; round += 1)
      state = (await (await openNode(await openSaver())).invoke(decide(state, 1), config)) as State;
    expect(bodies()).toEqual(['{"item":"A"}', '{"item":"C"}']);
    expect(state.messages).toHaveLength(4);
  });

  it("does not send again when the process ended after the request and before the answer was checkpointed", async () => {
    const config = configOf("crash");
    const slow = { ...calls[0], name: "shop", id: "call_A", args: { ...calls[0]?.args, path: "/never" } };
    const one = { messages: [new AIMessage({ content: "", tool_calls: [slow] })] };
    const dying = await openNode(await openSaver());
    const state = (await dying.invoke(one, config)) as State;
    const abortion = new AbortController();
    const died = dying.invoke(decide(state, 1), { ...config, signal: abortion.signal }).catch(() => {});
    while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const done = (await (await openNode(await openSaver())).invoke(decide(state, 1), config)) as State;
    abortion.abort(new Error("over"));
    await died;
    expect(bodies()).toEqual(['{"item":"A"}']);
    expect(JSON.parse(String(done.messages.at(-1)?.content))).toMatchObject({
      error: { code: "decision_used" },
    });
  });
});

describe.each(["PostgresStore", "a store of one's own on plain Redis"])(
  "two processes with PostgresSaver and %s",
  (kind) => {
    it("send each approved request once when both resume 200 runs within the same millisecond", async () => {
      const { directory } = await compilePrograms({ folder: "approval-processes" });
      const store = kind === "PostgresStore" ? {} : { redis: `redis://127.0.0.1:${redis.port}` };
      const given = {
        entry: join(directory, "src/index.js"),
        api: api.url,
        postgres: postgres.url,
        ...store,
      };
      const open = () => startChild<string[]>("__tests__/servers/support/approval-process.mjs", given);
      const children = [await open(), await open()];
      for (let round = 0; round < 20; round += 1) {
        const threads = Array.from({ length: 10 }, (_, index) => `${kind} ${round} ${index}`);
        await children[0]?.ask({ threads });
        const atMs = Date.now() + 50;
        await Promise.all(children.map((child) => child.ask({ threads, atMs })));
      }
      await Promise.all(children.map((child) => child.end()));
      const sent = bodies();
      expect(sent).toHaveLength(new Set(sent).size);
      // A claim may be refused because both wrote it slowly; then it is sent by neither.
      expect(sent.length).toBeGreaterThan(100);
    }, 300_000);
  },
);
