/** The APIs of the recipes from H to R. */

import type { ApiStyle, ListStyle } from "./api-style.js";

const hubspotAnswer = { results: "$rows", "paging?": { next: { after: "$cursor" } } };
const intercomPages = {
  type: "pages",
  page: "$page",
  total_pages: "$pages",
  "next!": { starting_after: "$cursor" },
};
const graphList: Omit<ListStyle, "call"> = {
  takes: ["$skiptoken", "$filter"],
  at: "query:$skiptoken",
  by: "link",
  answer: { "@odata.context": "https://example.com/$metadata", value: "$rows", "@odata.nextLink?": "$link" },
};
const graphError = { error: { code: "InvalidAuthenticationToken", message: "$message", innerError: {} } };
const notionAnswer = { object: "list", results: "$rows", next_cursor: "$cursor", has_more: "$more" };
const openaiAnswer = { object: "list", data: "$rows", first_id: "r0", last_id: "$last", has_more: "$more" };

export const styles: Readonly<Record<string, ApiStyle>> = {
  hubspot: {
    lists: [
      {
        call: "GET /crm/objects/2026-03/contacts?limit=3",
        takes: ["after", "properties"],
        at: "query:after",
        by: "cursor",
        answer: hubspotAnswer,
      },
      {
        call: "POST /crm/objects/2026-03/contacts/search",
        body: { limit: 3, filterGroups: [] },
        takes: ["after", "properties"],
        at: "body:after",
        by: "cursor",
        answer: { total: "$total", ...hubspotAnswer },
      },
    ],
    error: { status: "error", message: "$message", correlationId: "c", category: "INVALID_AUTHENTICATION" },
  },
  intercom: {
    lists: [
      {
        call: "GET /contacts?per_page=3",
        takes: ["starting_after"],
        at: "query:starting_after",
        by: "cursor",
        answer: { type: "list", data: "$rows", total_count: "$total", pages: intercomPages },
      },
      {
        call: "POST /contacts/search",
        body: { query: { field: "role", operator: "=", value: "user" }, pagination: { per_page: 3 } },
        takes: [],
        at: "body:pagination.starting_after",
        by: "cursor",
        answer: { type: "list", data: "$rows", pages: intercomPages },
      },
      {
        call: "GET /events?type=user&user_id=1",
        at: "query:before",
        by: "link",
        answer: { type: "event.list", events: "$rows", "pages?": { next: "$link" } },
      },
      {
        call: "POST /companies/list?per_page=3",
        takes: ["page"],
        at: "query:page",
        by: "page",
        answer: {
          type: "list",
          data: "$rows",
          pages: { type: "pages", page: "$page", total_pages: "$pages" },
        },
      },
    ],
    error: { type: "error.list", request_id: "r", errors: [{ code: "unauthorized", message: "$message" }] },
    limited: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "$reset" },
  },
  jira: {
    lists: [
      {
        call: "GET /project/search?maxResults=3",
        takes: ["startAt"],
        at: "query:startAt",
        by: "skip",
        answer: { startAt: "$skip", maxResults: "$size", total: "$total", isLast: "$done", values: "$rows" },
      },
      {
        call: "GET /issue/A-1/comment?maxResults=3",
        takes: ["startAt"],
        at: "query:startAt",
        by: "skip",
        answer: { startAt: "$skip", maxResults: "$size", total: "$total", comments: "$rows" },
      },
      {
        call: "GET /search/jql?jql=project=A&maxResults=3",
        takes: ["nextPageToken"],
        at: "query:nextPageToken",
        by: "cursor",
        answer: { issues: "$rows", "nextPageToken?": "$cursor" },
      },
    ],
    error: { errorMessages: ["$message"], errors: {} },
  },
  "microsoft-graph": {
    lists: [{ ...graphList, call: "GET /users?$top=3" }],
    error: graphError,
  },
  notion: {
    lists: [
      {
        call: "GET /users?page_size=3",
        takes: ["start_cursor"],
        at: "query:start_cursor",
        by: "cursor",
        answer: notionAnswer,
      },
      {
        call: "POST /data_sources/d1/query",
        body: { page_size: 3, filter: {} },
        takes: ["start_cursor", "sorts"],
        at: "body:start_cursor",
        by: "cursor",
        answer: notionAnswer,
      },
    ],
    error: { object: "error", status: "$status", code: "unauthorized", message: "$message" },
  },
  openai: {
    lists: [
      {
        call: "GET /files?limit=3",
        takes: ["after", "order"],
        at: "query:after",
        by: "last",
        answer: openaiAnswer,
      },
      {
        call: "GET /organization/costs?start_time=1",
        takes: ["page", "limit"],
        at: "query:page",
        by: "cursor",
        answer: { object: "page", data: "$rows", has_more: "$more", next_page: "$cursor" },
      },
    ],
    error: {
      error: { message: "$message", type: "invalid_request_error", param: null, code: "invalid_api_key" },
    },
  },
  outlook: {
    lists: [{ ...graphList, call: "GET /messages?$top=3" }],
    error: graphError,
  },
  pagerduty: {
    lists: [
      {
        call: "GET /incidents?limit=3",
        takes: ["offset", "total"],
        at: "query:offset",
        by: "skip",
        answer: { incidents: "$rows", limit: "$size", offset: "$skip", total: null, more: "$more" },
      },
      {
        call: "GET /audit/records?limit=3",
        takes: ["cursor"],
        at: "query:cursor",
        by: "cursor",
        answer: { records: "$rows", limit: 3, next_cursor: "$cursor" },
      },
    ],
    error: { error: { message: "$message", code: 2006 } },
    limited: { "ratelimit-remaining": "0", "ratelimit-reset": "2" },
  },
  paypal: {
    lists: [
      {
        call: "GET /v1/catalogs/products?page_size=3",
        takes: ["page"],
        at: "query:page",
        by: "link",
        answer: {
          products: "$rows",
          total_items: "$total",
          "links?": [{ href: "$link", rel: "next", method: "GET" }],
        },
      },
    ],
    error: { name: "AUTHENTICATION_FAILURE", message: "$message", debug_id: "d", links: [] },
  },
  resend: {
    lists: [
      {
        call: "GET /domains?limit=3",
        takes: ["after", "before"],
        at: "query:after",
        by: "last",
        answer: { object: "list", has_more: "$more", data: "$rows" },
      },
    ],
    error: { statusCode: "$status", name: "validation_error", message: "$message" },
    limited: { "ratelimit-remaining": "0", "ratelimit-reset": "2" },
  },
};
