import { describe, expect, it } from "@jest/globals";
import { joinPages } from "../../../src/core/call/join-pages.js";
import { type Respond, sendJson } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";

const folder = openTestFolder();

const rows = Array.from({ length: 23 }, (_, index) => ({
  id: index + 1,
  total: (index % 5) + 0.5,
}));

let shop: ShopTool;

/** Five rows a page, with a link to the next. */
const linked: Respond = (request, response) => {
  const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
  const link =
    page * 5 < rows.length ? { Link: `</rows?page=${page + 1}>; rel="next"` } : undefined;
  const total = String(rows.length);
  sendJson(response, rows.slice((page - 1) * 5, page * 5), 200, {
    "X-Total-Count": total,
    ...link,
  });
};
/** Five rows a page in a wrapper, with a cursor that goes into the body. */
const searched: Respond = (request, response) => {
  const { cursor = 0 }: { cursor?: number } = JSON.parse(request.body);
  const next = Number(cursor) + 5;
  const results = rows.slice(Number(cursor), next);
  sendJson(response, { results, next_cursor: next < rows.length ? String(next) : null });
};

async function read(
  respond: Respond,
  input: object,
  limits: Record<string, unknown> = {},
  settings = {},
): Promise<AnswerDocument> {
  shop = await startShopTool(respond, { limits: { retries: 0, ...limits }, ...settings });
  return shop.ask({ method: "GET", path: "/rows", pages: 20, ...input });
}

describe("pages", () => {
  it.each([
    ["a list by a link", linked, { select: "{ids: [].id, sum: sum([].total)}" }],
    [
      "a search by POST",
      searched,
      {
        method: "POST",
        path: "/rows/search",
        body: { query: "x" },
        select: "{ids: results[].id, sum: sum(results[].total)}",
      },
    ],
  ])("reads %s whole in one call", async (_what, respond, input) => {
    const answer = await read(respond, input);
    expect(answer).toMatchObject({
      status: 200,
      data: { ids: rows.map(({ id }) => id), sum: rows.reduce((sum, { total }) => sum + total, 0) },
      pages: { read: 5, rows: 23, complete: true },
    });
    expect(answer).not.toHaveProperty("next");
  });

  it.each([
    ["an object", { "X-Kind": "odd", "x-page": "1" }],
    ["JSON text", '{"X-Kind":"odd"}'],
    ["a list of names and values", [{ name: "X-Kind", value: "odd" }]],
  ])(
    "keeps the headers of the call beside the cursor in a header, given as %s",
    async (_what, headers) => {
      const byHeader: Respond = ({ headers: sent }, response) => {
        const page = Number(sent["x-page"] ?? 1);
        const items = [{ id: page, kind: sent["x-kind"] }];
        sendJson(response, { items, next: page < 3 ? page + 1 : null });
      };
      const paging = { next: "next", rows: "items", send: "header:X-Page" };
      const answer = await read(byHeader, { headers, select: "items[].kind" }, {}, { paging });
      expect(answer).toMatchObject({ data: ["odd", "odd", "odd"], pages: { complete: true } });
    },
  );

  it.each([
    ["a member that the answer gives", { next: { _method: "DELETE" } }, {}],
    ["a link that the answer gives", { next: "/rows/search?_method=DELETE" }, {}],
    ["the body of the call", { next_cursor: "5" }, { _method: "DELETE" }],
  ])(
    "sends no next page of a search whose method is overridden by %s",
    async (_what, next, more) => {
      const respond: Respond = (_request, response) =>
        sendJson(response, { results: rows.slice(0, 5), ...next });
      const answer = await read(respond, {
        ...{ method: "POST", path: "/rows/search", body: { query: "x", ...more } },
      });
      expect(answer.pages).toMatchObject({ read: 1, complete: false });
      expect(shop.server.requests).toHaveLength(1);
    },
  );

  it.each([{ action: "delete" }, { query: "x", command: "purge" }, "q=x&action=delete"])(
    "sends no next page of a search whose body chooses an operation, and says what would: %j",
    async (body) => {
      const respond: Respond = (_request, response) =>
        sendJson(response, { results: rows.slice(0, 5), next_cursor: "5" });
      const isForm = typeof body === "string";
      const headers = isForm ? { "Content-Type": "application/x-www-form-urlencoded" } : {};
      const answer = await read(respond, { method: "POST", path: "/rows/search", body, headers });
      expect(shop.server.requests).toHaveLength(1);
      expect(answer.pages.why).toContain('`"reads": ["POST /rows/search"]`');
    },
  );

  it.each<[string, Respond]>([
    [
      "a header",
      ({ url, body }, response) => {
        const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
        const link = page < 3 ? `</found?page=${page + 1}>; rel="next"` : "";
        sendJson(response, [{ id: page, of: body }], 200, { Link: link });
      },
    ],
    [
      "its body, at another path",
      ({ url, body }, response) => {
        const page = Number(url.split("/")[2] ?? 1);
        const next = page < 3 ? `/found/${page + 1}` : null;
        sendJson(response, { rows: [{ id: page, of: body }], next });
      },
    ],
  ])("sends the body of a GET to each page that a link in %s leads to", async (_where, respond) => {
    const content = { "application/json": { schema: { type: "object" } } };
    const get = { requestBody: { content }, responses: { 200: { description: "OK" } } };
    const openapi = await folder.write("found.json", {
      openapi: "3.1.0",
      info: { title: "Found", version: "1" },
      paths: { "/found": { get }, "/found/{page}": { get } },
    });
    const body = { state: "open" };
    const input = { path: "/found", body, select: "(rows || @)[].of" };
    const answer = await read(respond, input, {}, { openapi });
    expect(answer).toMatchObject({ pages: { read: 3, complete: true } });
    expect(answer.data).toEqual(Array(3).fill(JSON.stringify(body)));
  });

  it("reads the page of a body given as text as a number, however it is written", async () => {
    const numbered: Respond = (request, response) => {
      const { page: sent } = JSON.parse(request.body);
      sendJson(response, { total: rows.length, results: rows.slice((sent - 1) * 5, sent * 5) });
    };
    const body = '{"page":1e0,"per_page":5.0}';
    const answer = await read(numbered, { method: "POST", path: "/rows/search", body });
    expect(answer.pages).toMatchObject({ read: 5, rows: 23, complete: true });
  });

  it("sends the numbers of a body given as text as they are, with each page", async () => {
    const body = '{"account":12345678901234567890,"price":19.95}';
    const withCursor = (cursor: number): string => `${body.slice(0, -1)},"cursor":"${cursor}"}`;
    const search = { method: "POST", path: "/rows/search", body };
    expect((await read(searched, { ...search, pages: 2 })).next.body).toBe(withCursor(10));
    expect((await shop.ask({ ...search, pages: 9 })).pages).toMatchObject({
      rows: 23,
      complete: true,
    });
    const sent = shop.server.requests.map((request) => request.body);
    expect(sent).toEqual([body, withCursor(5), body, ...[5, 10, 15, 20].map(withCursor)]);
  });

  it.each<[string, object, Record<string, string>]>([
    ["a cursor without rows", { nextPageToken: "abc" }, {}],
    ["a link in its header", { name: "lamp" }, { Link: '</rows?page=2>; rel="next"' }],
    ["a continuation header", { name: "lamp" }, { "x-ms-continuation": "abc" }],
  ])("notices the way on from a record of plain values with %s", async (_what, record, headers) => {
    const answer = await read((_request, response) => sendJson(response, record, 200, headers), {
      pages: null,
    });
    expect(answer.next ?? answer.notes).toBeDefined();
  });

  const failing: Respond = (request, response) =>
    request.url.includes("page=3")
      ? sendJson(response, { message: "Down for repairs" }, 500)
      : linked(request, response);

  it.each<[string, Respond, number, object]>([
    ["2 pages were requested", linked, 2, {}],
    ["limits.maxPages of the source is 2", linked, 9, { maxPages: 2 }],
    [
      "the pages read so far reach limits.maxBytes of the source (200 bytes)",
      linked,
      9,
      { maxBytes: 200 },
    ],
    ["the next page failed: 500: Down for repairs", failing, 9, {}],
  ])("ends early and gives the way on: %s", async (why, respond, pages, limits) => {
    const answer = await read(respond, { pages }, { ...limits });
    expect(answer.error).toBeUndefined();
    expect(answer.pages).toEqual({ read: 2, rows: 10, complete: false, why });
    expect(answer.next).toEqual({ method: "GET", path: "/rows?page=3", pages });
    expect(answer.data).toHaveLength(10);
    expect(answer.total).toBe(23);
  });

  it.each([400, 404, 416, 422])("gives no way on to a page that is answered %d", async (status) => {
    const respond: Respond = (request, response) =>
      request.url.includes("page=3")
        ? sendJson(response, { message: "No such page" }, status)
        : linked(request, response);
    const { next, pages } = await read(respond, { pages: 9 });
    expect([next, pages.complete]).toEqual([undefined, false]);
    expect(pages.why).toBe(`the next page failed: ${status}: No such page`);
  });

  it("waits as a page that is answered 429 tells in its body", async () => {
    let refused = 0;
    const respond: Respond = (request, response) => {
      const isRefused = request.url.includes("page=3") && refused === 0;
      if (!isRefused) return linked(request, response);
      refused += 1;
      return sendJson(response, { message: "slow down", retry_after: 0.01 }, 429);
    };
    const answer = await read(respond, {}, { retries: 1 });
    expect(answer.pages).toEqual({ read: 5, rows: 23, complete: true });
    expect(shop.server.requests).toHaveLength(6);
  });

  it("ends early at limits.pagesTimeoutMs with what was read", async () => {
    const stuck: Respond = (request, response) => {
      if (!request.url.includes("page=3")) linked(request, response);
    };
    const answer = await read(stuck, {}, { pagesTimeoutMs: 1_500, timeoutMs: 1_500 });
    expect(answer).toMatchObject({
      status: 200,
      pages: { read: 2, complete: false },
      next: expect.anything(),
    });
    expect(answer.data).toHaveLength(answer.pages.rows);
  });

  it("joins pages of NDJSON, also of one line", async () => {
    const answer = await read((request, response) => {
      const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
      const link = page * 2 < 5 ? { Link: `</rows?page=${page + 1}>; rel="next"` } : {};
      response.writeHead(200, { "Content-Type": "application/x-ndjson", ...link });
      const lines = rows.slice(0, 5).slice((page - 1) * 2, page * 2);
      response.end(lines.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }, {});
    expect(answer.data).toEqual(rows.slice(0, 5));
    expect(answer.pages).toEqual({ read: 3, rows: 5, complete: true });
  });

  it("ends on a page that leads back to one that was read", async () => {
    const answer = await read((request, response) => {
      const page = request.url.includes("page=2") ? 1 : 2;
      sendJson(response, [{ id: page }], 200, { Link: `</rows?page=${page}>; rel="next"` });
    }, {});
    expect(shop.server.requests.length).toBeLessThan(5);
    expect(answer.pages).toMatchObject({
      complete: false,
      why: expect.stringContaining("was read already"),
    });
    expect(answer).not.toHaveProperty("next");
  });

  it.each<[string, string, readonly string[], object]>([
    [
      "CSV whose second page has no line of names",
      "text/csv",
      ["id,name\n1,ann\n2,bob\n", "3,cyd\n4,dan\n"],
      {
        read: 1,
        rows: 2,
        complete: false,
        why: "the next page has no column of the first page; its first line is: 3,cyd",
      },
    ],
    [
      "CSV whose second page is one row and no line of names",
      "text/csv",
      ["id,name\n1,ann\n2,bob\n", "3,cyd\n"],
      {
        read: 1,
        rows: 2,
        complete: false,
        why: "the next page has no column of the first page; its first line is: 3,cyd",
      },
    ],
    [
      "CSV whose second page has a line of names and no row",
      "text/csv",
      ["id,name\n1,ann\n", "id,name\n"],
      { read: 2, rows: 1, complete: true },
    ],
    [
      "NDJSON with a line that is broken",
      "application/x-ndjson",
      ['{"id":1}\n{"id":\n{"id":3}\n', '{"id":4}\n{"id":5}\n'],
      { read: 2, rows: 4, complete: null, why: "lines of a page can't be read" },
    ],
    [
      "a search whose cursor is empty, and whose total is larger",
      "application/json",
      ['{"items":[{"id":1},{"id":2}],"totalCount":50,"nextPageToken":""}'],
      { read: 1, rows: 2, complete: false, why: "the API reports 50 rows, and 2 were read" },
    ],
    [
      "a list whose next page is null, and whose total is larger",
      "application/json",
      ['{"items":[{"id":1}],"links":{"next":null},"meta":{"total":10}}'],
      { read: 1, rows: 1, complete: false, why: "the API reports 10 rows, and 1 were read" },
    ],
    [
      "a list whose link to the next page changes how it is sorted",
      "application/json",
      ['{"items":[{"id":1}],"next":"/rows?sort=id&page=2"}', '{"items":[{"id":2}],"next":null}'],
      { read: 2, rows: 2, complete: true },
    ],
    [
      "a list whose link to the next page leaves out how it is sorted",
      "application/json",
      ['{"items":[{"id":1}],"next":"/rows?page=2"}', '{"items":[{"id":2}],"next":null}'],
      {
        read: 2,
        rows: 2,
        complete: null,
        why: "the API's link to the next page leaves out `sort` of the request: its rows may be of another list",
      },
    ],
    [
      "a list whose last page is another one, and that links to no next one",
      "application/json",
      ['{"items":[{"id":1}],"links":{"last":"/rows?page=9","next":null}}'],
      {
        read: 1,
        rows: 1,
        complete: null,
        why: "the API's link to the last page has `page=9`",
      },
    ],
    [
      "a list that links to its first and its last page alone",
      "application/json",
      [1, 2, 3].map(
        (id) => `{"items":[{"id":${id}}],"links":{"first":"?page=1","last":"?page=3"}}`,
      ),
      { read: 3, rows: 3, complete: true },
    ],
    [
      "a list whose total grows with each page",
      "application/json",
      [1, 2, 3].map(
        (page) =>
          `{"items":[{"id":"${page}a"},{"id":"${page}b"}],"total":${2 * page},"page":${page},"limit":2}`,
      ),
      { read: 4, rows: 6, complete: true },
    ],
    [
      "a first page whose cursor is 0",
      "application/json",
      ['{"items":[{"id":1}],"next_cursor":0}'],
      {
        read: 1,
        rows: 1,
        complete: null,
        why: "nothing in the answer shows whether there are more rows",
      },
    ],
    [
      "a list with a cursor on its last page, and a flag",
      "application/json",
      ['{"result":[{"id":1}],"nextPageToken":"b","moreResult":false}'],
      { read: 1, rows: 1, complete: true },
    ],
    [
      "CSV of one column with an empty line",
      "text/csv",
      ["id\n1\n\n3\n", "id\n4\n"],
      { read: 2, rows: 3, complete: null, why: "an empty line of a page may be a row" },
    ],
    [
      "CSV of two columns with an empty line behind its comment",
      "text/csv",
      ["# made by Ann\n\nid,name\n1,a\n", "id,name\n4,b\n"],
      { read: 2, rows: 2, complete: true },
    ],
    [
      "an event stream whose last event does not end",
      "text/event-stream",
      ['data: {"id":1}\n\n', 'data: {"id":2}\n'],
      { read: 2, rows: 2, complete: null, why: "the last event of a page does not end" },
    ],
  ])("judges %s by what it shows", async (_what, type, bodies, pages) => {
    const answer = await read(
      ({ url }, response) => {
        const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
        const isLinked = type !== "application/json" && page < bodies.length;
        const link = isLinked ? { Link: `<?sort=created&page=${page + 1}>; rel="next"` } : {};
        response.writeHead(200, { "Content-Type": type, ...link });
        response.end(bodies[page - 1] ?? '{"items":[]}');
      },
      { query: { sort: "created" } },
    );
    expect(answer.pages).toEqual(pages);
  });

  it.each([
    ["about another resource", '</rows?page=2>; rel="next"; anchor="/other"', 1],
    ["about the list itself", '</rows?page=2>; rel="next"; anchor="/rows"', 2],
  ])("follows a link %s only where it leads on in the list", async (_what, link, read_) => {
    const answer = await read(({ url }, response) => {
      const isFirst = url === "/rows";
      sendJson(response, [{ id: isFirst ? 1 : 2 }], 200, isFirst ? { Link: link } : {});
    }, {});
    expect(answer.pages).toMatchObject({ read: read_, complete: read_ === 1 ? null : true });
  });

  it.each([
    ["sends a link without the credential that it has", "/rows?access_token=KEY&page=2", undefined],
    ["sends no link whose cursor is a secret", "/rows?cursor=KEY", "cursor"],
    ["sends no link whose path has a secret", "/rows/KEY?page=2", "path"],
    ["sends no link with a part of a value that is a secret", "/rows?token=aKEY&page=2", "token"],
  ])("%s", async (_what, link, hidden) => {
    const key = "sk-live-abcdefgh1234";
    shop = await startShopTool(
      ({ url }, response) => {
        const next = url === "/rows" ? link.replace("KEY", key) : null;
        sendJson(response, { items: [{ id: url }], next });
      },
      { authType: "bearer" },
      { credentials: { shop: { token: key } } },
    );
    const { pages } = await shop.ask({ method: "GET", path: "/rows", pages: 5 });
    const sent = shop.server.requests.map(({ url }) => url);
    const refused = {
      read: 1,
      rows: 1,
      complete: false,
      why: `the API's link to the next page has a secret in \`${hidden}\`: it can't be sent`,
    };
    const isSent = hidden === undefined;
    expect(sent).toEqual(isSent ? ["/rows", "/rows?page=2"] : ["/rows"]);
    expect(pages).toEqual(isSent ? { read: 2, rows: 2, complete: true } : refused);
  });

  it("says that a link has a secret also where a number is tried in its place", async () => {
    const key = "sk-live-abcdefgh1234";
    shop = await startShopTool(
      (_request, response) =>
        sendJson(response, { items: [{ id: 1 }], total: 2, next: `/rows?cursor=${key}` }),
      { authType: "bearer" },
      { credentials: { shop: { token: key } } },
    );
    const { notes } = await shop.ask({ method: "GET", path: "/rows?limit=1" });
    expect(notes).toEqual([
      "There are more rows; the API's link to the next page has a secret in `cursor`: it can't be sent: `pages` looks for that page at the base URL.",
    ]);
  });

  it("takes an offset beside the number of a page for its size", async () => {
    const answer = await read(
      ({ url }, response) => {
        const isFirst = url.includes("page=1");
        sendJson(response, {
          data: [{ id: url }],
          ...(isFirst ? { next: "?page=2&offset=1" } : {}),
        });
      },
      { query: { page: 1, offset: 1 } },
    );
    expect(answer.pages).toEqual({ read: 2, rows: 2, complete: true });
  });

  it("calls no list whole that names two next pages", async () => {
    const answer = await read(({ url }, response) => {
      const links = { Link: '</rows?page=2>; rel="next", </rows?page=3>; rel="next"' };
      sendJson(response, [{ id: url }], 200, url === "/rows" ? links : {});
    }, {});
    expect(answer.pages).toEqual({
      read: 2,
      rows: 2,
      complete: null,
      why: "the API links to 2 next pages, and the first was read",
    });
  });

  it("counts a row that came twice because the list moved, and shows it once", async () => {
    const answer = await read((request, response) => {
      const second = request.url.includes("page=2");
      const list = second ? [{ id: 2 }, { id: 3 }] : [{ id: 1 }, { id: 2 }];
      sendJson(
        response,
        list,
        200,
        second ? {} : { Link: '</rows?page=2>; rel="next"', "X-Total": "4" },
      );
    }, {});
    expect(answer.data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(answer.pages).toMatchObject({ read: 2, rows: 3, complete: false, repeated: 1 });
  });

  it("judges the path of each page by the policy", async () => {
    const answer = await read(
      (request, response) => {
        const link = request.url === "/rows" ? { Link: '</admin/rows>; rel="next"' } : undefined;
        sendJson(response, [{ id: 1 }], 200, link);
      },
      {},
      {},
      { paths: { deny: ["/admin/**"] } },
    );
    expect(shop.server.requests.map(({ url }) => url)).toEqual(["/rows"]);
    expect(answer.pages).toMatchObject({ read: 1, complete: false });
  });

  it.each([
    [{ sku: "x", cursor: "1" }, "/orders/search", 3],
    [{ sku: "x", limit: 5 }, "/orders", 1],
    [{ query: "SELECT 1", limit: 5 }, "/query", 1],
    [{ sku: "x" }, "/orders", 1],
  ])(
    "sends %j to %s again for another page only where it is a search: %i times",
    async (body, path, times) => {
      const answer = await read(
        (_request, response) => {
          const { length } = shop.server.requests;
          sendJson(response, { items: [{ id: length }], next_cursor: `c${length}` });
        },
        { method: "POST", path, body, pages: 3 },
      );
      expect(shop.server.requests).toHaveLength(times);
      expect(answer.pages).toMatchObject({ read: times, complete: false });
      if (times === 1) expect(answer.pages.why).toContain("may change something");
    },
  );
});

describe("`next` of a request that may change something", () => {
  const page = { items: [{ id: 1 }, { id: 2 }], next_cursor: "c2" };

  it.each([
    ["c1", "c2"],
    [1, 2],
  ])(
    "is not offered for a POST with the cursor %j, and a note names the parameter and its value",
    async (cursor, next_cursor) => {
      const body = { text: "Hello", cursor };
      const input = { method: "POST", path: "/orders/7/comments", body, pages: null };
      const answer = await read(
        (_request, response) => sendJson(response, { ...page, next_cursor }),
        input,
      );
      expect(answer).not.toHaveProperty("next");
      const way = `by \`cursor\` = ${JSON.stringify(next_cursor)} in the body`;
      const setting = '`"reads": ["POST /orders/';
      expect(answer.notes).toHaveLength(1);
      expect(answer.notes[0]).toContain(way);
      expect(answer.notes[0]).toContain(setting);
    },
  );

  it.each<[string, string, object, Record<string, string>, string]>([
    ["PUT", "/rows?page=1", { page: 1, total_pages: 3, items: rows.slice(0, 5) }, {}, "`?page=2`"],
    ["PATCH", "/rows", { items: rows.slice(0, 5), next: "/rows?page=2" }, {}, "`/rows?page=2`"],
    [
      "POST",
      "/rows",
      { items: rows.slice(0, 5) },
      { Link: '</rows?page=2>; rel="next"' },
      "`/rows?page=2`",
    ],
  ])("has a note in its place: %s %s", async (method, path, body, headers, way) => {
    const input = { method, path, body: { text: "Hello" }, pages: null };
    const settings = { methods: ["GET", "POST", "PUT", "PATCH"] };
    const answer = await read(
      (_request, response) => sendJson(response, body, 200, headers),
      input,
      {},
      settings,
    );
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes).toEqual([expect.stringMatching(/There is a next page.*`"reads": \["P/)]);
    expect(answer.notes[0]).toContain(way);
  });

  it.each<[string, object]>([
    ["There are more rows", { items: rows.slice(0, 5), next_cursor: "c5" }],
    ["There are more rows", { data: rows.slice(0, 5), total: 23 }],
    ["There may be more rows", { items: rows.slice(0, 5), page: 1, size: 5 }],
  ])("has a note without a name where the API gives none: %s", async (said, body) => {
    const input = { method: "POST", path: "/rows", body: { text: "Hello" }, pages: null };
    const answer = await read((_request, response) => sendJson(response, body), input);
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes).toEqual([
      expect.stringMatching(
        /does not name the parameter of the next page\. This POST.*`"reads": \["POST \/rows"\]`/,
      ),
    ]);
    expect(answer.notes[0]).toContain(said);
  });

  it("is not offered for a search that overrides its method", async () => {
    const body = { query: "x", _method: "DELETE" };
    const input = { method: "POST", path: "/rows/search", body, pages: null };
    const answer = await read((_request, response) => sendJson(response, page), input);
    expect(answer).not.toHaveProperty("next");
  });

  it("is offered for what `reads` of the record names", async () => {
    const input = { method: "POST", path: "/lists", body: { cursor: "c1" }, pages: null };
    const settings = { reads: ["POST /lists"] };
    const answer = await read(
      (_request, response) => sendJson(response, page),
      input,
      {},
      settings,
    );
    expect(answer.next).toMatchObject({ method: "POST", path: "/lists", body: { cursor: "c2" } });
  });
});

describe("joinPages", () => {
  it("takes a list that is equal on all pages, such as a table's header, for one list", () => {
    const header = ["id", "name"];
    const rows = [
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ];
    const pages = [rows.slice(0, 2), rows.slice(2)].map((each) => ({ header, rows: each }));
    expect(joinPages(pages, ["rows"], rows)).toEqual({ header, rows });
  });

  it("takes the last page's word on paging, joins lists beside the rows, and keeps what only the first page has", () => {
    const [nine, ten] = [9, 10].map((id) => ({ type: "a", id }));
    const links = { next: "/2" };
    const own = { cursor: "abc", about: { title: "Orders" } };
    const first = { data: [{ id: 1 }], included: [nine ?? 9], meta: { page: 1 }, links, ...own };
    const last = {
      data: [{ id: 2 }],
      included: [nine ?? 9, ten ?? 10],
      meta: { page: 2 },
      links: {},
    };
    expect(joinPages([first, last], ["data"], [{ id: 1 }, { id: 2 }])).toEqual({
      data: [{ id: 1 }, { id: 2 }],
      included: [nine, ten],
      meta: { page: 2 },
      links: {},
      about: { title: "Orders" },
    });
  });
});
