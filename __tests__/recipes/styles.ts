/** The APIs of the recipes: how the lists of each of them behave. */

import type { ListStyle } from "./api-style.js";

const githubLike = {
  call: "GET /user/repos?per_page=3",
  next: ["link", "query:page"],
  answer: "$rows",
  header: ['<$link>; rel="next", <$link>; rel="last"', '<$link>; rel="first"'],
} as const;
const airtableAnswer = { records: "$rows", "offset?": "$cursor" };

const hubspotAnswer = { results: "$rows", "paging?": { next: { after: "$cursor" } } };
const intercomPages = {
  type: "pages",
  page: "$page",
  total_pages: "$pages",
  "next!": { starting_after: "$cursor" },
};
const graphList: Omit<ListStyle, "call"> = {
  next: ["link", "query:$skiptoken"],
  answer: {
    "@odata.context": "https://example.com/$metadata",
    value: "$rows",
    "@odata.nextLink?": "$link",
  },
};
const notionAnswer = {
  object: "list",
  results: "$rows",
  next_cursor: "$cursor",
  has_more: "$more",
};
const openaiAnswer = {
  object: "list",
  data: "$rows",
  first_id: "r0",
  last_id: "$last",
  has_more: "$more",
};

export const styles: Readonly<Record<string, readonly ListStyle[]>> = {
  airtable: [
    {
      call: "GET /appBase/Orders?pageSize=3",
      next: ["cursor", "query:offset"],
      answer: airtableAnswer,
    },
    {
      call: "POST /appBase/Orders/listRecords",
      body: { pageSize: 3, filterByFormula: "TRUE()" },
      next: ["cursor", "body:offset"],
      answer: airtableAnswer,
    },
  ],
  anthropic: [
    {
      call: "GET /models?limit=3",
      next: ["last", "query:after_id"],
      answer: { data: "$rows", has_more: "$more", first_id: "r0", last_id: "$last" },
    },
  ],
  asana: [
    {
      call: "GET /tasks?project=1&limit=3",
      next: ["cursor", "query:offset"],
      row: { gid: "$id", name: "$name" },
      answer: { data: "$rows", "next_page!": { offset: "$cursor", path: "$path", uri: "$link" } },
    },
  ],
  "brave-search": [
    {
      call: "GET /web/search?q=shop&count=3",
      next: ["page0", "query:offset"],
      row: { title: "$name", url: "https://example.com/$id" },
      answer: {
        type: "search",
        query: { more_results_available: "$more" },
        web: { results: "$rows" },
      },
    },
  ],
  clickup: [
    {
      ignoresUnknown: true,
      call: "GET /list/901/task?archived=false",
      next: ["page0", "query:page"],
      answer: { tasks: "$rows", last_page: "$done" },
    },
  ],
  cloudflare: [
    {
      call: "GET /zones?per_page=3",
      next: ["page", "query:page"],
      answer: {
        ...{ result: "$rows", success: true, errors: [], messages: [] },
        result_info: {
          page: "$page",
          per_page: "$size",
          total_pages: "$pages",
          total_count: "$total",
        },
      },
    },
    {
      call: "GET /accounts/a1/storage/kv/namespaces/n1/keys?limit=10",
      next: ["cursor", "query:cursor"],
      answer: {
        result: "$rows",
        success: true,
        errors: [],
        "result_info!": { count: 3, cursor: "$cursor" },
      },
    },
  ],
  datadog: [
    {
      call: "POST /logs/events/search",
      body: { filter: { query: "*" }, page: { limit: 3 } },
      next: ["cursor", "body:page.cursor"],
      answer: { data: "$rows", "meta?": { status: "done", page: { after: "$cursor" } } },
    },
    {
      call: "POST /spans/events/search",
      body: { data: { type: "search_request", attributes: { filter: { query: "*" } } } },
      next: ["cursor", "body:data.attributes.page.cursor"],
      answer: { data: "$rows", "meta?": { page: { after: "$cursor" } } },
    },
    {
      call: "GET /logs/events?page[limit]=3",
      next: ["cursor", "query:page[cursor]"],
      answer: {
        data: "$rows",
        "meta?": { page: { after: "$cursor" } },
        "links?": { next: "$link" },
      },
    },
    {
      call: "GET /users?page[size]=3",
      next: ["page0", "query:page[number]"],
      answer: {
        data: "$rows",
        meta: { page: { total_count: "$total", total_filtered_count: "$total" } },
      },
    },
  ],
  discord: [
    { call: "GET /channels/1/messages?limit=3", next: ["last", "query:before"], answer: "$rows" },
    {
      call: "GET /guilds/1/members?limit=3",
      next: ["last", "query:after"],
      answer: "$rows",
      row: { user: { id: "$id", username: "$name" }, roles: [] },
    },
    { call: "GET /users/@me/guilds?limit=3", next: ["last", "query:after"], answer: "$rows" },
  ],
  github: [githubLike],
  "github-app": [githubLike],
  gitlab: [{ ...githubLike, call: "GET /projects?per_page=3" }],
  gmail: [
    {
      call: "GET /messages?maxResults=3",
      next: ["cursor", "query:pageToken"],
      answer: { messages: "$rows", "nextPageToken?": "$cursor", resultSizeEstimate: 201 },
    },
  ],
  "google-calendar": [
    {
      call: "GET /calendars/primary/events?maxResults=3",
      next: ["cursor", "query:pageToken"],
      answer: { kind: "calendar#events", items: "$rows", "nextPageToken?": "$cursor" },
    },
  ],
  hubspot: [
    {
      call: "GET /crm/objects/2026-03/contacts?limit=3",
      next: ["cursor", "query:after"],
      answer: hubspotAnswer,
    },
    {
      call: "POST /crm/objects/2026-03/contacts/search",
      body: { limit: 3, filterGroups: [] },
      next: ["cursor", "body:after"],
      answer: { total: "$total", ...hubspotAnswer },
    },
  ],
  intercom: [
    {
      call: "GET /contacts?per_page=3",
      next: ["cursor", "query:starting_after"],
      answer: { type: "list", data: "$rows", total_count: "$total", pages: intercomPages },
    },
    {
      call: "POST /contacts/search",
      body: { query: { field: "role", operator: "=", value: "user" }, pagination: { per_page: 3 } },
      next: ["cursor", "body:pagination.starting_after"],
      answer: { type: "list", data: "$rows", pages: intercomPages },
    },
    {
      ignoresUnknown: true,
      call: "GET /events?type=user&user_id=1",
      next: ["link", "query:before"],
      answer: { type: "event.list", events: "$rows", "pages?": { next: "$link" } },
    },
    {
      call: "POST /companies/list?per_page=3",
      next: ["page", "query:page"],
      answer: {
        type: "list",
        data: "$rows",
        pages: { type: "pages", page: "$page", total_pages: "$pages" },
      },
    },
  ],
  jira: [
    {
      call: "GET /project/search?maxResults=3",
      next: ["skip", "query:startAt"],
      answer: {
        startAt: "$skip",
        maxResults: "$size",
        total: "$total",
        isLast: "$done",
        values: "$rows",
      },
    },
    {
      call: "GET /issue/A-1/comment?maxResults=3",
      next: ["skip", "query:startAt"],
      answer: { startAt: "$skip", maxResults: "$size", total: "$total", comments: "$rows" },
    },
    {
      call: "GET /search/jql?jql=project=A&maxResults=3",
      next: ["cursor", "query:nextPageToken"],
      answer: { issues: "$rows", "nextPageToken?": "$cursor" },
    },
  ],
  "microsoft-graph": [{ ...graphList, call: "GET /users?$top=3" }],
  notion: [
    {
      call: "GET /users?page_size=3",
      next: ["cursor", "query:start_cursor"],
      answer: notionAnswer,
    },
    {
      call: "POST /data_sources/d1/query",
      body: { page_size: 3, filter: {} },
      next: ["cursor", "body:start_cursor"],
      answer: notionAnswer,
    },
  ],
  openai: [
    { call: "GET /files?limit=3", next: ["last", "query:after"], answer: openaiAnswer },
    {
      call: "GET /organization/costs?start_time=1",
      next: ["cursor", "query:page"],
      answer: { object: "page", data: "$rows", has_more: "$more", next_page: "$cursor" },
    },
  ],
  outlook: [{ ...graphList, call: "GET /messages?$top=3" }],
  pagerduty: [
    {
      call: "GET /incidents?limit=3",
      next: ["skip", "query:offset"],
      answer: { incidents: "$rows", limit: "$size", offset: "$skip", total: null, more: "$more" },
    },
    {
      call: "GET /audit/records?limit=3",
      next: ["cursor", "query:cursor"],
      answer: { records: "$rows", limit: 3, next_cursor: "$cursor" },
    },
  ],
  paypal: [
    {
      call: "GET /v1/catalogs/products?page_size=3",
      next: ["link", "query:page"],
      answer: {
        products: "$rows",
        total_items: "$total",
        "links?": [{ href: "$link", rel: "next", method: "GET" }],
      },
    },
  ],
  resend: [
    {
      call: "GET /domains?limit=3",
      next: ["last", "query:after"],
      answer: { object: "list", has_more: "$more", data: "$rows" },
    },
  ],
  salesforce: [
    {
      ignoresUnknown: true,
      call: "GET /query?q=SELECT+Id+FROM+Account",
      next: ["link", "query:page"],
      answer: { totalSize: "$total", done: "$done", "nextRecordsUrl?": "$path", records: "$rows" },
    },
  ],
  sentry: [
    {
      ignoresUnknown: true,
      call: "GET /organizations/acme/projects/?per_page=3",
      next: ["link", "query:cursor"],
      answer: "$rows",
      header: [
        '<$link>; rel="previous"; results="false"; cursor="0:0:1", <$link>; rel="next"; results="true"; cursor="x"',
        '<$link>; rel="previous"; results="true"; cursor="0:0:1", <$link>; rel="next"; results="false"; cursor="x"',
      ],
    },
  ],
  shopify: [
    {
      call: "GET /products.json?limit=3",
      next: ["link", "query:page_info"],
      answer: { products: "$rows" },
      header: ['<$link>; rel="next"', '<$link>; rel="previous"'],
    },
  ],
  slack: [
    {
      ignoresUnknown: true,
      call: "GET /conversations.list?limit=3",
      next: ["cursor", "query:cursor"],
      answer: { ok: true, channels: "$rows", response_metadata: { "next_cursor?": "$cursor" } },
    },
    {
      ignoresUnknown: true,
      call: "GET /files.list?count=3",
      next: ["page", "query:page"],
      answer: {
        ok: true,
        files: "$rows",
        paging: { count: 3, total: "$total", page: "$page", pages: "$pages" },
      },
    },
  ],
  spotify: [
    {
      ignoresUnknown: true,
      call: "GET /me/playlists?limit=3",
      next: ["link", "query:offset"],
      answer: {
        limit: "$size",
        next: "$link",
        offset: "$skip",
        previous: null,
        total: "$total",
        items: "$rows",
      },
    },
    {
      ignoresUnknown: true,
      call: "GET /search?q=a&type=track&limit=3",
      next: ["link", "query:offset"],
      answer: {
        tracks: { limit: "$size", next: "$link", offset: "$skip", total: "$total", items: "$rows" },
      },
    },
  ],
  stripe: [
    {
      call: "GET /customers?limit=3",
      next: ["last", "query:starting_after"],
      answer: { object: "list", url: "/v1/customers", has_more: "$more", data: "$rows" },
    },
    {
      call: "GET /customers/search?query=x&limit=3",
      next: ["cursor", "query:page"],
      answer: {
        object: "search_result",
        has_more: "$more",
        "next_page?": "$cursor",
        data: "$rows",
      },
    },
  ],
  tableau: [
    {
      call: "GET /sites/s1/users?pageSize=3",
      next: ["page", "query:pageNumber"],
      answer: {
        pagination: { pageNumber: "$$page", pageSize: "$$size", totalAvailable: "$$total" },
        users: { user: "$rows" },
      },
    },
  ],
  twilio: [
    {
      call: "GET /Messages.json?PageSize=3",
      next: ["link", "query:PageToken"],
      answer: { page: "$page", page_size: "$size", next_page_uri: "$path", messages: "$rows" },
    },
  ],
  "veeam-backup": [
    {
      call: "GET /v1/jobs?limit=3",
      next: ["skip", "query:skip"],
      answer: {
        data: "$rows",
        pagination: { total: "$total", count: "$size", skip: "$skip", limit: "$size" },
      },
    },
  ],
  zendesk: [
    {
      call: "GET /tickets.json?page[size]=3",
      next: ["link", "query:page[after]"],
      answer: {
        tickets: "$rows",
        meta: { has_more: "$more", after_cursor: "x" },
        "links!": { next: "$link" },
      },
    },
    {
      call: "GET /search.json?query=a&per_page=3",
      next: ["link", "query:page"],
      answer: { results: "$rows", count: "$total", next_page: "$link", previous_page: null },
    },
  ],
  "zoho-crm": [
    {
      call: "GET /Leads?fields=Last_Name&per_page=3",
      next: ["cursor", "query:page_token"],
      answer: {
        data: "$rows",
        info: { per_page: 3, count: 3, more_records: "$more", "next_page_token!": "$cursor" },
      },
    },
    {
      call: "GET /Leads/search?word=a&per_page=3",
      next: ["page", "query:page"],
      answer: { data: "$rows", info: { per_page: 3, page: "$page", more_records: "$more" } },
    },
  ],
  zoom: [
    {
      call: "GET /users?page_size=3",
      next: ["cursor", "query:next_page_token"],
      answer: { page_size: 3, total_records: "$total", next_page_token: "$cursor", users: "$rows" },
    },
  ],
};
