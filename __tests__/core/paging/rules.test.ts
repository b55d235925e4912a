/** What a rule of the record can say, where a list ends, and what is only a sign of more rows. */

import { describe, expect, it } from "@jest/globals";
import { type Respond, sendJson } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;

async function read(respond: Respond, api: object, input: object = {}): Promise<AnswerDocument> {
  shop = await startShopTool(respond, { limits: { retries: 0 }, ...api });
  return shop.ask({ method: "GET", path: "/rows", pages: 9, ...input });
}

const always =
  (body: unknown, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    sendJson(response, body, 200, headers);
const lines = (): string[] => shop.server.requests.map(({ method, url }) => `${method} ${url}`);
const whole = { read: 2, rows: 2, complete: true };

describe("a rule of the record", () => {
  it("takes the cursor of a header", async () => {
    const respond: Respond = ({ url }, response) => {
      const isFirst = !url.includes("after");
      sendJson(response, [{ id: isFirst ? 1 : 2 }], 200, isFirst ? { "After-Cursor": "c2" } : {});
    };
    const paging = { next: "header:After-Cursor", send: "query:after" };
    expect((await read(respond, { paging })).pages).toEqual(whole);
    expect(lines()).toEqual(["GET /rows", "GET /rows?after=c2"]);
  });

  it("finds the rows at a place in a list", async () => {
    const respond: Respond = ({ url }, response) => {
      const isFirst = !url.includes("page=2");
      const rows = [{ id: isFirst ? 1 : 2 }];
      sendJson(response, [{ page: 1, pages: 2, total: 2 }, rows]);
    };
    const paging = { rows: '"1"', total: "[0].total", page: "query:page" };
    const answer = await read(respond, { paging });
    expect(answer.pages).toEqual(whole);
    expect(answer.data[1]).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("sends the cursor alone where it says so, in the query and in the body", async () => {
    const respond: Respond = ({ url, body }, response) => {
      const isFirst = !`${url}${body}`.includes("c2");
      sendJson(response, { items: [{ id: isFirst ? 1 : 2 }], token: isFirst ? "c2" : null });
    };
    const paging = { next: "token", send: "query:resumptionToken", alone: true };
    const input = { path: "/rows?verb=ListRecords&set=a" };
    expect((await read(respond, { paging }, input)).pages).toEqual(whole);
    expect(lines()[1]).toBe("GET /rows?resumptionToken=c2");
    const inBody = { paging: { ...paging, send: "body:cursor" }, reads: ["POST /sql"] };
    const search = { method: "POST", path: "/sql", body: { query: "SELECT 1" } };
    expect((await read(respond, inBody, search)).pages).toEqual(whole);
    expect(shop.server.requests[1]?.body).toBe('{"cursor":"c2"}');
  });

  it.each<[string, string, unknown, boolean]>([
    ["an index of a list", "param.0.page", { call: "List", param: [{ page: 1, size: 1 }] }, true],
    ["an index of the body", "0.page", [{ page: 1, size: 1 }], true],
    ["an index that the list lacks", "param.1.page", { param: [{ page: 1 }] }, false],
    ["a name in a list", "param.page", { param: [{ page: 1 }] }, false],
    ["a name in a text", "param.page", { param: "page=1" }, false],
    ["an index of no list", "param.0.page", { call: "List" }, false],
  ])(
    "sets the place of its page in a body only where it is: %s",
    async (_what, at, body, isSet) => {
      const numbered: Respond = (request, response) => {
        const page = Number(/"page":(\d)/.exec(request.body)?.[1] ?? 1);
        sendJson(response, { items: [{ id: page }], total: 3 });
      };
      const paging = { rows: "items", total: "total", page: `body:${at}` };
      const input = { method: "POST", path: "/rows", body };
      const { pages } = await read(numbered, { paging, reads: ["POST /rows"] }, input);
      const sent = shop.server.requests.map((request) => request.body);
      if (isSet) {
        expect(pages).toEqual({ read: 3, rows: 3, complete: true });
        expect(sent[2]).toBe(JSON.stringify(body).replace('"page":1', '"page":3'));
      } else {
        expect(pages).toMatchObject({ read: 1, complete: false });
        expect(pages.why).toContain(
          `\`body:${at}\`, and the body of this request has no such place`,
        );
      }
    },
  );

  it.each([
    ["the total is reached", "limit=2", { items: [{ id: 1 }, { id: 2 }], total: 2 }],
    ["a flag says so", "limit=2", { items: [{ id: 1 }, { id: 2 }], has_more: false }],
    ["a page is shorter than the size that was sent", "limit=3", { items: [{ id: 1 }] }],
  ])("with numbers ends where %s", async (_what, query, body) => {
    const paging = { rows: "items", total: "total", offset: "query:skip" };
    await read(always(body), { paging }, { path: `/rows?${query}` });
    expect(lines()).toHaveLength(1);
  });

  it.each([
    ["POST /*.list", "/users.list", true],
    ["POST /*.list", "/users.delete", false],
    ["POST /*.list", "/users/a.list", false],
    ["POST /*.list", "/users%2Fa.list", false],
    ["POST /**/*.list", "/v1/users.list", true],
    ["POST /conversations.*", "/conversations.list", true],
  ])("of `reads` %s for %s: %s", async (pattern, path, isRead) => {
    const respond = always({ items: [{ id: 1 }], next: "/rows?page=2" });
    const input = { method: "POST", path, body: {}, pages: null };
    const { next } = await read(respond, { reads: [pattern] }, input);
    expect(next !== undefined).toBe(isRead);
  });
});

describe("the end of a list", () => {
  it.each([
    ["to itself", { self: "/rows" }],
    ["to the page before", { prev: "/rows?page=1" }],
  ])("is a page that links %s, and to no next one", async (_what, links) => {
    expect((await read(always({ data: [{ id: 1 }], links }), {})).pages.complete).toBe(true);
  });

  it("is a cursor of 0 after a cursor, and no cursor of 0 beside a flag for more", async () => {
    const respond: Respond = ({ url }, response) => {
      const sent = new URL(url, "http://x").searchParams.get("cursor");
      const isLast = sent === "7";
      const next_cursor = sent === "0" ? 7 : 0;
      sendJson(response, { items: [{ id: `${sent}` }], next_cursor, has_more: !isLast });
    };
    const answer = await read(respond, {});
    expect(lines()).toEqual(["GET /rows", "GET /rows?cursor=0", "GET /rows?cursor=7"]);
    expect(answer.pages).toMatchObject({ read: 3, complete: true });
  });

  it("is an empty page behind as many rows as the total, also where it links to a next page", async () => {
    const respond: Respond = ({ url }, response) => {
      const offset = Number(/offset=(\d+)/.exec(url)?.[1] ?? 0);
      const records = [{ id: 1 }, { id: 2 }].slice(offset, offset + 1);
      const _links = { next: `/rows?limit=1&offset=${offset + 1}` };
      sendJson(response, { result: { records, limit: 1, total: 2, _links } });
    };
    const { pages } = await read(respond, {}, { path: "/rows?limit=1" });
    expect(pages).toEqual({ read: 3, rows: 2, complete: true });
    const { next } = await shop.ask({ method: "GET", path: "/rows?limit=1&offset=2" });
    expect(next).toBeUndefined();
  });

  it("of a request with the cursor 0 is that of the whole list", async () => {
    const body = { items: [{ id: 1 }], next_cursor: null };
    const { pages } = await read(always(body), {}, { path: "/rows?cursor=0" });
    expect(pages).toEqual({ read: 1, rows: 1, complete: true });
  });

  it("takes a `next` that is no URL, no path and no plain word for a cursor", async () => {
    const respond: Respond = ({ url }, response) => {
      const isFirst = !url.includes("k-7");
      sendJson(response, { items: [{ id: isFirst ? 1 : 2 }], next: isFirst ? "k-7" : "" });
    };
    expect((await read(respond, {})).pages).toMatchObject({ read: 2, rows: 2 });
  });
});

describe("two lists in objects beside each other", () => {
  it("are not joined", async () => {
    const body = { tracks: { items: [{ id: 1 }] }, albums: { items: [{ id: 2 }] } };
    const { pages } = await read(always(body), {}, { path: "/search" });
    expect(pages).toMatchObject({ complete: null, why: expect.stringContaining("two lists") });
  });
});

describe("a sign of more rows by which nothing is requested", () => {
  const items = [{ id: 1 }, { id: 2 }];

  it.each<[string, object, Record<string, string>]>([
    ["`more`: 1", { items, more: 1 }, {}],
    ["`position`", { items, position: "abc-9" }, {}],
    ["`have_more_results`", { items, have_more_results: true }, {}],
    ["`nextFileName`", { items, nextFileName: "c.txt" }, {}],
    ["next-range", { items }, { "Next-Range": "id ]3..; max=2" }],
    ["`total`", { items }, { Total: "90" }],
    ["X-Apify-Pagination-Total", { items }, { "X-Apify-Pagination-Total": "90" }],
    ["CMR-Hits".toLowerCase(), { items }, { "CMR-Hits": "90" }],
  ])("is quoted, and the list is not known to be whole: %s", async (sign, body, headers) => {
    const { pages } = await read(always(body, headers), {}, { path: "/items?page=1&limit=5" });
    expect(pages.complete).toBeNull();
    expect(pages.why.toLowerCase()).toContain(sign.toLowerCase().split(":")[0]);
  });

  it.each([
    ["X-Cache-Hits", "90"],
    ["X-Envoy-Attempt-Count", "3"],
  ])("is not a header that counts something else: %s", async (name, value) => {
    const { pages } = await read(always({ items }, { [name]: value }), {}, { path: "/items" });
    expect(pages).toMatchObject({ complete: null, why: expect.stringMatching(/^nothing/) });
    expect(lines()).toEqual(["GET /items"]);
  });

  it.each<[string, object]>([
    ["a cart's next_billing_date", { items, next_billing_date: "2026-01-05" }],
    ["an invoice's total", { id: 7, items, total: 119 }],
  ])("is not %s", async (_what, body) => {
    const { pages } = await read(always(body), {}, { path: "/items/7" });
    expect(pages.complete).not.toBe(false);
    expect(pages.why ?? "").not.toContain("the answer has");
  });
});

describe("a list that is followed by its links", () => {
  const pagesOf =
    (pages: readonly object[]): Respond =>
    ({ url }, response) =>
      sendJson(response, pages[Number(new URL(url, "http://x").searchParams.get("at") ?? 2) - 2]);

  it.each([
    ["at=2", null],
    ["at=2&limit=1", null],
    ["", true],
  ])("and was asked for by %j has complete: %s", async (query, complete) => {
    const next = "/rows?at=3&limit=1";
    const respond = pagesOf([
      { items: [{ id: 2 }], next },
      { items: [{ id: 3 }], next: null },
    ]);
    const { pages } = await read(respond, {}, { path: `/rows?${query}` });
    expect(pages).toMatchObject({ read: 2, rows: 2, complete });
    if (complete === null) expect(pages.why).toContain("began at `at=2`");
  });

  it("goes on behind an empty page whose total counts the page alone", async () => {
    const respond = pagesOf([
      { items: [{ id: 1 }, { id: 2 }], total: 2, next: "/rows?at=3" },
      { items: [], total: 0, next: "/rows?at=4" },
      { items: [{ id: 3 }], total: 1, next: null },
    ]);
    const { pages } = await read(respond, {});
    expect(pages).toEqual({ read: 3, rows: 3, complete: true });
  });

  it("takes what describes a link to another host for no parameters", async () => {
    const respond: Respond = ({ url }, response) => {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
      const href = `http://internal:8080/rows?page=${page + 1}`;
      const next = page < 3 ? { href, rel: "next", type: "application/json" } : null;
      sendJson(response, { items: [{ id: page }], next });
    };
    const { pages } = await read(respond, {});
    expect(pages).toMatchObject({ read: 3, rows: 3, complete: null });
    expect(lines()).toEqual(["GET /rows", "GET /rows?page=2", "GET /rows?page=3"]);
  });
});
