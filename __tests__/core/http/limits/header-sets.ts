/** Rate-limit headers and bodies as providers document them; instants are moved so that they lie near `setsNowMs`. */

import type { RateLimit, ResponseHeaders } from "../../../../src/core/http/limits/rate-limit.js";

/** 2026-03-01T12:00:00Z, which is 1772366400 in epoch seconds. */
export const setsNowMs: number = Date.UTC(2026, 2, 1, 12);

/** The API with the page that documents the form, its answer, what is to be read from it, and the answer's body. */
export type HeaderSet = readonly [
  api: string,
  status: number,
  headers: ResponseHeaders,
  expected: RateLimit | undefined,
  body?: unknown,
];

export const headerSets: readonly HeaderSet[] = [
  [
    "IETF draft 06 triplet with policy (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/06/)",
    200,
    { "ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "50", "ratelimit-reset": "30" },
    { limit: 100, remaining: 50, resetInSeconds: 30, policy: "100;w=60" },
  ],
  [
    "IETF draft 07 on two lines (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/07/)",
    200,
    {
      ratelimit: ["limit=100, remaining=50", "reset=30"],
      "ratelimit-policy": ["100;w=60", '1000;w=3600;comment="a, b"'],
    },
    { limit: 100, remaining: 50, resetInSeconds: 30, policy: "100;w=60" },
  ],
  [
    "IETF draft 08 (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/08/)",
    200,
    { ratelimit: '"default";r=50;t=30', "ratelimit-policy": '"default";q=100;w=60' },
    { limit: 100, remaining: 50, resetInSeconds: 30, policy: '"default";q=100;w=60' },
  ],
  [
    "IETF draft 09 several members (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/09/)",
    200,
    {
      ratelimit: '"day";r=100;t=36, "burst";r=2;t=12',
      "ratelimit-policy": '"burst";q=100;w=60,"day";q=1000;w=86400',
    },
    { limit: 100, remaining: 2, resetInSeconds: 12, policy: '"burst";q=100;w=60' },
  ],
  [
    "IETF draft 10, Retry-After comes first (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/)",
    429,
    { "retry-after": "20", ratelimit: '"default";r=0;t=10', "ratelimit-policy": '"default";q=100;w=10' },
    { limit: 100, remaining: 0, resetInSeconds: 10, policy: '"default";q=100;w=10', retryAfterSeconds: 20 },
  ],
  [
    "GitHub primary limit as 403 (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api)",
    403,
    {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1772367480",
      "x-ratelimit-used": "60",
    },
    { limit: 60, remaining: 0, resetInSeconds: 1080, retryAfterSeconds: 1080 },
  ],
  [
    "Discord (https://discord.com/developers/docs/topics/rate-limits)",
    200,
    {
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "1",
      "x-ratelimit-reset": "1772366470.123",
      "x-ratelimit-reset-after": "64.57",
      "x-ratelimit-bucket": "abcd1234",
    },
    { limit: 5, remaining: 1, resetInSeconds: 65 },
  ],
  [
    "Discord limited (https://discord.com/developers/docs/topics/rate-limits)",
    429,
    { "x-ratelimit-global": "true", "x-ratelimit-scope": "user" },
    { retryAfterSeconds: 65 },
    { message: "You are being rate limited.", retry_after: 64.57, global: false },
  ],
  [
    "Linear (epoch milliseconds) (https://linear.app/developers/rate-limiting)",
    200,
    {
      "x-ratelimit-requests-limit": "1500",
      "x-ratelimit-requests-remaining": "1499",
      "x-ratelimit-requests-reset": "1772370000000",
      "x-complexity": "12",
      "x-ratelimit-complexity-limit": "250000",
      "x-ratelimit-complexity-remaining": "50000",
      "x-ratelimit-complexity-reset": "1772368200000",
    },
    { limit: 250000, remaining: 50000, resetInSeconds: 1800, policy: "complexity" },
  ],
  [
    "Reddit (https://support.reddithelp.com/hc/articles/16160319875092)",
    200,
    { "x-ratelimit-used": "14", "x-ratelimit-remaining": "586.0", "x-ratelimit-reset": "235" },
    { limit: 600, remaining: 586, resetInSeconds: 235 },
  ],
  [
    "Docker Hub (https://docs.docker.com/docker-hub/usage/pulls/)",
    200,
    {
      "ratelimit-limit": "100;w=21600",
      "ratelimit-remaining": "20;w=21600",
      "docker-ratelimit-source": "192.0.2.1",
    },
    { limit: 100, remaining: 20, policy: "100;w=21600" },
  ],
  [
    "Kong (https://developer.konghq.com/plugins/rate-limiting/)",
    200,
    {
      "ratelimit-limit": "6",
      "ratelimit-remaining": "4",
      "ratelimit-reset": "47",
      "x-ratelimit-limit-second": "10",
      "x-ratelimit-remaining-second": "9",
      "x-ratelimit-limit-hour": "100",
      "x-ratelimit-remaining-hour": "12",
    },
    { limit: 100, remaining: 12, policy: "hour" },
  ],
  [
    "Brave Search (several windows in one header) (https://api-dashboard.search.brave.com/app/documentation/web-search/response-headers)",
    200,
    {
      "x-ratelimit-limit": "1, 15000",
      "x-ratelimit-policy": "1;w=1, 15000;w=2592000",
      "x-ratelimit-remaining": "1, 1000",
      "x-ratelimit-reset": "1, 1419704",
    },
    { limit: 15000, remaining: 1000, resetInSeconds: 1419704, policy: "15000;w=2592000" },
  ],
  [
    "Strava (limits without spaces, usage) (https://developers.strava.com/docs/rate-limits/)",
    200,
    {
      "x-ratelimit-limit": "200,2000",
      "x-ratelimit-usage": "20,1950",
      "x-readratelimit-limit": "100,1000",
      "x-readratelimit-usage": "20,105",
    },
    { limit: 2000, remaining: 50 },
  ],
  [
    "OpenAI (https://platform.openai.com/docs/guides/rate-limits)",
    200,
    {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-remaining-tokens": "14999",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-reset-tokens": "6m0s",
    },
    { limit: 150000, remaining: 14999, resetInSeconds: 360, policy: "tokens" },
  ],
  [
    "Azure OpenAI (https://learn.microsoft.com/azure/ai-services/openai/how-to/quota)",
    429,
    {
      "retry-after": "2",
      "retry-after-ms": "1500",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-remaining-tokens": "9000",
    },
    { remaining: 0, policy: "requests", retryAfterSeconds: 2 },
  ],
  [
    "lemlist (https://developer.lemlist.com/api-reference/getting-started/rate-limits)",
    200,
    {
      "retry-after": "2",
      "x-ratelimit-limit": "20",
      "x-ratelimit-remaining": "7",
      "x-ratelimit-reset": "Sun Mar 01 2026 13:00:02 GMT+0100 (Central European Standard Time)",
    },
    { limit: 20, remaining: 7, resetInSeconds: 2, retryAfterSeconds: 2 },
  ],
  [
    "RFC 9110 Retry-After as a date (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)",
    503,
    { "retry-after": "Sun, 01 Mar 2026 12:02:00 GMT" },
    { retryAfterSeconds: 120 },
  ],
  [
    "Telegram (https://core.telegram.org/bots/api#responseparameters)",
    429,
    {},
    { retryAfterSeconds: 35 },
    {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 35",
      parameters: { retry_after: 35 },
    },
  ],
  [
    "Amazon SP-API (a rate per second) (https://developer-docs.amazon.com/sp-api/docs/usage-plans-and-rate-limits)",
    200,
    { "x-amzn-ratelimit-limit": "0.5" },
    undefined,
  ],
];
