import { describe, expect, it } from "@jest/globals";
import type { JsonValue } from "../../src/json/exact-number.js";
import { parseJson } from "../../src/json/parse-json.js";
import { type FindNextPageInput, findNextPage, type NextPage } from "../../src/paging/find-next-page.js";
import { parseLinkHeader } from "../../src/paging/parse-link-header.js";
import { jsonBody } from "../support/response-body.js";
import { cursors, links, type PageExample } from "./next-page-examples.js";
import { numbers } from "./next-page-numbers.js";

const examples = [...links, ...cursors, ...numbers];

function find(example: PageExample, more: Partial<FindNextPageInput> = {}): NextPage | undefined {
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
    document: jsonBody(example.body).document,
    reservedQueryNames: ["key"],
    ...more,
  });
}

const page = (body: unknown, path = "/items", more: Partial<PageExample> = {}): PageExample => ({
  api: "",
  source: "",
  path,
  body,
  next: undefined,
  ...more,
});
const list = (next: string): unknown => ({ items: [{ id: 1 }], next });

describe("findNextPage", () => {
  it.each(examples.map((example) => [`${example.api} (${example.source})`, example] as const))(
    "reads %s",
    (_name, example) => {
      const { next } = example;
      expect(find(example)).toEqual(next === undefined ? undefined : { method: "GET", ...next });
    },
  );

  it.each([
    ["a cursor", '{"items":[{"id":1}],"next_cursor":12345678901234567891}', "12345678901234567891"],
    [
      "a cursor of more digits",
      '{"items":[{"id":1}],"next_cursor":1234567890123456789012345}',
      "1234567890123456789012345",
    ],
    [
      "the last row's id",
      '{"object":"list","has_more":true,"data":[{"id":9007199254740993}]}',
      "9007199254740993",
    ],
  ])("keeps every digit of %s that a double can't hold", (_what, text, digits) => {
    const next = find(page({}), { document: parseJson(text) });
    expect(next?.path).toMatch(new RegExp(`=${digits}$`));
  });

  it("keeps every digit of the sort values that a search continues after", () => {
    const sent = { size: 1, sort: ["at"] };
    const text = '{"hits":{"hits":[{"_id":"a","sort":[12345678901234567891,"x"]}]}}';
    const next = find(page({}, "/search", { method: "POST", sent }), { document: parseJson(text) });
    expect(next?.body).toEqual({ ...sent, search_after: ["12345678901234567891", "x"] });
  });

  it.each([
    ["another host", "https://evil.example.com/items?page=2"],
    ["a lookalike of the host", "https://api.example.com.evil.test/v1/items?page=2"],
    ["another port", "https://api.example.com:8443/v1/items?page=2"],
    ["a place outside the base path", "https://api.example.com/v2/items?page=2"],
    ["a path that only begins like the base path", "https://api.example.com/v1evil/items?page=2"],
    ["dot segments that leave the base path", "https://api.example.com/v1/../admin?page=2"],
    ["encoded dot segments", "https://api.example.com/v1/%2e%2e/admin?page=2"],
    ["a user name", "https://a@api.example.com/v1/items?page=2"],
    ["a password", "https://:b@api.example.com/v1/items?page=2"],
    ["user information", "https://a:b@api.example.com/v1/items?page=2"],
    ["a scheme-relative URL of another host", "//evil.example.com/v1/items?page=2"],
    ["another scheme", "ftp://api.example.com/v1/items?page=2"],
    ["backslashes", "https://api.example.com/v1\\items?page=2"],
    ["the requested URL itself", "https://api.example.com/v1/items"],
    ["the requested URL with the credential", "https://api.example.com/v1/items?key=abc"],
    ["a cursor that was redacted", "https://api.example.com/v1/items?cursor=%5BREDACTED%5D"],
  ])("offers no link to %s", (_name, link) => {
    const baseUrl = "https://api.example.com/v1";
    expect(find(page(list(link), "/items", { baseUrl }))).toBeUndefined();
    expect(find(page([], "/items", { baseUrl, headers: { link: `<${link}>; rel=next` } }))).toBeUndefined();
  });

  it("takes a link that leaves out the base path when it repeats the requested path", () => {
    expect(find(page(list("/items?page=2"), "/items", { baseUrl: "https://api.example.com/v1" }))?.path).toBe(
      "/items?page=2",
    );
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

  it.each(["PUT", "PATCH", "DELETE"] as const)("offers nothing after %s", (method) => {
    expect(find(page(list("/items?page=2"), "/items", { method }))).toBeUndefined();
  });

  it("offers nothing after a POST that created something", () => {
    const created = { id: 7, next: "/items/8", cursor: "abc", page: 1, total_pages: 3 };
    expect(find(page(created, "/items", { method: "POST", sent: { title: "x" } }))).toBeUndefined();
  });

  it.each([
    ["a book", { id: 1, title: "x", page: 3, pages: 250 }],
    ["a book without an id", { title: "x", page: 3, pages: 250 }],
    ["an order", { id: 1, total: 250, offset: 0, limit: 3, tags: ["a"] }],
  ])("does not count the pages of %s", (_name, body) => {
    expect(find(page(body, "/things/1"))).toBeUndefined();
  });

  it.each([
    ["a container called cursor", { items: [{ id: 1 }], cursor: { next: "abc" } }, "/x", "/x?cursor=abc"],
    [
      "Lark's page_token",
      { data: { items: [{ id: 1 }], has_more: true, page_token: "t" } },
      "/x",
      "/x?page_token=t",
    ],
    [
      "Google Places' token",
      { html_attributions: [], results: [{}], next_page_token: "t" },
      "/x",
      "/x?pagetoken=t",
    ],
    ["an opaque next after a sent cursor", { items: [{ id: 1 }], next: "b" }, "/x?cursor=a", "/x?cursor=b"],
  ])("reads %s", (_name, body, path, next) => {
    expect(find(page(body, path))?.path).toBe(next);
  });

  it("takes no object for a cursor, but DynamoDB's", () => {
    expect(find(page({ items: [{ id: 1 }], cursor: { count: 5 } }))).toBeUndefined();
  });

  it("does not guess which of two GraphQL connections goes on", () => {
    const open = (endCursor: string): unknown => ({ nodes: [1], pageInfo: { hasNextPage: true, endCursor } });
    const sent = { query: "query($after: String) { a(after: $after) { nodes } b(after: $after) { nodes } }" };
    const example = page({ data: { a: open("x"), b: open("y") } }, "/graphql", { method: "POST", sent });
    expect(find(example)).toBeUndefined();
  });

  it("does not guess where an opaque next goes", () => {
    expect(find(page({ items: [{ id: 1 }], next: "b" }))).toBeUndefined();
  });

  it("does not take the neighbour of a single record for a page", () => {
    expect(find(page({ id: 7, next: "/posts/8", previous: "/posts/6" }, "/posts/7"))).toBeUndefined();
  });

  it.each([
    ["next is null", { count: 1023, next: null, items: [{ id: 1 }] }, "/items?page=5&page_size=1"],
    ["the cursor is empty", { page: 1, total_pages: 3, next_cursor: "", items: [{ id: 1 }] }, "/items"],
    [
      "the cursor is the sent one",
      { page: 1, total_pages: 3, cursor: "x", items: [{ id: 1 }] },
      "/items?cursor=x",
    ],
  ])("does not count on when %s", (_name, body, path) => {
    expect(find(page(body, path))).toBeUndefined();
  });

  it("survives a cursor object of 100,000 levels", () => {
    let deep: JsonValue = { S: "x" };
    for (let level = 0; level < 100_000; level++) deep = { M: deep };
    const document = { Items: [1], LastEvaluatedKey: deep };
    expect(find(page({}, "/", { method: "POST", sent: {} }), { document })?.body).toHaveProperty(
      "ExclusiveStartKey",
    );
  });

  it("never looks into rows", () => {
    expect(find(page({ items: [{ id: 1, next_cursor: "x", next: "/items?page=2" }] }))).toBeUndefined();
  });

  it("reads a body given as JSON text", () => {
    const example = page({ object: "list", results: [{ id: 1 }], has_more: true, next_cursor: "c" }, "/q", {
      method: "POST",
    });
    const request = { method: "POST", path: "/q", query: [], body: '{"page_size":1}' } as const;
    expect(find(example, { request })).toEqual({
      method: "POST",
      path: "/q",
      body: { page_size: 1, start_cursor: "c" },
    });
  });

  it("puts the next cursor where the last one was sent", () => {
    const body = { items: [{ id: 1 }], nextCursor: "b" };
    expect(find(page(body, "/items?page[cursor]=a"))?.path).toBe("/items?page[cursor]=b");
    expect(find(page(body, "/items?pageToken=a"))?.path).toBe("/items?pageToken=b");
  });
});

describe("parseLinkHeader", () => {
  it.each([
    ['<a>; rel="x y"', [["a", ["x", "y"]]]],
    [
      "<a>;rel=next,<b>; rel=prev",
      [
        ["a", ["next"]],
        ["b", ["prev"]],
      ],
    ],
    ['<a,b;c>; title="d, <e>; rel=\\"f\\""; REL = next', [["a,b;c", ["next"]]]],
    ["<a>; rel=first; rel=next", [["a", ["first"]]]],
    ["<a>; crossorigin; rel=next", [["a", ["next"]]]],
    [
      "<a>, , <b>; rel=next",
      [
        ["a", []],
        ["b", ["next"]],
      ],
    ],
    ["<a", []],
    ["", []],
    ["a; rel=next", []],
  ])("reads %s", (header, expected) => {
    expect(parseLinkHeader(header).map(({ target, rel }) => [target, rel])).toEqual(expected);
  });
});
