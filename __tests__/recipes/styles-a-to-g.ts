/** The APIs of the recipes from A to G. */

import type { ApiStyle } from "./api-style.js";

const githubLike = {
  call: "GET /user/repos?per_page=3",
  takes: ["page"],
  at: "query:page",
  by: "link",
  answer: "$rows",
  header: ['<$link>; rel="next", <$link>; rel="last"', '<$link>; rel="first"'],
} as const;
const googleError = { error: { code: "$status", message: "$message", errors: [] } };
const airtableAnswer = { records: "$rows", "offset?": "$cursor" };
const messageIds = { takes: ["before", "after"], answer: "$rows", by: "last" } as const;

const github: ApiStyle = {
  lists: [githubLike],
  error: { message: "$message", documentation_url: "https://docs.github.com/rest", status: "401" },
  limited: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "$reset" },
};

export const styles: Readonly<Record<string, ApiStyle>> = {
  airtable: {
    lists: [
      {
        call: "GET /appBase/Orders?pageSize=3",
        takes: ["offset"],
        at: "query:offset",
        by: "cursor",
        answer: airtableAnswer,
      },
      {
        call: "POST /appBase/Orders/listRecords",
        body: { pageSize: 3, filterByFormula: "TRUE()" },
        takes: ["offset"],
        at: "body:offset",
        by: "cursor",
        answer: airtableAnswer,
      },
    ],
    error: { error: { type: "AUTHENTICATION_REQUIRED", message: "$message" } },
  },
  anthropic: {
    lists: [
      {
        call: "GET /models?limit=3",
        takes: ["after_id", "before_id"],
        at: "query:after_id",
        by: "last",
        answer: { data: "$rows", has_more: "$more", first_id: "r0", last_id: "$last" },
      },
    ],
    error: {
      type: "error",
      error: { type: "authentication_error", message: "$message" },
      request_id: "req_1",
    },
  },
  asana: {
    lists: [
      {
        call: "GET /tasks?project=1&limit=3",
        takes: ["offset", "opt_fields"],
        at: "query:offset",
        by: "cursor",
        row: { gid: "$id", name: "$name" },
        answer: { data: "$rows", "next_page!": { offset: "$cursor", path: "$path", uri: "$link" } },
      },
    ],
    error: { errors: [{ message: "$message", help: "See the documentation." }] },
  },
  "brave-search": {
    lists: [
      {
        call: "GET /web/search?q=shop&count=3",
        takes: ["offset"],
        at: "query:offset",
        by: "page0",
        row: { title: "$name", url: "https://example.com/$id" },
        answer: { type: "search", query: { more_results_available: "$more" }, web: { results: "$rows" } },
      },
    ],
    error: { type: "ErrorResponse", error: { code: "SUBSCRIPTION_TOKEN_INVALID", detail: "$message" } },
    limited: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2" },
  },
  clickup: {
    lists: [
      {
        call: "GET /list/901/task?archived=false",
        at: "query:page",
        by: "page0",
        answer: { tasks: "$rows", last_page: "$done" },
      },
    ],
    error: { err: "$message", ECODE: "OAUTH_025" },
    limited: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "$reset" },
  },
  cloudflare: {
    lists: [
      {
        call: "GET /zones?per_page=3",
        takes: ["page"],
        at: "query:page",
        by: "page",
        answer: {
          ...{ result: "$rows", success: true, errors: [], messages: [] },
          result_info: { page: "$page", per_page: "$size", total_pages: "$pages", total_count: "$total" },
        },
      },
      {
        call: "GET /accounts/a1/storage/kv/namespaces/n1/keys?limit=10",
        takes: ["cursor", "prefix"],
        at: "query:cursor",
        by: "cursor",
        answer: {
          result: "$rows",
          success: true,
          errors: [],
          "result_info!": { count: 3, cursor: "$cursor" },
        },
      },
    ],
    error: { success: false, errors: [{ code: 9109, message: "$message" }], messages: [], result: null },
  },
  datadog: {
    lists: [
      {
        call: "POST /logs/events/search",
        body: { filter: { query: "*" }, page: { limit: 3 } },
        takes: ["sort"],
        at: "body:page.cursor",
        by: "cursor",
        answer: { data: "$rows", "meta?": { status: "done", page: { after: "$cursor" } } },
      },
      {
        call: "POST /spans/events/search",
        body: { data: { type: "search_request", attributes: { filter: { query: "*" } } } },
        takes: [],
        at: "body:data.attributes.page.cursor",
        by: "cursor",
        answer: { data: "$rows", "meta?": { page: { after: "$cursor" } } },
      },
      {
        call: "GET /logs/events?page[limit]=3",
        takes: ["page[cursor]"],
        at: "query:page[cursor]",
        by: "cursor",
        answer: { data: "$rows", "meta?": { page: { after: "$cursor" } }, "links?": { next: "$link" } },
      },
      {
        call: "GET /users?page[size]=3",
        takes: ["page[number]"],
        at: "query:page[number]",
        by: "page0",
        answer: { data: "$rows", meta: { page: { total_count: "$total", total_filtered_count: "$total" } } },
      },
    ],
    error: { errors: ["$message"] },
    limited: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2" },
  },
  discord: {
    lists: [
      { ...messageIds, call: "GET /channels/1/messages?limit=3", at: "query:before" },
      {
        ...messageIds,
        call: "GET /guilds/1/members?limit=3",
        at: "query:after",
        row: { user: { id: "$id", username: "$name" }, roles: [] },
      },
      { ...messageIds, call: "GET /users/@me/guilds?limit=3", at: "query:after" },
    ],
    error: { code: 0, message: "$message" },
    limited: { "Retry-After": "2", "X-RateLimit-Reset-After": "2.0" },
  },
  github,
  "github-app": github,
  gitlab: {
    lists: [{ ...githubLike, call: "GET /projects?per_page=3" }],
    error: { message: "$message" },
    limited: { "RateLimit-Remaining": "0", "RateLimit-Reset": "$reset" },
  },
  gmail: {
    lists: [
      {
        call: "GET /messages?maxResults=3",
        takes: ["pageToken", "q"],
        at: "query:pageToken",
        by: "cursor",
        answer: { messages: "$rows", "nextPageToken?": "$cursor", resultSizeEstimate: 201 },
      },
    ],
    error: googleError,
  },
  "google-calendar": {
    lists: [
      {
        call: "GET /calendars/primary/events?maxResults=3",
        takes: ["pageToken"],
        at: "query:pageToken",
        by: "cursor",
        answer: { kind: "calendar#events", items: "$rows", "nextPageToken?": "$cursor" },
      },
    ],
    error: googleError,
  },
};
