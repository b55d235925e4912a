// One of several processes that resume the same runs at the same instant: shared are the checkpointer in PostgreSQL, and the store there or in Redis.
import { AIMessage } from "@langchain/core/messages";
import { Command, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { createClient } from "redis";

const { entry, api, postgres, redis } = JSON.parse(process.argv[2]);
const { ApiSourceToolkit } = await import(entry);
const checkpointer = PostgresSaver.fromConnString(postgres);
await checkpointer.setup();
const responseStore =
  redis === undefined ? PostgresStore.fromConnString(postgres) : await openRedis(redis);
await responseStore.setup?.();
const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: api } }], {
  approve: "writes",
  responseStore,
});
const graph = new StateGraph(MessagesAnnotation)
  .addNode("tools", new ToolNode(toolkit.getTools()))
  .addEdge("__start__", "tools")
  .compile({ checkpointer });
const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });

process.on("disconnect", () => process.exit());
process.on("message", async ({ threads, atMs }) => {
  if (atMs !== undefined) await new Promise((later) => setTimeout(later, atMs - Date.now()));
  const run = (thread) => {
    const args = { method: "POST", path: "/orders", body: { thread } };
    const call = { name: "shop", args, id: "call_1", type: "tool_call" };
    const input =
      atMs === undefined
        ? { messages: [new AIMessage({ content: "", tool_calls: [call] })] }
        : resume;
    return graph.invoke(input, { configurable: { thread_id: thread } });
  };
  const ended = await Promise.allSettled(threads.map(run));
  process.send(ended.map(({ value, reason }) => String(value?.messages.at(-1).content ?? reason)));
});
process.send("ready");

/** A store of one's own on plain Redis: RedisStore needs modules that Debian's Redis does not have. */
async function openRedis(url) {
  const client = await createClient({ url }).connect();
  return {
    async get(namespace, key) {
      const text = await client.get([...namespace, key].join(":"));
      return text === null ? null : { value: JSON.parse(text) };
    },
    put: (namespace, key, value) =>
      client.set([...namespace, key].join(":"), JSON.stringify(value)),
    delete: (namespace, key) => client.del([...namespace, key].join(":")),
  };
}
