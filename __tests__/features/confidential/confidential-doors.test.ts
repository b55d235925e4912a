/** The same rule in an agent's run, in code and over MCP. */

import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createAgent, fakeModel } from "langchain";
import type { ApiSourceRecord, ApprovalQuestion, ClientOptions } from "langchain-api-sources";
import { forgetConfidential } from "../../support/forget-confidential.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { importAnew } from "../../support/import-anew.js";
import { openMapStore } from "../../support/map-store.js";
import { openNode, type RunState } from "../../support/one-node.js";
import { noSleep } from "../../support/seams.js";
import { asRecord } from "../../support/unchecked.js";

forgetConfidential();

const { ApiSourceToolkit } = await import("langchain-api-sources");
const { createApiCodeTool } = await import("langchain-api-sources/code");
const { createMcpServer } = await import("langchain-api-sources/mcp");

const iban = "DE89370400440532013000";
const approve = { decisions: [{ type: "approve" }] };
const always = { decisions: [{ type: "approve", always: true }] };
const photo = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 1, 2, 3, 255]);

const payroll = await startHttpServer(({ url }, response) => {
  if (url !== "/photo.png")
    return sendJson(response, {
      people: [{ iban }],
      note: "x".repeat(url === "/long" ? 9_000 : 0),
    });
  response.writeHead(200, { "content-type": "image/png" });
  response.end(photo);
});
const tickets = await startHttpServer(({ method }, response) => sendJson(response, { method }));
const crm = await startHttpServer((_request, response) => sendJson(response, { id: 8 }));

const records: ApiSourceRecord[] = [
  { name: "Payroll", api: { baseUrl: payroll.url, confidential: true, sharesWith: ["crm"] } },
  { name: "Tickets", api: { baseUrl: tickets.url } },
  { name: "CRM", api: { baseUrl: crm.url } },
];
/** That a decision waits for others that are noted at the same time is tested in approval/used-once. */
const seams = { sleep: noSleep };
const open = (options: ClientOptions = {}) => ApiSourceToolkit.fromSources(records, options, seams);

const questions = ({ __interrupt__: asked = [] }: RunState): ApprovalQuestion[] =>
  asked.map(({ value }) => value);
const sent = (): string[] =>
  tickets.requests.map(({ method, url, body }) => `${method} ${url} ${body}`);

describe("in an agent's run", () => {
  const call = (name: string, args: object, id: string) => ({ name, args, id });
  const steps = [
    call("payroll", { method: "GET", path: "/people" }, "1"),
    call("tickets", { method: "GET", path: "/search?q=zwei" }, "2"),
  ];

  it("a GET to another source stops the run with a question that names both, and is sent once after a yes", async () => {
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
    const stopped: unknown = await agentOf(steps).invoke(
      { messages: [new HumanMessage("go")] },
      config,
    );
    const [question] = questions(stopped as RunState);
    expect(question?.request).toMatchObject({
      source: "tickets",
      method: "GET",
      confidential: ["payroll"],
    });
    expect(question?.actionRequests[0]?.description).toMatch(
      /^This conversation may have content of the confidential source payroll, and the request to tickets may carry it\.\n\nGET /,
    );
    expect(sent()).toEqual([]);
    const ended: unknown = await agentOf([]).invoke(
      new Command({ resume: approve }) as never,
      config,
    );
    expect(sent()).toEqual(["GET /search?q=zwei "]);
    expect((ended as RunState).messages.at(-1)?.content).toBe("done");
  });

  it("a question about a write names both reasons, and one decision answers both", async () => {
    const toolkit = await open({ approve: "writes" });
    const [source, receiver] = toolkit.getTools();
    const run = openNode<RunState>(async () => {
      await source?.invoke({ method: "GET", path: "/people" });
      await receiver?.invoke({ method: "POST", path: "/tickets", body: {} });
      return {};
    });
    const thread = { thread_id: "both" };
    const [question] = questions(await run({ messages: [] }, thread));
    expect(question?.actionRequests[0]?.description).toMatch(
      /payroll.*Besides, a person.*POST itself/,
    );
    expect(questions(await run(new Command({ resume: approve }), thread))).toEqual([]);
    expect(sent()).toEqual(["POST /tickets {}"]);
  });

  it.each([
    ["that could last", {}],
    ["that counts once", { responseScope: () => "" }],
  ])(
    "a decision %s, made before the mark, does not count: the person is asked anew",
    async (kind, options) => {
      const toolkit = await open({ approve: "writes", ...options });
      const [, receiver] = toolkit.getTools();
      const run = openNode<RunState>(async () => {
        await receiver?.invoke({ method: "POST", path: "/tickets", body: {} });
        return {};
      });
      const thread = { thread_id: `earlier ${kind}` };
      expect(questions(await run({ messages: [] }, thread))[0]?.request).not.toHaveProperty(
        "confidential",
      );
      await toolkit
        .listClients()[0]
        ?.call({ method: "GET", path: "/people" }, { threadId: `earlier ${kind}` });
      const second = await run(new Command({ resume: approve }), thread);
      expect(sent()).toEqual([]);
      expect(questions(second)[0]?.request).toMatchObject({ confidential: ["payroll"] });
    },
  );

  it("without a store that processes share, one warning reports that marks are known in this process alone", async () => {
    const warnings: string[] = [];
    const quiet = { debug: () => {}, info: () => {}, error: () => {} };
    const logger = { ...quiet, warn: (message: string) => void warnings.push(message) };
    const toolkit = await open({ logger });
    const [source] = toolkit.getTools();
    const run = openNode<RunState>(async () => {
      await source?.invoke({ method: "GET", path: "/people" });
      await source?.invoke({ method: "GET", path: "/people" });
      return {};
    });
    await run({ messages: [] }, { thread_id: "warned" });
    expect(warnings).toEqual([expect.stringContaining("responseStore")]);
  });
});

/** A store that takes its time, as one in a database does: calls at the same moment overtake each other. */
function openSlowStore(): Exclude<ClientOptions["responseStore"], "runtime" | undefined> {
  const { responseStore } = openMapStore();
  return {
    ...responseStore,
    get: async (namespace, key) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return responseStore.get(namespace, key);
    },
  };
}

describe("in code", () => {
  const code = `const { data } = await api.payroll.get("/people");
    const found = await Promise.all([1, 2, 3].map((at) => api.tickets.get("/search/" + at, { query: { q: data.people[0].iban } })));
    const shared = await api.crm.get("/search", { query: { q: data.people[0].iban } });
    return [...found, shared].map((answer) => answer.ok ? answer.data : answer.error);`;
  const withWrites = `const { data } = await api.payroll.get("/people");
    await api.tickets.get("/search");
    await api.tickets.post("/tickets", { body: { at: 1 } });
    const last = await api.tickets.post("/tickets", { body: { at: 2 } });
    return last.ok ? last.data : last.error;`;

  async function openRun(
    program: string,
    thread_id: string,
    options: Parameters<typeof createApiCodeTool>[1] = {},
    given: ClientOptions = {},
  ) {
    const tool = createApiCodeTool(
      await open({ responseStore: openSlowStore(), ...given }),
      options,
    );
    const out = { content: "{}" };
    const run = openNode<RunState>(async () => {
      out.content = await tool.invoke({ code: program });
      return {};
    });
    const go = async (input: unknown): Promise<ApprovalQuestion[]> =>
      questions(await run(input, { thread_id }));
    return {
      start: () => go({ messages: [] }),
      resume: (resume: object) => go(new Command({ resume })),
      out,
    };
  }

  it.each(["refuse", "approve", "allow"] as const)(
    "a person decides once about the way for the whole program, with writes: %s",
    async (writes) => {
      const { start, resume, out } = await openRun(code, `code ${writes}`, { writes });
      const [question] = await start();
      expect(question?.request).toMatchObject({
        source: "tickets",
        confidential: ["payroll"],
        program: code,
      });
      expect(question?.actionRequests[0]?.description).toBe(
        `This program may send anything it has read from payroll to tickets, in any number of requests, until it ends.\n\n${code}\n\nIts first request:\n\nGET ${tickets.url}/search/1?q=${iban}`,
      );
      expect(question?.reviewConfigs[0]?.allowedDecisions).toEqual(["approve", "reject"]);
      expect(sent()).toEqual([]);
      expect(await resume(approve)).toEqual([]);
      expect(JSON.parse(out.content).data).toEqual([
        ...Array(3).fill({ method: "GET" }),
        { id: 8 },
      ]);
      expect(sent().toSorted()).toEqual([1, 2, 3].map((at) => `GET /search/${at}?q=${iban} `));
    },
  );

  it("a rejection answers every request of the program that goes this way", async () => {
    const { start, resume, out } = await openRun(code, "rejected");
    await start();
    expect(await resume({ decisions: [{ type: "reject" }] })).toEqual([]);
    const rejected = expect.objectContaining({ code: "rejected" });
    expect(JSON.parse(out.content).data).toEqual([rejected, rejected, rejected, { id: 8 }]);
    expect(sent()).toEqual([]);
  });

  it("writes are asked about one by one, also after `always`, which opens the way for the thread", async () => {
    const { start, resume, out } = await openRun(withWrites, "writes", { writes: "approve" });
    expect((await start())[0]?.request).toHaveProperty("program");
    const [first] = await resume(always);
    expect(first?.request).toMatchObject({ method: "POST", body: '{"at":1}' });
    expect(first?.request).not.toHaveProperty("confidential");
    const [second] = await resume(approve);
    expect(second?.request).toMatchObject({ method: "POST", body: '{"at":2}' });
    expect(await resume(approve)).toEqual([]);
    expect(JSON.parse(out.content).data).toEqual({ method: "POST" });
    expect(sent()).toEqual(["GET /search ", 'POST /tickets {"at":1}', 'POST /tickets {"at":2}']);
  });

  it.each([
    ["alone", `await api.tickets.post("/a")`],
    [
      "beside a faster write",
      `(await Promise.all([api.tickets.post("/a"), api.tickets.post("/b")]))[0]`,
    ],
  ])(
    "a mark that another call makes while a run waits is not passed over: %s",
    async (where, expression) => {
      const program = `await api.payroll.get("/people"); await api.tickets.get("/first"); return (${expression}).ok;`;
      const [payrollRecord, ticketsRecord] = records;
      const shared = {
        ...payrollRecord,
        api: { ...asRecord(payrollRecord).api, sharesWith: ["health"] },
      };
      const health = { name: "Health", api: { baseUrl: payroll.url, confidential: true } };
      const delayed = {
        ...ticketsRecord,
        api: { baseUrl: tickets.url, headers: { "X-Desk": "${DESK}" } },
      };
      let delayMs = 0;
      // The first call after the question is the slowest.
      const secrets = async () => {
        const ownMs = delayMs;
        delayMs = 0;
        await new Promise((resolve) => setTimeout(resolve, ownMs));
        return "a desk";
      };
      const options = { responseStore: new InMemoryStore(), secrets };
      const toolkit = await ApiSourceToolkit.fromSources([shared, delayed, health], options, seams);
      const tool = createApiCodeTool(toolkit, { writes: "approve" });
      let content = "{}";
      const run = openNode<RunState>(async () => {
        content = await tool.invoke({ code: program });
        return {};
      });
      const config = { thread_id: `marked meanwhile ${where}` };
      await run({ messages: [] }, config);
      const [write] = questions(await run(new Command({ resume: approve }), config));
      expect(write?.request).toMatchObject({ method: "POST", url: `${tickets.url}/a` });
      await toolkit.listClients().at(-1)?.call({ path: "/people" }, { threadId: config.thread_id });
      delayMs = 300;
      await run(new Command({ resume: approve }), config);
      expect(JSON.parse(content).error).toMatchObject({ category: "code_error" });
      expect(sent().filter((line) => line.startsWith("POST"))).toEqual([]);
    },
  );

  it.each([
    ["kept(id)", "/long", "await kept(id)"],
    ["the facts of file(id)", "/photo.png", "await file(id)"],
    ["the bytes of file(id)", "/photo.png", "await (await file(id)).base64()"],
  ])("%s marks the thread of the run", async (_door, path, expression) => {
    const toolkit = await open({ responseScope: () => "one user", maxTokens: 300 });
    const threadId = `receiver of ${expression}`;
    const kept = await toolkit
      .listClients()[0]
      ?.call({ path }, { threadId: `giver of ${expression}` });
    const { shortened, file } = JSON.parse(kept?.content ?? "{}");
    const program = `const id = ${JSON.stringify((shortened ?? file).id)};
      const before = await api.tickets.get("/before");
      ${expression};
      return [before.ok, (await api.tickets.get("/after")).error];`;
    const config = { configurable: { thread_id: threadId } };
    const { data } = JSON.parse(await createApiCodeTool(toolkit).invoke({ code: program }, config));
    expect(data).toEqual([true, expect.objectContaining({ category: "approval_required" })]);
    expect(sent()).toEqual(["GET /before "]);
  });

  it("the result of a run that read a confidential source marks the thread that reads it later", async () => {
    const toolkit = await open({ responseScope: () => "user of code", maxTokens: 300 });
    const program = `const { data } = await api.payroll.get("/long"); return [data.note, data.people];`;
    const result = await createApiCodeTool(toolkit, { maxTokens: 100 }).invoke(
      { code: program },
      { configurable: { thread_id: "runs code" } },
    );
    const { id } = JSON.parse(result).shortened;
    const [, receiver] = toolkit.listClients();
    const ask = async () =>
      JSON.parse((await receiver?.call({ path: "/x" }, { threadId: "reads" }))?.content ?? "");
    expect(await ask()).toMatchObject({ status: 200 });
    await receiver?.read(id, {}, { threadId: "reads" });
    expect(await ask()).toMatchObject({ error: { category: "approval_required" } });
  });

  it("the result of code is kept with the marks that another process gave its thread, or not at all", async () => {
    const responseStore = new InMemoryStore();
    const openProcess = async (store = responseStore) => {
      const { ApiSourceToolkit: Toolkit } = await importAnew();
      const options = { responseScope: () => "one user", maxTokens: 300 };
      return Toolkit.fromSources(records, { ...options, responseStore: store, flow: "hold" });
    };
    const first = await openProcess();
    await first.listClients()[0]?.call({ path: "/people" }, { threadId: "reader" });
    const second = await openProcess();
    const program = `return ["${iban}", "x".repeat(9000)];`;
    const config = { configurable: { thread_id: "reader" } };
    const runIn = async (toolkit: typeof second) =>
      JSON.parse(
        await createApiCodeTool(toolkit, { maxTokens: 100 }).invoke({ code: program }, config),
      );
    const { shortened } = await runIn(second);
    const [, receiver] = second.listClients();
    await receiver?.read(shortened.id, {}, { threadId: "another reader" });
    const call = { path: `/search?q=${iban}` };
    const answer = await receiver?.call(call, { threadId: "another reader" });
    expect(JSON.parse(answer?.content ?? "").error.category).toBe("approval_required");
    expect(sent()).toEqual([]);

    const broken = new InMemoryStore();
    broken.get = async () => {
      throw new Error("down");
    };
    const { notes, shortened: cut } = await runIn(await openProcess(broken));
    expect(cut?.id).toBeUndefined();
    expect(notes.join()).toContain("was not kept");
  });

  it("what a run had read before it stopped is marked when another process goes on with it", async () => {
    const responseStore = new InMemoryStore();
    const checkpointer = new MemorySaver();
    const program = `const { data } = await api.payroll.get("/people");
      await api.crm.post("/notes", { body: {} });
      const answer = await api.tickets.get("/search", { query: { q: data.people[0].iban } });
      return answer.error ?? answer.data;`;
    const openProcess = async () => {
      const { ApiSourceToolkit: Toolkit } = await importAnew();
      const { createApiCodeTool: create } = await import("langchain-api-sources/code");
      const tool = create(await Toolkit.fromSources(records, { responseStore }, seams), {
        writes: "approve",
      });
      const run = openNode<RunState>(async () => {
        await tool.invoke({ code: program });
        return {};
      }, checkpointer);
      return async (input: unknown) => questions(await run(input, { thread_id: "restarted" }));
    };
    const [write] = await (await openProcess())({ messages: [] });
    expect(write?.request).toMatchObject({ source: "crm", method: "POST" });
    // Only the journal of the run is left of what the first process noted.
    await responseStore.delete(["api-confidential"], "");
    for (const { namespace, key } of await responseStore.search(["api-confidential"]))
      await responseStore.delete(namespace, key);
    const [way] = await (await openProcess())(new Command({ resume: approve }));
    expect(way?.request).toMatchObject({ source: "tickets", confidential: ["payroll"] });
    expect(sent()).toEqual([]);
    expect(await (await openProcess())(new Command({ resume: approve }))).toEqual([]);
    expect(sent()).toEqual([`GET /search?q=${iban} `]);
    expect(payroll.requests.filter(({ url }) => url === "/people")).toHaveLength(1);
  });
});

describe("over MCP", () => {
  let client: Client;
  const connect = async (answer: "accept" | "decline", content?: object): Promise<string[]> => {
    const asked: string[] = [];
    const [near, far] = InMemoryTransport.createLinkedPair();
    const toolkit = await open({ responseScope: () => "user over MCP" });
    await createMcpServer(toolkit, { approve: "none", session: randomUUID() }).connect(far);
    client = new Client({ name: "tests", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(`${params.message} ${JSON.stringify(params)}`);
      return { action: answer, ...(content && { content: content as never }) };
    });
    await client.connect(near);
    return asked;
  };
  afterEach(() => client.close());
  const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content);
  const post = { method: "POST", path: "/tickets", body: {} };

  it.each([
    ["decline", 0],
    ["accept", 1],
  ] as const)("the client asks a person, whose answer to it is %s", async (answer, requests) => {
    const asked = await connect(answer);
    await call("payroll", { method: "GET", path: "/people" });
    await call("tickets", post);
    expect(asked).toEqual([expect.stringContaining("content of the confidential source payroll")]);
    expect(tickets.requests).toHaveLength(requests);
  });

  it.each([{}, { flow: "refuse" } as const])(
    "a server for each request, without a session, holds what another one's calls have read: %j",
    async (options) => {
      const toolkit = await open(options);
      const callAlone = async (name: string, args: Record<string, unknown>): Promise<string> => {
        const [near, far] = InMemoryTransport.createLinkedPair();
        await createMcpServer(toolkit, { approve: "none" }).connect(far);
        client = new Client({ name: "tests", version: "1" });
        await client.connect(near);
        const { content } = await client.callTool({ name, arguments: args });
        await client.close();
        return JSON.stringify(content);
      };
      await callAlone("payroll", { method: "GET", path: "/people" });
      expect(await callAlone("tickets", { method: "GET", path: `/?q=${iban}` })).toMatch(
        /approval_required|confidential_source/,
      );
      expect(sent()).toEqual([]);
    },
  );

  it("a linked file and read_api_response mark the session that reads them", async () => {
    await connect("decline");
    const photoCall = await call("payroll", { method: "GET", path: "/photo.png" });
    const [uri = ""] = /api-sources:[^"\\]+/.exec(photoCall) ?? [];
    const [id = ""] =
      /r_[0-9a-z]{16}/.exec(await call("payroll", { method: "GET", path: "/long" })) ?? [];
    for (const receive of [
      () => client.readResource({ uri }),
      () => call("read_api_response", { id, select: "people" }),
    ]) {
      await client.close();
      const asked = await connect("decline");
      await call("tickets", { method: "GET", path: "/before" });
      expect(asked).toEqual([]);
      await receive();
      await call("tickets", post);
      expect(asked).toHaveLength(1);
    }
  });
});
