/** Whose name the parameter of the next page has: the API's own, or a guess that has to bring new rows. */

import { describe, expect, it } from "@jest/globals";
import { type Respond, sendJson } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";

const employees = Array.from({ length: 90 }, (_, index) => ({ id: index + 1, name: `Name ${index + 1}` }));
const description = {
  openapi: "3.1.0",
  info: { title: "Staff", version: "1" },
  paths: {
    "/employees": {
      get: {
        parameters: [
          {
            name: "skipToken",
            in: "query",
            schema: { type: "string" },
            description: "The `meta.continuation` of the page before. Unknown parameters are ignored.",
          },
        ],
        responses: { 200: { description: "A page" } },
      },
    },
  },
};

/** 30 rows a page, and only `skipToken` has an effect. */
const staff: Respond = (request, response) => {
  const token = new URL(request.url, "http://x").searchParams.get("skipToken") ?? "tok-0";
  const start = Number(token.slice(4));
  const end = start + 30;
  const meta = { total: 90, ...(end < 90 ? { continuation: `tok-${end}` } : {}) };
  sendJson(response, { items: employees.slice(start, end), meta });
};

const folder = openTestFolder();
let shop: ShopTool;
const urls = (): string[] => shop.server.requests.map(({ url }) => url);
async function ask(respond: Respond, settings: object, input: object): Promise<AnswerDocument> {
  shop = await startShopTool(respond, { limits: { retries: 0 }, ...settings });
  return shop.ask({ method: "GET", path: "/employees", ...input });
}
const all = { pages: 20, select: "length(items)" };
const whole = { data: 90, pages: { read: 3, rows: 90, complete: true } };
const named = ["/employees", "/employees?skipToken=tok-30", "/employees?skipToken=tok-60"];

describe("the parameter of the next page", () => {
  it("is the one whose OpenAPI description speaks of the cursor", async () => {
    const openapi = await folder.write("staff.json", description);
    expect(await ask(staff, { openapi }, all)).toMatchObject(whole);
    expect(urls()).toEqual(named);
  });

  it("is the one of the record's rule", async () => {
    const paging = { next: "meta.continuation", send: "query:skipToken" };
    expect(await ask(staff, { paging }, all)).toMatchObject(whole);
    expect(urls()).toEqual(named);
  });

  it("is a guess without both, and the rows that it returns again are dropped", async () => {
    const { data, pages } = await ask(staff, {}, all);
    expect(data).toBe(30);
    expect(pages).toMatchObject({
      read: 1,
      rows: 30,
      complete: false,
      why: expect.stringContaining("api.paging"),
    });
    expect(urls()).toEqual(["/employees", "/employees?continuation=tok-30"]);
  });

  it("is tried under a second name once, and that name is remembered", async () => {
    const respond: Respond = (request, response) => {
      const start = Number(new URL(request.url, "http://x").searchParams.get("next_page_token") ?? 0);
      const next = start + 30 < 90 ? { next_page_token: String(start + 30) } : {};
      sendJson(response, { items: employees.slice(start, start + 30), ...next });
    };
    expect(await ask(respond, {}, all)).toMatchObject(whole);
    const first = ["/employees", "/employees?page_token=30", "/employees?next_page_token=30"];
    expect(urls()).toEqual([...first, "/employees?next_page_token=60"]);
    await shop.ask({ method: "GET", path: "/employees", ...all });
    expect(urls().slice(4)).toEqual([
      "/employees",
      "/employees?next_page_token=30",
      "/employees?next_page_token=60",
    ]);
  });

  it("is never a filter of the request, however much its value looks like the cursor", async () => {
    const account = "5f0c2a9e-11d4-4c7b-8a44-0e1f6b7c9d10";
    const respond: Respond = (request, response) => {
      const isOwn = new URL(request.url, "http://x").searchParams.get("account") === account;
      const cursor = { next_cursor: "9b1d7c3a-42e8-4f0d-b6a5-7c8e2f1a0d34" };
      sendJson(response, isOwn ? { items: employees.slice(0, 30), ...cursor } : { items: [] });
    };
    const answer = await ask(respond, {}, { ...all, path: `/employees?account=${account}` });
    expect(answer.pages).toMatchObject({ rows: 30, complete: false });
    expect(urls().every((url) => url.includes(account))).toBe(true);
  });

  it.each([
    ["has a note where a call follows a guess outside of `pages` and receives the same rows", 0, 1],
    ["has no note where such a call receives other rows", 30, 0],
  ])("%s", async (_title, secondStart, count) => {
    const respond: Respond = ({ url }, response) => {
      const start = url.includes("?") ? secondStart : 0;
      sendJson(response, { items: employees.slice(start, start + 30), continuation: `tok-${url.length}` });
    };
    const first = await ask(respond, {}, {});
    expect(first.next).toMatchObject({ path: "/employees?continuation=tok-10" });
    const notesOf = ({ notes = [] }: AnswerDocument) =>
      notes.filter((note: string) => note.includes("repeats the rows of the page before"));
    expect(notesOf(first)).toEqual([]);
    expect(notesOf(await shop.ask(first.next))).toHaveLength(count);
    // The first request was no guess: the same rows again are no news.
    expect(notesOf(await shop.ask({ method: "GET", path: "/employees" }))).toEqual([]);
  });
});

describe("a note on further rows", () => {
  it.each<[string, string, unknown]>([
    ["a cart", "/cart", { items: [{ sku: "a", quantity: 4 }], total_items: 4, total: 19.9 }],
    ["a poll", "/polls/7", { id: 7, options: [{ id: 1, votes: 3 }], total: 30 }],
    [
      "buckets",
      "/stats",
      {
        buckets: [
          { key: "a", count: 12 },
          { key: "b", count: 3 },
        ],
        total: 15,
      },
    ],
  ])("is absent from what only looks like a page: %s", async (_what, path, body) => {
    const answer = await ask((_request, response) => sendJson(response, body), {}, { path });
    for (const member of ["notes", "total", "next"]) expect(answer).not.toHaveProperty(member);
  });

  it("is absent from the last page", async () => {
    const respond: Respond = (_request, response) =>
      sendJson(response, employees.slice(60), 200, {
        "X-Total-Count": "90",
        Link: '</employees?page=1>; rel="first"',
      });
    const answer = await ask(respond, {}, { path: "/employees?page=3&per_page=30" });
    expect(answer).toMatchObject({ total: 90 });
    for (const member of ["notes", "next"]) expect(answer).not.toHaveProperty(member);
  });
});
