/** Which rows of several pages are the same, and which pages are pages of the list at all. */

import { describe, expect, it } from "@jest/globals";
import { type Respond, sendJson } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;

/** Answers the requests with these pages, one after another, the last one from then on. */
async function read(pages: readonly unknown[], input: object = {}): Promise<AnswerDocument> {
  let requests = 0;
  const respond: Respond = (_request, response) => {
    const page = pages[Math.min(requests, pages.length - 1)];
    requests += 1;
    if (typeof page === "string")
      response.writeHead(200, { "content-type": "application/xml" }).end(page);
    else sendJson(response, page);
  };
  shop = await startShopTool(respond, { limits: { retries: 0 } });
  return shop.ask({ method: "GET", path: "/rows", pages: 9, ...input });
}

/** Two pages that a link joins. */
const linked = (first: readonly unknown[], second: readonly unknown[]): object[] => [
  { items: first, next: "/rows?page=2" },
  { items: second, next: null },
];

describe("the identity of a row", () => {
  it.each(["paid", "valid", "bid", "user_id", "product_id", "key", "number", "slug"])(
    "is not its `%s`: equal rows are the API's, and all are kept",
    async (name) => {
      const [one, two] = [1, 2].map((value) => ({ [name]: value, amount: 3 }));
      const { data, pages } = await read(linked([one, two], [one]));
      expect(data.items).toEqual([one, two, one]);
      expect(pages).toEqual({
        read: 2,
        rows: 3,
        complete: null,
        why: "equal rows are on two pages: all are kept",
      });
    },
  );

  it.each(["id", "_id", "uuid", "guid", "@id", "node_id", "sha"])(
    "is `%s` where each row of the first page has one of its own",
    async (name) => {
      const row = (value: number): object => ({ [name]: value, amount: 3 });
      const { data, pages } = await read(linked([row(1), row(2)], [row(2), row(3)]));
      expect(data.items).toEqual([row(1), row(2), row(3)]);
      expect(pages).toMatchObject({ rows: 3, repeated: 1, complete: null });
    },
  );

  it.each([
    ["equal in two rows", [{ id: 1 }, { id: 1 }]],
    ["absent from one", [{ id: 1 }, { name: "a" }]],
  ])("is no member that is %s of the first page", async (_what, first) => {
    const { data } = await read(linked(first, [{ id: 1 }]));
    expect(data.items).toEqual([...first, { id: 1 }]);
  });

  it("is that of the node in an edge", async () => {
    const edge = (id: number): object => ({ cursor: `c${id}`, node: { id } });
    const { data } = await read(linked([edge(1), edge(2)], [edge(2), edge(3)]));
    expect(data.items).toEqual([edge(1), edge(2), edge(3)]);
  });

  it("does not make rows of other content the same", async () => {
    const { data, pages } = await read(linked([{ id: 1, n: 1 }], [{ id: 1, n: 2 }]));
    expect(data.items).toHaveLength(2);
    expect(pages).toMatchObject({
      complete: null,
      why: "rows of two pages have the same id and other content (1 row): all are kept",
    });
  });
});

describe("a page whose rows were all read before", () => {
  const page = { page: 1, total_pages: 3, items: [{ n: 1 }, { n: 1 }] };

  it("is no page where a number leads to it: nothing is added", async () => {
    const { data, pages } = await read([page], { path: "/rows?page=1" });
    expect(data.items).toHaveLength(2);
    expect(pages).toMatchObject({ read: 1, rows: 2, complete: false });
  });

  it("is one where a link that was not followed before leads to it", async () => {
    const { data, pages } = await read(linked([{ n: 1 }], [{ n: 1 }]));
    expect(data.items).toEqual([{ n: 1 }, { n: 1 }]);
    expect(pages).toMatchObject({ read: 2, complete: null });
  });
});

describe("a page without the list of the first page", () => {
  const first = (more: object): object => ({ ...more, next_cursor: "a" });
  const rows = [{ id: 1 }, { id: 2 }];
  const path = "/rows?cursor=0";

  it.each<[string, object, object, string]>([
    [
      "its wrapper has another member",
      first({ response: { rows } }),
      { response: { message: "busy" } },
      "busy",
    ],
    [
      "a code beside it differs",
      first({ meta: { code: 200 }, data: rows }),
      { meta: { code: 503 }, data: null },
      "503",
    ],
    [
      "its status differs",
      first({ status: "ok", data: rows }),
      { status: "throttled" },
      "throttled",
    ],
    ["it is text", first({ data: rows }), { data: "come back later" }, "come back later"],
    ["it is no row", first({ data: rows }), { data: { reason: "come back later" } }, "later"],
  ])("failed where %s, and its words are in `why`", async (_what, one, other, words) => {
    const { pages } = await read([one, other], { path });
    expect(pages).toMatchObject({ read: 1, rows: 2, complete: false });
    expect(pages.why).toContain(words);
  });

  it("is an empty page where the list is an empty element, in XML", async () => {
    const rows =
      "<rows><cursor>a</cursor><list><row><id>1</id></row><row><id>2</id></row></list></rows>";
    const { pages } = await read([rows, "<rows><list/></rows>"], { path });
    expect(pages).toMatchObject({ read: 2, rows: 2 });
  });

  it("failed where another child of the root is in its place, in XML", async () => {
    const row = (id: number): string => `<row><id>${id}</id></row>`;
    const { pages } = await read(
      [
        `<rows><cursor>a</cursor>${row(1)}${row(2)}</rows>`,
        "<rows><notice>Down for repairs</notice></rows>",
      ],
      { path },
    );
    expect(pages).toMatchObject({ read: 1, complete: false });
    expect(pages.why).toContain("Down for repairs");
  });

  it.each<[string, object, object]>([
    ["left out", first({ items: rows }), {}],
    ["null, as Go writes it", first({ items: rows }), { items: null, next_cursor: "" }],
    [
      "left out of an empty object, which PHP writes as an empty list",
      first({ data: { items: rows } }),
      { data: [] },
    ],
    ["left out of its wrapper", first({ data: { items: rows, size: 2 } }), { data: { size: 0 } }],
    [
      "left out beside the same status",
      first({ status: "ok", data: { items: rows } }),
      { status: "ok", data: {} },
    ],
  ])("is an empty page where the list is %s", async (_what, one, other) => {
    expect((await read([one, other], { path })).pages).toMatchObject({ read: 2, rows: 2 });
  });
});

describe("a flag", () => {
  it.each<[string, object]>([
    ["the tags of a to-do", { id: 7, done: false, tags: [] }],
    ["the tags of a to-do in an envelope", { ok: true, data: { id: 7, done: false, tags: ["a"] } }],
    ["the steps of a checklist", { id: 7, done: false, items: [{ text: "a" }] }],
    ["the tags of a to-do without an id", { title: "a", done: false, tags: ["b"] }],
  ])("beside %s is no sign of more rows", async (_what, body) => {
    const { pages, notes } = await read([body], { path: "/todos/7" });
    expect(notes).toBeUndefined();
    expect(pages.complete).not.toBe(false);
  });

  it.each<[string, object]>([
    ["records", { done: false, records: [{ name: "a" }] }],
    ["an empty list of a usual name", { done: false, records: [] }],
    ["plain values that were requested", { done: false, rows: ["a", "b"] }],
  ])("beside %s is one", async (_what, body) => {
    expect((await read([body])).pages).toMatchObject({ complete: false });
  });
});

describe('a page of an API without pages (`paging: "none"`)', () => {
  it.each([
    ["exactly as long as", "limit=2", null],
    ["shorter than", "limit=3", true],
  ])("that is %s was requested is complete: %s %s", async (_what, query, complete) => {
    const respond: Respond = (_request, response) => sendJson(response, [{ id: 1 }, { id: 2 }]);
    const { ask } = await startShopTool(respond, { paging: "none" });
    const { pages } = await ask({ method: "GET", path: `/rows?${query}`, pages: 9 });
    expect(pages.complete).toBe(complete);
  });
});
