/** What takes seconds of copying: large answers on their way into the sandbox. */

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { type ApiCodeTool, type ApiCodeToolOptions, createApiCodeTool } from "langchain-api-sources/code";
import { type HttpServer, sendJson, startHttpServer } from "../../support/http-server.js";

let server: HttpServer;
let toolkit: ApiSourceToolkit;
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const url = new URL(request.url, "http://x");
    if (url.pathname === "/file") {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      response.end(Buffer.alloc(9_000_000));
    } else sendJson(response, { text: "x".repeat(Number(url.searchParams.get("bytes"))) });
  });
  toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: server.url } }]);
});
afterAll(() => server.close());

const openTool = (options: ApiCodeToolOptions): ApiCodeTool =>
  createApiCodeTool(toolkit, { timeoutMs: 110_000, ...options });

const run = async (code: string, tool: ApiCodeTool): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse(await tool.invoke({ code }));

describe("code that reads large answers", () => {
  it("receives 100 MB in a run, and no more", async () => {
    const { data } = await run(
      `let ok = 0; let why = "";
       for (let i = 0; i < 15; i++) try { ok += (await api.shop.get("/big", { query: { bytes: 9000000, i } })).ok } catch (error) { why = error.message }
       return [ok, why]`,
      openTool({ memoryBytes: 256_000_000, cpuMs: 30_000 }),
    );
    expect(data).toEqual([11, expect.stringContaining("received 100 MB")]);
  });

  it("has one large answer at a time on its way to it, and many small ones", async () => {
    /** The server answers when so many requests wait, else after a while: more at a time would be seen. */
    const countMost = async (bytes: number, expected: number): Promise<number> => {
      let mostOpen = 0;
      let waiting: (() => void)[] = [];
      let timer: NodeJS.Timeout | undefined;
      const flush = (): void => {
        for (const answer of waiting) answer();
        waiting = [];
      };
      const slow = await startHttpServer((_request, response) => {
        waiting.push(() => sendJson(response, { text: "x".repeat(bytes) }));
        mostOpen = Math.max(mostOpen, waiting.length);
        clearTimeout(timer);
        timer = setTimeout(flush, waiting.length === expected ? 50 : 700);
      });
      const own = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: slow.url } }]);
      const code = `await api.shop.get("/"); await Promise.all(Array.from({ length: 12 }, (_, i) => api.shop.get("/" + i)))`;
      await run(code, createApiCodeTool(own, { memoryBytes: 256_000_000 }));
      await slow.close();
      return mostOpen;
    };
    expect(await countMost(5_000_000, 1)).toBe(1);
    expect(await countMost(100, 8)).toBe(8);
  });

  it("keeps 100 MB of files in a run at most, counted as received", async () => {
    const { data } = await run(
      `let files = 0; let why = "";
       for (let at = 0; at < 14; at++) try { files += (await api.shop.get("/file?" + at)).file.bytes } catch (error) { why = error.message }
       return [files, why]`,
      openTool({}),
    );
    expect(data).toEqual([99_000_000, expect.stringContaining("received 100 MB")]);
  });
});
