import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createApiCodeTool } from "../../src/code/create-api-code-tool.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
});
afterAll(() => server.close());

/** Each would fill this process, not the sandbox, with what it makes. */
const floods: Readonly<Record<string, string>> = {
  "calls without a wait": "for (;;) api.shop.get('/x')",
  "calls with large bodies": "const body = { a: 'z'.repeat(1e6) }; for (;;) api.shop.post('/x', { body })",
  "reads of kept responses": "for (;;) kept('r_' + 'q'.repeat(1e5))",
  "lines of a log": "for (;;) console.log('x'.repeat(9000))",
  buffers: "const all = []; for (;;) all.push(new ArrayBuffer(1e7))",
  strings: "const all = []; for (;;) all.push('x'.repeat(1e5) + all.length)",
};

describe("code that floods", () => {
  it.each(Object.entries(floods))(
    "this process with %s ends by its limit, with little of this process's memory, and the next run works",
    async (_name, code) => {
      const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: server.url } }]);
      const tool = createApiCodeTool(toolkit, {
        cpuMs: 2_000,
        memoryBytes: 64_000_000,
        maxCalls: 20,
        writes: "allow",
      });
      const run = async (given: string) => JSON.parse(String(await tool.invoke({ code: given })));
      await run("return 1");
      const before = process.memoryUsage().rss;
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 5);
      const { error } = await run(code);
      clearInterval(watch);
      expect(["cpuMs", "memoryBytes"]).toContain(error.code);
      expect((peak - before) / 1e6).toBeLessThan(500);
      expect(server.requests.length).toBeLessThanOrEqual(20);
      server.requests.length = 0;
      expect((await run("return (await api.shop.get('/x')).data")).data).toEqual({ ok: true });
      server.requests.length = 0;
    },
    60_000,
  );
});
