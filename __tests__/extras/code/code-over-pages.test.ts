import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ApiSourceToolkit } from "langchain-api-sources";
import { type ApiCodeTool, createApiCodeTool } from "langchain-api-sources/code";
import { type HttpServer, startHttpServer } from "../../support/http-server.js";
import { type PagedApi, pagedApis } from "../../support/paged-api.js";

/** What the code has to add up: it reads by threes, as far as pages are followed, and goes on by `next`. */
const addUp = (first: object): string => `
let next = ${JSON.stringify(first)}; let sum = 0; let count = 0;
while (next) {
  const { method, path, body } = next;
  const answer = await api.items[method.toLowerCase()](path, { ...(body ? { body } : {}), pages: 3 });
  if (!answer.ok) throw new Error(answer.error.message);
  for (const [, id] of JSON.stringify(answer.data).matchAll(/"id":(\\d+)/g)) { sum += Number(id); count += 1; }
  next = answer.next;
}
return { sum, count };`;

let server: HttpServer;
let tool: ApiCodeTool;
let api: PagedApi;
let rows: readonly number[] = [];
let size = 0;
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const query = new URL(request.url, "http://x").searchParams;
    const body = request.body === "" ? undefined : JSON.parse(request.body);
    const page = api.answer(rows, size, { query, body });
    const here = (text: string): string => text.replaceAll("https://api.example.com", server.url);
    const headers = Object.entries(page.headers).map(([name, value]) => [name, here(value)]);
    response.writeHead(200, { "content-type": "application/json", ...Object.fromEntries(headers) });
    response.end(here(JSON.stringify(page.body)));
  });
  const toolkit = await ApiSourceToolkit.fromSources([{ name: "Items", api: { baseUrl: server.url } }]);
  tool = createApiCodeTool(toolkit, { writes: "allow" });
});
afterAll(() => server.close());

describe("code that adds up what an API holds", () => {
  it.each(pagedApis.map((each) => [each.name, each] as const))(
    "gets what the server holds: %s",
    async (_name, paged) => {
      api = paged;
      const sizes = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 10 }));
      await fc.assert(
        fc.asyncProperty(sizes, async ([count, given]) => {
          size = given;
          rows = Array.from({ length: count }, (_, index) => index + 100);
          const { query = "", body } = api.first(size);
          const path = query === "" ? "/items" : `/items?${query}`;
          const { data } = JSON.parse(await tool.invoke({ code: addUp({ method: api.method, path, body }) }));
          expect(data).toEqual({ sum: rows.reduce((total, row) => total + row, 0), count });
        }),
        { numRuns: 2 },
      );
    },
  );
});
