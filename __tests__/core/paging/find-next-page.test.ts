import { describe, expect, it } from "@jest/globals";
import type { JsonValue } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { findNextPage } from "../../../src/core/paging/find-next-page.js";
import type { NextPage } from "../../../src/core/paging/paged-request.js";
import type { FindNextPageInput, Paging } from "../../../src/core/paging/paging.js";
import { readEnvelope } from "../../../src/core/paging/read-envelope.js";
import { jsonBody, xmlBody } from "../../support/response-body.js";
import { examples, type PageExample, ruledExamples } from "./next-page-examples.js";

function find(example: PageExample, more: Partial<FindNextPageInput> = {}): NextPage | undefined {
  return findAll(example, more).candidates[0]?.next;
}

function findAll(example: PageExample, more: Partial<FindNextPageInput> = {}): Paging {
  const { method = "GET", baseUrl = "https://api.example.com", headers = {}, sent } = example;
  const [path = "", search = ""] = example.path.split("?");
  return findNextPage({
    request: {
      method,
      path,
      query: [...new URLSearchParams(search)],
      ...(sent === undefined ? {} : { body: JSON.parse(JSON.stringify(sent)) }),
    },
    url: `${baseUrl}${example.path}`,
    baseUrl,
    headers,
    ...("document" in more ? {} : { document: jsonBody(example.body).document }),
    reservedQueryNames: ["key"],
    ...more,
  });
}

const page = (body: unknown, path = "/items", more: Partial<PageExample> = {}): PageExample => ({
  api: "",
  path,
  body,
  next: undefined,
  ...more,
});
const list = (next: string): unknown => ({ items: [{ id: 1 }], next });

describe("findNextPage", () => {
  it.each(examples.map((example) => [example.api, example] as const))(
    "reads %s",
    (_name, example) => {
      const { next } = example;
      expect(find(example)).toEqual(next === undefined ? undefined : { method: "GET", ...next });
    },
  );

  it.each([
    ['{"items":[{"id":1}],"next_cursor":12345678901234567891}', "12345678901234567891"],
    ['{"object":"list","has_more":true,"data":[{"id":9007199254740993}]}', "9007199254740993"],
  ])("keeps every digit of the cursor in %s", (text, digits) => {
    const next = find(page({}), { document: parseJson(text) });
    expect(next?.path).toMatch(new RegExp(`=${digits}$`));
  });

  it.each(ruledExamples.map((each) => [each.api, each] as const))(
    "reads %s by the record's rule, and not without it",
    (_name, { rule, found, ...example }) => {
      const next = { method: "GET", ...example.next };
      expect(find(example)).not.toEqual(next);
      expect(find(example, { rule: { rule, next: found } })).toEqual(next);
    },
  );

  it.each([
    ["another host", "https://evil.example.com/items?page=2"],
    ["a place outside the base path", "https://api.example.com/v2/items?page=2"],
    ["a path that only begins like the base path", "https://api.example.com/v1evil/items?page=2"],
    ["dot segments that leave the base path", "https://api.example.com/v1/../admin?page=2"],
    ["encoded dot segments", "https://api.example.com/v1/%2e%2e/admin?page=2"],
    ["a user name", "https://a@api.example.com/v1/items?page=2"],
    ["a place of another host outside the base path", "http://10.0.0.5:8080/v2/items?page=2"],
    ["another scheme", "ftp://api.example.com/v1/items?page=2"],
    ["backslashes", "https://api.example.com/v1\\items?page=2"],
    ["the requested URL itself", "https://api.example.com/v1/items"],
    ["the requested URL with the credential", "https://api.example.com/v1/items?key=abc"],
    ["a cursor that was redacted", "https://api.example.com/v1/items?cursor=%5BREDACTED%5D"],
  ])("offers no link to %s", (_name, link) => {
    const baseUrl = "https://api.example.com/v1";
    expect(find(page(list(link), "/items", { baseUrl }))).toBeUndefined();
    expect(
      find(page([], "/items", { baseUrl, headers: { link: `<${link}>; rel=next` } })),
    ).toBeUndefined();
  });

  it("takes a link that leaves out the base path when it repeats the requested path", () => {
    expect(
      find(page(list("/items?page=2"), "/items", { baseUrl: "https://api.example.com/v1" }))?.path,
    ).toBe("/items?page=2");
  });

  it.each([
    [
      "another host",
      "http://10.0.0.5:8080/v1/items?page=2",
      "https://api.example.com/v1",
      "/items?page=2",
    ],
    [
      "another port",
      "https://api.example.com:8443/v1/items?page=2",
      "https://api.example.com/v1",
      "/items?page=2",
    ],
    [
      "another host, and the requested path",
      "http://10.0.0.5/items?page=2",
      "https://api.example.com",
      "/items?page=2",
    ],
    [
      "another host, and another path",
      "http://10.0.0.5/other?page=2",
      "https://api.example.com",
      undefined,
    ],
  ])("takes the path of a link with %s as a guess", (_name, link, baseUrl, path) => {
    const [first] = findAll(page(list(link), "/items", { baseUrl })).candidates;
    expect(first?.next.path).toBe(path);
    expect(first === undefined || first.guessOf !== undefined).toBe(true);
  });

  it("takes the cursor beside a link that leads elsewhere", () => {
    const body = { items: [{ id: 1 }], next: "https://docs.example.com/guide", next_cursor: "b" };
    expect(find(page(body))?.path).toBe("/items?cursor=b");
  });

  it("takes no link of more than 8,000 characters, and a long run of slashes costs nothing", () => {
    expect(find(page(list(`/items?page=2&c=${"x".repeat(7900)}`)))?.path).toHaveLength(7916);
    expect(find(page(list(`/items?page=2&c=${"x".repeat(8000)}`)))).toBeUndefined();
    expect(find(page(list(`https://api.example.com/${"/".repeat(300_000)}x`)))).toBeUndefined();
  });

  it("drops the credential's and constant parameters, however they are spelled", () => {
    const next = find(page(list("https://api.example.com/items?KEY=a&page=2&k%65y=b&version=3")), {
      reservedQueryNames: ["key", "version"],
    });
    expect(next?.path).toBe("/items?page=2");
  });

  const record = { id: 7, next: "/posts/8", previous: "/posts/6" };
  const comments = [{ id: 1 }, { id: 2 }];
  const open = (endCursor: string): unknown => ({
    nodes: [1],
    pageInfo: { hasNextPage: true, endCursor },
  });
  const twoConnections =
    "query($after: String) { a(after: $after) { nodes } b(after: $after) { nodes } }";

  it.each<[string, unknown, string, Partial<PageExample>?]>([
    ["a DELETE", list("/items?page=2"), "/items", { method: "DELETE" }],
    [
      "a POST that created something",
      { id: 7, next: "/items/8", cursor: "abc", page: 1, total_pages: 3 },
      "/items",
      { method: "POST", sent: { title: "x" } },
    ],
    ["the pages of a book", { id: 1, title: "x", page: 3, pages: 250 }, "/books/1"],
    ["the total of an order", { id: 1, total: 250, offset: 0, limit: 3, tags: ["a"] }, "/orders/1"],
    ["an object called cursor", { items: [{ id: 1 }], cursor: { at: 5 } }, "/items"],
    [
      "two GraphQL connections",
      { data: { a: open("x"), b: open("y") } },
      "/graphql",
      { method: "POST", sent: { query: twoConnections } },
    ],
    ["an opaque next whose place isn't known", { items: [{ id: 1 }], next: "b" }, "/items"],
    ["the neighbour of a record with a list", { ...record, comments }, "/posts/7"],
    ["next: null", { count: 1023, next: null, items: [{ id: 1 }] }, "/items?page=5&page_size=1"],
    ["an empty cursor", { page: 1, total_pages: 3, next_cursor: "", items: [{ id: 1 }] }, "/items"],
    [
      "the sent cursor",
      { page: 1, total_pages: 3, cursor: "x", items: [{ id: 1 }] },
      "/items?cursor=x",
    ],
    [
      "what stands in a row",
      { items: [{ id: 1, next_cursor: "x", next: "/items?page=2" }] },
      "/items",
    ],
  ])("offers nothing for %s", (_name, ...[body, path, more]) => {
    expect(find(page(body, path, more))).toBeUndefined();
  });

  it.each([
    [
      "a container called cursor",
      { items: [{ id: 1 }], cursor: { next: "abc" } },
      "/x",
      "/x?cursor=abc",
    ],
    [
      "an opaque next after a sent cursor",
      { items: [{ id: 1 }], next: "b" },
      "/x?cursor=a",
      "/x?cursor=b",
    ],
    [
      "by another name",
      { items: [{ id: 1 }], nextCursor: "b" },
      "/x?pageToken=a",
      "/x?pageToken=b",
    ],
  ])("puts the next cursor where the last one was sent: %s", (_name, body, path, next) => {
    expect(find(page(body, path))?.path).toBe(next);
  });

  it.each(["", "0", 0, "-1", "null", null])("takes the cursor %j as the end", (next_cursor) => {
    expect(
      find(page({ page: 1, total_pages: 3, items: [{ id: 1 }], next_cursor }, "/x")),
    ).toBeUndefined();
  });
});

describe("a page in XML", () => {
  it.each([
    [
      "Atom",
      "/index.atom",
      '<feed><title>x</title><link href="/"/><link rel="next" href="/index.atom?page=2"/><entry><id>1</id></entry><entry><id>2</id></entry></feed>',
      "/index.atom?page=2",
      ["feed", "entry"],
    ],
    [
      "Solr, whose numbers are attributes",
      "/select?rows=2",
      '<response><lst name="h"/><result numFound="32" start="0"><doc><str>1</str></doc><doc><str>2</str></doc></result></response>',
      "/select?rows=2&start=2",
      ["response", "result", "doc"],
    ],
    [
      "S3",
      "/?list-type=2",
      "<ListBucketResult><NextContinuationToken>1ueG</NextContinuationToken><IsTruncated>true</IsTruncated><Contents><Key>a</Key></Contents><Contents><Key>b</Key></Contents></ListBucketResult>",
      "/?list-type=2&continuation-token=1ueG",
      ["ListBucketResult", "Contents"],
    ],
  ])("goes on, and its rows are found: %s", async (_name, path, body, next, rows) => {
    const { document } = await xmlBody(body);
    const found = findAll(page({}, path), { document });
    expect(found.candidates[0]?.next).toMatchObject({ method: "GET", path: next });
    expect(found.rows).toEqual(rows);
  });
});

describe("the place of the rows", () => {
  const records = [{ id: 1 }, { id: 2 }];

  it.each<[string, JsonValue, readonly string[] | undefined, string?]>([
    ["a list itself, as CSV is", records, []],
    ["a usual name", { included: [...records, ...records], data: records }, ["data"]],
    [
      "the longest records",
      { tags: ["a", "b", "c"], small: [{ id: 1 }], large: records },
      ["large"],
    ],
    [
      "the end of the path",
      { users: [...records, ...records], tickets: records },
      ["tickets"],
      "/tickets.json",
    ],
    ["HAL", { _links: {}, _embedded: { orders: records } }, ["_embedded", "orders"]],
    ["GraphQL", { data: { shop: { edges: records, pageInfo: {} } } }, ["data", "shop", "edges"]],
    ["XML", { root: { "@n": "2", list: { row: records } } }, ["root", "list", "row"]],
    ["one row of XML", { orders: { "@total": "9", order: { id: "1" } } }, ["orders", "order"]],
    ["one entry of a feed", { feed: { title: "x", entry: { id: "1" } } }, ["feed", "entry"]],
    [
      "lists before one row",
      { orders: { order: { id: "1" }, extra: records } },
      ["orders", "extra"],
    ],
    ["a record in a wrapper", { response: { order: { id: "1" } } }, undefined],
    ["a list of plain values", { ids: [1, 2], next_cursor: 0 }, ["ids"]],
    ["no list", { id: 1 }, undefined],
  ])("is found for %s", (_name, document, rows, path = "") => {
    expect(readEnvelope(document, path).rows?.path).toEqual(rows);
  });
});

describe("what can't be followed", () => {
  const long = "x".repeat(400_000);
  const wide = (member: (index: number) => unknown, width = 190): object =>
    Object.fromEntries(
      Array.from({ length: width }, (_, index) => [`next${index}`, member(index)]),
    );

  it.each<[string, unknown, Partial<PageExample>]>([
    ["a cursor", { items: [{ id: 1 }], next_cursor: long }, {}],
    ["a link", { items: [{ id: 1 }], next: `/items?cursor=${long}` }, {}],
  ])("is reported where %s is too long to be sent", (_name, body, more) => {
    const { candidates, shown } = findAll(page(body, "/items", more));
    expect(candidates).toEqual([]);
    expect(shown.unreachable).toMatch(/^there is a next page, but its link or cursor is too long/);
  });

  it.each([
    ["a link of slashes", { items: [{ id: 1 }], next: "/".repeat(300_000) }],
    [
      "keys of underscores",
      { items: [{ id: 1 }], ["_".repeat(300_000)]: 1, next: "a".repeat(300_000) },
    ],
    ["many members", { items: [{ id: 1 }], ...wide(() => wide(() => wide((index) => index, 5))) }],
  ])("reads a hostile document to its end: %s", (_name, body) => {
    const document = jsonBody(body).document;
    expect(() => findAll(page([]), { document })).not.toThrow();
  });

  it("takes no time in a header", () => {
    const tricks = [
      `<a>;${" ".repeat(32_000)}`,
      `<a>;b="${"\\a".repeat(16_000)}`,
      "<a>;b=".repeat(5_000),
    ];
    for (const link of tricks) find(page([], "/items", { headers: { link } }));
  });

  it.each<[string, unknown, Partial<PageExample>, RegExp | undefined]>([
    [
      "a token of an unknown name",
      { next_thing: null, next_set: "k7", items: [{ id: 1 }] },
      {},
      /`next_set`/,
    ],
    ["a header", [{ id: 1 }], { headers: { "next-range": "id ]x..; max=2" } }, /`next-range`/],
    [
      "the same list elsewhere",
      { next: "https://10.0.0.5/v9/items?page=2", items: [{ id: 1 }] },
      {},
      /outside/,
    ],
    ["a next step", { step: "a", next: "billing", items: [{ id: 1 }] }, {}, undefined],
  ])("is reported, or not, for %s", (_name, body, more, note) => {
    const found = findAll(
      page(body, more.path ?? "/items", { baseUrl: "https://api.example.com/v1", ...more }),
    );
    expect(found.candidates).toEqual([]);
    const { unreachable, sign } = found.shown;
    if (note === undefined) expect({ unreachable, sign }).toEqual({});
    else expect(unreachable ?? sign).toMatch(note);
  });
});

describe("counting pages", () => {
  const rows = (count: number): { id: number }[] =>
    Array.from({ length: count }, (_, index) => ({ id: index }));

  it.each<[string, string | undefined, object]>([
    // From 0, with the first row's place.
    ["/x?page=0", "/x?page=1", { start: 0, size: 20, total: 25, items: rows(20) }],
    ["/x?page=1", undefined, { start: 20, size: 20, total: 25, items: rows(5) }],
    // From 1.
    ["/x?page=2", "/x?page=3", { start: 20, size: 20, total: 50, items: rows(20) }],
    ["/x?page=2", undefined, { start: 20, size: 20, total: 40, items: rows(20) }],
    // An offset that is answered as start.
    ["/x?offset=20", "/x?offset=40", { start: 20, total: 50, items: rows(20) }],
    ["/x?offset=40", undefined, { start: 40, total: 50, items: rows(10) }],
    // Spring's pages from 0, asked from 1.
    ["/x?page=2", "/x?page=3", { number: 1, size: 20, totalPages: 3, content: rows(20) }],
    // A quota beside the list; brackets of JSON:API.
    ["/x?page=1", "/x?page=2", { rate_limit: { limit: 5000 }, total: 50, items: rows(10) }],
    [
      "/x?page[size]=10",
      "/x?page[size]=10&page[number]=2",
      { meta: { page: 1, total: 25 }, data: rows(10) },
    ],
  ])("goes from %s to %s", (path, next, body) => {
    expect(find(page(body, path))?.path).toBe(next);
  });
});
