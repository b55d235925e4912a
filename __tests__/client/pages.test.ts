import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { joinPages } from "../../src/client/join-pages.js";
import type { JsonObject } from "../../src/json/exact-number.js";
import { isSearch } from "../../src/paging/paged-request.js";
import { type Respond, sendJson } from "../support/http-server.js";
import { type ShopTool, startShopTool } from "../support/shop-tool.js";

const rows = Array.from({ length: 23 }, (_, index) => ({ id: index + 1, total: (index % 5) + 0.5 }));

let shop: ShopTool;
afterEach(() => shop.close());

/** Five rows a page, by one of the usual styles. */
const styles: Record<string, Respond> = {
  "a Link header": (request, response) => {
    const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
    const slice = rows.slice((page - 1) * 5, page * 5);
    const link = page * 5 < rows.length ? { Link: `</rows?page=${page + 1}>; rel="next"` } : undefined;
    sendJson(response, slice, 200, { "X-Total-Count": String(rows.length), ...link });
  },
  "a cursor": (request, response) => {
    const start = Number(new URL(request.url, "http://x").searchParams.get("cursor") ?? 0);
    const next = start + 5;
    sendJson(response, {
      data: rows.slice(start, next),
      has_more: next < rows.length,
      next_cursor: next < rows.length ? String(next) : null,
    });
  },
  "offset and limit": (request, response) => {
    const query = new URL(request.url, "http://x").searchParams;
    const offset = Number(query.get("offset") ?? 0);
    sendJson(response, { items: rows.slice(offset, offset + 5), offset, limit: 5, total: rows.length });
  },
  "a search by POST": (request, response) => {
    const { cursor = 0 } = JSON.parse(request.body) as { cursor?: number };
    const next = Number(cursor) + 5;
    sendJson(response, {
      results: rows.slice(Number(cursor), next),
      next_cursor: next < rows.length ? String(next) : null,
    });
  },
};

const lists: Record<string, string> = {
  "a Link header": "[]",
  "a cursor": "data[]",
  "offset and limit": "items[]",
  "a search by POST": "results[]",
};

async function start(respond: Respond, limits: Record<string, unknown> = {}): Promise<void> {
  shop = await startShopTool(respond, { limits: { retries: 0, ...limits } });
}

describe("pages", () => {
  it.each(Object.entries(styles))("reads a list by %s whole in one call", async (style, respond) => {
    await start(respond);
    const isSearch = style.endsWith("POST");
    const answer = await shop.ask({
      method: isSearch ? "POST" : "GET",
      path: "/rows",
      ...(isSearch ? { body: { query: "x" } } : {}),
      pages: 20,
      select: `{ids: ${lists[style]}.id, sum: sum(${lists[style]}.total)}`,
    });
    expect(answer).toMatchObject({
      status: 200,
      data: { ids: rows.map(({ id }) => id), sum: rows.reduce((sum, { total }) => sum + total, 0) },
      pages: { read: 5, rows: 23, complete: true },
    });
    expect(answer["next"]).toBeUndefined();
  });

  it.each([
    [2, {}, "2 pages were asked for"],
    [9, { maxPages: 2 }, "limits.maxPages of the source is 2"],
  ])("ends where %i pages, or the limits %j, end, and gives the way on", async (pages, limits, why) => {
    await start(styles["a Link header"] ?? (() => {}), limits);
    const answer = await shop.ask({ method: "GET", path: "/rows", pages });
    expect(answer["pages"]).toEqual({ read: 2, rows: 10, complete: false, why });
    expect(answer["next"]).toEqual({ method: "GET", path: "/rows?page=3", pages });
    expect(answer["data"]).toHaveLength(10);
    expect(answer["total"]).toBe(23);
  });

  it("ends when the pages together reach limits.maxBytes", async () => {
    await start(styles["a cursor"] ?? (() => {}), { maxBytes: 300 });
    const answer = await shop.ask({ method: "GET", path: "/rows", pages: 100 });
    expect(answer["pages"].why).toContain("limits.maxBytes");
    expect(answer["pages"].rows).toBe(answer["data"].data.length);
  });

  it("keeps what was read when a page fails, and says which one to go on from", async () => {
    await start((request, response) => {
      if (request.url.includes("page=3")) sendJson(response, { message: "Down for repairs" }, 500);
      else (styles["a Link header"] ?? (() => {}))(request, response);
    });
    const answer = await shop.ask({ method: "GET", path: "/rows", pages: 9 });
    expect(answer["error"]).toBeUndefined();
    expect(answer["data"]).toHaveLength(10);
    expect(answer["pages"]).toMatchObject({ read: 2, rows: 10, complete: false });
    expect(answer["pages"].why).toContain("500: Down for repairs");
    expect(answer["next"]).toMatchObject({ path: "/rows?page=3" });
  });

  it("ends on a page that leads back to one that was read", async () => {
    await start((request, response) => {
      const page = request.url.includes("page=2") ? 1 : 2;
      sendJson(response, [{ id: page }], 200, { Link: `</rows?page=${page}>; rel="next"` });
    });
    const answer = await shop.ask({ method: "GET", path: "/rows", pages: 50 });
    expect(shop.server.requests.length).toBeLessThan(5);
    expect(answer["pages"]).toMatchObject({ complete: false, why: expect.stringContaining("read already") });
  });

  it("counts a row that came twice because the list moved, and shows it once", async () => {
    await start((request, response) => {
      const second = request.url.includes("page=2");
      const list = second ? [{ id: 2 }, { id: 3 }] : [{ id: 1 }, { id: 2 }];
      sendJson(response, list, 200, second ? {} : { Link: '</rows?page=2>; rel="next"', "X-Total": "4" });
    });
    const answer = await shop.ask({ method: "GET", path: "/rows", pages: 5 });
    expect(answer["data"]).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(answer["pages"]).toEqual({ read: 2, rows: 3, complete: true, repeated: 1 });
    expect(answer["notes"]).toEqual([expect.stringMatching(/4 in all.*3/)]);
  });

  it("tells the run's stream of each page", async () => {
    await start(styles["a Link header"] ?? (() => {}));
    const told: unknown[] = [];
    await shop.ask(
      { method: "GET", path: "/rows", pages: 3 },
      { writer: (chunk: unknown) => told.push(chunk) },
    );
    expect(told).toEqual([
      { source: "shop", page: 1, rows: 5, total: 23 },
      { source: "shop", page: 2, rows: 10, total: 23 },
      { source: "shop", page: 3, rows: 15, total: 23 },
    ]);
  });

  it("judges the path of each page by the policy", async () => {
    shop = await startShopTool(
      (request, response) => {
        const link = request.url === "/rows" ? { Link: '</admin/rows>; rel="next"' } : undefined;
        sendJson(response, [{ id: 1 }], 200, link);
      },
      { paths: { deny: ["/admin/**"] } },
    );
    const answer = await shop.ask({ method: "GET", path: "/rows", pages: 5 });
    expect(shop.server.requests.map(({ url }) => url)).toEqual(["/rows"]);
    expect(answer["pages"]).toMatchObject({ read: 1, complete: false });
  });

  it.each([
    [{ sku: "x", cursor: "1" }, "/orders/search", 3],
    [{ sku: "x", limit: 5 }, "/orders", 3],
    [{ sku: "x" }, "/orders", 1],
  ])(
    "sends %j to %s again for another page only where it is a search: %i times",
    async (body, path, times) => {
      await start((_request, response) =>
        sendJson(response, {
          items: [{ id: shop.server.requests.length }],
          next_cursor: `c${shop.server.requests.length}`,
        }),
      );
      const answer = await shop.ask({ method: "POST", path, body, pages: 3 });
      expect(shop.server.requests).toHaveLength(times);
      expect(answer["pages"]).toMatchObject({ read: times, complete: false });
      if (times === 1) expect(answer["pages"].why).toContain("may write");
    },
  );

  it("takes a query of GraphQL for a search, and a mutation never", () => {
    const request = { method: "POST", path: "/graphql", query: [] } as const;
    expect(isSearch({ ...request, body: { query: "{ orders { id } }" } })).toBe(true);
    expect(isSearch({ ...request, body: { query: "mutation { order { id } }", cursor: "1" } })).toBe(false);
  });

  it("ends early at limits.pagesTimeoutMs with what was read", async () => {
    await start(
      (request, response) => {
        setTimeout(() => (styles["a Link header"] ?? (() => {}))(request, response), 150);
      },
      { pagesTimeoutMs: 400, timeoutMs: 400 },
    );
    const answer = await shop.ask({ method: "GET", path: "/rows", pages: 20 });
    expect(answer["status"]).toBe(200);
    expect(answer["pages"].complete).toBe(false);
    expect(answer["data"].length).toBe(answer["pages"].rows);
    expect(answer["next"]).toBeDefined();
  });
});

describe("joinPages", () => {
  it("takes a time that grows with the pages and not with their square", () => {
    const pageOf = (page: number): JsonObject => ({
      data: [{ id: page }],
      included: Array.from({ length: 1_000 }, (_, index) => ({ id: page * 10_000 + index, name: "thing" })),
    });
    const pages = Array.from({ length: 60 }, (_, index) => pageOf(index));
    const start = process.cpuUsage();
    const { document } = joinPages(pages, ["data"]);
    const { user, system } = process.cpuUsage(start);
    expect(document).toMatchObject({ included: { length: 60_000 } });
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it("takes the last page's word on paging, joins lists beside the rows, and keeps what only the first page has", () => {
    const first = {
      data: [{ id: 1 }],
      included: [{ type: "a", id: 9 }],
      meta: { page: 1, pages: 2 },
      links: { next: "/2" },
      cursor: "abc",
      about: { title: "Orders" },
    };
    const last = {
      data: [{ id: 2 }],
      included: [
        { type: "a", id: 9 },
        { type: "a", id: 10 },
      ],
      meta: { page: 2, pages: 2 },
      links: {},
    };
    expect(joinPages([first, last], ["data"]).document).toEqual({
      data: [{ id: 1 }, { id: 2 }],
      included: [
        { type: "a", id: 9 },
        { type: "a", id: 10 },
      ],
      meta: { page: 2, pages: 2 },
      links: {},
      about: { title: "Orders" },
    });
  });

  it("holds every row of every page once and in order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer(), { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        (pages) => {
          const documents = pages.map((page) => ({ list: page.map((value) => ({ value })) }));
          const joined = joinPages(documents, ["list"]);
          expect(joined.document).toEqual({ list: pages.flat().map((value) => ({ value })) });
          expect(joined).toMatchObject({ rows: pages.flat().length, repeated: 0 });
        },
      ),
    );
  });
});
