/** Pages as providers document them, and the request that gets the next one. */

import type { HttpMethod } from "../../src/source/api-source.js";

export interface PageExample {
  readonly api: string;
  /** Where the form is documented. */
  readonly source: string;
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

const ten: readonly { id: number }[] = Array.from({ length: 10 }, (_, index) => ({ id: index + 1 }));

export const links: readonly PageExample[] = [
  {
    api: "GitHub",
    source: "https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api",
    baseUrl: "https://api.github.com",
    path: "/repositories/1300192/issues?page=2",
    headers: {
      link: '<https://api.github.com/repositories/1300192/issues?page=1>; rel="prev", <https://api.github.com/repositories/1300192/issues?page=3>; rel="next", <https://api.github.com/repositories/1300192/issues?page=50>; rel="last"',
    },
    body: ten,
    next: { path: "/repositories/1300192/issues?page=3" },
  },
  {
    api: "Sentry, results on the next page",
    source: "https://docs.sentry.io/api/pagination/",
    baseUrl: "https://sentry.io/api/0",
    path: "/projects/1/groups/",
    headers: {
      link: '<https://sentry.io/api/0/projects/1/groups/?&cursor=1:0:1>; rel="previous"; results="false"; cursor="1:0:1", <https://sentry.io/api/0/projects/1/groups/?&cursor=1:100:0>; rel="next"; results="true"; cursor="1:100:0"',
    },
    body: ten,
    next: { path: "/projects/1/groups/?cursor=1:100:0" },
  },
  {
    api: "Sentry, nothing on the next page",
    source: "https://docs.sentry.io/api/pagination/",
    baseUrl: "https://sentry.io/api/0",
    path: "/projects/1/groups/",
    headers: {
      link: '<https://sentry.io/api/0/projects/1/groups/?&cursor=1:100:0>; rel="next"; results="false"',
    },
    body: ten,
    next: undefined,
  },
  {
    api: "RFC 8288, relative target, quoted comma and semicolon, several relations",
    source: "https://www.rfc-editor.org/rfc/rfc8288#section-3.5",
    baseUrl: "https://api.example.com/v2",
    path: "/books?page=1",
    headers: {
      link: '</v2/books?page=2>; title="next, \\"really\\"; rel=prev"; rel="NEXT https://example.com/rel/more"',
    },
    body: ten,
    next: { path: "/books?page=2" },
  },
  {
    api: "Zendesk",
    source: "https://developer.zendesk.com/api-reference/introduction/pagination/",
    baseUrl: "https://example.zendesk.com/api/v2",
    path: "/users.json",
    body: {
      users: ten,
      next_page: "https://example.zendesk.com/api/v2/users.json?page=2",
      previous_page: null,
      count: 120,
    },
    next: { path: "/users.json?page=2" },
  },
  {
    api: "Zendesk, cursor links",
    source: "https://developer.zendesk.com/api-reference/introduction/pagination/",
    baseUrl: "https://example.zendesk.com",
    path: "/api/v2/tickets.json?page[size]=2",
    body: {
      tickets: ten,
      meta: { has_more: true, after_cursor: "xxx", before_cursor: "yyy" },
      links: {
        next: "https://example.zendesk.com/api/v2/tickets.json?page[size]=2&page[after]=xxx",
        prev: null,
      },
    },
    next: { path: "/api/v2/tickets.json?page[size]=2&page[after]=xxx" },
  },
  {
    api: "Exact Online, OData 2",
    source: "https://www.odata.org/documentation/odata-version-2-0/json-format/",
    baseUrl: "https://start.exactonline.nl/api/v1/123",
    path: "/crm/Accounts?$select=ID",
    body: {
      d: {
        results: ten,
        __next: "https://start.exactonline.nl/api/v1/123/crm/Accounts?$select=ID&$skiptoken=guid'a1'",
      },
    },
    next: { path: "/crm/Accounts?$select=ID&$skiptoken=guid%27a1%27" },
  },
  {
    api: "Microsoft Graph",
    source: "https://learn.microsoft.com/en-us/graph/paging",
    baseUrl: "https://graph.microsoft.com/v1.0",
    path: "/users?$top=2",
    body: {
      "@odata.context": "x",
      "@odata.nextLink": "https://graph.microsoft.com/v1.0/users?$top=2&$skiptoken=RFNwdAIAAQ",
      value: ten,
    },
    next: { path: "/users?$top=2&$skiptoken=RFNwdAIAAQ" },
  },
  {
    api: "Django REST framework behind a proxy that ends TLS",
    source: "https://www.django-rest-framework.org/api-guide/pagination/",
    path: "/accounts/?page=4",
    body: {
      count: 1023,
      next: "http://api.example.com/accounts/?page=5",
      previous: "http://api.example.com/accounts/?page=3",
      results: ten,
    },
    next: { path: "/accounts/?page=5" },
  },
  {
    api: "Django REST framework, last page",
    source: "https://www.django-rest-framework.org/api-guide/pagination/",
    path: "/accounts/?page=5",
    body: { count: 1023, next: null, previous: "https://api.example.com/accounts/?page=4", results: ten },
    next: undefined,
  },
  {
    api: "JSON:API",
    source: "https://jsonapi.org/format/#fetching-pagination",
    path: "/articles?page[number]=3&page[size]=1",
    body: {
      data: ten,
      links: {
        self: "http://api.example.com/articles?page[number]=3&page[size]=1",
        next: "http://api.example.com/articles?page[number]=4&page[size]=1",
      },
    },
    next: { path: "/articles?page[number]=4&page[size]=1" },
  },
  {
    api: "Salesforce",
    source: "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_query.htm",
    baseUrl: "https://example.my.salesforce.com/services/data/v58.0",
    path: "/query?q=SELECT+Name",
    body: {
      done: false,
      totalSize: 3214,
      nextRecordsUrl: "/services/data/v58.0/query/01gRM-2000",
      records: ten,
    },
    next: { path: "/query/01gRM-2000" },
  },
  {
    api: "Twilio",
    source: "https://www.twilio.com/docs/usage/twilios-response#pagination",
    baseUrl: "https://api.twilio.com/2010-04-01",
    path: "/Accounts/AC1/Calls.json",
    body: {
      page: 0,
      page_size: 50,
      next_page_uri: "/2010-04-01/Accounts/AC1/Calls.json?Page=1&PageSize=50&PageToken=PACA1",
      calls: ten,
    },
    next: { path: "/Accounts/AC1/Calls.json?Page=1&PageSize=50&PageToken=PACA1" },
  },
  {
    api: "Facebook, token in the URL dropped",
    source: "https://developers.facebook.com/docs/graph-api/results",
    baseUrl: "https://graph.facebook.com/v19.0",
    path: "/1/albums?limit=25",
    body: {
      data: ten,
      paging: {
        cursors: { after: "MTAx", before: "NDMy" },
        next: "https://graph.facebook.com/v19.0/1/albums?limit=25&after=MTAx&key=[REDACTED]",
      },
    },
    next: { path: "/1/albums?limit=25&after=MTAx" },
  },
  {
    api: "Facebook, last page keeps its cursors",
    source: "https://developers.facebook.com/docs/graph-api/results",
    baseUrl: "https://graph.facebook.com/v19.0",
    path: "/1/albums?limit=25",
    body: { data: ten, paging: { cursors: { after: "MTAx", before: "NDMy" } } },
    next: undefined,
  },
  {
    api: "DigitalOcean",
    source: "https://docs.digitalocean.com/reference/api/",
    baseUrl: "https://api.digitalocean.com/v2",
    path: "/images",
    body: {
      images: ten,
      links: {
        pages: {
          last: "https://api.digitalocean.com/v2/images?page=2",
          next: "https://api.digitalocean.com/v2/images?page=2",
        },
      },
      meta: { total: 25 },
    },
    next: { path: "/images?page=2" },
  },
  {
    api: "FHIR",
    source: "https://hl7.org/fhir/http.html#paging",
    baseUrl: "https://fhir.example.com/r4",
    path: "/Patient?_count=10",
    body: {
      resourceType: "Bundle",
      total: 100,
      link: [
        { relation: "self", url: "x" },
        { relation: "next", url: "https://fhir.example.com/r4/Patient?_count=10&_page=2" },
      ],
      entry: ten,
    },
    next: { path: "/Patient?_count=10&_page=2" },
  },
  {
    api: "Twitter 1.1 search, query only",
    source: "https://developer.x.com/en/docs/twitter-api/v1/tweets/search/api-reference/get-search-tweets",
    baseUrl: "https://api.twitter.com/1.1",
    path: "/search/tweets.json?q=x",
    body: { statuses: ten, search_metadata: { next_results: "?max_id=1125490788736032770&q=x", count: 2 } },
    next: { path: "/search/tweets.json?max_id=1125490788736032770&q=x" },
  },
];

export const cursors: readonly PageExample[] = [
  {
    api: "Slack",
    source: "https://api.slack.com/apis/pagination",
    path: "/conversations.list?limit=2",
    body: { ok: true, channels: ten, response_metadata: { next_cursor: "dGVhbTpDMDYxRkE1UEI=" } },
    next: { path: "/conversations.list?limit=2&cursor=dGVhbTpDMDYxRkE1UEI%3D" },
  },
  {
    api: "Slack, last page",
    source: "https://api.slack.com/apis/pagination",
    path: "/conversations.list?limit=2&cursor=x",
    body: { ok: true, channels: ten, response_metadata: { next_cursor: "" } },
    next: undefined,
  },
  {
    api: "HubSpot",
    source: "https://developers.hubspot.com/docs/guides/api/crm/objects/contacts",
    path: "/crm/v3/objects/contacts?limit=10&after=10",
    body: { results: ten, paging: { next: { after: "20", link: "?after=20" } } },
    next: { path: "/crm/v3/objects/contacts?after=20" },
  },
  {
    api: "HubSpot search, POST",
    source: "https://developers.hubspot.com/docs/guides/api/crm/search",
    method: "POST",
    path: "/crm/v3/objects/contacts/search",
    sent: { limit: 10, query: "x" },
    body: { total: 50, results: ten, paging: { next: { after: "10" } } },
    next: {
      method: "POST",
      path: "/crm/v3/objects/contacts/search",
      body: { limit: 10, query: "x", after: "10" },
    },
  },
  {
    api: "Notion, POST body",
    source: "https://developers.notion.com/reference/intro#pagination",
    method: "POST",
    path: "/databases/1/query",
    sent: { page_size: 10 },
    body: {
      object: "list",
      results: ten,
      has_more: true,
      next_cursor: "33e19cb9-751f-4993-b74d-234d67d0d534",
      type: "page_or_database",
    },
    next: {
      method: "POST",
      path: "/databases/1/query",
      body: { page_size: 10, start_cursor: "33e19cb9-751f-4993-b74d-234d67d0d534" },
    },
  },
  {
    api: "Notion, last page",
    source: "https://developers.notion.com/reference/intro#pagination",
    path: "/users?start_cursor=33e1",
    body: { object: "list", results: ten, has_more: false, next_cursor: null },
    next: undefined,
  },
  {
    api: "Google",
    source: "https://cloud.google.com/apis/design/design_patterns#list_pagination",
    path: "/youtube/v3/search?part=id",
    body: {
      kind: "youtube#searchListResponse",
      nextPageToken: "CAUQAA",
      pageInfo: { totalResults: 1000000, resultsPerPage: 5 },
      items: ten,
    },
    next: { path: "/youtube/v3/search?part=id&pageToken=CAUQAA" },
  },
  {
    api: "Asana",
    source: "https://developers.asana.com/docs/pagination",
    baseUrl: "https://app.asana.com/api/1.0",
    path: "/tasks?project=1&limit=5",
    body: {
      data: ten,
      next_page: {
        offset: "yJ0eXAiOiJKV1Qi",
        path: "/tasks?project=1&limit=5&offset=yJ0eXAiOiJKV1Qi",
        uri: "https://app.asana.com/api/1.0/tasks?project=1&limit=5&offset=yJ0eXAiOiJKV1Qi",
      },
    },
    next: { path: "/tasks?project=1&limit=5&offset=yJ0eXAiOiJKV1Qi" },
  },
  {
    api: "Zoom",
    source: "https://developers.zoom.us/docs/api/using-zoom-apis/#pagination",
    path: "/users?page_size=30",
    body: {
      page_count: 4,
      page_number: 1,
      page_size: 30,
      total_records: 100,
      next_page_token: "w7587w4eiyfsudgf",
      users: ten,
    },
    next: { path: "/users?page_size=30&next_page_token=w7587w4eiyfsudgf" },
  },
  {
    api: "Stripe",
    source: "https://docs.stripe.com/api/pagination",
    path: "/customers?limit=3",
    body: {
      object: "list",
      url: "/v1/customers",
      has_more: true,
      data: [{ id: "cus_1" }, { id: "cus_2" }, { id: "cus_3" }],
    },
    next: { path: "/customers?limit=3&starting_after=cus_3" },
  },
  {
    api: "Stripe, last page",
    source: "https://docs.stripe.com/api/pagination",
    path: "/customers?limit=3&starting_after=cus_0",
    body: { object: "list", url: "/v1/customers", has_more: false, data: [{ id: "cus_1" }] },
    next: undefined,
  },
  {
    api: "Stripe search",
    source: "https://docs.stripe.com/api/pagination/search",
    path: "/customers/search?query=name",
    body: {
      object: "search_result",
      url: "/v1/customers/search",
      has_more: true,
      next_page: "WzE2NTg=",
      data: ten,
    },
    next: { path: "/customers/search?query=name&page=WzE2NTg%3D" },
  },
  {
    api: "OpenAI",
    source: "https://platform.openai.com/docs/api-reference/assistants/listAssistants",
    path: "/assistants?limit=2",
    body: {
      object: "list",
      data: [{ id: "asst_1" }, { id: "asst_2" }],
      first_id: "asst_1",
      last_id: "asst_2",
      has_more: true,
    },
    next: { path: "/assistants?limit=2&after=asst_2" },
  },
  {
    api: "DynamoDB",
    source: "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html",
    method: "POST",
    path: "/",
    sent: { TableName: "Thread" },
    body: { Count: 10, Items: ten, LastEvaluatedKey: { ForumName: { S: "Amazon RDS" } } },
    next: {
      method: "POST",
      path: "/",
      body: { TableName: "Thread", ExclusiveStartKey: { ForumName: { S: "Amazon RDS" } } },
    },
  },
  {
    api: "X (Twitter) 2",
    source: "https://docs.x.com/x-api/fundamentals/pagination",
    path: "/2/users/1/tweets?max_results=5",
    body: { data: ten, meta: { result_count: 5, next_token: "7140w", newest_id: "9" } },
    next: { path: "/2/users/1/tweets?max_results=5&pagination_token=7140w" },
  },
  {
    api: "Twitter 1.1, a number that JavaScript would change",
    source: "https://developer.x.com/en/docs/pagination",
    path: "/followers/ids.json?cursor=-1",
    body: '{"ids":[1,2],"next_cursor":1374004777531007833,"next_cursor_str":"1374004777531007833","previous_cursor":0}',
    next: { path: "/followers/ids.json?cursor=1374004777531007833" },
  },
  {
    api: "A cursor that is only a long number",
    source: "https://developer.x.com/en/docs/pagination",
    path: "/followers/ids.json",
    body: '{"ids":[1,2],"next_cursor":1374004777531007833}',
    next: { path: "/followers/ids.json?cursor=1374004777531007833" },
  },
  {
    api: "Square, POST search",
    source: "https://developer.squareup.com/docs/build-basics/common-api-patterns/pagination",
    method: "POST",
    path: "/orders/search",
    sent: { location_ids: ["L1"] },
    body: { orders: ten, cursor: "V9ptc" },
    next: { method: "POST", path: "/orders/search", body: { location_ids: ["L1"], cursor: "V9ptc" } },
  },
  {
    api: "Airtable",
    source: "https://airtable.com/developers/web/api/list-records",
    path: "/app1/Table?pageSize=10",
    body: { records: ten, offset: "itrEN2TCbrcSN2BMs/recG1" },
    next: { path: "/app1/Table?pageSize=10&offset=itrEN2TCbrcSN2BMs/recG1" },
  },
  {
    api: "Kubernetes",
    source:
      "https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks",
    path: "/api/v1/pods?limit=10",
    body: { kind: "PodList", metadata: { resourceVersion: "10245", continue: "ENCODED" }, items: ten },
    next: { path: "/api/v1/pods?limit=10&continue=ENCODED" },
  },
  {
    api: "Reddit",
    source: "https://www.reddit.com/dev/api/#listings",
    path: "/r/x/new.json",
    body: { kind: "Listing", data: { after: "t3_15bfi0", dist: 10, children: ten, before: null } },
    next: { path: "/r/x/new.json?after=t3_15bfi0" },
  },
  {
    api: "Intercom",
    source:
      "https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/pagination-cursor",
    path: "/contacts?per_page=5",
    body: {
      type: "list",
      data: ten,
      pages: {
        type: "pages",
        next: { page: 2, starting_after: "WzE2" },
        page: 1,
        per_page: 5,
        total_pages: 3,
      },
    },
    next: { path: "/contacts?per_page=5&starting_after=WzE2" },
  },
  {
    api: "GraphQL connection",
    source: "https://relay.dev/graphql/connections.htm",
    method: "POST",
    path: "/graphql",
    sent: {
      query:
        "query($after: String) { items(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }",
      variables: { first: 2 },
    },
    body: { data: { items: { nodes: ten, pageInfo: { hasNextPage: true, endCursor: "Y3Vyc29y" } } } },
    next: {
      method: "POST",
      path: "/graphql",
      body: {
        query:
          "query($after: String) { items(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }",
        variables: { first: 2, after: "Y3Vyc29y" },
      },
    },
  },
  {
    api: "GraphQL connection, last page",
    source: "https://relay.dev/graphql/connections.htm",
    method: "POST",
    path: "/graphql",
    sent: { query: "query($after: String) { items(after: $after) { pageInfo { hasNextPage } } }" },
    body: { data: { items: { nodes: ten, pageInfo: { hasNextPage: false, endCursor: "Y3Vyc29y" } } } },
    next: undefined,
  },
  {
    api: "MediaWiki",
    source: "https://www.mediawiki.org/wiki/API:Continue",
    path: "/w/api.php?action=query&list=allpages",
    body: { batchcomplete: "", continue: { apcontinue: "B", continue: "-||" }, query: { allpages: ten } },
    next: { path: "/w/api.php?action=query&list=allpages&apcontinue=B&continue=-%7C%7C" },
  },
  {
    api: "CouchDB _find",
    source: "https://docs.couchdb.org/en/stable/api/database/find.html",
    method: "POST",
    path: "/db/_find",
    sent: { selector: {}, limit: 10 },
    body: { docs: ten, bookmark: "g1AAAAB4" },
    next: { method: "POST", path: "/db/_find", body: { selector: {}, limit: 10, bookmark: "g1AAAAB4" } },
  },
  {
    api: "Elasticsearch, search_after",
    source: "https://www.elastic.co/guide/en/elasticsearch/reference/current/paginate-search-results.html",
    method: "POST",
    path: "/logs/_search",
    sent: { size: 2, sort: [{ "@timestamp": "asc" }] },
    body: {
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
    next: {
      method: "POST",
      path: "/logs/_search",
      body: { size: 2, sort: [{ "@timestamp": "asc" }], search_after: [4098435132000] },
    },
  },
  {
    api: "a cursor equal to the sent one",
    source: "https://developer.squareup.com/docs/build-basics/common-api-patterns/pagination",
    path: "/orders?cursor=V9ptc",
    body: { orders: ten, cursor: "V9ptc" },
    next: undefined,
  },
];
