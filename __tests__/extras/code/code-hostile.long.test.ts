import { afterAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type ApiCodeToolOptions, createApiCodeTool } from "langchain-api-sources/code";
import { hostileProgram } from "../../../fuzz/hostile-programs.mjs";
import { startCountingServer } from "../../support/counting-server.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { isLongRun, runsOf } from "../../support/long-run.js";
import { openCode } from "./open-code.js";

const maxCalls = 20;

const server = await startHttpServer((request, response) =>
  sendJson(response, [{ id: 1, url: request.url }]),
);
const limits = {
  timeoutMs: 60_000,
  cpuMs: 5_000,
  memoryBytes: 64_000_000,
  maxCalls,
  writes: "allow",
} as const;
const open = (options: ApiCodeToolOptions = {}) =>
  openCode({ baseUrl: server.url }, { ...limits, ...options });
const { run, toolkit } = await open();

/** How often the event loop of this process has come around, and the memory of the process. */
let beats = 0;
let mostBytes = 0;
const heart = setInterval(() => {
  mostBytes = Math.max(mostBytes, process.memoryUsage().rss);
}, 20);
let next = setImmediate(function beat() {
  beats += 1;
  next = setImmediate(beat);
});
afterAll(() => {
  clearInterval(heart);
  clearImmediate(next);
});

describe("hostile code", () => {
  it("gets an answer of bounded size, sends no more than it may, and leaves the next run as it should be; meanwhile the event loop turns for each question", async () => {
    await run("return 1");
    mostBytes = process.memoryUsage().rss;
    const idleBytes = mostBytes;
    await fc.assert(
      fc.asyncProperty(hostileProgram(fc), async (program) => {
        // A program may sleep for ten minutes by right, and a test cannot wait for it.
        const code = program.replace(/\b(?:1e9|600000)\b/g, "9");
        server.requests.length = 0;
        const before = beats;
        const hasty = createApiCodeTool(toolkit, { ...limits, timeoutMs: 3_000, cpuMs: 300 });
        const text = await hasty.invoke({ code });
        const { used } = JSON.parse(text).calls;
        expect(used).toBeLessThanOrEqual(maxCalls);
        expect(beats - before).toBeGreaterThan(used);
        expect(text.length).toBeLessThan(30_000);
        expect(server.requests.length).toBeLessThanOrEqual(maxCalls);
        expect((await run("return state.x ?? (await api.shop.get('/1')).status")).data).toBe(200);
      }),
      // The same programs in every run: one in thousands may sleep or compute as long as it may.
      { numRuns: runsOf(100), seed: 20_261_122 },
    );
    // What else the tests of a process hold is not of these programs: only the long run measures it.
    if (isLongRun) expect(mostBytes - idleBytes).toBeLessThan(300_000_000);
    // A hundred programs, each with three seconds.
  }, 600_000);

  it.each([
    [
      "Promise",
      "globalThis.Promise = class { constructor(f) { for (let i = 0; i < 1e5; i++) f(() => {}, () => {}) } }",
    ],
    [
      "Map",
      "Map.prototype.set = () => {}; Map.prototype.get = () => ({ resolve() {}, reject() {}, place: {} })",
    ],
    ["Array.prototype.includes", "Array.prototype.includes = () => true"],
  ])("asks and sends no more where it has replaced %s", async (_name, replace) => {
    const { calls } = await run(
      `${replace}; for (let i = 0; i < 500; i++) try { api.shop.get("/" + i) } catch {}; await 0`,
    );
    expect(calls.used).toBeLessThanOrEqual(maxCalls);
    expect(server.requests.length).toBeLessThanOrEqual(maxCalls);
  });

  it.each([
    [
      "an object with 400,000 members",
      "Object.fromEntries(Array.from({ length: 4e5 }, (_, i) => [i, 1]))",
    ],
    [
      "such an object in a list",
      "[{ a: Object.fromEntries(Array.from({ length: 2e4 + 1 }, (_, i) => ['k' + i, '\":\"'])) }]",
    ],
    ["a text of 6 MB", "'x'.repeat(6e6)"],
  ])("can't return %s", async (_what, value) => {
    const { error, data } = await (await open({ cpuMs: 30_000 })).run(`return ${value}`);
    expect([error.category, error.code, data]).toEqual(["code_error", "RangeError", undefined]);
  });

  it("returns lists of many rows, and texts with signs of JSON in them", async () => {
    const many = await open({ cpuMs: 30_000 });
    const { data, error } = await many.run(
      `return Array.from({ length: 1e5 }, (_, i) => ({ id: i, a: 1 }))`,
    );
    expect([error, data[0].id]).toEqual([undefined, 0]);
    expect((await many.run(`return '{":\\\\"'.repeat(100)`)).data).toBe('{":\\"'.repeat(100));
  });
});

describe("runs of code at the same time", () => {
  it("go on two by two with the default memory, and all come to their end", async () => {
    const slow = await startCountingServer(2, (response) => sendJson(response, 1));
    const tools = await Promise.all([1, 2].map(() => openCode({ baseUrl: slow.url })));
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap(() =>
        tools.map((each) => each.run(`return (await api.shop.get("/slow")).data`)),
      ),
    );
    expect(answers.map(({ data }) => data)).toEqual(Array(8).fill(1));
    expect(slow.mostOpen()).toBe(2);
  });

  it("wait no longer than a run may take, and then send nothing", async () => {
    const short = await open({ timeoutMs: 300, memoryBytes: 300_000_000 });
    const long = await open({ cpuMs: 30_000, memoryBytes: 300_000_000 });
    const busy = long.run("const end = Date.now() + 1500; while (Date.now() < end);");
    const { error, calls } = await short.run("return (await api.shop.get('/late')).ok");
    expect([error.code, error.retryable, calls.sent]).toEqual(["busy", true, 0]);
    expect(server.requests).toEqual([]);
    await busy;
    expect((await run("return 1")).data).toBe(1);
  });

  it("leave the queue when they are cancelled", async () => {
    const long = await open({ cpuMs: 30_000, memoryBytes: 300_000_000 });
    const busy = long.run("const end = Date.now() + 500; while (Date.now() < end);");
    const controller = new AbortController();
    const waiting = long.run("return 1", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow();
    await busy;
    expect((await long.run("return 2")).data).toBe(2);
  });
});
