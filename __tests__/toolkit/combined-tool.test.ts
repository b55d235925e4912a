/** One tool for all sources: what a source's own tool does works through it, and names the source. */

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, fakeModel } from "langchain";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type CallEvent,
  type ClientOptions,
  journalTo,
  parseJournalLine,
} from "langchain-api-sources";
import { recordTo, replayFrom } from "langchain-api-sources/testing";
import type { Seams } from "../../src/core/base/runtime.js";
import { forgetConfidential } from "../support/forget-confidential.js";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { noSleep } from "../support/seams.js";
import { clientSecret, createTokenRecord, startTokenServer } from "../support/token-server.js";

forgetConfidential();

const secret = "tok-5uP3r-s3cret-9912";
const rows = Array.from({ length: 900 }, (_, id) => ({ id, name: `Article ${id}`, price: id * 3 }));
let polls = 0;
const server = await startHttpServer(({ method, url, headers, body }, response) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (pathname.endsWith("/rows")) return sendJson(response, rows);
  if (pathname.endsWith("/job") && method === "POST")
    return sendJson(response, { id: 7 }, 202, { location: "/archive/job" });
  if (pathname.endsWith("/job")) {
    polls += 1;
    return sendJson(response, { status: polls < 2 ? "running" : "succeeded" });
  }
  if (pathname.endsWith("/pages")) {
    const page = Number(searchParams.get("page") ?? "1");
    const next = page < 3 ? { next: `${pathname}?page=${page + 1}` } : {};
    return sendJson(response, { items: [{ id: page }], ...next });
  }
  if (pathname.endsWith("/file")) {
    response.writeHead(200, { "content-type": "image/png" });
    return void response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]));
  }
  sendJson(response, { did: `${method} ${url}`, got: body, as: headers.authorization ?? null });
});

const shop: ApiSourceRecord = {
  name: "Shop",
  tagline: "Orders and customers.",
  api: { baseUrl: `${server.url}/shop`, authType: "bearer", idempotencyHeader: "Idempotency-Key" },
};
const archive: ApiSourceRecord = {
  name: "Archive",
  api: { baseUrl: `${server.url}/archive`, paging: { next: "next" } },
};
const catalog: ApiSourceRecord = {
  name: "Catalog",
  api: { baseUrl: `${server.url}/catalog`, methods: ["GET"], endpoints: [] },
};

async function open(
  options: ClientOptions = {},
  records: readonly ApiSourceRecord[] = [shop, archive, catalog],
  seams: Seams = { sleep: noSleep },
) {
  const given = { credentials: { shop: { token: secret } }, ...options };
  const toolkit = await ApiSourceToolkit.fromSources(records, given, seams);
  const tools = toolkit.getTools({ combined: true });
  const [callApi, reader] = tools;
  if (callApi === undefined) throw new Error("There is no tool.");
  const ask = async (input: Record<string, unknown>, tool: StructuredToolInterface = callApi) =>
    JSON.parse(String(await tool.invoke(input)));
  return { toolkit, tools, callApi, reader, ask };
}

beforeEach(() => {
  polls = 0;
});

describe("getTools({ combined: true })", () => {
  it("gives one tool with a line for each source, the reader, and describe_api where a source has endpoints", async () => {
    const { tools, callApi } = await open();
    expect(tools.map(({ name }) => name)).toEqual(["call_api", "read_api_response"]);
    expect(callApi.description).toContain(`\nshop: Orders and customers, ${server.url}/shop`);
    expect(callApi.description).toContain(`\ncatalog: ${server.url}/catalog, GET only`);
    const endpoints = [{ method: "GET" as const, path: "/rows", about: "all articles" }];
    const described = await open({}, [shop, { ...catalog, api: { ...catalog.api, endpoints } }]);
    expect(described.tools.map(({ name }) => name)).toContain("describe_api");
  });

  it("sends a call to the source that the input names, with its credential alone", async () => {
    const { ask } = await open();
    const orders = await ask({ source: "shop", method: "GET", path: "/orders" });
    expect(orders.data).toMatchObject({ did: "GET /shop/orders", as: "Bearer [REDACTED]" });
    const files = await ask({ source: "archive", method: "GET", path: "/x" });
    expect(files.data).toMatchObject({ did: "GET /archive/x", as: null });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${secret}`,
      undefined,
    ]);
  });

  it("sends to a source whose name has a space or a line break at an end", async () => {
    const { ask } = await open();
    for (const source of [" shop", "shop\n", "\tshop "]) {
      const answer = await ask({ source, method: "POST", path: "/orders", body: { total: 9 } });
      expect(answer.data).toMatchObject({ did: "POST /shop/orders" });
    }
    expect(server.requests).toHaveLength(3);
  });

  it("answers a source that does not exist, or none, with the right ones, unsent", async () => {
    const { ask } = await open();
    const wrong = await ask({ source: "shopp", method: "GET", path: "/" });
    expect(wrong.error).toMatchObject({
      category: "invalid_input",
      message: 'There is no source "shopp".',
      hint: "Did you mean shop? Give one of: shop, archive, catalog.",
    });
    for (const source of [undefined, null, "", 7, "SHOP", "__proto__"])
      expect((await ask({ source, method: "GET", path: "/" })).error.category).toBe(
        "invalid_input",
      );
    expect(server.requests).toHaveLength(0);
  });

  it("refuses a method that the source excludes, and names those that it has", async () => {
    const { ask } = await open();
    const { error } = await ask({ source: "catalog", method: "POST", path: "/", body: "{}" });
    expect(error).toMatchObject({ category: "refused_by_policy" });
    expect(`${error.message} ${error.hint}`).toContain("GET");
    expect(server.requests).toHaveLength(0);
  });

  it("names the source among the members where one is wrong", async () => {
    const { ask } = await open();
    const { error } = await ask({ source: "shop", method: "GET", path: "/", colour: "red" });
    expect(error.hint).toContain("Members are source, method, path");
  });

  it("gives a next call that it takes, and reads what it kept", async () => {
    const { ask, reader } = await open();
    const first = await ask({ source: "archive", method: "GET", path: "/pages" });
    expect(Object.keys(first.next)[0]).toBe("source");
    expect((await ask(first.next)).data.items).toEqual([{ id: 2 }]);
    const large = await ask({ source: "shop", method: "GET", path: "/rows" });
    expect(large.shortened.id).toMatch(/^r_/);
    const read = await ask({ id: large.shortened.id, select: "sum([].price)" }, reader);
    expect(read.data).toBe(rows.reduce((sum, { price }) => sum + price, 0));
  });

  it("reads pages and waits for jobs", async () => {
    const { ask } = await open();
    const all = await ask({ source: "archive", method: "GET", path: "/pages", pages: 5 });
    expect(all.data.items).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(all.pages).toMatchObject({ read: 3, complete: true });
    const done = await ask({ source: "archive", method: "POST", path: "/job", wait: 45 });
    expect(done.data.status).toBe("succeeded");
    expect(done.job).toMatchObject({ polls: 2 });
  });

  it("sends a file of one source to another", async () => {
    const { ask } = await open();
    const { file } = await ask({ source: "archive", method: "GET", path: "/file" });
    const id = typeof file === "string" ? file : file.id;
    const body = JSON.stringify({ picture: { $file: id } });
    const headers = [{ name: "Content-Type", value: "multipart/form-data" }];
    const sent = await ask({ source: "shop", method: "POST", path: "/pictures", body, headers });
    expect(sent.status).toBe(200);
    expect(server.requests.at(-1)?.headers["content-type"]).toMatch(/^multipart\/form-data/);
  });

  it("gives whole answers to code, and takes the plain form", async () => {
    const { toolkit } = await open();
    const [whole] = toolkit.getTools({ combined: true, answers: "whole", strict: false });
    const { data } = JSON.parse(
      String(await whole?.invoke({ source: "archive", method: "GET", path: "/pages" })),
    );
    expect(data.items ?? data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it("keeps the quota of each source apart", async () => {
    const limited = (name: string): ApiSourceRecord => ({
      name,
      api: { baseUrl: `${server.url}/${name}`, limits: { requestsPerMinute: 1, maxWaitMs: 0 } },
    });
    const { ask } = await open({ credentials: {} }, [limited("One"), limited("Two")]);
    const get = { method: "GET", path: "/" };
    expect((await ask({ source: "one", ...get })).status).toBe(200);
    expect((await ask({ source: "one", ...get })).error.category).toBe("rate_limited");
    expect((await ask({ source: "two", ...get })).status).toBe(200);
  });

  it("names the source in events, in the journal, and in the artifact, and sends its trace", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "journal-")), "calls.jsonl");
    const journal = journalTo(file);
    const events: CallEvent[] = [];
    const written: unknown[] = [];
    const { callApi } = await open({
      traces: true,
      onCall: (event) => {
        events.push(event);
        written.push(journal(event));
      },
    });
    const args = { source: "archive", method: "GET", path: "/x" };
    const message = await callApi.invoke({ type: "tool_call", id: "c1", name: "call_api", args });
    await Promise.all(written);
    expect(new Set(events.map(({ source }) => source))).toEqual(new Set(["archive"]));
    expect(parseJournalLine(readFileSync(file, "utf8"))).toMatchObject({
      source: "archive",
      method: "GET",
      path: "/x",
    });
    expect(Object(message).artifact).toMatchObject({ source: "archive", request: "GET /x" });
    expect(server.requests[0]?.headers["traceparent"]).toMatch(/^00-/);
  });

  it("is recorded and replayed by the source, as its own tool", async () => {
    const folder = mkdtempSync(join(tmpdir(), "recorded-"));
    const get = { source: "shop", method: "GET", path: "/orders" };
    const live = await open({ transport: recordTo(folder) });
    const answer = await live.ask(get);
    const replayed = await open({ transport: replayFrom(folder) });
    expect((await replayed.ask(get)).data).toEqual(answer.data);
    const [own] = (await open({ transport: replayFrom(folder) })).toolkit.getTools();
    const { source: _, ...request } = get;
    expect(JSON.parse(String(await own?.invoke(request))).data).toEqual(answer.data);
    expect(server.requests).toHaveLength(1);
  });

  it("refuses what a confidential source's thread sends to another source", async () => {
    const payroll: ApiSourceRecord = {
      name: "Payroll",
      api: { baseUrl: `${server.url}/payroll`, confidential: true },
    };
    const { callApi } = await open({ flow: "refuse" }, [payroll, archive]);
    const config = { configurable: { thread_id: "combined-1" } };
    const call = async (source: string) =>
      JSON.parse(String(await callApi.invoke({ source, method: "GET", path: "/" }, config)));
    expect((await call("archive")).status).toBe(200);
    expect((await call("payroll")).status).toBe(200);
    expect((await call("archive")).error.category).toBe("refused_by_policy");
  });
});

describe("call_api in a run", () => {
  const write = { source: "shop", method: "POST", path: "/orders", body: '{"item":"chair"}' };
  const openAgent = (tools: readonly StructuredToolInterface[], checkpointer: MemorySaver) => {
    const invoke = async (args: object | undefined, input: unknown) => {
      const model = fakeModel();
      if (args !== undefined)
        model.respondWithTools([{ name: "call_api", args: { ...args }, id: "c1" }]);
      model.respond(new AIMessage("done")).respond(new AIMessage("done"));
      const agent = createAgent({ model, tools: [...tools], checkpointer });
      return Object(await agent.invoke(input as never, { configurable: { thread_id: "t" } }));
    };
    return {
      start: (args: object) => invoke(args, { messages: [new HumanMessage("go")] }),
      resume: (decision: unknown) => invoke(undefined, new Command({ resume: decision })),
    };
  };
  const readAnswer = ({ messages }: { messages: { content: unknown; name?: string }[] }) =>
    JSON.parse(String(messages.find(({ name }) => name === "call_api")?.content));

  it("stops for an approval that names the source, and sends once what was approved", async () => {
    const { tools } = await open({ approve: "writes" });
    const agent = openAgent(tools, new MemorySaver());
    const asked = await agent.start(write);
    expect(server.requests).toHaveLength(0);
    const [question] = asked.__interrupt__;
    expect(question.value.request).toMatchObject({ source: "shop", method: "POST" });
    expect(question.value.actionRequests[0]).toMatchObject({ name: "shop", args: write });
    const done = await agent.resume({ decisions: [{ type: "approve" }] });
    expect(readAnswer(done)).toMatchObject({ status: 200, data: { got: write.body } });
    expect(server.requests).toHaveLength(1);
  });

  it("takes an edit of the input with its source, and refuses one that names another source", async () => {
    for (const [source, status] of [
      ["shop", 200],
      ["archive", undefined],
    ] as const) {
      const { tools } = await open({ approve: "writes" });
      const agent = openAgent(tools, new MemorySaver());
      await agent.start(write);
      const editedAction = { name: "shop", args: { ...write, source, body: '{"item":"table"}' } };
      const done = await agent.resume({ decisions: [{ type: "edit", editedAction }] });
      expect(readAnswer(done).status).toBe(status);
    }
    expect(server.requests.map(({ url, body }) => `${url} ${body}`)).toEqual([
      '/shop/orders {"item":"table"}',
    ]);
  });

  it("stops for a consent, and goes on when the person came back", async () => {
    const issuer = await startTokenServer();
    const oauth2 = {
      grant: "authorization_code",
      authorizationUrl: `${issuer.url}/authorize`,
      redirectUri: "https://app.example.com/callback",
      scopes: ["read"],
    };
    const record = createTokenRecord(issuer, oauth2);
    const secrets: Record<string, string> = { SHOP_CLIENT_SECRET: clientSecret };
    const options = { secrets: (name: string) => secrets[name], credentials: undefined };
    const { tools, toolkit } = await open(options, [record, archive]);
    const agent = openAgent(tools, new MemorySaver());
    const asked = await agent.start({ source: "shop", method: "GET", path: "/me" });
    const [question] = asked.__interrupt__;
    expect(question.value).toMatchObject({ type: "auth_required", source: "shop" });
    await toolkit.completeAuthorization(issuer.agree(question.value.auth_url, "ada"));
    expect(readAnswer(await agent.resume(true)).data.user).toBe("ada");
  });
});
