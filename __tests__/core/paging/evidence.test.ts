import { describe, expect, it } from "@jest/globals";
import { type Respond, sendJson } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;
/** A 204, without a body. */
const nothing = Symbol("204");

/** Reads all pages of an API that answers its requests with these, one after another, the last one from then on. */
async function read(
  answers: readonly unknown[],
  input: object,
  settings = {},
): Promise<AnswerDocument> {
  let requests = 0;
  const respond: Respond = (_request, response) => {
    const answer = answers[Math.min(requests, answers.length - 1)];
    requests += 1;
    if (answer === nothing) response.writeHead(204).end();
    else sendJson(response, answer);
  };
  shop = await startShopTool(respond, { limits: { retries: 0 }, ...settings });
  return shop.ask({ method: "GET", path: "/rows", pages: 20, ...input });
}

const rows = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, name: `Name ${from + index}` }));

const cursorRule = { paging: { next: "meta.continuation", send: "query:skipToken" } };

it("reads an object with a `toString` of its own as an object, whatever its name", async () => {
  const odd = { toString: null };
  const names = [
    "has_more",
    "next",
    "done",
    "timed_out",
    "hasPreviousPage",
    "next_cursor",
    "total",
    "page",
  ];
  for (const body of [
    undefined,
    { query: "query($after: ID) { rows(after: $after) { id } }", variables: { after: odd } },
  ]) {
    const answer = {
      items: rows(1, 3),
      _shards: { failed: odd },
      ...Object.fromEntries(names.map((name) => [name, odd])),
    };
    const input = body === undefined ? {} : { method: "POST", body };
    expect(await read([answer], input, { reads: ["POST /rows"] })).not.toHaveProperty("error");
  }
});

describe("a rule of the record", () => {
  it.each([
    ["null", { items: rows(1, 20), meta: { continuation: null } }, true],
    ["absent", { items: rows(1, 20), meta: {} }, null],
    ["absent from a bare list", rows(1, 20), null],
  ])("whose member is %s on the only page gives complete: %s", async (_what, page, complete) => {
    expect((await read([page], {}, cursorRule)).pages).toMatchObject({
      read: 1,
      rows: 20,
      complete,
    });
  });

  const twenty = rows(1, 20);
  it.each<[string, object, unknown[], string?]>([
    [
      "a member that is absent after a page that had it",
      cursorRule.paging,
      [
        { items: twenty, meta: { continuation: "a" } },
        { items: rows(21, 20), meta: {} },
      ],
    ],
    [
      "an expression that finds false",
      { next: "has_more && last_id", send: "query:after_id" },
      [{ items: twenty, has_more: false, last_id: 20 }],
    ],
    [
      "an expression that finds false, begun at number 0",
      { next: "more && sum([skip, size])", send: "query:skip" },
      [{ items: twenty, more: false }],
      "/rows?skip=0",
    ],
    [
      "rows that are not in the answer: the list that is there is read",
      { rows: "result.list", page: "query:page" },
      [{ items: twenty }, { items: rows(21, 3) }, { items: [] }],
    ],
    [
      "an empty page where no size was sent: a shorter one may be in the middle",
      { page: "query:page" },
      [{ items: twenty }, { items: rows(21, 3) }, { items: rows(24, 20) }, { items: [] }],
    ],
    [
      "a page that is shorter than the size that was sent",
      { page: "query:page" },
      [{ items: twenty }, { items: rows(21, 3) }],
      "/rows?limit=20",
    ],
  ])("has come to the end with %s", async (_what, paging, pages, path = "/rows") => {
    const answer = await read(pages, { path }, { paging });
    const count = pages.flatMap((page) => Object(page).items).length;
    expect(answer.pages).toEqual({ read: pages.length, rows: count, complete: true });
  });

  it("of numbered pages does not end at an empty page that names a next one", async () => {
    const pages = [rows(1, 9), []].map((items, at) => ({ items, next_cursor: `c${at}` }));
    const answer = await read(pages, {}, { paging: { page: "query:page" } });
    const why = expect.stringContaining("`next_cursor`");
    expect(answer.pages).toMatchObject({ rows: 9, complete: null, why });
  });

  it.each([
    [{ page: "query:p", first: 0 }, "/rows?p=1"],
    [{ offset: "query:begin" }, "/rows?begin=20"],
    [{ next: "at", send: "query:go" }, "/rows?go=k7"],
  ])("%j does not make a list complete that begins at %s", async (paging, path) => {
    const pages = [rows(21, 20), []].map((items) => ({ items, at: null }));
    const answer = await read(pages, { path }, { paging });
    expect(answer.pages).toMatchObject({
      complete: null,
      why: expect.stringContaining("began at"),
    });
  });

  it.each([
    ["a flag", { items: rows(1, 2), has_more: true }],
    ["a link", { items: rows(1, 2), next: "/rows?page=2" }],
  ])(
    '"none" does not make a list complete whose answer reports more by %s',
    async (_what, page) => {
      expect((await read([page], {}, { paging: "none" })).pages).toMatchObject({
        read: 1,
        complete: false,
      });
    },
  );
});

describe("what looks like the end of a list", () => {
  it.each([
    [
      "a limit that only repeats the request's",
      "/rows?page=1&limit=100",
      { data: rows(1, 30), page: 1, limit: 100 },
    ],
    ["an answer without a list", "/rows?page=1", null],
    ["a `next` of something else", "/rows", { items: rows(1, 30), wizard: { next: null } }],
    [
      "a cursor that is always there, without a flag",
      "/rows",
      { nodes: rows(1, 30), pageInfo: { endCursor: "x" } },
    ],
    ["an end behind a start", "/rows?starting_after=r9", { data: rows(10, 3), next_cursor: null }],
    [
      "an end with rows before it",
      "/rows",
      { data: rows(10, 3), has_next_page: false, has_previous_page: true },
    ],
  ])("%s is not evidence", async (_what, path, page) => {
    expect((await read([page], { path })).pages).toMatchObject({ read: 1, complete: null });
  });

  it.each([
    ["beside a list", { items: rows(1, 9), next_cursor: "a" }],
    ["in a bare list", rows(1, 9)],
  ])("an error with status 200 is a page that failed, %s", async (_what, first) => {
    const settings = Array.isArray(first) ? { paging: { page: "query:page" } } : {};
    const answer = await read([first, { problem: "slow down" }], {}, settings);
    expect(answer.pages).toMatchObject({
      rows: 9,
      complete: false,
      why: expect.stringContaining("no list"),
    });
  });

  it("an answer without a body is not evidence", async () => {
    const pages = [
      { data: rows(1, 9), next_cursor: "a" },
      { data: rows(10, 9), next_cursor: "b" },
      nothing,
    ];
    expect((await read(pages, { pages: 5 })).pages).toMatchObject({
      read: 3,
      rows: 18,
      complete: null,
    });
  });

  it("an empty list that is left out is a page without rows", async () => {
    const path = "/rows?pageToken=0";
    const answer = await read([{ items: rows(1, 9), nextPageToken: "a" }, {}], { path });
    expect(answer.pages).toMatchObject({ read: 2, rows: 9 });
  });
});

describe("what an answer states", () => {
  const items = rows(1, 3);
  const hits = { total: { value: 3, relation: "eq" }, hits: items };

  it.each<[string, unknown, boolean | null]>([
    ["a search that found too much", { incomplete_results: true, total_count: 3, items }, false],
    ["a search that failed in part", { took: 1, _shards: { total: 2, failed: 1 }, hits }, false],
    [
      "a total that is a lower bound",
      { took: 1, hits: { ...hits, total: { value: 3, relation: "gte" } } },
      null,
    ],
    ["a whole search", { took: 1, timed_out: false, _shards: { total: 2, failed: 0 }, hits }, true],
    ["a member for more of an unknown name", { items, next_set: "k7", total: 3 }, null],
    ["a flag for more of an unknown name", { items, has_more_rows: true }, null],
    ["a cursor beside a link that is null", { items, after: "k7", next: null }, false],
    [
      "the key of the last row beside a link that is null",
      { items, LastEvaluatedKey: { id: "k7" }, next: null },
      false,
    ],
    ["the same page as the next one", { items, next: "/rows" }, null],
    ["the pages of a book", { id: 9, page: 12, pages: 320, chapters: items }, null],
  ])("decides: %s", async (_what, page, complete) => {
    expect((await read([page], {})).pages).toMatchObject({ rows: 3, complete });
  });

  it("does not decide where its total is the number of rows that were requested", async () => {
    const answer = await read([{ total: 3, items }], { path: "/rows?limit=3" });
    expect(answer.pages).toMatchObject({ read: 1, complete: null });
  });

  it("decides where the total only counts each page", async () => {
    const pages = [
      { total: 3, items },
      { total: 2, items: rows(4, 2) },
    ];
    const answer = await read(pages, { path: "/rows?page=1&limit=3" });
    expect(answer.pages).toEqual({ read: 2, rows: 5, complete: true });
  });

  it("is of two lists, which are not joined", async () => {
    const page = { users: items, groups: rows(7, 2), next_cursor: "a" };
    const answer = await read([page], { path: "/directory" });
    expect(answer.pages).toMatchObject({
      read: 1,
      complete: null,
      why: expect.stringContaining("two lists"),
    });
    // Its parameter is not known: `pages` would find it.
    expect(answer).not.toHaveProperty("next");
    expect(answer.data).toEqual(page);
  });

  it.each([
    ["POST", { items, next_cursor: "a" }, false],
    ["POST", { items }, null],
  ])(
    "of a %s that may change something is one page, and `reads` is named: %j",
    async (method, page, complete) => {
      const answer = await read([page], { method, path: "/orders", body: { color: "red" } });
      expect(answer.pages).toMatchObject({
        read: 1,
        complete,
        why: expect.stringContaining('"reads": ["P'),
      });
    },
  );

  it("is one page of a mutation, which `reads` cannot name", async () => {
    const body = { query: "mutation { touch { items { id } } }" };
    const page = { data: { touch: { items } } };
    const { pages } = await read([page], { method: "POST", path: "/graphql", body });
    expect(pages).toMatchObject({ complete: null, why: expect.not.stringContaining("reads") });
  });
});

describe("rows of different pages", () => {
  const pages = (first: object, last: object): object[] => [
    { ...first, next: "/rows?page=2" },
    { ...last, next: null },
  ];

  it("with the same id and another content are all kept, and may be other things", async () => {
    const [users, orders] = ["user", "order"].map((type) => [1, 2].map((id) => ({ id, type })));
    const answer = await read(pages({ results: users }, { results: orders }), {});
    expect(answer.data.results).toEqual([...(users ?? []), ...(orders ?? [])]);
    expect(answer.pages).toMatchObject({
      rows: 4,
      complete: null,
      why: expect.stringContaining("other content"),
    });
  });

  it("with the id and the content of an earlier one are counted once, and the list is not known to be whole", async () => {
    const answer = await read(pages({ items: rows(1, 3) }, { items: rows(3, 3) }), {});
    expect(answer.data.items).toEqual(rows(1, 5));
    expect(answer.pages).toMatchObject({
      rows: 5,
      complete: null,
      why: expect.stringContaining("equal rows are on two pages"),
    });
  });

  it("are joined with the columns beside them", async () => {
    const answer = await read(
      pages(
        { time: ["00:00", "01:00"], temperature: [20, 20] },
        { time: ["02:00", "03:00"], temperature: [20, 21] },
      ),
      {},
    );
    expect(answer.data).toMatchObject({
      time: ["00:00", "01:00", "02:00", "03:00"],
      temperature: [20, 20, 20, 21],
    });
    expect(answer.pages).toEqual({ read: 2, rows: 4, complete: true });
  });
});

describe("a GraphQL connection", () => {
  const query =
    "query($more: String) { rows(first: 3, after: $more) { nodes { id } pageInfo { hasNextPage endCursor } } }";
  const page = (from: number, more: object): object => ({
    data: { rows: { nodes: rows(from, 3), pageInfo: more } },
  });
  const post = { method: "POST", path: "/graphql" };

  it("of a mutation gives no advice to send the mutation again", async () => {
    const mutation = "mutation { addRow { nodes { id } pageInfo { hasNextPage endCursor } } }";
    const first = page(1, { hasNextPage: true, endCursor: "c3" });
    const { notes, next } = await read([first], {
      ...post,
      pages: undefined,
      body: { query: mutation },
    });
    expect(next).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining("not to be sent again")]);
  });

  it("is read by the variable that the query uses, whatever its name", async () => {
    const pages = [
      page(1, { hasNextPage: true, endCursor: "c3" }),
      page(4, { hasNextPage: false, endCursor: "c6" }),
    ];
    const answer = await read(pages, { ...post, body: { query } });
    expect(answer.pages).toEqual({ read: 2, rows: 6, complete: true });
    expect(JSON.parse(shop.server.requests[1]?.body ?? "")).toEqual({
      query,
      variables: { more: "c3" },
    });
  });

  it("with an error beside its rows keeps what was read, and the way on", async () => {
    const pageInfo = { hasNextPage: true, endCursor: "c3" };
    const errors = [{ message: "file missing", path: ["rows", "nodes", 0] }];
    const answer = await read([{ ...page(1, pageInfo), errors }], { ...post, body: { query } });
    expect(answer.error.message).toBe("file missing");
    expect(answer.pages).toMatchObject({ read: 1, rows: 3, complete: false });
    expect(answer.pages.why).toContain("file missing");
    expect(answer.next).toMatchObject({ body: { query, variables: { more: "c3" } } });
    expect(shop.server.requests).toHaveLength(1);
  });

  it("with errors and no rows is a failure alone", async () => {
    const failed = { data: null, errors: [{ message: "no such field" }] };
    const answer = await read([failed], { ...post, body: { query } });
    expect(answer).toMatchObject({ error: { message: "no such field" } });
    expect(answer).not.toHaveProperty("pages");
  });

  it.each([
    [
      "the query has no variable for it",
      "{ rows { nodes { id } pageInfo { hasNextPage endCursor } } }",
      "c3",
    ],
    ["the cursor is empty", query, ""],
  ])("with more rows is incomplete where %s", async (_what, text, endCursor) => {
    const first = page(1, { hasNextPage: true, endCursor });
    const answer = await read([first], { ...post, body: { query: text } });
    expect(shop.server.requests).toHaveLength(1);
    expect(answer.pages).toMatchObject({
      read: 1,
      complete: false,
      why: expect.stringContaining("$after"),
    });
  });

  it.each([
    ["a variable", { query, variables: { more: "c3" } }, {}],
    ["a literal", { query: query.replace("$more)", '"c3")') }, {}],
    ["the end", { query: query.replace("first", "last") }, { hasPreviousPage: true }],
  ])("that was begun at %s is not complete", async (_what, body, more) => {
    const answer = await read([page(4, { hasNextPage: false, endCursor: "c6", ...more })], {
      ...post,
      body,
    });
    expect(answer.pages).toMatchObject({ read: 1, rows: 3, complete: null });
  });
});
