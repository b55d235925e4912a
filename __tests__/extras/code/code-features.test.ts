import { describe, expect, it } from "@jest/globals";
import { Command, InMemoryStore } from "@langchain/langgraph";
import type { ApiCodeToolOptions } from "langchain-api-sources/code";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openNode } from "../../support/one-node.js";
import type { TestOptions } from "../../support/seams.js";
import { type Answer, openCode, type Run } from "./open-code.js";

const bodies: Record<string, readonly [type: string, text: string]> = {
  "/list": ["application/json", '[{"id":1},{"id":2}]'],
  "/orders": ["application/json", '{"meta":{"page":1},"data":{"orders":[{"id":1}]}}'],
  "/one": ["application/json", '{"id":7,"name":"a"}'],
  "/todo": ["application/json", '{"id":7,"done":false,"tags":["a"]}'],
  "/two": ["application/json", '{"users":[{"id":1}],"my-groups":[{"id":2}]}'],
  "/by-id": [
    "application/json",
    '{"u1":{"id":"u1","tags":[{"n":1},{"n":2}]},"u2":{"id":"u2","tags":[]}}',
  ],
  "/csv": ["text/csv", "id,name\r\n1,a\r\n2,b\r\n"],
  "/xml": [
    "application/xml",
    "<orders><order><id>1</id></order><order><id>2</id></order></orders>",
  ],
  "/xml-one": ["application/xml", "<orders><order><id>1</id></order></orders>"],
};

const server = await startHttpServer((request, response) => {
  const [type, text] = bodies[request.url] ?? [];
  if (type === undefined)
    return void setTimeout(() => sendJson(response, { url: request.url }), 100);
  response.writeHead(200, { "content-type": type, etag: '"1"', "x-total-count": "2" });
  response.end(text);
});
const open = async (options?: ApiCodeToolOptions, given?: TestOptions) =>
  (await openCode({ baseUrl: server.url }, options, given)).run;

describe("a text of JSON that code returns", () => {
  it.each([
    ["[{ id: 1 }, { id: 2 }], null, 2", [{ id: 1 }, { id: 2 }]],
    ['{ name: "a" }', { name: "a" }],
  ])("is shown as the document that it is: %s", async (given, data) => {
    const run = await open();
    const notes = ["The code returned a text of JSON; `data` is the document in it."];
    expect(await run(`return JSON.stringify(${given})`)).toMatchObject({ data, notes });
  });

  it.each(['"[done]"', '"{a} and {b}"', 'JSON.stringify("a")'])(
    "stays a text: %s",
    async (text) => {
      const run = await open();
      expect(await run(`return ${text}`)).not.toHaveProperty("notes");
    },
  );

  it("is shortened by its rows, and kept", async () => {
    const run = await open();
    const code =
      "return JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id, name: `n${id}` })))";
    const { data, shortened } = await run(code);
    expect(data[0]).toEqual({ id: 0, name: "n0" });
    expect(shortened?.omitted[0]).toMatchObject({ path: "@", of: 900, about: "rows" });
  });
});

describe("rows in code", () => {
  it("gives the list of each form of an answer", async () => {
    const run = await open();
    const paths = ["/list", "/orders", "/csv", "/xml", "/xml-one"];
    const { data } = await run(
      `const counts = []; for (const path of ${JSON.stringify(paths)}) counts.push(rows(await api.shop.get(path)).length); return counts`,
    );
    expect(data).toEqual([2, 1, 2, 2, 1]);
  });

  it("gives the members of an object of records that an API answers, and no list inside of one", async () => {
    const run = await open();
    const { data } = await run("return rows(await api.shop.get('/by-id')).map(({ id }) => id)");
    expect(data).toEqual(["u1", "u2"]);
    const counted = await run("return (await api.shop.get('/by-id', { pages: 9 })).pages.rows");
    expect(counted.data).toBe(2);
  });

  it("gives the members of an object of rows", async () => {
    const run = await open();
    const { data } = await run("return rows({ a: { id: 1 }, b: { id: 2 } })");
    expect(data).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("throws where no list is certain: none is made up", async () => {
    const wrong = [
      ["rows({ a: { id: 1 }, b: 2 })", "takes the answer of a call"],
      ["rows(await api.shop.get('/one'))", "data is not a list"],
      [
        "rows(await api.shop.get('/todo'))",
        "it is not certain which list is meant: write rows(answer.data.tags)",
      ],
      [
        "rows(await api.shop.get('/two'))",
        'write rows(answer.data.users), or rows(answer.data["my-groups"])',
      ],
      ["rows(await api.shop.get('/../x'))", "the call failed"],
      ["rows({})", "takes the answer of a call"],
    ];
    const run = await open();
    const tries = wrong.map(
      ([code]) => `await (async () => ${code})().catch(({ message }) => message)`,
    );
    const { data } = await run(`return [${tries.join(", ")}]`);
    expect(data).toEqual(wrong.map(([, message]) => expect.stringContaining(message ?? "")));
  });
});

describe("a call that is not awaited", () => {
  it.each([
    ["const answer = api.shop.get('/list'); return answer.data", "(await api.shop.get(…)).data"],
    ["return { answer: api.shop.get('/list') }", "await api.shop.get(…)"],
    ["return kept('r_0000000000000000').items", "(await kept(id)).items"],
    ["return file('r_0000000000000000').name", "(await file(id)).name"],
    [
      "const { file: made } = await api.shop.get('/csv'); const f = await file(made.id); return f.text().length",
      "(await file.text()).length",
    ],
  ])("is named by the error: %s", async (code, message) => {
    const run = await open();
    expect((await run(code)).error.message).toContain(message);
  });

  it("is named by a note where the code ends before its reply", async () => {
    const run = await open();
    const { data, notes } = await run("api.shop.get('/slow'); api.shop.describe(); return 1");
    expect([data, notes]).toEqual([
      1,
      [expect.stringContaining('(api.shop.get("/slow"), api.shop.describe())')],
    ]);
  });
});

describe("an answer in code", () => {
  it("always has headers and total", async () => {
    const run = await open();
    const { data } =
      await run(`const all = [await api.shop.get("/list"), await api.shop.get("/none"), await api.shop.get("/../x")];
      return all.map(({ headers, total }) => [headers.etag ?? null, typeof headers, total])`);
    expect(data).toEqual([
      ['"1"', "object", 2],
      [null, "object", null],
      [null, "object", null],
    ]);
  });

  it("has the text of a body for raw, and refuses raw with pages", async () => {
    const run = await open();
    const { data } = await run(`const texts = [];
      for (const path of ["/csv", "/xml", "/one"]) texts.push((await api.shop.get(path, { raw: true })).data);
      const { ok, error } = await api.shop.get("/list", { raw: true, pages: 2 });
      return [...texts, ok, error.category]`);
    expect(data).toEqual([
      ...["/csv", "/xml", "/one"].map((path) => bodies[path]?.[1]),
      false,
      "invalid_input",
    ]);
  });
});

describe("sleep in code", () => {
  it("does not count as the time of the run, and needs no call", async () => {
    const run = await open({ timeoutMs: 2_000 });
    // A thread takes its time to begin.
    await run("return 1");
    const { data, calls, notes } = await run("await sleep(2300); sleep(1e5); return 'slept'");
    expect([data, calls.used, notes]).toEqual(["slept", 0, undefined]);
  });

  it("is at most 600 s in one run, sleeps at the same time counted once", async () => {
    const slept: number[] = [];
    let now = 0;
    const sleep = async (ms: number): Promise<void> => {
      await Promise.resolve();
      slept.push(ms);
      now += ms;
    };
    const run = await open({}, { sleep, clock: { now: () => now } });
    const { data } = await run(`await sleep(400000); const why = [];
      for (const ms of [200001, 100000, 100001, "x", -1, 1e9]) await sleep(ms).catch((error) => why.push(error.message));
      return why`);
    expect(slept).toEqual([400_000, 100_000]);
    expect(data).toEqual([
      expect.stringContaining("200000 ms are left"),
      expect.stringContaining("100000 ms are left"),
      ...Array(3).fill(expect.stringContaining("milliseconds")),
    ]);
  });

  it("advances the frozen clock of a run that may stop, and does not sleep again after the decision", async () => {
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => void slept.push(ms);
    const responseStore = new InMemoryStore();
    const run = await open({ writes: "approve" }, { sleep, responseStore });
    const code = `const now = () => Date.now(); const start = now();
      await Promise.all([sleep(50000), sleep(20000)]); const one = now() - start;
      await sleep(5000); const two = now() - start;
      await api.shop.post("/late", { body: { one, two } }); return [one, two, now() - start]`;
    let answer: Answer;
    const step = openNode(async () => {
      answer = await run(code);
      return {};
    });
    await step({ messages: [] }, { thread_id: "sleeps" });
    expect(slept).toEqual([50_000, 20_000, 5_000]);
    await step(new Command({ resume: { decisions: [{ type: "approve" }] } }), {
      thread_id: "sleeps",
    });
    expect(answer.data).toEqual([50_000, 55_000, 55_000]);
    // The last one is the claim of the decision.
    expect(slept).toEqual([50_000, 20_000, 5_000, 1_000]);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"one":50000,"two":55000}']);
  });
});

describe("a run that stops for a person", () => {
  it("has received 10 MB at most, and sends no write beyond it", async () => {
    const large = await startHttpServer((request, response) =>
      sendJson(response, { text: "x".repeat(request.method === "GET" ? 4_000_000 : 1) }),
    );
    const { run } = await openCode({ baseUrl: large.url }, { writes: "approve" });
    const stops = async (reads: number, thread_id: string): Promise<Answer> => {
      let answer: Answer;
      const code = `for (let i = 0; i < ${reads}; i++) await api.shop.get("/" + i); await api.shop.post("/x")`;
      const step = openNode<object>(async () => {
        answer = await run(code);
        return {};
      });
      return { ...(await step({ messages: [] }, { thread_id })), answer };
    };
    expect(await stops(2, "few")).toHaveProperty("__interrupt__");
    const { answer } = await stops(3, "many");
    expect(answer.error).toMatchObject({
      category: "code_error",
      message: expect.stringContaining("10 MB"),
    });
    expect(large.requests.filter(({ method }) => method === "POST")).toEqual([]);
  });
});

/** A job that is done when it was read three times, on a clock that only `sleep` advances. */
async function openJobs(): Promise<Run> {
  let [nowMs, reads] = [0, 0];
  const api = await startHttpServer(({ method }, response) => {
    if (method === "POST")
      return sendJson(response, { status: "queued" }, 202, { location: "/jobs/7" });
    reads += 1;
    sendJson(response, { status: reads > 3 ? "done" : "running" });
  });
  const sleep = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += ms;
  };
  const seams = { sleep, clock: { now: () => nowMs } };
  return (await openCode({ baseUrl: api.url }, { writes: "allow", timeoutMs: 5_000 }, seams)).run;
}

describe("wait and until in code", () => {
  it("follow a job that a write started, within one call", async () => {
    const run = await openJobs();
    const { data, calls } =
      await run(`const { ok, data, job } = await api.shop.post("/exports", { body: {}, wait: 60 });
      return [ok, data.status, job.path, job.polls]`);
    expect(data).toEqual([true, "done", "/jobs/7", 4]);
    expect(calls).toMatchObject({ used: 1, requests: 5 });
  });

  it("repeat a GET until its data fulfils the condition; the time does not count as the run's", async () => {
    const run = await openJobs();
    const { data } = await run(
      `const before = Date.now(); const { data, job } = await api.shop.get("/jobs/7", { until: "status=='done'" }); return [data.status, job.polls, job.ms]`,
    );
    expect(data).toEqual(["done", 3, 7_000]);
  });
});
