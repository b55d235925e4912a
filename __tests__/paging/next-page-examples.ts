/** Pages as providers document them, and the request that gets the next one. */

import type { HttpMethod } from "../../src/source/api-source.js";

export interface PageExample {
  readonly api: string;
  /** Where the form is documented. */
  readonly source?: string;
  /** @default "https://api.example.com" */
  readonly baseUrl?: string;
  /** @default "GET" */
  readonly method?: HttpMethod;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly sent?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A value, or JSON text. */
  readonly body: unknown;
  /** Undefined where there is no next page. */
  readonly next: { readonly path: string; readonly method?: HttpMethod; readonly body?: unknown } | undefined;
}

/** The API, what was asked, its answer, and the next path; the next body where that changes instead. */
type ExampleRow = readonly [
  api: string,
  asked: string,
  body: unknown,
  next: string | object | undefined,
  more?: Partial<PageExample>,
];

const rows = (count: number): { id: number }[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

function toExample([api, asked, body, next, more = {}]: ExampleRow): PageExample {
  const path = asked.replace(/^POST /, "");
  const method = asked === path ? "GET" : "POST";
  const changed = typeof next === "string" ? { path: next } : ({ path, method, body: next } as const);
  return { api, path, method, body, next: next === undefined ? undefined : changed, ...more };
}

const examplesAsRows: readonly ExampleRow[] = [
  // Links.
  [
    "Sentry, nothing on the next page",
    "/projects/1/groups/",
    rows(10),
    undefined,
    {
      baseUrl: "https://sentry.io/api/0",
      headers: {
        link: '<https://sentry.io/api/0/projects/1/groups/?&cursor=1:100:0>; rel="next"; results="false"',
      },
    },
  ],
  [
    "RFC 8288, relative target, quoted comma and semicolon, several relations",
    "/books?page=1",
    rows(10),
    "/books?page=2",
    {
      baseUrl: "https://api.example.com/v2",
      headers: {
        link: '</v2/books?page=2>; title="next, \\"really\\"; rel=prev"; rel="NEXT https://example.com/rel/more"',
      },
    },
  ],
  [
    "Zendesk",
    "/users.json",
    {
      users: rows(10),
      next_page: "https://example.zendesk.com/api/v2/users.json?page=2",
      previous_page: null,
      count: 120,
    },
    "/users.json?page=2",
    { baseUrl: "https://example.zendesk.com/api/v2" },
  ],
  [
    "Exact Online, OData 2",
    "/crm/Accounts?$select=ID",
    {
      d: {
        results: rows(10),
        __next: "https://start.exactonline.nl/api/v1/123/crm/Accounts?$select=ID&$skiptoken=guid'a1'",
      },
    },
    "/crm/Accounts?$select=ID&$skiptoken=guid%27a1%27",
    { baseUrl: "https://start.exactonline.nl/api/v1/123" },
  ],
  [
    "Microsoft Graph",
    "/users?$top=2",
    {
      "@odata.context": "x",
      "@odata.nextLink": "https://graph.microsoft.com/v1.0/users?$top=2&$skiptoken=RFNwdAIAAQ",
      value: rows(10),
    },
    "/users?$top=2&$skiptoken=RFNwdAIAAQ",
    { baseUrl: "https://graph.microsoft.com/v1.0" },
  ],
  [
    "Django REST framework behind a proxy that ends TLS",
    "/accounts/?page=4",
    {
      count: 1023,
      next: "http://api.example.com/accounts/?page=5",
      previous: "http://api.example.com/accounts/?page=3",
      results: rows(10),
    },
    "/accounts/?page=5",
  ],
  [
    "JSON:API",
    "/articles?page[number]=3&page[size]=1",
    {
      data: rows(10),
      links: {
        self: "http://api.example.com/articles?page[number]=3&page[size]=1",
        next: "http://api.example.com/articles?page[number]=4&page[size]=1",
      },
    },
    "/articles?page[number]=4&page[size]=1",
  ],
  [
    "Salesforce",
    "/query?q=SELECT+Name",
    {
      done: false,
      totalSize: 3214,
      nextRecordsUrl: "/services/data/v58.0/query/01gRM-2000",
      records: rows(10),
    },
    "/query/01gRM-2000",
    { baseUrl: "https://example.my.salesforce.com/services/data/v58.0" },
  ],
  [
    "Facebook, token in the URL dropped",
    "/1/albums?limit=25",
    {
      data: rows(10),
      paging: {
        cursors: { after: "MTAx", before: "NDMy" },
        next: "https://graph.facebook.com/v19.0/1/albums?limit=25&after=MTAx&key=[REDACTED]",
      },
    },
    "/1/albums?limit=25&after=MTAx",
    { baseUrl: "https://graph.facebook.com/v19.0" },
  ],
  [
    "Facebook, last page keeps its cursors",
    "/1/albums?limit=25",
    { data: rows(10), paging: { cursors: { after: "MTAx", before: "NDMy" } } },
    undefined,
    { baseUrl: "https://graph.facebook.com/v19.0" },
  ],
  [
    "DigitalOcean",
    "/images",
    {
      images: rows(10),
      links: {
        pages: {
          last: "https://api.digitalocean.com/v2/images?page=2",
          next: "https://api.digitalocean.com/v2/images?page=2",
        },
      },
      meta: { total: 25 },
    },
    "/images?page=2",
    { baseUrl: "https://api.digitalocean.com/v2" },
  ],
  [
    "FHIR",
    "/Patient?_count=10",
    {
      resourceType: "Bundle",
      total: 100,
      link: [
        { relation: "self", url: "x" },
        { relation: "next", url: "https://fhir.example.com/r4/Patient?_count=10&_page=2" },
      ],
      entry: rows(10),
    },
    "/Patient?_count=10&_page=2",
    { baseUrl: "https://fhir.example.com/r4" },
  ],
  [
    "Twitter 1.1 search, query only",
    "/search/tweets.json?q=x",
    { statuses: rows(10), search_metadata: { next_results: "?max_id=1125490788736032770&q=x", count: 2 } },
    "/search/tweets.json?max_id=1125490788736032770&q=x",
    { baseUrl: "https://api.twitter.com/1.1" },
  ],
  // Cursors.
  [
    "HubSpot",
    "/crm/v3/objects/contacts?limit=10&after=10",
    { results: rows(10), paging: { next: { after: "20", link: "?after=20" } } },
    "/crm/v3/objects/contacts?after=20",
  ],
  [
    "HubSpot search, POST",
    "POST /crm/v3/objects/contacts/search",
    { total: 50, results: rows(10), paging: { next: { after: "10" } } },
    { limit: 10, query: "x", after: "10" },
    { sent: { limit: 10, query: "x" } },
  ],
  [
    "Notion, POST body",
    "POST /databases/1/query",
    {
      object: "list",
      results: rows(10),
      has_more: true,
      next_cursor: "33e19cb9-751f-4993-b74d-234d67d0d534",
      type: "page_or_database",
    },
    { page_size: 10, start_cursor: "33e19cb9-751f-4993-b74d-234d67d0d534" },
    { sent: { page_size: 10 } },
  ],
  [
    "Asana",
    "/tasks?project=1&limit=5",
    {
      data: rows(10),
      next_page: {
        offset: "yJ0eXAiOiJKV1Qi",
        path: "/tasks?project=1&limit=5&offset=yJ0eXAiOiJKV1Qi",
        uri: "https://app.asana.com/api/1.0/tasks?project=1&limit=5&offset=yJ0eXAiOiJKV1Qi",
      },
    },
    "/tasks?project=1&limit=5&offset=yJ0eXAiOiJKV1Qi",
    { baseUrl: "https://app.asana.com/api/1.0" },
  ],
  [
    "Zoom",
    "/users?page_size=30",
    {
      page_count: 4,
      page_number: 1,
      page_size: 30,
      total_records: 100,
      next_page_token: "w7587w4eiyfsudgf",
      users: rows(10),
    },
    "/users?page_size=30&next_page_token=w7587w4eiyfsudgf",
  ],
  [
    "Stripe search",
    "/customers/search?query=name",
    {
      object: "search_result",
      url: "/v1/customers/search",
      has_more: true,
      next_page: "WzE2NTg=",
      data: rows(10),
    },
    "/customers/search?query=name&page=WzE2NTg%3D",
  ],
  [
    "OpenAI",
    "/assistants?limit=2",
    {
      object: "list",
      data: [{ id: "asst_1" }, { id: "asst_2" }],
      first_id: "asst_1",
      last_id: "asst_2",
      has_more: true,
    },
    "/assistants?limit=2&after=asst_2",
  ],
  [
    "X (Twitter) 2",
    "/2/users/1/tweets?max_results=5",
    { data: rows(10), meta: { result_count: 5, next_token: "7140w", newest_id: "9" } },
    "/2/users/1/tweets?max_results=5&pagination_token=7140w",
  ],
  [
    "Square, POST search",
    "POST /orders/search",
    { orders: rows(10), cursor: "V9ptc" },
    { location_ids: ["L1"], cursor: "V9ptc" },
    { sent: { location_ids: ["L1"] } },
  ],
  [
    "Airtable",
    "/app1/Table?pageSize=10",
    { records: rows(10), offset: "itrEN2TCbrcSN2BMs/recG1" },
    "/app1/Table?pageSize=10&offset=itrEN2TCbrcSN2BMs/recG1",
  ],
  [
    "Kubernetes",
    "/api/v1/pods?limit=10",
    { kind: "PodList", metadata: { resourceVersion: "10245", continue: "ENCODED" }, items: rows(10) },
    "/api/v1/pods?limit=10&continue=ENCODED",
  ],
  [
    "MediaWiki",
    "/w/api.php?action=query&list=allpages",
    { batchcomplete: "", continue: { apcontinue: "B", continue: "-||" }, query: { allpages: rows(10) } },
    "/w/api.php?action=query&list=allpages&apcontinue=B&continue=-%7C%7C",
  ],
  [
    "CouchDB _find",
    "POST /db/_find",
    { docs: rows(10), bookmark: "g1AAAAB4" },
    { selector: {}, limit: 10, bookmark: "g1AAAAB4" },
    { sent: { selector: {}, limit: 10 } },
  ],
  [
    "Elasticsearch, search_after",
    "POST /logs/_search",
    {
      took: 1,
      timed_out: false,
      hits: {
        total: { value: 30, relation: "eq" },
        hits: [
          { _id: "1", sort: [1] },
          { _id: "2", sort: [4098435132000] },
        ],
      },
    },
    { size: 2, sort: [{ "@timestamp": "asc" }], search_after: [4098435132000] },
    { sent: { size: 2, sort: [{ "@timestamp": "asc" }] } },
  ],
  [
    "a cursor equal to the sent one",
    "/orders?cursor=V9ptc",
    { orders: rows(10), cursor: "V9ptc" },
    undefined,
  ],
  // Numbers.
  [
    "Pipedrive",
    "/v1/deals?limit=10",
    {
      success: true,
      data: rows(10),
      additional_data: {
        pagination: { start: 0, limit: 10, more_items_in_collection: true, next_start: 10 },
      },
    },
    "/v1/deals?limit=10&start=10",
  ],
  [
    "Spring Data",
    "/people?size=10",
    { content: rows(10), number: 0, size: 10, totalElements: 25, totalPages: 3, last: false, first: true },
    "/people?size=10&page=1",
  ],
  [
    "Strapi",
    "/articles",
    { data: rows(10), meta: { pagination: { page: 1, pageSize: 10, pageCount: 3, total: 25 } } },
    "/articles?pagination[page]=2",
  ],
  [
    "Harvest, number of the next page",
    "/clients?page=1",
    {
      clients: rows(10),
      per_page: 10,
      total_pages: 2,
      total_entries: 20,
      next_page: 2,
      previous_page: null,
      page: 1,
    },
    "/clients?page=2",
  ],
  [
    "OData, $top with a count",
    "/Products?$top=10&$count=true",
    { "@odata.count": 25, value: rows(10) },
    "/Products?$top=10&$count=true&$skip=10",
  ],
  [
    "PostgREST, Content-Range",
    "/people?limit=10&offset=0",
    rows(10),
    "/people?limit=10&offset=10",
    { headers: { "content-range": "0-9/25" } },
  ],
  ["a bare array and nothing asked for", "/repos", rows(10), undefined],
  ["an empty page", "/repos?page=9&limit=10", [], undefined, { headers: { "x-total-count": "250" } }],
  [
    "CouchDB, whose offset is a place among all rows and no parameter",
    "/db/_all_docs?startkey=%22b%22&limit=10",
    { total_rows: 25, offset: 5, rows: rows(10) },
    "/db/_all_docs?startkey=%22b%22&limit=10&skip=10",
  ],
  [
    "CouchDB, a range of keys that ends before its limit",
    "/db/_all_docs?startkey=%22b%22&endkey=%22c%22&limit=20",
    { total_rows: 25, offset: 5, rows: rows(10) },
    undefined,
  ],
  [
    "CouchDB, a range of keys",
    "/db/_all_docs?startkey=%22b%22&endkey=%22c%22",
    { total_rows: 25, offset: 5, rows: rows(10) },
    undefined,
  ],
  [
    "a date in a parameter that elsewhere is an offset",
    "/items?from=2024-01-01",
    { offset: 0, limit: 10, total: 25, items: rows(10) },
    "/items?from=2024-01-01&offset=10",
  ],
];

export const examples: readonly PageExample[] = examplesAsRows.map(toExample);
