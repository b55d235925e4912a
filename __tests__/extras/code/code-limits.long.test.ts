import { describe, expect, it } from "@jest/globals";
import type { ApiCodeToolOptions } from "langchain-api-sources/code";
import { startCountingServer } from "../../support/counting-server.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openCode, type Run } from "./open-code.js";

const server = await startHttpServer((request, response) => {
  if (request.url === "/never") return;
  if (request.url === "/large") return sendJson(response, { text: "x".repeat(3_000_000) });
  sendJson(response, { url: request.url });
});

const limits = { timeoutMs: 60_000, cpuMs: 750, memoryBytes: 32_000_000, maxCalls: 20 };
const open = async (options: ApiCodeToolOptions, { url } = server): Promise<Run> =>
  (await openCode({ baseUrl: url }, { ...limits, ...options })).run;
const run = await open({ writes: "allow" });
/** For what no computing time is to end: on a busy machine a line of code takes a second. */
const runPatiently = await open({ writes: "allow", cpuMs: 30_000 });

const cpu = ["cpuMs"];
const either = ["cpuMs", "memoryBytes"];
/** What a limit ends, and by which it is ended. Some would fill this process, not the sandbox, with what they make. */
const runaways: Record<string, readonly [code: string, limits: readonly string[]]> = {
  "a loop without an end": ["while (true) {}", cpu],
  "an endless microtask loop": ["for (;;) await null", cpu],
  "a chain of promises without an end": [
    "const go = () => Promise.resolve().then(go); await go()",
    either,
  ],
  "a regular expression that explodes": ["return /^(a+)+$/.test('a'.repeat(50) + 'b')", cpu],
  "a native function that takes long": ["const a = []; for (;;) a.push('x'.repeat(1e6))", either],
  "one native function without an end": [
    "return 'x'.repeat(2e7).split('').sort(() => 0).length",
    either,
  ],
  "memory by many objects": ["const a = []; for (;;) a.push(new Uint8Array(1e5))", either],
  "memory by one buffer": ["return new Uint8Array(1e9).length", ["memoryBytes", "RangeError"]],
  "a loop that catches everything": ["for (;;) { try { (() => { for (;;); })() } catch {} }", cpu],
  "a loop outside of the function": ["}); while (true) {} (() => {", cpu],
  "a toJSON without an end": ["return { toJSON() { for (;;); } }", cpu],
  "a state that is written without an end": ["state.x = { toJSON() { for (;;); } }; return 1", cpu],
  "a flood of calls": ["for (;;) api.shop.get('/x')", either],
  "a flood of calls with large bodies": [
    "const body = { a: 'z'.repeat(1e6) }; for (;;) api.shop.post('/x', { body })",
    either,
  ],
  "a flood of lines of a log": ["for (;;) console.log('x'.repeat(9000))", either],
};

describe("a limit of run_api_code", () => {
  it.each(Object.entries(runaways))(
    "ends %s in an answer, with little of this process's memory, and the next run works",
    async (_name, [code, ended]) => {
      await run("return 1");
      const before = process.memoryUsage().rss;
      let [beats, peak] = [0, before];
      const heart = setInterval(() => {
        beats += 1;
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 10);
      const { error } = await (ended.includes("cpuMs") ? run : runPatiently)(code);
      clearInterval(heart);
      expect(error.category).toBe("code_error");
      expect(ended).toContain(error.code);
      expect((peak - before) / 1e6).toBeLessThan(500);
      expect(server.requests.length).toBeLessThanOrEqual(20);
      // The application's event loop went on, where the run lasted as long as its computing time.
      if (ended === cpu) expect(beats).toBeGreaterThan(0);
      expect((await runPatiently("return (await api.shop.get('/1')).data.url")).data).toBe("/1");
    },
  );

  it("sends nothing of what the code asked for since it last had nothing to do", async () => {
    const { error, calls } = await run("api.shop.post('/x'); while (true) {}");
    expect([error.code, calls.sent, server.requests]).toEqual(["cpuMs", 0, []]);
  });

  it.each([
    ["functions", "const f = () => f() + 1; return f()"],
    ["JSON", "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))"],
    ["a regular expression", "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('a')"],
    ["a result", "let a = []; for (let i = 0; i < 20000; i++) a = [a]; return a"],
    [
      "an argument",
      "let a = []; for (let i = 0; i < 20000; i++) a = [a]; await api.shop.get('/', { query: a })",
    ],
    ["promises", "const f = async () => { await f() }; await f()"],
    ["proxies", "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x"],
    ["source text", `return ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
  ])("ends %s that are nested too deeply in an answer", async (_name, code) => {
    expect((await runPatiently(code)).error).toMatchObject({ category: "code_error" });
    expect((await runPatiently("return 1")).data).toBe(1);
  });
});

describe("a run of run_api_code", () => {
  it("counts the time of calls too, reports which limit it was, and that a call was under way", async () => {
    const run = await open({ timeoutMs: 3_000, cpuMs: 30_000 });
    // A thread takes its time to begin.
    await run("return 1");
    const { error, notes, log } = await run("console.log('so far'); await api.shop.get('/never')");
    expect(error).toMatchObject({
      code: "timeoutMs",
      message: expect.stringContaining("3 seconds"),
    });
    expect(notes).toEqual([expect.stringContaining("1 call had no answer")]);
    expect(log).toEqual(["so far"]);
    expect((await runPatiently("return 1")).data).toBe(1);
  });

  it("makes so many calls, and so many at a time", async () => {
    const shop = await startCountingServer(3, (response, { url }) => sendJson(response, { url }));
    const run = await open({ concurrency: 3, memoryBytes: 128_000_000, cpuMs: 30_000 }, shop);
    const many = (count: number): string =>
      `return (await Promise.all(Array.from({ length: ${count} }, (_, i) => api.shop.get("/" + (i || ""))))).map(({ data }) => data.url)`;
    const { data, calls } = await run(many(20));
    expect(data).toEqual(Array.from({ length: 20 }, (_, index) => `/${index || ""}`));
    expect([calls.sent, shop.mostOpen()]).toEqual([20, 3]);
    const over = await run(many(21));
    expect(over.error).toMatchObject({ code: "maxCalls", category: "code_error" });
    expect(over.calls.sent).toBe(20);
    const large = `return (await Promise.allSettled(Array.from({ length: 25 }, () => api.shop.get("/", { query: { a: "z".repeat(999e3) } }))))
      .filter(({ reason }) => reason?.message.includes("more than 20 MB")).length`;
    expect((await run(large)).data).toBe(5);
    const looked = `for (let i = 0; ; i++) try { await api.shop.get("/") } catch (error) { return i }`;
    expect((await run(looked)).data).toBe(20);
  });

  it("reads an answer of 3 MB", async () => {
    const run = await open({ memoryBytes: 256_000_000, cpuMs: 30_000 });
    expect((await run("return (await api.shop.get('/large')).data.text.length")).data).toBe(
      3_000_000,
    );
  });
});
