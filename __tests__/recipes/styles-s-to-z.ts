/** The APIs of the recipes from S to Z. */

import type { ApiStyle } from "./api-style.js";

export const styles: Readonly<Record<string, ApiStyle>> = {
  salesforce: {
    lists: [
      {
        call: "GET /query?q=SELECT+Id+FROM+Account",
        at: "query:page",
        by: "link",
        answer: { totalSize: "$total", done: "$done", "nextRecordsUrl?": "$path", records: "$rows" },
      },
    ],
    error: [{ message: "$message", errorCode: "INVALID_SESSION_ID" }],
  },
  sentry: {
    lists: [
      {
        call: "GET /organizations/acme/projects/?per_page=3",
        at: "query:cursor",
        by: "link",
        answer: "$rows",
        header: [
          '<$link>; rel="previous"; results="false"; cursor="0:0:1", <$link>; rel="next"; results="true"; cursor="x"',
          '<$link>; rel="previous"; results="true"; cursor="0:0:1", <$link>; rel="next"; results="false"; cursor="x"',
        ],
      },
    ],
    error: { detail: "$message" },
    limited: { "X-Sentry-Rate-Limit-Remaining": "0", "Retry-After": "2" },
  },
  shopify: {
    lists: [
      {
        call: "GET /products.json?limit=3",
        takes: ["page_info"],
        at: "query:page_info",
        by: "link",
        answer: { products: "$rows" },
        header: ['<$link>; rel="next"', '<$link>; rel="previous"'],
      },
    ],
    error: { errors: "$message" },
    limited: { "Retry-After": "2.0", "X-Shopify-Shop-Api-Call-Limit": "40/40" },
  },
  slack: {
    lists: [
      {
        call: "GET /conversations.list?limit=3",
        at: "query:cursor",
        by: "cursor",
        answer: { ok: true, channels: "$rows", response_metadata: { "next_cursor?": "$cursor" } },
      },
      {
        call: "GET /files.list?count=3",
        at: "query:page",
        by: "page",
        answer: {
          ok: true,
          files: "$rows",
          paging: { count: 3, total: "$total", page: "$page", pages: "$pages" },
        },
      },
    ],
    error: { ok: false, error: "invalid_auth" },
    errorStatus: 200,
  },
  spotify: {
    lists: [
      {
        call: "GET /me/playlists?limit=3",
        at: "query:offset",
        by: "link",
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
        call: "GET /search?q=a&type=track&limit=3",
        at: "query:offset",
        by: "link",
        answer: {
          tracks: { limit: "$size", next: "$link", offset: "$skip", total: "$total", items: "$rows" },
        },
      },
    ],
    error: { error: { status: "$status", message: "$message" } },
  },
  stripe: {
    lists: [
      {
        call: "GET /customers?limit=3",
        takes: ["starting_after", "ending_before"],
        at: "query:starting_after",
        by: "last",
        answer: { object: "list", url: "/v1/customers", has_more: "$more", data: "$rows" },
      },
      {
        call: "GET /customers/search?query=x&limit=3",
        takes: ["page"],
        at: "query:page",
        by: "cursor",
        answer: { object: "search_result", has_more: "$more", "next_page?": "$cursor", data: "$rows" },
      },
    ],
    error: { error: { type: "invalid_request_error", message: "$message" } },
  },
  tableau: {
    lists: [
      {
        call: "GET /sites/s1/users?pageSize=3",
        takes: ["pageNumber"],
        at: "query:pageNumber",
        by: "page",
        answer: {
          pagination: { pageNumber: "$$page", pageSize: "$$size", totalAvailable: "$$total" },
          users: { user: "$rows" },
        },
      },
    ],
    error: { error: { summary: "Signin Error", detail: "$message", code: "401002" } },
  },
  twilio: {
    lists: [
      {
        call: "GET /Messages.json?PageSize=3",
        takes: ["PageToken", "Page"],
        at: "query:PageToken",
        by: "link",
        answer: { page: "$page", page_size: "$size", next_page_uri: "$path", messages: "$rows" },
      },
    ],
    error: {
      code: 20003,
      message: "$message",
      more_info: "https://www.twilio.com/docs/errors/20003",
      status: "$status",
    },
  },
  "veeam-backup": {
    lists: [
      {
        call: "GET /v1/jobs?limit=3",
        takes: ["skip"],
        at: "query:skip",
        by: "skip",
        answer: {
          data: "$rows",
          pagination: { total: "$total", count: "$size", skip: "$skip", limit: "$size" },
        },
      },
    ],
    error: { errorCode: "AccessDenied", message: "$message", resourceId: "" },
  },
  zendesk: {
    lists: [
      {
        call: "GET /tickets.json?page[size]=3",
        takes: ["page[after]"],
        at: "query:page[after]",
        by: "link",
        answer: {
          tickets: "$rows",
          meta: { has_more: "$more", after_cursor: "x" },
          "links!": { next: "$link" },
        },
      },
      {
        call: "GET /search.json?query=a&per_page=3",
        takes: ["page"],
        at: "query:page",
        by: "link",
        answer: { results: "$rows", count: "$total", next_page: "$link", previous_page: null },
      },
    ],
    error: { error: "Couldn't authenticate you", description: "$message" },
  },
  "zoho-crm": {
    lists: [
      {
        call: "GET /Leads?fields=Last_Name&per_page=3",
        takes: ["page_token", "page"],
        at: "query:page_token",
        by: "cursor",
        answer: {
          data: "$rows",
          info: { per_page: 3, count: 3, more_records: "$more", "next_page_token!": "$cursor" },
        },
      },
      {
        call: "GET /Leads/search?word=a&per_page=3",
        takes: ["page"],
        at: "query:page",
        by: "page",
        answer: { data: "$rows", info: { per_page: 3, page: "$page", more_records: "$more" } },
      },
    ],
    error: { code: "INVALID_TOKEN", details: {}, message: "$message", status: "error" },
  },
  zoom: {
    lists: [
      {
        call: "GET /users?page_size=3",
        takes: ["next_page_token"],
        at: "query:next_page_token",
        by: "cursor",
        answer: { page_size: 3, total_records: "$total", next_page_token: "$cursor", users: "$rows" },
      },
    ],
    error: { code: 124, message: "$message" },
  },
};
