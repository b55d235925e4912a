/** The same rule in an agent's run, in code and over MCP: a person is asked, and decides about one request. */

import { afterEach, describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createAgent, fakeModel } from "langchain";
import type { ApiSourceToolkit, ApprovalRequest, ClientOptions } from "langchain-api-sources";
import { createApiCodeTool } from "langchain-api-sources/code";
import { createMcpServer } from "langchain-api-sources/mcp";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { openNode } from "../support/one-node.js";
import { openPayroll } from "../support/payroll.js";

const iban = "DE89370400440532013000";
const flow = [{ source: "payroll", field: "people[].iban", kind: "id" }];
const approve = { decisions: [{ type: "approve" }] };

const files: Record<string, readonly [type: string, body: Buffer]> = {
  "/notes.csv": ["text/csv", Buffer.from(`name,iban\r\nMaria Weber,${iban}\r\n`)],
  "/photo.png": ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 1, 2, 3, 255])],
};
const payroll = await startHttpServer(({ url }, response) => {
  const [type, body] = files[url] ?? [];
  if (type === undefined)
    return sendJson(response, {
      people: [{ name: "Maria", iban, note: "x".repeat(url === "/long" ? 90_000 : 0) }],
    });
  response.writeHead(200, { "content-type": type });
  response.end(body);
});
const tickets = await startHttpServer((_request, response) => sendJson(response, { id: 7 }));

const open = (options: ClientOptions = {}): Promise<ApiSourceToolkit> =>
  openPayroll(payroll.url, tickets.url, options);

interface State {
  readonly __interrupt__?: {
    readonly value: { readonly request: ApprovalRequest; readonly actionRequests: { description: string }[] };
  }[];
  readonly messages: { readonly content: unknown }[];
}

const questions = ({ __interrupt__: asked = [] }: State) => asked.map(({ value }) => value);
const sent = (): string[] => tickets.requests.map(({ method, url, body }) => `${method} ${url} ${body}`);

describe("in an agent's run", () => {
  const call = (name: string, args: object, id: string) => ({ name, args, id });
  const steps = [
    call("payroll", { method: "GET", path: "/people" }, "1"),
    call("tickets", { method: "GET", path: `/search?q=${iban}` }, "2"),
  ];

  it("a GET that repeats a value stops the run with a question that names source, field and kind, and is sent once after a yes", async () => {
    const checkpointer = new MemorySaver();
    const toolkit = await open();
    const agentOf = (calls: typeof steps) => {
      const model = fakeModel();
      for (const each of calls) model.respondWithTools([each]);
      return createAgent({
        model: model.respond(new AIMessage("done")),
        tools: toolkit.getTools(),
        checkpointer,
      });
    };
    const config = { configurable: { thread_id: "agent" } };
    const stopped: unknown = await agentOf(steps).invoke({ messages: [new HumanMessage("go")] }, config);
    const [question] = questions(stopped as State);
    expect(question?.request).toMatchObject({ source: "tickets", method: "GET", flow });
    expect(question?.actionRequests[0]?.description).toMatch(
      /^This repeats values of the confidential source payroll: people\[\]\.iban \(id\)\.\n\nGET /,
    );
    expect(sent()).toEqual([]);
    const ended: unknown = await agentOf([]).invoke(new Command({ resume: approve }) as never, config);
    expect(sent()).toEqual([`GET /search?q=${iban} `]);
    expect((ended as State).messages.at(-1)?.content).toBe("done");
  });

  it("a decision that was made before the value was shown does not count: the person is asked anew", async () => {
    const toolkit = await open({ approve: "writes" });
    const [, receiver] = toolkit.getTools();
    const run = openNode<State>(async () => {
      await receiver?.invoke({ method: "POST", path: "/tickets", body: { iban } });
      return {};
    });
    const thread = { thread_id: "earlier" };
    expect(questions(await run({ messages: [] }, thread))[0]?.request).not.toHaveProperty("flow");
    await toolkit.listClients()[0]?.call({ method: "GET", path: "/people" }, { threadId: "earlier" });
    const second = await run(new Command({ resume: approve }), thread);
    expect(sent()).toEqual([]);
    expect(questions(second)[0]?.request).toMatchObject({ flow });
  });
});

describe("in code", () => {
  const code = `const { data } = await api.payroll.get("/people");
    const answer = await api.tickets.get("/search", { query: { q: data.people[0].iban } });
    return answer.ok ? answer.data : answer.error;`;

  it.each(["refuse", "approve", "allow"] as const)(
    "a call that repeats a value stops the run, with writes: %s, and is sent once after a yes",
    async (writes) => {
      const tool = createApiCodeTool(await open({ responseStore: new InMemoryStore() }), { writes });
      let content = "{}";
      const run = openNode<State>(async () => {
        content = await tool.invoke({ code });
        return {};
      });
      const thread = { thread_id: `code ${writes}` };
      expect(questions(await run({ messages: [] }, thread)).map(({ request }) => request.flow)).toEqual([
        flow,
      ]);
      expect(sent()).toEqual([]);
      await run(new Command({ resume: approve }), thread);
      expect(JSON.parse(content).data).toEqual({ id: 7 });
      expect(sent()).toEqual([`GET /search?q=${iban} `]);
      expect(payroll.requests.filter(({ url }) => url === "/people").length).toBeGreaterThan(0);
    },
  );

  const run = async (code: string, thread_id: string) => {
    const tool = createApiCodeTool(await open(), { writes: "allow" });
    return JSON.parse(await tool.invoke({ code }, { configurable: { thread_id } }));
  };

  it("outside of a run the call is not sent", async () => {
    expect((await run(code, "no run")).data).toMatchObject({ category: "approval_required" });
    expect(sent()).toEqual([]);
  });

  it.each([
    ["the text of a file", "await (await file(id)).text()"],
    ["the bytes of a text", "fromBase64(await (await file(id)).base64())"],
    ["a kept response", "(await kept(id)).map((row) => row.iban).join()"],
  ])(
    "what %s showed is remembered, where the call that kept it had shown none of it",
    async (threadId, expression) => {
      const [source] = (await open()).listClients();
      const read = await source?.call({ path: "/notes.csv", select: "length(@)" }, { threadId });
      const { file, data: rows } = JSON.parse(read?.content ?? "");
      expect(rows).toBe(1);
      const { data } = await run(
        `const id = "${file}";
      const fromBase64 = (text) => { const a = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; let out = "", bits = 0, value = 0;
        for (const c of text.replace(/=+$/, "")) { value = value * 64 + a.indexOf(c); bits += 6; if (bits >= 8) { bits -= 8; out += String.fromCharCode((value >> bits) & 255); value &= (1 << bits) - 1; } } return out; };
      const before = await api.tickets.post("/tickets", { body: { text: "${iban}" } });
      const text = ${expression};
      return [before.status, text.includes("${iban}"), (await api.tickets.post("/tickets", { body: { text: "see " + "${iban}" } })).error];`,
        threadId,
      );
      expect(data).toEqual([200, true, expect.objectContaining({ category: "approval_required" })]);
      expect(sent()).toHaveLength(1);
    },
  );

  it("after the bytes of a file that is not text, each request with parameters is held", async () => {
    const { data } = await run(
      `const f = await api.payroll.get("/photo.png");
      const before = await api.tickets.post("/tickets", { body: { text: "hello" } });
      const bytes = await (await file(f.file.id)).base64();
      const after = await api.tickets.post("/tickets", { body: { $base64: bytes.slice(4, 12) } });
      const plain = await api.tickets.get("/tickets");
      return [before.status, after.error, plain.status];`,
      "bytes",
    );
    expect(data).toEqual([
      200,
      expect.objectContaining({ message: expect.stringContaining("perhaps") }),
      200,
    ]);
  });
});

describe("over MCP", () => {
  let client: Client;
  const connect = async (answer: "accept" | "decline"): Promise<string[]> => {
    const asked: string[] = [];
    const [near, far] = InMemoryTransport.createLinkedPair();
    await createMcpServer(await open(), { approve: "none" }).connect(far);
    client = new Client({ name: "tests", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return { action: answer };
    });
    await client.connect(near);
    return asked;
  };
  afterEach(() => client.close());
  const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content);
  const post = { method: "POST", path: "/tickets", body: { iban } };

  it.each([
    ["decline", 0],
    ["accept", 1],
  ] as const)("the client asks a person, whose answer to it is %s", async (answer, requests) => {
    const asked = await connect(answer);
    await call("payroll", { method: "GET", path: "/people" });
    await call("tickets", post);
    expect(asked).toEqual([
      expect.stringContaining("values of the confidential source payroll: people[].iban (id)"),
    ]);
    expect(tickets.requests).toHaveLength(requests);
  });

  it("what read_api_response and a linked file showed is remembered", async () => {
    const asked = await connect("decline");
    const long = await call("payroll", { method: "GET", path: "/long", select: "people[0].note" });
    const [id] = /r_[0-9a-z]{16}/.exec(long) ?? [];
    await call("tickets", post);
    expect(asked).toEqual([]);
    await call("read_api_response", { id, select: "people[0].iban" });
    await call("tickets", post);
    expect(asked).toHaveLength(1);
    await client.close();
    const others = await connect("decline");
    const [uri = ""] =
      /api-sources:[^"\\]+/.exec(await call("payroll", { method: "GET", path: "/photo.png" })) ?? [];
    await call("tickets", { ...post, body: { text: "hello" } });
    expect(others).toEqual([]);
    await client.readResource({ uri });
    await call("tickets", { ...post, body: { text: "hello" } });
    expect(others).toHaveLength(1);
  });
});
