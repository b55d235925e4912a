import type { JsonValue } from "langchain-api-sources";
/** Simulated APIs, one per way of paging: from a request to a page of rows. */

export interface PageRequest {
  readonly query: URLSearchParams;
  readonly body: { readonly [key: string]: JsonValue } | undefined;
}

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface PagedApi {
  readonly name: string;
  readonly method: "GET" | "POST";
  /** The first request's query, and body. */
  readonly first: (size: number) => { readonly query?: string; readonly body?: { [key: string]: JsonValue } };
  readonly answer: (rows: readonly number[], size: number, request: PageRequest) => Page;
}

const toRows = (rows: readonly number[]): { id: number }[] => rows.map((id) => ({ id }));
const number = (text: string | null, fallback: number): number => (text === null ? fallback : Number(text));

function get(
  name: string,
  first: (size: number) => string,
  answer: (
    rows: readonly number[],
    size: number,
    query: URLSearchParams,
  ) => { body: unknown; headers?: Record<string, string> },
): PagedApi {
  return {
    name,
    method: "GET",
    first: (size) => ({ query: first(size) }),
    answer: (rows, size, { query }) => ({ headers: {}, ...answer(rows, size, query) }),
  };
}

function byPage(rows: readonly number[], size: number, page: number): { id: number }[] {
  return toRows(rows.slice((page - 1) * size, page * size));
}

function byOffset(rows: readonly number[], size: number, offset: number): { id: number }[] {
  return toRows(rows.slice(offset, offset + size));
}

const headers: readonly PagedApi[] = [
  get(
    "Link header",
    () => "",
    (rows, size, query) => {
      const page = number(query.get("page"), 1);
      const link: Record<string, string> =
        page * size < rows.length
          ? { link: `<https://api.example.com/items?page=${page + 1}>; rel="next"` }
          : {};
      return { body: byPage(rows, size, page), headers: link };
    },
  ),
  get(
    "X-Next-Page",
    () => "",
    (rows, size, query) => {
      const page = number(query.get("page"), 1);
      const next = page * size < rows.length ? String(page + 1) : "";
      return { body: byPage(rows, size, page), headers: { "x-next-page": next, "x-page": String(page) } };
    },
  ),
  get(
    "X-Total-Count",
    (size) => `_page=1&_limit=${size}`,
    (rows, size, query) => ({
      body: byPage(rows, size, number(query.get("_page"), 1)),
      headers: { "x-total-count": String(rows.length) },
    }),
  ),
  get(
    "X-WP-TotalPages, where the page is requested",
    () => "page=1",
    (rows, size, query) => ({
      body: byPage(rows, size, number(query.get("page"), 1)),
      headers: { "x-wp-totalpages": String(Math.ceil(rows.length / size)) },
    }),
  ),
];

const inBody: readonly PagedApi[] = [
  get(
    "a relative URL",
    () => "",
    (rows, size, query) => {
      const offset = number(query.get("skip"), 0);
      const next = offset + size < rows.length ? `?skip=${offset + size}` : null;
      return { body: { results: byOffset(rows, size, offset), next } };
    },
  ),
  get(
    "a cursor",
    () => "",
    (rows, size, query) => {
      const offset = number(query.get("cursor")?.slice(1) ?? null, 0);
      const next = offset + size < rows.length ? `c${offset + size}` : "";
      return { body: { items: byOffset(rows, size, offset), response_metadata: { next_cursor: next } } };
    },
  ),
  get(
    "a page token",
    () => "",
    (rows, size, query) => {
      const offset = number(query.get("pageToken")?.slice(1) ?? null, 0);
      const next = offset + size < rows.length ? { nextPageToken: `t${offset + size}` } : {};
      return { body: { items: byOffset(rows, size, offset), ...next } };
    },
  ),
  get(
    "the last row's id",
    () => "",
    (rows, size, query) => {
      const after = rows.indexOf(number(query.get("starting_after"), -1));
      const data = byOffset(rows, size, after + 1);
      return { body: { object: "list", data, has_more: after + 1 + size < rows.length } };
    },
  ),
  get(
    "page and total_pages",
    () => "",
    (rows, size, query) => {
      const page = number(query.get("page"), 1);
      return { body: { data: byPage(rows, size, page), page, total_pages: Math.ceil(rows.length / size) } };
    },
  ),
  get(
    "pages counted from 0",
    () => "",
    (rows, size, query) => {
      const page = number(query.get("page"), 0);
      return { body: { hits: byPage(rows, size, page + 1), page, nbPages: Math.ceil(rows.length / size) } };
    },
  ),
  get(
    "page, per_page and total",
    (size) => `per_page=${size}`,
    (rows, size, query) => {
      const page = number(query.get("page"), 1);
      return { body: { data: byPage(rows, size, page), meta: { page, per_page: size, total: rows.length } } };
    },
  ),
  get(
    "offset, limit and total",
    () => "",
    (rows, size, query) => {
      const offset = number(query.get("offset"), 0);
      return { body: { data: byOffset(rows, size, offset), offset, limit: size, total: rows.length } };
    },
  ),
  get(
    "a limit above the API's cap",
    () => "offset=0&limit=1000",
    (rows, size, query) => {
      const offset = number(query.get("offset"), 0);
      return { body: { data: byOffset(rows, size, offset), total: rows.length } };
    },
  ),
  get(
    "startAt and isLast",
    () => "",
    (rows, size, query) => {
      const startAt = number(query.get("startAt"), 0);
      const values = byOffset(rows, size, startAt);
      return { body: { values, startAt, maxResults: size, isLast: startAt + size >= rows.length } };
    },
  ),
  get(
    "rows counted from 1",
    () => "",
    (rows, size, query) => {
      const startIndex = number(query.get("startIndex"), 1);
      const Resources = byOffset(rows, size, startIndex - 1);
      return { body: { Resources, startIndex, itemsPerPage: size, totalResults: rows.length } };
    },
  ),
  get(
    "page and a word that there is more",
    () => "page=1",
    (rows, size, query) => {
      const page = number(query.get("page"), 1);
      return { body: { items: byPage(rows, size, page), has_more: page * size < rows.length } };
    },
  ),
  get(
    "nothing but full pages",
    (size) => `page=1&per_page=${size}`,
    (rows, size, query) => ({
      body: byPage(rows, size, number(query.get("page"), 1)),
    }),
  ),
  get(
    "nothing but full pages by offset",
    (size) => `offset=0&limit=${size}`,
    (rows, size, query) => ({
      body: byOffset(rows, size, number(query.get("offset"), 0)),
    }),
  ),
];

const inPost: readonly PagedApi[] = [
  {
    name: "a cursor in a POST body",
    method: "POST",
    first: () => ({ body: { filter: {} } }),
    answer: (rows, size, { body }) => {
      const offset = Number(String(body?.["start_cursor"] ?? "c0").slice(1));
      const more = offset + size < rows.length;
      const results = byOffset(rows, size, offset);
      return {
        headers: {},
        body: { object: "list", results, has_more: more, next_cursor: more ? `c${offset + size}` : null },
      };
    },
  },
  {
    name: "a bookmark that never ends",
    method: "POST",
    first: () => ({ body: { selector: {} } }),
    answer: (rows, size, { body }) => {
      const offset = Number(String(body?.["bookmark"] ?? "b0").slice(1));
      return { headers: {}, body: { docs: byOffset(rows, size, offset), bookmark: `b${offset + size}` } };
    },
  },
  {
    name: "from and size in a POST body",
    method: "POST",
    first: (size) => ({ body: { from: 0, size } }),
    answer: (rows, size, { body }) => {
      const hits = byOffset(rows, size, Number(body?.["from"] ?? 0));
      return { headers: {}, body: { hits: { total: { value: rows.length }, hits } } };
    },
  },
  {
    name: "a GraphQL connection",
    method: "POST",
    first: () => ({ body: { query: "query($after: String) { items(after: $after) { nodes { id } } }" } }),
    answer: (rows, size, { body }) => {
      const variables = body?.["variables"];
      const after = new Map(Object.entries(variables ?? {})).get("after") ?? "0";
      const offset = Number(after);
      const pageInfo = { hasNextPage: offset + size < rows.length, endCursor: String(offset + size) };
      return { headers: {}, body: { data: { items: { nodes: byOffset(rows, size, offset), pageInfo } } } };
    },
  },
];

export const pagedApis: readonly PagedApi[] = [...headers, ...inBody, ...inPost];
