/**
 * Jobs that take seconds: an agent starts an export and gets its result by one call. Another export fails, and a third takes longer than
 * the call may wait. Real requests to a small server of this file, a scripted model, no key.
 *
 *   npm run example:a-job
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { say } from "./transcript.js";

/** Each export by its name: how long it takes, and what it ends as. */
const exports = {
  orders: { durationMs: 2_500, end: { status: "done", rows: 1_204 } },
  invoices: {
    durationMs: 800,
    end: { status: "failed", error: "The invoices of May are locked." },
  },
  everything: { durationMs: 6_000, end: { status: "done", rows: 90_311 } },
} as const;

const startedAt = new Map<string, number>();
const requests: string[] = [];
const server = createServer((request, response) => {
  const { method = "", url = "" } = request;
  requests.push(`${method} ${url}`);
  const name = url.slice("/exports/".length) as keyof typeof exports;
  const send = (status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
  if (method === "POST") {
    startedAt.set(name, Date.now());
    send(202, { export: name, status: "queued" }, { Location: url });
    return;
  }
  const { durationMs, end } = exports[name];
  const isRunning = Date.now() - (startedAt.get(name) ?? 0) < durationMs;
  send(200, isRunning ? { export: name, status: "running" } : { export: name, ...end });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;

const toolkit = await ApiSourceToolkit.fromSources([
  { name: "Reports", api: { baseUrl: `http://127.0.0.1:${port}` } },
]);

const call = (args: Record<string, unknown>, id: string) => ({ name: "reports", args, id });
const start = (name: string, wait: number) => ({ method: "POST", path: `/exports/${name}`, wait });
const model = fakeModel()
  .respondWithTools([call(start("orders", 45), "call_1")])
  .respond((messages) => new AIMessage(`The export has ${read(messages).data?.rows} rows.`))
  .respondWithTools([call(start("invoices", 45), "call_2")])
  .respond((messages) => new AIMessage(`It failed. ${read(messages).error?.message}`))
  .respondWithTools([call(start("everything", 2), "call_3")])
  // `next` is the call that goes on waiting.
  .respond((messages) => {
    const args = { ...read(messages).next, wait: 45 };
    return new AIMessage({ content: "", tool_calls: [call(args, "call_4")] });
  })
  .respond((messages) => new AIMessage(`The export has ${read(messages).data?.rows} rows.`));

const agent = createAgent({ model, tools: toolkit.getTools() });
try {
  await ask("Export the orders.");
  await ask("Export the invoices.");
  await ask("Export everything.");
} finally {
  server.closeAllConnections();
  server.close();
}

async function ask(question: string): Promise<void> {
  say("bold", `\n${question}`);
  const { messages } = await agent.invoke({ messages: [new HumanMessage(question)] });
  for (const message of messages) {
    if (AIMessage.isInstance(message))
      for (const { args } of message.tool_calls ?? [])
        say("cyan", `  model calls  ${JSON.stringify(args)}`);
    if (message.type === "tool") say("yellow", `  model saw    ${message.text}`);
  }
  say("green", `  model answers  ${messages.at(-1)?.text}`);
  for (const line of requests.splice(0)) say("dim", `  the server received ${line}`);
}

interface SeenAnswer {
  readonly data?: { readonly rows?: number };
  readonly error?: { readonly message: string };
  readonly next?: Record<string, unknown>;
}

/** What the tool answered last. */
function read(messages: readonly BaseMessage[]): SeenAnswer {
  return JSON.parse(messages.at(-1)?.text ?? "{}") as SeenAnswer;
}
