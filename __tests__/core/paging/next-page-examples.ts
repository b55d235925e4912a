import type { HttpMethod, JsonValue } from "langchain-api-sources";
import type { PagingRule } from "../../../src/core/record/api-source.js";
/** Pages as providers document them, and the request that gets the next one. */

export interface PageExample {
  readonly api: string;
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
  readonly next:
    | {
        readonly path: string;
        readonly method?: HttpMethod;
        readonly body?: unknown;
        readonly headers?: unknown;
      }
    | undefined;
}

/** The API, what was asked, the next path (the next body where that changes instead), and the answer with what says so. */
type ExampleRow = readonly [
  api: string,
  asked: string,
  next: string | object | undefined,
  body: unknown,
  more?: Partial<PageExample>,
];

const rows = (count: number): { id: number }[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const ten = rows(10);
const base = "https://api.example.com";
const linkHeader = (link: string) => ({ headers: { link } });
const quotedLink =
  '</books?page=2>; title="next, \\"really\\"; rel=prev"; rel="NEXT https://example.com/rel/more"';

const examplesAsRows: readonly ExampleRow[] = [
  // Links.
  [
    "a proxy whose header names another host than the body",
    "/items",
    "/items?page=3",
    { items: ten, next: `${base}/items?page=3` },
    { headers: { link: '<http://internal:8080/items?page=2>; rel="next"' } },
  ],
  ["RFC 8288, several relations", "/books?page=1", "/books?page=2", ten, linkHeader(quotedLink)],
  [
    "Sentry's last page",
    "/x",
    undefined,
    ten,
    linkHeader('</x?cursor=1:1:0>; rel="next"; results="false"'),
  ],
  [
    "Zendesk",
    "/users.json",
    "/users.json?page=2",
    { users: ten, next_page: `${base}/users.json?page=2` },
  ],
  [
    "behind a proxy",
    "/a/?page=4",
    "/a/?page=5",
    { next: "http://api.example.com/a/?page=5", results: ten },
  ],
  [
    "FHIR",
    "/P",
    "/P?_page=2",
    { total: 100, link: [{ relation: "next", url: "/P?_page=2" }], entry: ten },
  ],
  [
    "Twitter 1.1",
    "/s?q=x",
    "/s?max_id=1&q=x",
    { a: ten, search_metadata: { next_results: "?max_id=1&q=x" } },
  ],
  [
    "HAL, a template",
    "/p?page=1",
    "/p?page=2",
    { _embedded: { p: ten }, _links: { next: { href: "/p?page=2{&sort}", templated: true } } },
  ],
  [
    "Hydra",
    "/b",
    "/b?page=2",
    { "hydra:view": { "hydra:next": "/b?page=2" }, "hydra:member": ten },
  ],
  [
    "Discourse",
    "/c/4.json",
    "/c/4?page=1",
    { topic_list: { more_topics_url: "/c/4?page=1", topics: ten } },
  ],
  [
    "HAL, whose links are lists, too",
    "/orders",
    "/orders?page=2",
    {
      _links: { next: { href: "/orders?page=2" }, admin: [{ href: "/a/1" }, { href: "/a/2" }] },
      _embedded: { "ea:order": ten },
    },
  ],
  // Cursors.
  [
    "OAI-PMH, whose token is an exclusive argument",
    "/oai?verb=ListRecords&metadataPrefix=oai_dc",
    "/oai?verb=ListRecords&resumptionToken=x45",
    { ListRecords: { record: ten, resumptionToken: { "@cursor": "0", "#text": "x45" } } },
  ],
  [
    "OAI-PMH, whose last token is empty",
    "/oai?verb=ListRecords&resumptionToken=x45",
    undefined,
    { ListRecords: { record: ten, resumptionToken: { "@cursor": "10" } } },
  ],
  [
    "Cloudflare, whose cursor is one level down",
    "/keys",
    "/keys?cursor=6Ck1",
    { result: ten, result_info: { count: 10, cursor: "6Ck1" } },
  ],
  [
    "Crossref",
    "/w?cursor=*",
    "/w?cursor=AoJ",
    { status: "ok", message: { "next-cursor": "AoJ", items: ten } },
  ],
  [
    "HubSpot search",
    "POST /contacts/search",
    { limit: 10, query: "x", after: "10" },
    { total: 50, results: ten, paging: { next: { after: "10" } } },
    { sent: { limit: 10, query: "x" } },
  ],
  [
    "Stripe search",
    "/c?query=n",
    "/c?query=n&page=WzE2",
    { has_more: true, next_page: "WzE2", data: ten },
  ],
  [
    "OpenAI",
    "/a",
    "/a?after=asst_2",
    { object: "list", data: ten, last_id: "asst_2", has_more: true },
  ],
  [
    "a list that is read backwards",
    "/c?ending_before=9",
    undefined,
    { object: "list", has_more: true, data: ten },
  ],
  [
    "Vultr, whose link is a cursor",
    "/i",
    "/i?cursor=bmV4",
    { instances: ten, meta: { total: 25, links: { next: "bmV4", prev: "" } } },
  ],
  ["Airtable", "/T", "/T?offset=itrEN2/recG1", { records: ten, offset: "itrEN2/recG1" }],
  ["Kubernetes", "/pods", "/pods?continue=ENC", { metadata: { continue: "ENC" }, items: ten }],
  [
    "MediaWiki",
    "/api.php?list=allpages",
    "/api.php?list=allpages&apcontinue=B&continue=-%7C%7C",
    { continue: { apcontinue: "B", continue: "-||" }, query: { allpages: ten } },
  ],
  [
    "CouchDB _find",
    "POST /_find",
    { bookmark: "g1A" },
    { docs: ten, bookmark: "g1A" },
    { sent: {} },
  ],
  [
    "Notion",
    "POST /databases/1/query",
    { page_size: 10, start_cursor: "33e1" },
    { object: "list", results: ten, has_more: true, next_cursor: "33e1" },
    { sent: { page_size: 10 } },
  ],
  [
    "Notion, without a body",
    "POST /search",
    { start_cursor: "33e1" },
    { object: "list", next_cursor: "33e1", results: ten },
  ],
  [
    "X (Twitter) 2",
    "/t",
    "/t?pagination_token=7140w",
    { data: ten, meta: { next_token: "7140w" } },
  ],
  [
    "Jira",
    "/search/jql",
    "/search/jql?nextPageToken=CAEa",
    { issues: ten, isLast: false, nextPageToken: "CAEa" },
  ],
  [
    "Twitch",
    "/streams?first=10",
    "/streams?first=10&after=eyJi",
    { data: ten, pagination: { cursor: "eyJi" } },
  ],
  [
    "GoCardless",
    "/p",
    "/p?after=P1",
    { payments: ten, meta: { cursors: { before: null, after: "P1" }, limit: 10 } },
  ],
  [
    "Zendesk, whose URL names the parameter",
    "/c.json",
    "/c.json?cursor=M1",
    { tickets: ten, after_cursor: "M1", after_url: "https://other.example.net/x?cursor=M1" },
  ],
  [
    "HubSpot, with an offset of its own",
    "/c?count=2",
    "/c?count=2&vidOffset=204727",
    { contacts: ten, "has-more": true, "vid-offset": 204727 },
  ],
  [
    "HubSpot, whose offset is the next one",
    "/c",
    "/c?offset=204727",
    { companies: ten, hasMore: true, offset: 204727 },
  ],
  ["Lever", "/o?limit=10", "/o?limit=10&offset=%255B1", { data: ten, hasNext: true, next: "%5B1" }],
  [
    "Cosmos DB",
    "POST /docs",
    { query: "x" },
    { Documents: ten },
    {
      sent: { query: "x" },
      headers: { "x-ms-continuation": "+RID:a" },
      next: {
        path: "/docs",
        method: "POST",
        body: { query: "x" },
        headers: { "x-ms-continuation": "+RID:a" },
      },
    },
  ],
  [
    "Azure DevOps",
    "/w",
    "/w?continuationToken=7",
    { value: ten },
    { headers: { "x-ms-continuationtoken": "7" } },
  ],
  [
    "Elasticsearch, which sorts",
    "POST /_search",
    { size: 1, sort: ["at"], search_after: [4098435132000] },
    { hits: { total: { value: 30 }, hits: [{ _id: "2", sort: [4098435132000] }] } },
    { sent: { size: 1, sort: ["at"] } },
  ],
  // Numbers.
  ["Socrata, whose names have a sign", "/r?$limit=10", "/r?$limit=10&$offset=10", ten],
  [
    "ArcGIS, whose fields are the columns of its rows",
    "/q?resultRecordCount=10",
    "/q?resultRecordCount=10&resultOffset=10",
    { fields: [{ name: "id" }], features: ten, exceededTransferLimit: true },
  ],
  [
    "Plaid, whose path ends in a verb",
    "POST /transactions/get",
    { options: { count: 10, offset: 10 } },
    { accounts: [{ account_id: "a" }], transactions: ten, total_transactions: 50 },
    { sent: { options: { count: 10, offset: 0 } } },
  ],
  [
    "Google Custom Search, whose template names the parameter",
    "/customsearch/v1?q=x",
    "/customsearch/v1?q=x&start=11",
    {
      url: { template: "https://h/customsearch/v1?q={searchTerms}&start={startIndex?}" },
      queries: { request: [{ startIndex: 1 }], nextPage: [{ startIndex: 11 }] },
      items: ten,
    },
  ],
  [
    "Elasticsearch",
    "POST /_search",
    { query: {}, from: 10 },
    { took: 1, hits: { total: { value: 30 }, hits: ten } },
    { sent: { query: {} } },
  ],
  [
    "Strapi",
    "/a",
    "/a?pagination[page]=2",
    { data: ten, meta: { pagination: { page: 1, pageSize: 10, pageCount: 3 } } },
  ],
  [
    "CouchDB",
    "/_all_docs?limit=10",
    "/_all_docs?limit=10&skip=10",
    { total_rows: 25, offset: 5, rows: ten },
  ],
  [
    "Magento, whose parameters have a holder of their own",
    "/p?searchCriteria[pageSize]=10",
    "/p?searchCriteria[pageSize]=10&searchCriteria[currentPage]=1",
    { items: ten, search_criteria: { page_size: 10 }, total_count: 42 },
  ],
  [
    "WordPress, whose headers count the pages",
    "/posts",
    "/posts?page=2",
    ten,
    { headers: { "x-wp-total": "25", "x-wp-totalpages": "3" } },
  ],
  [
    "a total beside a size that was sent",
    "/b?limit=10",
    "/b?limit=10&offset=10",
    { total: 25, businesses: ten, region: {} },
  ],
  [
    "Solr",
    "/s?rows=10",
    "/s?rows=10&start=10",
    { responseHeader: {}, response: { numFound: 25, start: 0, docs: ten } },
  ],
  [
    "PubMed",
    "/e?retmax=2&retstart=0",
    "/e?retmax=2&retstart=2",
    { esearchresult: { count: "5", retstart: "0", idlist: ["1", "2"] } },
  ],
  [
    "Pipedrive",
    "/v1/deals?limit=10",
    "/v1/deals?limit=10&start=10",
    {
      data: ten,
      additional_data: { pagination: { more_items_in_collection: true, next_start: 10 } },
    },
  ],
  [
    "Spring Data",
    "/p?size=10",
    "/p?size=10&page=1",
    { content: ten, number: 0, totalPages: 3, last: false },
  ],
  ["Harvest", "/c?page=1", "/c?page=2", { clients: ten, total_pages: 2, next_page: 2, page: 1 }],
  ["OData, $top", "/P?$top=10", "/P?$top=10&$skip=10", { "@odata.count": 25, value: ten }],
  [
    "PostgREST, Content-Range",
    "/people?limit=10&offset=0",
    "/people?limit=10&offset=10",
    ten,
    { headers: { "content-range": "0-9/25" } },
  ],
  [
    "an empty page",
    "/repos?page=9&limit=10",
    undefined,
    [],
    { headers: { "x-total-count": "250" } },
  ],
  [
    "a date in a parameter that elsewhere is an offset",
    "/items?from=2024-01-01",
    "/items?from=2024-01-01&offset=10",
    { offset: 0, limit: 10, total: 25, items: ten },
  ],
];

export const examples: readonly PageExample[] = examplesAsRows.map(
  ([api, asked, next, body, more = {}]: ExampleRow): PageExample => {
    const path = asked.replace(/^POST /, "");
    const method = asked === path ? "GET" : "POST";
    const changed =
      typeof next === "string" ? { path: next } : ({ path, method, body: next } as const);
    return { api, path, method, body, next: next === undefined ? undefined : changed, ...more };
  },
);

/** APIs whose answers do not show how their next page is requested: the record does. */
export const ruledExamples: readonly (PageExample & {
  readonly rule: PagingRule;
  readonly found?: JsonValue;
})[] = [
  {
    api: "an API whose cursor goes into a member of a member of the body",
    path: "/databases/1/query",
    method: "POST",
    sent: { page_size: 10 },
    body: { results: ten, at: "33e19cb9" },
    rule: { next: "at", send: "body:page.cursor" },
    found: "33e19cb9",
    next: {
      path: "/databases/1/query",
      method: "POST",
      body: { page_size: 10, page: { cursor: "33e19cb9" } },
    },
  },
  {
    api: "an API whose cursor goes into a header",
    path: "/a",
    body: { data: ten, at: "x" },
    rule: { next: "at", send: "header:X-Next" },
    found: "x",
    next: { path: "/a", headers: { "X-Next": "x" } },
  },
];
