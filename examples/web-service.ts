/**
 * An HTTP service with an agent and approvals. Conversations, open questions and kept answers are in PostgreSQL, so each request may
 * reach another process. docs/web-service.md shows it with curl.
 *
 *   DATABASE_URL=postgresql://… USER_TOKENS=ada:TOKEN,ben:TOKEN npm run web-service
 */

import { createServer, type IncomingMessage, type Server } from "node:http";
import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { createAgent } from "langchain";
import { type ApiSourceRecord, ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";

export interface ServiceOptions {
  readonly records: readonly ApiSourceRecord[];
  readonly model: Parameters<typeof createAgent>[0]["model"];
  readonly databaseUrl: string;
  /** Who may use the service: names by their tokens. Put your own authentication in its place. */
  readonly users: ReadonlyMap<string, string>;
  readonly credentials?: ClientOptions["credentials"];
  readonly port?: number;
}

export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { records, credentials, model, databaseUrl, users, port = 0 } = options;
  const checkpointer = PostgresSaver.fromConnString(databaseUrl); // conversations and open questions
  const store = PostgresStore.fromConnString(databaseUrl); // kept answers, and decisions that were used
  await checkpointer.setup(); // makes tables that are missing
  await store.setup();
  const toolkit = await ApiSourceToolkit.fromSources(records, {
    approve: "writes",
    responseStore: store,
    credentials,
  });
  const agent = createAgent({ model, tools: toolkit.getTools(), checkpointer });

  async function listQuestions(threadId: string) {
    const { tasks } = await agent.graph.getState({ configurable: { thread_id: threadId } });
    return tasks
      .flatMap(({ interrupts }) => interrupts)
      .map(({ id, value }) => ({ id: String(id), request: value.request }));
  }

  /** The open questions of a thread; its last answer where there is no question. */
  async function describeThread(threadId: string): Promise<object> {
    const questions = await listQuestions(threadId);
    if (questions.length > 0) return { questions };
    const { values } = await agent.graph.getState({ configurable: { thread_id: threadId } });
    return { questions, answer: values.messages?.at(-1)?.text };
  }

  async function answer(request: IncomingMessage): Promise<[status: number, body: object]> {
    const user = users.get(request.headers.authorization?.replace("Bearer ", "") ?? "");
    if (user === undefined) return [401, { error: "A token of this service is required." }];
    const [, thread, what] =
      /^\/threads\/([\w-]+)\/(messages|questions|decisions)$/.exec(request.url ?? "") ?? [];
    if (thread === undefined) return [404, { error: "Try /threads/1/messages." }];
    // The user is in the thread's id: nobody can read or decide another user's thread.
    const threadId = `${user}/${thread}`;
    const config = { configurable: { thread_id: threadId } };
    if (request.method === "GET") return [200, await describeThread(threadId)];
    const body = await readJson(request);
    if (what === "messages") {
      await agent.invoke({ messages: String(body["text"]) }, config);
      return [200, await describeThread(threadId)];
    }
    // The body has a decision by the id of its question.
    const open = (await listQuestions(threadId)).map(({ id }) => id);
    if (!Object.keys(body).some((id) => open.includes(id)))
      return [409, { error: "This thread has no open question with this id." }];
    await agent.invoke(new Command({ resume: toResume(body) }), config);
    return [200, await describeThread(threadId)];
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error): [number, object] => {
        console.error(error);
        return [500, { error: "The log has the reason." }];
      })
      .then(([status, body]) => {
        response.writeHead(status, { "Content-Type": "application/json" });
        response.end(`${JSON.stringify(body)}\n`);
      });
  });
  return {
    url: await listen(server, port),
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await checkpointer.end();
      await store.stop();
    },
  };
}

/** What LangGraph resumes with: `{ decisions: [decision] }` by the id of each question. */
function toResume(decisions: Record<string, unknown>): Record<string, { decisions: unknown[] }> {
  return Object.fromEntries(
    Object.entries(decisions).map(([id, decision]) => [id, { decisions: [decision] }]),
  );
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}`);
    });
  });
}
