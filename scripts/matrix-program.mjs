// What an application does with the package in each way that LangChain knows; run by test-matrix.mjs in a folder with one set of versions.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createAgent } from "langchain";
import { ApiSourceToolkit, createSourceClient } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { readKeyring } from "langchain-api-sources/keyring";

const requests = [];
const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Row ${id}` }));
const api = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  request.resume();
  const isKnown = request.headers.authorization === "Bearer 0-secret";
  response.writeHead(isKnown ? 200 : 401, { "Content-Type": "application/json" });
  response.end(JSON.stringify(isKnown ? { rows } : {}));
});
await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
const record = {
  name: "Shop",
  api: { baseUrl: `http://127.0.0.1:${api.address().port}`, authType: "bearer" },
};
const options = { credentials: { shop: { token: "0-secret" } } };
const toolkit = await ApiSourceToolkit.fromSources([record], options);
const tools = toolkit.getTools();

/** A model that says what it was given to say. Its own class: LangChain's fakes differ from version to version. */
class ScriptedModel extends BaseChatModel {
  constructor(script) {
    super({});
    this.script = script;
    this.shown = { tools: [] };
  }
  _llmType() {
    return "scripted";
  }
  bindTools(given) {
    this.shown.tools = given.map((tool) => convertToOpenAITool(tool));
    return this;
  }
  async _generate() {
    const message = this.script.shift() ?? new AIMessage("done");
    return { generations: [{ message, text: message.text }] };
  }
}

const call = (args, name = "shop") =>
  new AIMessage({
    content: "",
    tool_calls: [{ name, args, id: `call_${Math.random()}`, type: "tool_call" }],
  });
const read = { method: "GET", path: "/rows", select: "length(rows)" };
const write = { method: "POST", path: "/orders", body: '{"sku":"SKU-1"}' };
const counted = '{"status":200,"data":2000,';

function check(isTrue, what) {
  if (!isTrue) throw new Error(what);
}

function lastToolText(messages) {
  return messages.filter((message) => ToolMessage.isInstance(message)).at(-1)?.content ?? "";
}

const parts = {
  async "ESM and CommonJS"() {
    const required = createRequire(import.meta.url)("langchain-api-sources");
    for (const create of [createSourceClient, required.createSourceClient]) {
      const { content } = await create(record, options).call(read);
      check(content.startsWith(counted), content);
    }
  },
  async createAgent() {
    const agent = createAgent({
      model: new ScriptedModel([call(read), new AIMessage("2000")]),
      tools,
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "How many?" }] });
    check(lastToolText(messages).startsWith(counted), lastToolText(messages));
    const message = messages.find((each) => ToolMessage.isInstance(each));
    check(message.artifact?.status === 200 && message.name === "shop", "no artifact");
  },
  async ToolNode() {
    const { messages } = await new ToolNode(tools).invoke({
      messages: [call(read), call({ path: "/../x" })].slice(0, 1),
    });
    check(lastToolText(messages).startsWith(counted), lastToolText(messages));
    const refused = await new ToolNode(tools).invoke({
      messages: [call({ method: "GET", path: "/../x" })],
    });
    check(refused.messages[0].status === "error", "a refusal is no error");
  },
  async "a plain graph"() {
    const State = Annotation.Root({ ...MessagesAnnotation.spec, count: Annotation() });
    const graph = new StateGraph(State)
      .addNode("ask", async (_state, config) => {
        const text = await tools[0].invoke(read, config);
        return { count: JSON.parse(text).data };
      })
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile();
    check((await graph.invoke({ messages: [] })).count === 2_000, "no count");
  },
  async bindTools() {
    const model = new ScriptedModel([call(read)]);
    const answer = await model.bindTools(tools).invoke("How many?");
    check(
      model.shown.tools.map((tool) => tool.function.name).join() === "shop,read_api_response",
      "names",
    );
    check(
      Object.keys(model.shown.tools[0].function.parameters.properties).includes("path"),
      "parameters",
    );
    const message = await tools[0].invoke(answer.tool_calls[0]);
    check(ToolMessage.isInstance(message) && message.content.startsWith(counted), "no ToolMessage");
  },
  async "streamed events"() {
    const agent = createAgent({
      model: new ScriptedModel([call(read), new AIMessage("2000")]),
      tools,
    });
    const seen = [];
    const events = agent.streamEvents(
      { messages: [{ role: "user", content: "How many?" }] },
      { version: "v2" },
    );
    for await (const { event, name } of events)
      if (/tool/.test(event)) seen.push(`${event} ${name}`);
    check(seen.join() === "on_tool_start shop,on_tool_end shop", seen.join());
  },
  async "approval inside the tool"() {
    const guarded = await ApiSourceToolkit.fromSources([record], { ...options, approve: "writes" });
    const agent = createAgent({
      model: new ScriptedModel([call({ ...write, path: "/guarded" }), new AIMessage("ordered")]),
      tools: guarded.getTools(),
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "2" } };
    const sent = () => requests.filter((line) => line === "POST /guarded").length;
    const stopped = await agent.invoke({ messages: [{ role: "user", content: "Order." }] }, thread);
    check(stopped.__interrupt__?.length === 1 && sent() === 0, "not stopped");
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
    check(sent() === 1, `sent ${sent()} times`);
  },
  async "@langchain/quickjs in a deep agent"() {
    const [{ createDeepAgent }, { createCodeInterpreterMiddleware }] = await loadInterpreter();
    const code =
      'const { data } = JSON.parse(await tools.shop({ method: "GET", path: "/rows" })); data.rows.length';
    const agent = createDeepAgent({
      model: new ScriptedModel([call({ code }, "eval"), new AIMessage("2000")]),
      tools,
      middleware: [
        createCodeInterpreterMiddleware({ ptc: toolkit.getTools({ answers: "whole" }) }),
      ],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "How many?" }] });
    check(/\b2000\b/.test(lastToolText(messages)), lastToolText(messages));
  },
  async "optional packages that are not installed"() {
    const { resolve } = createRequire(import.meta.url);
    for (const name of ["@modelcontextprotocol/server", "quickjs-emscripten", "@napi-rs/keyring"])
      if (isInstalled(name)) throw new Absent();
    mkdirSync("sources");
    writeFileSync("sources/shop.json", JSON.stringify(record));
    const command = join(dirname(resolve("langchain-api-sources/package.json")), "dist/esm/cli.js");
    const { stderr } = spawnSync(process.execPath, ["--", command, "mcp"], {
      input: "",
      encoding: "utf8",
    });
    check(stderr.endsWith("npm install @modelcontextprotocol/server\n"), stderr);
    const hints = await Promise.all(
      [async () => createApiCodeTool(toolkit), () => readKeyring("SHOP_TOKEN")].map((open) =>
        open().catch(({ hint }) => hint),
      ),
    );
    check(hints[0].includes("npm install quickjs-emscripten sucrase"), hints[0]);
    check(hints[1].includes("npm install @napi-rs/keyring"), hints[1]);
  },
};

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** They came later than the oldest set. */
async function loadInterpreter() {
  try {
    return [await import("deepagents"), await import("@langchain/quickjs")];
  } catch (error) {
    if (error.code === "ERR_MODULE_NOT_FOUND") throw new Absent();
    throw error;
  }
}

class Absent extends Error {}

let failed = 0;
for (const [name, run] of Object.entries(parts)) {
  try {
    await run();
    console.log(`  ok    ${name}`);
  } catch (error) {
    if (error instanceof Absent) {
      console.log(`  none  ${name}: not for these versions`);
      continue;
    }
    failed += 1;
    console.log(`  FAIL  ${name}: ${error?.stack ?? error}`);
  }
}
api.close();
process.exit(failed === 0 ? 0 : 1);
