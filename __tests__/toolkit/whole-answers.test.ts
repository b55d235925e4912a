import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { type Respond, sendJson, startHttpServer } from "../support/http-server.js";

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

/** The text of the answer to a GET of all rows. */
async function readRows(respond: Respond): Promise<string> {
  const server = await startHttpServer(respond);
  const toolkit = await ApiSourceToolkit.fromSources([
    { name: "Shop", api: { baseUrl: server.url } },
  ]);
  const [tool, ...others] = toolkit.getTools({ answers: "whole" });
  expect([tool?.name, others]).toEqual(["shop", []]);
  return String(await tool?.invoke({ method: "GET", path: "/rows" } as never));
}

describe('getTools({ answers: "whole" })', () => {
  it("answers with every row of every page, without a run, an id or a view", async () => {
    const { data, pages, shortened, next } = JSON.parse(await readRows(byPage));
    expect(data).toEqual(rows);
    expect(pages).toEqual({ read: lastPage, rows: rows.length, complete: true });
    expect([shortened, next]).toEqual([undefined, undefined]);
  });

  it("has each row in a line of its own, for tools that read files by lines", async () => {
    const text = await readRows((_request, response) =>
      sendJson(response, { data: { items: rows, total: 2_300 } }),
    );
    const lines = text.split("\n");
    expect(lines).toHaveLength(rows.length + 2);
    for (const index of [0, 1_000, rows.length - 1])
      expect(JSON.parse((lines[index + 1] ?? "").replace(/,$/, ""))).toEqual(rows[index]);
    expect(JSON.parse(text).data.data).toEqual({ items: rows, total: 2_300 });
  });
});
