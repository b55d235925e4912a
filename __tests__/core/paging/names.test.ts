/** Under which name the next page is requested, where the API does not give it: attempts that are verified. */

import { describe, expect, it } from "@jest/globals";
import { type Respond, sendJson } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";

const rows = Array.from({ length: 9 }, (_, index) => ({
  id: index + 1,
  name: `Name ${index + 1}`,
}));
const names = ["cursor", "start_cursor", "next_cursor", "skipToken"] as const;

/** Three rows a page under `next_cursor`; only the given parameter has an effect, others are ignored or refused. */
function api(name: string, refuse?: (response: Parameters<Respond>[1]) => void): Respond {
  return ({ url }, response) => {
    const { searchParams } = new URL(url, "http://x");
    if (refuse !== undefined && names.some((each) => each !== name && searchParams.has(each)))
      return refuse(response);
    const start = Number(searchParams.get(name) ?? 0);
    const next_cursor = start + 3 < rows.length ? String(start + 3) : null;
    return sendJson(response, { items: rows.slice(start, start + 3), next_cursor });
  };
}

const folder = openTestFolder();
let shop: ShopTool;
const queries = (): string[] => shop.server.requests.map(({ url }) => url.split("?")[1] ?? "");
async function ask(respond: Respond, settings: object, input: object): Promise<AnswerDocument> {
  shop = await startShopTool(respond, { limits: { retries: 0 }, ...settings });
  return shop.ask({ method: "GET", path: "/rows", ...input });
}
const all = { pages: 20 };
const whole = { data: { items: rows }, pages: { read: 3, rows: 9, complete: true } };

describe("a name that the API does not give", () => {
  it.each<[string, Respond]>([
    ["ignores", api("start_cursor")],
    [
      "answers with 400",
      api("start_cursor", (response) => sendJson(response, { message: "no" }, 400)),
    ],
    [
      "answers with an error under 200",
      api("start_cursor", (response) =>
        sendJson(response, { success: false, error: { code: "validation_error", message: "no" } }),
      ),
    ],
  ])(
    "is replaced by the next one where the API %s it, and is a fact from then on",
    async (_what, respond) => {
      expect(await ask(respond, {}, all)).toMatchObject(whole);
      expect(queries()).toEqual(["", "cursor=3", "start_cursor=3", "start_cursor=6"]);
      const { next } = await shop.ask({ method: "GET", path: "/rows", pages: 2 });
      expect(next).toMatchObject({ path: "/rows?start_cursor=6" });
    },
  );

  it("is tried three times in all", async () => {
    const refuse = api("skipToken", (response) =>
      sendJson(response, { message: "Unknown parameter" }, 400),
    );
    const { pages, next } = await ask(refuse, {}, all);
    expect(pages).toMatchObject({ read: 1, rows: 3, complete: false });
    expect(pages.why).toContain("400: ");
    expect(pages.why).toContain("Unknown parameter");
    expect(next).toBeUndefined();
    expect(queries()).toEqual(["", "cursor=3", "start_cursor=3", "next_cursor=3"]);
  });

  it.each([
    [500, "Down for repairs"],
    [403, "Not yours"],
  ])(
    "is not replaced where the API answers %i, which is reported as it came",
    async (status, message) => {
      const answer = await ask(
        api("start_cursor", (response) => sendJson(response, { message }, status)),
        {},
        all,
      );
      expect(answer.pages).toMatchObject({
        complete: false,
        why: expect.stringContaining(message),
      });
      expect(queries()).toEqual(["", "cursor=3"]);
    },
  );

  it("is not a guess once it has worked: a failure after it is reported as it came", async () => {
    const respond: Respond = (request, response) =>
      request.url.includes("cursor=6")
        ? sendJson(response, { message: "Gone" }, 404)
        : api("cursor")(request, response);
    const answer = await ask(respond, {}, all);
    expect(answer.pages).toMatchObject({
      read: 2,
      complete: false,
      why: expect.stringContaining("Gone"),
    });
    expect(queries()).toEqual(["", "cursor=3", "cursor=6"]);
  });

  it("is not proved by an empty page", async () => {
    const respond: Respond = ({ url }, response) =>
      sendJson(
        response,
        url.includes("?") ? { items: [] } : { items: rows.slice(0, 3), next_cursor: "3" },
      );
    const answer = await ask(respond, {}, all);
    expect(answer.pages).toMatchObject({ read: 1, rows: 3, complete: false });
    expect(answer.pages.why).toContain("does not show that the name is right");
  });

  it("is proved by an empty page that brings a cursor not seen before", async () => {
    const respond: Respond = ({ url }, response) => {
      const at = Number(new URL(url, "http://x").searchParams.get("cursor") ?? 0);
      const items = at === 3 ? [] : rows.slice(at, at + 3);
      sendJson(response, { items, next_cursor: at < 9 ? String(at + 3) : null });
    };
    const answer = await ask(respond, {}, all);
    expect(answer.pages).toEqual({ read: 4, rows: 6, complete: true });
  });

  it("shows no whole list where a flag reports more, whatever the total", async () => {
    const respond: Respond = ({ url }, response) =>
      sendJson(response, {
        items: url.includes("?") ? [] : rows,
        ...{ next_offset: 9, total: 9, has_more: true },
      });
    expect((await ask(respond, {}, all)).pages).toMatchObject({ rows: 9, complete: false });
  });

  it("is not tried when a fifth or less of the quota is left", async () => {
    const respond: Respond = (_request, response) =>
      sendJson(response, { items: rows.slice(0, 3), next_cursor: "3" }, 200, {
        "X-RateLimit-Limit": "100",
        "X-RateLimit-Remaining": "20",
      });
    const answer = await ask(respond, {}, all);
    expect(answer.pages).toMatchObject({ complete: false, why: expect.stringContaining("quota") });
    expect(answer).not.toHaveProperty("next");
    expect(queries()).toEqual([""]);
  });

  it("is tried for a POST that `reads` names, and for no other", async () => {
    const respond: Respond = ({ body }, response) => {
      const { start_cursor, ...others } = JSON.parse(body);
      if (Object.keys(others).length > 1)
        return sendJson(response, { message: "unknown member" }, 400);
      const start = Number(start_cursor ?? 0);
      const next_cursor = start + 3 < rows.length ? String(start + 3) : null;
      return sendJson(response, { items: rows.slice(start, start + 3), next_cursor });
    };
    const input = { method: "POST", path: "/rows/query", body: { filter: {} }, ...all };
    expect(await ask(respond, { reads: ["POST /rows/query"] }, input)).toMatchObject(whole);
    const { pages } = await ask(respond, {}, input);
    expect(pages).toMatchObject({
      read: 1,
      complete: false,
      why: expect.stringContaining('"reads": ["POST '),
    });
    expect(shop.server.requests).toHaveLength(1);
  });

  it("is not in `next` of a single answer, which has a note", async () => {
    const answer = await ask(api("cursor"), {}, {});
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes).toEqual([
      "There are more rows; the API does not name the parameter of the next page: `pages` finds and checks it.",
    ]);
  });

  it("is not in `next` of a call whose pages end before it is verified", async () => {
    const answer = await ask(api("cursor"), {}, { pages: 1, select: "items" });
    expect(answer).not.toHaveProperty("next");
  });

  it.each<[string, object]>([
    ["an echo of the page", { page: 1, total_pages: 3, items: rows.slice(0, 3) }],
    ["an offset", { offset: 0, limit: 3, total: 9, items: rows.slice(0, 3) }],
    ["a token", { nextPageToken: "abc", items: rows.slice(0, 3) }],
    ["a total of more rows", { total: 9, items: rows.slice(0, 3) }],
  ])("is not what an answer only counts or calls so: %s", async (_what, body) => {
    const respond: Respond = (_request, response) => sendJson(response, body);
    const answer = await ask(respond, {}, { path: "/rows?limit=3" });
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes).toEqual([expect.stringContaining("There are more rows")]);
  });
});

describe("a name that the API gives", () => {
  const text = { type: "string" };
  /** As AWS describes its sizes. */
  const limit = {
    name: "limit",
    schema: { type: "integer" },
    description: "At most so many rows. If there are more, the response has a `next_cursor`.",
  };

  /** A document with one operation, whose query has these parameters. */
  function documentRows(parameters: readonly object[], more: object = {}): Promise<string> {
    const query = parameters.map((each) => ({ in: "query", schema: text, ...each }));
    const operation = { parameters: query, responses: { 200: { description: "A page" } }, ...more };
    return folder.write("rows.json", {
      openapi: "3.1.0",
      info: { title: "Rows", version: "1" },
      paths: { "/rows": { get: operation, post: operation } },
    });
  }

  it.each<[string, string, readonly object[]]>([
    ["named as the member", "next_cursor", [limit, { name: "next_cursor" }]],
    [
      "named as the member, of which a filter tells",
      "next_cursor",
      [{ name: "kind", description: "Not beside `next_cursor`." }, { name: "next_cursor" }],
    ],
    ["named as cursors are", "after_token", [limit, { name: "after_token" }]],
    [
      "whose description names the member",
      "resume",
      [limit, { name: "page_token" }, { name: "resume", description: "`next_cursor` of before." }],
    ],
    [
      "in an object in brackets",
      "page[after]",
      [
        {
          name: "page",
          style: "deepObject",
          explode: true,
          schema: { type: "object", properties: { after: text } },
        },
      ],
    ],
  ])("is the one of its OpenAPI operation, %s", async (_how, name, parameters) => {
    const openapi = await documentRows(parameters);
    expect(await ask(api(name), { openapi }, all)).toMatchObject(whole);
    expect(queries()).toEqual(["", `${name}=3`, `${name}=6`]);
    const later = await shop.ask({ method: "GET", path: `/rows?${name}=6`, ...all });
    expect(later.pages).toMatchObject({ complete: null, why: expect.stringContaining("began at") });
  });

  it("is the member of a search's body that its operation has", async () => {
    const properties = {
      of: text,
      mark: { ...text, description: "next_cursor of the page before" },
    };
    const schema = { type: "object", properties };
    const openapi = await documentRows([], {
      requestBody: { content: { "application/json": { schema } } },
    });
    const respond: Respond = ({ body }, response) => {
      const start = Number(JSON.parse(body).mark ?? 0);
      const next_cursor = start + 3 < rows.length ? String(start + 3) : "";
      sendJson(response, { items: rows.slice(start, start + 3), next_cursor });
    };
    const input = { method: "POST", body: { of: "all" } };
    expect(
      await ask(respond, { openapi, reads: ["POST /rows"] }, { ...input, ...all }),
    ).toMatchObject(whole);
    const { notes } = await ask(respond, { openapi }, { ...input, select: "length(items)" });
    expect(notes?.join()).toContain('by `mark` = "3" in the body');
  });

  it.each<[string, Respond]>([
    ["a cursor", api("resume")],
    [
      "a number of rows",
      (_request, response) => sendJson(response, { items: rows.slice(0, 3), total: 9 }),
    ],
  ])(
    "is guessed for %s where its operation names none, and the answer names what is free",
    async (_what, respond) => {
      const openapi = await documentRows([
        limit,
        { name: "resume" },
        { name: "since", schema: { ...text, format: "date" } },
      ]);
      const path = "/rows?limit=3";
      const { pages } = await ask(respond, { openapi }, { path, ...all });
      expect(queries()[0]).toBe("limit=3");
      const why = /the usual ways failed .*if it is one of `resume`, send it yourself$/;
      expect(pages).toMatchObject({ read: 1, complete: false, why: expect.stringMatching(why) });
      const { next, notes } = await shop.ask({ method: "GET", path });
      expect(next).toBeUndefined();
      expect(notes).toEqual([expect.stringContaining("does not name the parameter")]);
    },
  );

  it("is sent where its operation has it: in the query of a search by POST", async () => {
    const openapi = await documentRows([{ name: "page" }]);
    const respond: Respond = ({ url }, response) => {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
      sendJson(response, { items: rows.slice(3 * page - 3, 3 * page), page, total_pages: 3 });
    };
    const input = { method: "POST", body: { of: "all" }, ...all };
    expect(await ask(respond, { openapi, reads: ["POST /rows"] }, input)).toMatchObject(whole);
    expect(queries()).toEqual(["", "page=2", "page=3"]);
  });

  it.each([
    [
      "the number of a page in brackets, where none was seen",
      {
        name: "paging",
        style: "deepObject",
        explode: true,
        schema: { type: "object", properties: { page: text } },
      },
      "paging[page]=1",
    ],
    ["a name that times have, too", { name: "from" }, "from=3"],
  ])("is tried, and no fact, for %s", async (_what, parameter, tried) => {
    const openapi = await documentRows([limit, parameter]);
    const respond: Respond = (_request, response) =>
      sendJson(response, { items: rows.slice(0, 3), total: 9 });
    const path = "/rows?limit=3";
    const { next, notes } = await ask(respond, { openapi }, { path });
    expect(next).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining("`pages` finds and checks it")]);
    await shop.ask({ method: "GET", path, ...all });
    expect(queries()[2]).toBe(`limit=3&${tried}`);
  });

  it("is tried before the usual ones, where several may be it", async () => {
    const openapi = await documentRows([limit, { name: "page" }, { name: "from" }]);
    const respond: Respond = (_request, response) =>
      sendJson(response, { items: rows.slice(0, 3), total: 9 });
    await ask(respond, { openapi }, { path: "/rows?limit=3", ...all });
    expect(queries().slice(0, 2)).toEqual(["limit=3", "limit=3&page=1"]);
  });

  it("is found by `pages` though the document leaves it out", async () => {
    const openapi = await documentRows([limit, { name: "kind" }]);
    const { pages } = await ask(api("cursor"), { openapi }, { path: "/rows?limit=3", ...all });
    expect(pages).toMatchObject({ rows: rows.length, complete: true });
  });

  it("is the one that goes with the cursor, and not another one of the operation", async () => {
    const openapi = await documentRows([{ name: "after" }, { name: "start_cursor" }]);
    const path = "/rows?after=2026-01-01";
    const { next } = await ask(api("start_cursor"), { openapi }, { path });
    expect(next).toMatchObject({ path: `${path}&start_cursor=3` });
  });

  it("is told beside the rows that a `select` ran on, where it is not given", async () => {
    const path = "/rows?limit=3";
    const { notes } = await ask(api("start_cursor"), {}, { path, select: "length(items)" });
    expect(notes).toEqual([
      expect.stringContaining("There are more rows"),
      expect.stringMatching(/^`select` ran on 3 rows \(one page\); the list has more\./),
    ]);
  });

  it("is not the one that the request has for a date", async () => {
    const answer = await ask(api("start_cursor"), {}, { path: "/rows?after=2026-01-01" });
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes).toEqual([expect.stringContaining("does not name the parameter")]);
  });

  it("is the one of the record's rule", async () => {
    const paging = { next: "next_cursor", send: "query:skipToken" };
    expect(await ask(api("skipToken"), { paging }, all)).toMatchObject(whole);
    expect(queries()).toEqual(["", "skipToken=3", "skipToken=6"]);
  });

  it("is never a filter of the request, however much its value looks like the cursor", async () => {
    const account = "5f0c2a9e-11d4-4c7b-8a44-0e1f6b7c9d10";
    const respond: Respond = (request, response) => {
      const isOwn = new URL(request.url, "http://x").searchParams.get("account") === account;
      const cursor = { next_cursor: "9b1d7c3a-42e8-4f0d-b6a5-7c8e2f1a0d34" };
      sendJson(response, isOwn ? { items: rows, ...cursor } : { items: [] });
    };
    const answer = await ask(respond, {}, { ...all, path: `/rows?account=${account}` });
    expect(answer.pages).toMatchObject({ rows: 9, complete: false });
    expect(queries().every((query) => query.includes(account))).toBe(true);
  });
});

describe("the second page of a list that only counts its rows", () => {
  /** Three rows a page. */
  const counted =
    (readStart: (query: URLSearchParams) => number, total: object): Respond =>
    ({ url }, response) => {
      const start = readStart(new URL(url, "http://x").searchParams);
      sendJson(response, { data: rows.slice(start, start + 3), ...total });
    };
  const byPage = (query: URLSearchParams): number => (Number(query.get("page") ?? 1) - 1) * 3;
  const byOffset = (query: URLSearchParams): number => Number(query.get("offset") ?? 0);

  it.each<[string, Respond, string, readonly string[]]>([
    [
      "a page",
      counted(byPage, { total: 9 }),
      "limit=3",
      ["offset=3", "page=1", "page=2", "page=3"],
    ],
    [
      "an offset",
      counted(byOffset, { total: 9 }),
      "per_page=3",
      ["page=1", "page=2", "offset=3", "offset=6"],
    ],
  ])("is found by %s, whatever the size suggests", async (_what, respond, size, tried) => {
    const answer = await ask(respond, {}, { path: `/rows?${size}`, ...all });
    expect(answer.pages).toEqual({ read: 3, rows: 9, complete: true });
    expect(queries()).toEqual([size, ...tried.map((each) => `${size}&${each}`)]);
  });

  it.each<[string, string, readonly string[], object]>([
    ["a page that the request names", "page=1", ["page=2", "page=3", "page=4"], {}],
    ["an offset that the request names", "offset=0", ["offset=3", "offset=6", "offset=9"], {}],
    ["as many rows as were requested", "limit=3", ["offset=3", "offset=6", "offset=9"], {}],
  ])("is read where nothing else is stated: %s", async (_what, asked, following) => {
    const start = (query: URLSearchParams): number =>
      query.has("page") ? byPage(query) : byOffset(query);
    const path = `/rows?${asked}`;
    const answer = await ask(counted(start, {}), {}, { path, ...all });
    expect(answer.pages).toEqual({ read: 4, rows: 9, complete: true });
    const sent = following.map((each) => (asked === "limit=3" ? `${asked}&${each}` : each));
    expect(queries()).toEqual([asked, ...sent]);
    const { next, notes } = await shop.ask({ method: "GET", path });
    expect(next).toBeUndefined();
    expect(notes).toEqual([expect.stringMatching(/^There may be more rows.*finds out\.$/)]);
  });

  it("shows a whole list where the page after the one that the request names is empty", async () => {
    const respond: Respond = ({ url }, response) =>
      sendJson(response, url.includes("page=1") ? rows : []);
    const answer = await ask(respond, {}, { path: "/rows?page=1", ...all });
    expect(answer.pages).toEqual({ read: 2, rows: 9, complete: true });
  });

  it.each([
    ["limit=9", null],
    ["page=1", false],
  ])("that ignores what is tried after %s has complete: %s", async (asked, complete) => {
    const respond: Respond = (_request, response) => sendJson(response, rows);
    const answer = await ask(respond, {}, { path: `/rows?${asked}`, ...all });
    expect(answer.pages).toMatchObject({ read: 1, rows: 9, complete });
  });

  it("is not looked for by a `start` that may be that of a time", async () => {
    const respond: Respond = (_request, response) => sendJson(response, { slots: rows });
    await ask(respond, {}, { path: "/free?start=1&end=9", ...all });
    expect(queries()).toEqual(["start=1&end=9"]);
  });

  it("has a name that is a fact from then on, once it is found", async () => {
    const path = "/rows?limit=3";
    const { next } = await ask(counted(byPage, { total: 9 }), {}, { path, pages: 2 });
    expect(next).toMatchObject({ path: `${path}&page=3` });
  });

  it("is not known to be page 2 where page 1 was the first again and no total counts the rows", async () => {
    const respond: Respond = ({ url }, response) => {
      const start = byPage(new URL(url, "http://x").searchParams);
      sendJson(response, { data: rows.slice(start, start + 3), has_more: start + 3 < rows.length });
    };
    const answer = await ask(respond, {}, { path: "/rows?pagesize=3", ...all });
    expect(answer.pages).toMatchObject({ rows: 9, complete: null });
  });

  it("is page 1 where the answer tells its first row, and its pages are counted from 0", async () => {
    const respond: Respond = ({ url }, response) => {
      const start = Number(new URL(url, "http://x").searchParams.get("page") ?? 0) * 3;
      sendJson(response, { start, limit: 3, total: 9, users: rows.slice(start, start + 3) });
    };
    const answer = await ask(respond, {}, { path: "/rows?per_page=3", ...all });
    expect(answer.pages).toEqual({ read: 3, rows: 9, complete: true });
  });

  it("is found where a header of the API's own counts the rows", async () => {
    const respond: Respond = ({ url }, response) => {
      const start = byOffset(new URL(url, "http://x").searchParams);
      const total = { "X-Apify-Pagination-Total": "9" };
      sendJson(response, rows.slice(start, start + 4), 200, total);
    };
    const answer = await ask(respond, {}, { path: "/rows?limit=4", ...all });
    expect(answer.pages).toMatchObject({ read: 3, rows: 9 });
  });

  it("is found where a `Content-Range` does not know the length of the list", async () => {
    const respond: Respond = ({ url }, response) => {
      const start = byOffset(new URL(url, "http://x").searchParams);
      const page = rows.slice(start, start + 4);
      const range = { "content-range": `${start}-${start + page.length - 1}/*` };
      sendJson(response, page, 200, range);
    };
    const answer = await ask(respond, {}, all);
    expect(answer.pages).toEqual({ read: 3, rows: 9, complete: true });
  });

  it("is the page after page 1 where page 1 is page 0 again", async () => {
    const respond = counted((query) => Math.max(0, byPage(query)), { total: 9 });
    const answer = await ask(respond, {}, { path: "/rows?page=0", ...all });
    expect(answer.pages).toEqual({ read: 3, rows: 9, complete: true });
    expect(queries()).toEqual(["page=0", "page=1", "page=2", "page=3"]);
  });

  it("is page 1 where pages are counted from 0, which no answer states", async () => {
    const respond: Respond = ({ url }, response) => {
      const start = Number(new URL(url, "http://x").searchParams.get("page") ?? 0) * 3;
      sendJson(response, { data: rows.slice(start, start + 3), has_more: start + 3 < rows.length });
    };
    const answer = await ask(respond, {}, { path: "/rows?pagesize=3", ...all });
    expect(answer.pages).toEqual({ read: 3, rows: 9, complete: true });
    expect(queries()).toEqual(["", "&page=1", "&page=2"].map((more) => `pagesize=3${more}`));
  });
});

describe("a number that the request has", () => {
  const listed = (query: URLSearchParams): object => {
    const start = Number(query.get("skip") ?? 0);
    return { items: rows.slice(start, start + 3) };
  };
  const answerWith =
    (body: (query: URLSearchParams) => object): Respond =>
    ({ url }, response) =>
      sendJson(response, body(new URL(url, "http://x").searchParams));

  it("is no fact where nothing in the answer shows that the API reads it", async () => {
    const ignored = (): object => ({ items: rows.slice(0, 3) });
    const path = "/rows?skip=3&limit=3";
    const answer = await ask(answerWith(ignored), {}, { path });
    expect(answer).not.toHaveProperty("next");
    expect(answer.notes).toEqual([expect.stringContaining("`pages` finds out")]);
    const { pages } = await shop.ask({ method: "GET", path, pages: 9 });
    expect(pages).toMatchObject({ read: 1, rows: 3, complete: false });
  });

  it("leaves open whether there are more rows, also beside a sign of them", async () => {
    const signed = (): object => ({ items: rows.slice(0, 3), position: "abc" });
    const answer = await ask(answerWith(signed), {}, { path: "/rows?skip=3&limit=3" });
    expect(answer.notes).toEqual([expect.stringContaining("There may be more rows")]);
  });

  it.each<[string, (query: URLSearchParams) => object]>([
    ["an echo", (query) => ({ ...listed(query), skip: Number(query.get("skip")) })],
    ["a URL of the answer", (query) => ({ ...listed(query), links: { first: "/rows?skip=0" } })],
  ])("is one by %s", async (_what, body) => {
    const { next } = await ask(answerWith(body), {}, { path: "/rows?skip=3&limit=3" });
    expect(next).toMatchObject({ path: "/rows?skip=6&limit=3" });
  });

  it("is one by its effect: pages of other rows", async () => {
    const answer = await ask(answerWith(listed), {}, { path: "/rows?skip=0&limit=3", pages: 2 });
    expect(answer.next).toMatchObject({ path: "/rows?skip=6&limit=3" });
  });
});

it("takes no link of a header for a page of the list that leads to another document of another host", async () => {
  const manual = '<https://docs.example.com/next>; rel="next"';
  const respond: Respond = (_request, response) =>
    sendJson(response, { items: rows.slice(0, 3) }, 200, { Link: manual });
  const { notes, next, pages } = await ask(respond, {}, all);
  expect([notes, next]).toEqual([undefined, undefined]);
  expect(pages).toMatchObject({ read: 1, complete: null });
});

it("reads the path of a link to another host at the base URL with `pages`, and never calls that list whole", async () => {
  const respond: Respond = ({ url }, response) => {
    const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
    const next = page < 3 ? `http://orders.internal:8080/rows?page=${page + 1}` : null;
    sendJson(response, { items: rows.slice((page - 1) * 3, page * 3), next });
  };
  const { pages } = await ask(respond, {}, all);
  expect(pages).toMatchObject({ read: 3, rows: 9, complete: null });
  const stated =
    'the API\'s link to the next page leads outside of the base URL: "http://orders.internal:8080/rows?page=2"';
  expect(pages.why).toBe(
    `${stated}; the API's link \`/rows?page=2\` at the base URL was read in its place`,
  );
  expect(queries()).toEqual(["", "page=2", "page=3"]);
  const { next, notes } = await shop.ask({ method: "GET", path: "/rows" });
  expect(next).toBeUndefined();
  expect(notes).toEqual([
    `There are more rows; ${stated}: \`pages\` looks for that page at the base URL.`,
  ]);
});

it("quotes a link to a next page that can't be followed, and does not call its list whole", async () => {
  const next = "https://archive.example/v2/old?page=2";
  const respond: Respond = (_request, response) => sendJson(response, { items: rows, next });
  const { pages } = await ask(respond, {}, all);
  expect(pages).toMatchObject({ read: 1, complete: false });
  expect(pages.why).toContain(`"${next}"`);
  const { notes } = await shop.ask({ method: "GET", path: "/rows" });
  expect(notes).toEqual([expect.stringContaining(`"${next}"`)]);
});

it.each([
  ["the base URL", "@odata.nextLink", {}],
  ["the base URL, in version 2", "__next", {}],
  ["the context", "@odata.nextLink", { "@odata.context": "../$metadata#Orders" }],
])("reads a relative link of OData from the service root: %s", async (_root, key, more) => {
  const respond: Respond = ({ url }, response) => {
    const token = Number(/skiptoken=(\d)/.exec(url)?.[1] ?? 0);
    const link = token < 2 ? { [key]: `Customers('A')/Orders?$skiptoken=${token + 1}` } : {};
    const value = rows.slice(token * 3, token * 3 + 3);
    if (url.startsWith("/Customers('A')/Orders")) sendJson(response, { ...more, value, ...link });
    else sendJson(response, {}, 404);
  };
  const { pages } = await ask(respond, {}, { ...all, path: "/Customers('A')/Orders" });
  expect(pages).toEqual({ read: 3, rows: 9, complete: true });
});
