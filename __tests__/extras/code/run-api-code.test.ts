import Module from "node:module";
import { describe, expect, it } from "@jest/globals";
import { ToolMessage } from "@langchain/core/messages";
import { InMemoryStore } from "@langchain/langgraph";
import { type ApiSourceRecord, ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { type ApiCodeToolOptions, createApiCodeTool } from "langchain-api-sources/code";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";
import { type Answer, openCode } from "./open-code.js";

const orders = Array.from({ length: 2_300 }, (_, index) => ({
  id: `order-${index}`,
  customer: `c${index % 7}`,
  total: index % 100,
  note: "A note that nobody needs. ".repeat(5),
}));

/** 100 orders a page; `/big` has numbers that a double can't hold; `/late` takes 300 ms; anything else but `/echo` is 404. */
const respond: Respond = (request, response) => {
  const url = new URL(request.url, "http://x");
  if (url.pathname === "/orders") {
    const page = Number(url.searchParams.get("page") ?? 1);
    const next: Record<string, string> =
      page < 23 ? { Link: `</orders?page=${page + 1}>; rel="next"` } : {};
    return sendJson(response, orders.slice((page - 1) * 100, page * 100), 200, {
      "X-Total-Count": "2300",
      ...next,
    });
  }
  if (url.pathname === "/big") {
    response.setHeader("content-type", "application/json");
    return response.end('{"id":9007199254740993,"price":19.90}');
  }
  if (url.pathname === "/lines") {
    response.setHeader("content-type", "application/x-ndjson");
    return response.end(orders.map((order) => JSON.stringify(order)).join("\n"));
  }
  if (url.pathname === "/late")
    return void setTimeout(() => sendJson(response, { late: true }), 300);
  if (url.pathname === "/echo")
    return sendJson(response, { method: request.method, body: request.body });
  return sendJson(response, { message: "There is no such thing." }, 404);
};

const server = await startHttpServer(respond);
const sources = [
  { name: "Shop", tagline: "Orders and customers" },
  { name: "Mail room", slug: "mail-room" },
];
const open = (options?: ApiCodeToolOptions, given?: ClientOptions) =>
  openCode({ baseUrl: server.url }, options, { sources, ...given });
const { toolkit, run } = await open();

describe("run_api_code", () => {
  it("gives code whole data over all pages, and answers with what it returns", async () => {
    const answer = await run(`
      const { ok, status, data, total, pages, next } = await api.shop.get("/orders", { pages: 30 });
      const sums = new Map();
      for (const { customer, total } of data) sums.set(customer, (sums.get(customer) ?? 0) + total);
      return { ok, status, rows: data.length, total, pages, next, sums };`);
    const sums: Record<string, number> = {};
    for (const { customer, total } of orders) sums[customer] = (sums[customer] ?? 0) + total;
    expect(answer).toEqual({
      data: {
        ok: true,
        status: 200,
        rows: 2_300,
        total: 2_300,
        pages: { read: 23, rows: 2_300, complete: true },
        sums,
      },
      calls: { used: 1, allowed: 200, sent: 1, failed: 0, requests: 23, waitedMs: 0 },
    });
  });

  it("shows a large result as a view, keeps it whole, and gives it to later code by kept", async () => {
    const answer = await run(`return (await api.shop.get("/orders", { pages: 30 })).data`);
    expect(answer.data.length).toBeLessThan(2_300);
    expect(answer.shortened.id).toMatch(/^r_/);
    expect(answer.shortened).not.toHaveProperty("try");
    expect(await toolkit.readResponse(answer.shortened.id)).toEqual(orders);
    const again = await run(`return (await kept("${answer.shortened.id}")).at(-1).id`);
    expect(again).toMatchObject({ data: "order-2299", calls: { sent: 0 } });
    const shop = toolkit.getTools().find(({ name }) => name === "shop");
    const lines = JSON.parse(await shop?.invoke({ method: "GET", path: "/lines" }));
    const ofLines = await run(`return (await kept("${lines.shortened.id}")).at(-1).id`);
    expect(ofLines).toMatchObject({ data: "order-2299" });
    const reader = toolkit.getTools().find(({ name }) => name === "read_api_response");
    const read = JSON.parse(await reader?.invoke({ id: answer.shortened.id, select: "length(@)" }));
    expect(read.data).toBe(2_300);
  });

  it("gives integers beyond 2^53 as strings, other numbers as numbers, and a failed call as an answer", async () => {
    const { data, calls } = await run(`
      const [big, none, above] = await Promise.all(["/big", "/none", "/../x"].map((path) => api["mail-room"].get(path)));
      return [big.data, none.ok, none.status, none.error.category, none.data, above.ok, above.error.category];`);
    expect(data).toEqual([
      { id: "9007199254740993", price: 19.9 },
      false,
      404,
      "not_found",
      { message: "There is no such thing." },
      false,
      "refused_by_policy",
    ]);
    expect(calls).toEqual({ used: 3, allowed: 200, sent: 2, failed: 2, requests: 2, waitedMs: 0 });
  });

  it("takes TypeScript, strict or not, and names the line of the model's own code when it fails", async () => {
    const typed = `interface Row { id: string; total: number }
      const { data } = await api.shop.get("/orders");
      const rows = data as Row[];
      return rows.filter((row: Row): boolean => row.total! > 98).map(({ id }) => id satisfies string);`;
    expect((await run(typed)).data).toEqual(["order-99"]);
    const failing = typed.replace("return rows.filter", "rows.first.id;\n      return rows.filter");
    expect((await run(failing)).error).toEqual({
      message: "TypeError: cannot read property 'id' of undefined, in line 4: rows.first.id;",
      category: "code_error",
      retryable: false,
      code: "TypeError",
      details: { line: 4, text: "rows.first.id;" },
      hint: expect.stringContaining("console.log("),
    });
  });

  it("says of a program with types that the reader of TypeScript is not installed, where it is not", async () => {
    const resolver = Module as unknown as { _resolveFilename: (...given: unknown[]) => string };
    const { _resolveFilename: resolve } = resolver;
    resolver._resolveFilename = (...given) =>
      resolve(given[0] === "sucrase" ? "" : given[0], ...given.slice(1));
    const { run: runWithout } = await open().finally(() => {
      resolver._resolveFilename = resolve;
    });
    expect((await runWithout("return 1;")).data).toBe(1);
    const { error } = await runWithout("const one: number = 1; return one;");
    expect(error).toMatchObject({
      code: "SyntaxError",
      hint: expect.stringMatching(
        /in JavaScript, .*write no types \(the package sucrase, .* is not installed\)/,
      ),
    });
    expect((await run("const one: number = = 1;")).error.hint).not.toContain("sucrase");
  });

  it("says how a call failed where the code returned nothing of its answer", async () => {
    const { notes } = await run(
      "const { data } = await api.shop.get('/nothing'); return data.rows;",
    );
    expect(notes).toEqual([
      "The code returned nothing: end it with `return`.",
      expect.stringMatching(/^GET \/nothing failed: There is no such thing\. The API has no path/),
    ]);
    expect((await run("await api.shop.get('/orders')")).notes).toHaveLength(1);
  });

  it("does not count the time that the reader of TypeScript takes to load as the code's", async () => {
    const hasty = await open({ cpuMs: 60 });
    const values: unknown[] = [];
    // A busy machine may take as long for the code itself.
    for (let tries = 0; tries < 40 && !values.includes(1); tries += 1)
      values.push((await hasty.run("const one: number = 1; return one;")).data);
    expect(values).toContain(1);
  });

  it.each([
    [
      "const a = 1;\nconst b = = 2;",
      { code: "SyntaxError", details: { line: 2, text: "const b = = 2;" } },
    ],
    ["return 1;\n}", { code: "SyntaxError", hint: expect.stringContaining("is the body of an") }],
    ...["JSON.parse('{bad')", "JSON.parse('[1,')", "new RegExp('(')"].map(
      (read): [string, object] => [
        `const text: string = '';\nreturn ${read}`,
        { code: "SyntaxError", details: { line: 2 }, hint: expect.stringContaining("read a text") },
      ],
    ),
    [
      'const a = 1;\n\nreturn api.shpo.get("/")',
      {
        message: expect.stringContaining("; there are shop, mail-room, in line 3"),
        details: { line: 3 },
      },
    ],
    [
      "await api.shop.list('/')",
      { message: expect.stringContaining("get, post, put, patch, delete") },
    ],
    ["return fetch('http://x')", { hint: expect.stringContaining("no fetch") }],
    [
      "throw new RangeError('too far')",
      { code: "RangeError", message: expect.stringContaining("too far") },
    ],
    ["await 1;\nthrow { a: 1 }", { message: '{"a":1}' }],
    ["const a = {}; a.a = a; return a", { message: expect.stringContaining("circular") }],
    ["await new Promise(() => {})", { message: expect.stringContaining("can no longer settle") }],
    ["return kept('r_0000000000000000')", { message: expect.stringContaining("no kept response") }],
    ["  ", { message: expect.stringContaining("code is missing") }],
    [{ not: "a string" }, { message: expect.stringContaining("code is missing") }],
  ])("reports what is wrong with %j", async (code, error) => {
    expect((await run(code)).error).toMatchObject({ category: "code_error", ...error });
  });

  it("is an error ToolMessage in a tool call, with small data about it as artifact", async () => {
    const { tool } = await open();
    const call = (code: string) =>
      ({ type: "tool_call", id: "c1", name: "run_api_code", args: { code } }) as const;
    const failed = await tool.invoke(call("throw 1"));
    expect(failed).toBeInstanceOf(ToolMessage);
    expect(failed).toMatchObject({
      status: "error",
      artifact: { source: "run_api_code", category: "code_error" },
    });
    expect(await tool.invoke(call("return (await api.shop.get('/big')).status"))).toMatchObject({
      status: "success",
      artifact: { source: "run_api_code", attempts: 1 },
    });
  });

  it("keeps state from run to run of a thread and across a restart, and from no other thread", async () => {
    const responseStore = new InMemoryStore();
    const in1 = { configurable: { thread_id: "1" } };
    const first = await open({}, { responseStore });
    expect((await first.run("state.n = 41; return state", in1)).data).toEqual({ n: 41 });
    expect((await first.run("state.n += 1; throw 'after it changed'", in1)).error).toBeDefined();
    const second = await open({}, { responseStore });
    expect((await second.run("return state", in1)).data).toEqual({ n: 42 });
    expect((await second.run("return state", { configurable: { thread_id: "2" } })).data).toEqual(
      {},
    );
    const responseScope: ClientOptions["responseScope"] = ({ configurable }) =>
      String(configurable?.["user"]);
    const scoped = await open({}, { responseStore, responseScope });
    const as = (user: string, code: string): Promise<Answer> =>
      scoped.run(code, { configurable: { thread_id: "1", user } });
    await as("anna", "state.secret = 'anna'");
    expect((await as("bert", "return state")).data).toEqual({});
    expect((await as("anna", "return state")).data).toEqual({ secret: "anna" });
  });

  it("begins with an empty state where the store gives back a part of it", async () => {
    const responseStore = new InMemoryStore();
    const { run: ask } = await open({}, { responseStore });
    await ask("state.n = 41");
    const [item] = await responseStore.search([], { limit: 100 });
    const torn = JSON.parse(JSON.stringify(item?.value).replace("41}", ""));
    await responseStore.put(item?.namespace ?? [], item?.key ?? "", torn);
    expect((await ask("return state")).data).toEqual({});
  });

  it.each(["state.big = 'x'.repeat(200000)", "state = 5", "state.me = state"])(
    "reports what state must be where it is not kept, and leaves the one before: %s",
    async (code) => {
      await run("state.small = 1");
      const { data, notes } = await run(`${code}; return 1`);
      expect([data, notes]).toEqual([
        1,
        [expect.stringMatching(/object of JSON.* 100000 characters/)],
      ]);
      expect((await run("return state")).data).toEqual({ small: 1 });
    },
  );

  it("logs the first and the last lines within a quarter of the budget", async () => {
    expect(
      (await run("console.log('a', { b: 1 }, [2], undefined, new Error('c')); return 1")).log,
    ).toEqual(['a {"b":1} [2] undefined Error: c']);
    const { log, data } = await run(
      "for (let i = 0; i < 5000; i++) console.log('line ' + i + ' of many'); return 7",
    );
    expect(data).toBe(7);
    expect(log[0]).toBe("line 0 of many");
    expect(log).toContainEqual(expect.stringMatching(/^\(\d+ lines left out\)$/));
    expect(log.at(-1)).toBe("(later lines are left out)");
    expect(JSON.stringify(log).length).toBeLessThan(4_000);
  });

  it("reports that calls were not awaited, and lets those that were sent come to their end", async () => {
    const writing = await open({ writes: "allow" });
    const { data, notes, calls } = await writing.run(
      "api.shop.post('/late', { body: 1 }); return 2",
    );
    expect([data, notes, calls.sent]).toEqual([
      2,
      [expect.stringContaining("`await` each one")],
      1,
    ]);
    const { notes: after } = await writing.run(
      "await api.shop.post('/echo', { body: 1 }); throw 1",
    );
    expect(after).toEqual([expect.stringContaining("had sent 1 write before")]);
  });

  it("rejects with the caller's reason when it is cancelled, and stays usable", async () => {
    const controller = new AbortController();
    const running = run("for (;;) await null", { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 200);
    await expect(running).rejects.toThrow();
    expect((await run("return 1")).data).toBe(1);
  });

  it("describes sources, signature and limits in at most 1,200 characters", async () => {
    const { tool } = await open({ timeoutMs: 30_000, maxCalls: 50 });
    for (const part of [
      "api.shop: Orders and customers",
      'api["mail-room"]',
      "30 s",
      "50 calls",
      "Only GET",
    ])
      expect(tool.description).toContain(part);
    const describeTool = async (
      records: ApiSourceRecord[],
      options: ApiCodeToolOptions = {},
    ): Promise<string> =>
      createApiCodeTool(await ApiSourceToolkit.fromSources(records), options).description;
    const baseUrl = "https://x.example";
    const one = await describeTool([{ name: "Post", api: { baseUrl } }], { writes: "approve" });
    expect(one).toContain("A write waits for a person.");
    expect(one).toMatch(
      /multipart where a member is a file: .*\$base64.*type \(its media type\). XML: text with its Content-Type/,
    );
    expect(tool.description).not.toContain("multipart");
    const tagline = "A long line about it. ".repeat(20);
    const names = Array.from({ length: 60 }, (_, index) => `Source ${index}`);
    const many = await describeTool(names.map((name) => ({ name, tagline, api: { baseUrl } })));
    expect(many.length).toBeLessThanOrEqual(1_200);
    expect(many).toMatch(/source_1,[\s\S]*Limits: 60 s/);
  });
});
