import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type ApiCodeTool,
  type ApiCodeToolOptions,
  createApiCodeTool,
} from "../../src/code/create-api-code-tool.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

type Answer = ReturnType<typeof JSON.parse>;

let server: HttpServer;
let open = 0;
let mostOpen = 0;
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    if (request.url === "/never") return;
    if (request.url === "/large") return sendJson(response, { text: "x".repeat(3_000_000) });
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    setTimeout(() => {
      open -= 1;
      sendJson(response, { url: request.url });
    }, 5);
  });
});
afterAll(() => server.close());

async function openTool(options: ApiCodeToolOptions = {}): Promise<ApiCodeTool> {
  const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: server.url } }]);
  return createApiCodeTool(toolkit, { timeoutMs: 10_000, cpuMs: 600, memoryBytes: 32_000_000, ...options });
}

const run = async (tool: ApiCodeTool, code: string): Promise<Answer> =>
  JSON.parse(await tool.invoke({ code }));

/** What a limit ends, and by which it is ended. */
const runaways: Record<string, readonly [code: string, limits: readonly string[]]> = {
  "a loop without an end": ["while (true) {}", ["cpuMs"]],
  "an endless microtask loop": ["for (;;) await null", ["cpuMs"]],
  "a chain of promises without an end": [
    "const go = () => Promise.resolve().then(go); await go()",
    ["cpuMs", "memoryBytes"],
  ],
  "a regular expression that explodes": ["return /^(a+)+$/.test('a'.repeat(50) + 'b')", ["cpuMs"]],
  "a native function that takes long": [
    "const a = []; for (;;) a.push('x'.repeat(1e6))",
    ["cpuMs", "memoryBytes"],
  ],
  "a sort that never agrees": [
    "for (;;) Array.from({ length: 1e5 }, () => Math.random()).sort()",
    ["cpuMs", "memoryBytes"],
  ],
  "memory by many objects": ["const a = []; for (;;) a.push(new Uint8Array(1e5))", ["cpuMs", "memoryBytes"]],
  "memory by one buffer": ["return new Uint8Array(1e9).length", ["memoryBytes", "RangeError"]],
  "a loop that catches everything": ["for (;;) { try { (() => { for (;;); })() } catch {} }", ["cpuMs"]],
  "a loop outside of the function": ["}); while (true) {} (() => {", ["cpuMs"]],
  "a getter that is read for the answer": ["return { get a() { for (;;); } }", ["cpuMs"]],
  "a toJSON without an end": ["return { toJSON() { for (;;); } }", ["cpuMs"]],
  "a state that is written without an end": [
    "state.x = { toJSON() { for (;;); } }; return 1",
    ["cpuMs", "kept"],
  ],
  "a log that is read without an end": ["console.log({ toJSON() { for (;;); } })", ["cpuMs"]],
};

describe("a limit of run_api_code", () => {
  it.each(Object.entries(runaways))(
    "ends %s in an answer, and the next run works",
    async (_name, [code, limits]) => {
      const tool = await openTool();
      const startedMs = performance.now();
      let beats = 0;
      const heart = setInterval(() => {
        beats += 1;
      }, 20);
      const { error, notes = [] } = await run(tool, code);
      clearInterval(heart);
      const tookMs = performance.now() - startedMs;
      if (error === undefined) expect(notes.join()).toContain("kept");
      else {
        expect(error.category).toBe("code_error");
        expect(limits).toContain(error.code);
      }
      expect(tookMs).toBeLessThan(12_000);
      // The application's event loop has gone on.
      expect(beats).toBeGreaterThan(tookMs / 300);
      expect((await run(tool, "return (await api.shop.get('/1')).data.url")).data).toBe("/1");
    },
  );

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
    const tool = await openTool({ cpuMs: 2_000 });
    expect((await run(tool, code)).error).toMatchObject({ category: "code_error" });
    expect((await run(tool, "return 1")).data).toBe(1);
  });

  it("counts the time of calls too, says which limit it was, and that a call was under way", async () => {
    const tool = await openTool({ timeoutMs: 500 });
    const { error, notes, log } = await run(tool, "console.log('so far'); await api.shop.get('/never')");
    expect(error).toMatchObject({ code: "timeoutMs", message: expect.stringContaining("1 second") });
    expect(notes).toEqual([expect.stringContaining("1 call had no answer")]);
    expect(log).toEqual(["so far"]);
    expect((await run(tool, "return 1")).data).toBe(1);
  });

  it("lets so many calls be made, and so many at a time", async () => {
    const tool = await openTool({ maxCalls: 20, concurrency: 3 });
    mostOpen = 0;
    const many = (count: number): string =>
      `return (await Promise.all(Array.from({ length: ${count} }, (_, i) => api.shop.get("/" + i)))).map(({ data }) => data.url)`;
    const { data, calls } = await run(tool, many(20));
    expect(data).toEqual(Array.from({ length: 20 }, (_, index) => `/${index}`));
    expect([calls.sent, mostOpen]).toEqual([20, 3]);
    const over = await run(tool, many(21));
    expect(over.error).toMatchObject({ code: "maxCalls", category: "code_error" });
    expect(over.calls.sent).toBe(20);
    const looked = await run(
      tool,
      `for (let i = 0; ; i++) try { await api.shop.get("/") } catch (error) { return i }`,
    );
    expect(looked.data).toBe(20);
  });

  it("bounds what goes in and what comes out: an answer of 3 MB is read, a result of 30 MB is an error", async () => {
    const tool = await openTool({ memoryBytes: 256_000_000, cpuMs: 10_000 });
    expect((await run(tool, "return (await api.shop.get('/large')).data.text.length")).data).toBe(3_000_000);
    const { error } = await run(tool, "return 'x'.repeat(30e6)");
    expect(error).toMatchObject({ category: "code_error", message: expect.stringContaining("MB") });
  });
});
