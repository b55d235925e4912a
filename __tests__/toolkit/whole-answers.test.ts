import { afterEach, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { type HttpServer, type Respond, sendJson, startHttpServer } from "../support/http-server.js";

const rows = Array.from({ length: 2_300 }, (_, index) => ({
  id: index + 1,
  note: `row ${index + 1} `.repeat(20),
}));
const lastPage = Math.ceil(rows.length / 100);

const byPage: Respond = (request, response) => {
  const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
  const link: Record<string, string> =
    page < lastPage ? { Link: `</rows?page=${page + 1}>; rel="next"` } : {};
  sendJson(response, rows.slice((page - 1) * 100, page * 100), 200, link);
};

let server: HttpServer;
afterEach(() => server.close());

async function openTool(
  respond: Respond,
  api: Record<string, unknown> = {},
  options: ClientOptions = {},
): Promise<(input: unknown, config?: unknown) => Promise<ReturnType<typeof JSON.parse>>> {
  server = await startHttpServer(respond);
  const record = { name: "Shop", api: { baseUrl: server.url, ...api } };
  const toolkit = await ApiSourceToolkit.fromSources([record], options);
  const tools = toolkit.getTools({ answers: "whole" });
  expect(tools.map(({ name }) => name)).toEqual(["shop"]);
  return async (input, config) => JSON.parse(await tools[0]?.invoke(input as never, config as never));
}

describe('getTools({ answers: "whole" })', () => {
  it("answers with every row of every page, without a run, an id or a view", async () => {
    const ask = await openTool(byPage);
    const { data, pages, shortened, next } = await ask({ method: "GET", path: "/rows" });
    expect(data).toEqual(rows);
    expect(pages).toEqual({ read: lastPage, rows: rows.length, complete: true });
    expect([shortened, next]).toEqual([undefined, undefined]);
  });

  it("has each row in a line of its own, for tools that read files by lines", async () => {
    server = await startHttpServer((_request, response) =>
      sendJson(response, { data: { items: rows, total: 2_300 } }),
    );
    const record = { name: "Shop", api: { baseUrl: server.url } };
    const [tool] = (await ApiSourceToolkit.fromSources([record])).getTools({ answers: "whole" });
    const text = String(await tool?.invoke({ method: "GET", path: "/rows" } as never));
    const lines = text.split("\n");
    expect(lines).toHaveLength(rows.length + 2);
    for (const index of [0, 1_000, rows.length - 1])
      expect(JSON.parse((lines[index + 1] ?? "").replace(/,$/, ""))).toEqual(rows[index]);
    expect(JSON.parse(text).data.data).toEqual({ items: rows, total: 2_300 });
  });
});
