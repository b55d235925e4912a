/** Rate-limit headers and bodies as providers document them; instants are moved so that they lie near `setsNowMs`. */

import type { RateLimit, ResponseHeaders } from "../../src/limits/rate-limit.js";

/** 2026-03-01T12:00:00Z, which is 1772366400 in epoch seconds. */
export const setsNowMs: number = Date.UTC(2026, 2, 1, 12);

export interface HeaderSet {
  readonly api: string;
  /** Where the form is documented. */
  readonly source: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body?: unknown;
  readonly expected: RateLimit | undefined;
}

const draft = "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/";

export const headerSets: readonly HeaderSet[] = [
  {
    api: "IETF draft 03 triplet",
    source: `${draft}03/`,
    status: 200,
    headers: { "ratelimit-limit": "100", "ratelimit-remaining": "50", "ratelimit-reset": "50" },
    expected: { limit: 100, remaining: 50, resetInSeconds: 50 },
  },
  {
    api: "IETF draft 06 triplet with policy",
    source: `${draft}06/`,
    status: 200,
    headers: { "ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "50", "ratelimit-reset": "30" },
    expected: { limit: 100, remaining: 50, resetInSeconds: 30, policy: "100;w=60" },
  },
  {
    api: "IETF draft 06 with several policies",
    source: `${draft}06/`,
    status: 200,
    headers: {
      "ratelimit-limit": "10",
      "ratelimit-policy": "10;w=1, 50;w=60, 1000;w=3600, 5000;w=86400",
      "ratelimit-remaining": "9",
      "ratelimit-reset": "1",
    },
    expected: { limit: 10, remaining: 9, resetInSeconds: 1, policy: "10;w=1" },
  },
  {
    api: "IETF draft 07 on two lines",
    source: `${draft}07/`,
    status: 200,
    headers: {
      ratelimit: ["limit=100, remaining=50", "reset=30"],
      "ratelimit-policy": ["100;w=60", '1000;w=3600;comment="a, b"'],
    },
    expected: { limit: 100, remaining: 50, resetInSeconds: 30, policy: "100;w=60" },
  },
  {
    api: "IETF draft 08",
    source: `${draft}08/`,
    status: 200,
    headers: { ratelimit: '"default";r=50;t=30', "ratelimit-policy": '"default";q=100;w=60' },
    expected: { limit: 100, remaining: 50, resetInSeconds: 30, policy: '"default";q=100;w=60' },
  },
  {
    api: "IETF draft 09 several members",
    source: `${draft}09/`,
    status: 200,
    headers: {
      ratelimit: '"day";r=100;t=36, "burst";r=2;t=12',
      "ratelimit-policy": '"burst";q=100;w=60,"day";q=1000;w=86400',
    },
    expected: { limit: 100, remaining: 2, resetInSeconds: 12, policy: '"burst";q=100;w=60' },
  },
  {
    api: "IETF draft 10 partition key and unit",
    source: `${draft}10/`,
    status: 200,
    headers: {
      ratelimit: '"peruser";r=65535;t=3;pk=:cHNkZnNkRnNkZg==:',
      "ratelimit-policy": '"peruser";q=65535;qu="content-bytes";w=10;pk=:sdfjLJUOUH==:',
    },
    expected: {
      limit: 65535,
      remaining: 65535,
      resetInSeconds: 3,
      policy: '"peruser";q=65535;qu="content-bytes";w=10;pk=:sdfjLJUOUH==:',
    },
  },
  {
    api: "IETF draft 10, Retry-After comes first",
    source: `${draft}10/`,
    status: 429,
    headers: {
      "retry-after": "20",
      ratelimit: '"default";r=0;t=10',
      "ratelimit-policy": '"default";q=100;w=10',
    },
    expected: {
      limit: 100,
      remaining: 0,
      resetInSeconds: 10,
      policy: '"default";q=100;w=10',
      retryAfterSeconds: 20,
    },
  },
  {
    api: "IETF names with commas, semicolons and quotes",
    source: `${draft}10/`,
    status: 200,
    headers: { ratelimit: '"a, \\"b\\"; c";r=1;t=9', "ratelimit-policy": '"a, \\"b\\"; c";q=5;w=60' },
    expected: { limit: 5, remaining: 1, resetInSeconds: 9, policy: '"a, \\"b\\"; c";q=5;w=60' },
  },
  {
    api: "GitHub primary limit as 403",
    source: "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api",
    status: 403,
    headers: {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1772367480",
      "x-ratelimit-used": "60",
    },
    expected: { limit: 60, remaining: 0, resetInSeconds: 1080, retryAfterSeconds: 1080 },
  },
  {
    api: "GitHub secondary limit",
    source: "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api",
    status: 403,
    headers: {
      "retry-after": "60",
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": "4990",
      "x-ratelimit-reset": "1772367480",
    },
    expected: { limit: 5000, remaining: 4990, resetInSeconds: 1080, retryAfterSeconds: 60 },
  },
  {
    api: "GitLab",
    source: "https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/",
    status: 429,
    headers: {
      "ratelimit-limit": "60",
      "ratelimit-name": "throttle_authenticated_web",
      "ratelimit-observed": "67",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "1772366430",
      "ratelimit-resettime": "Sun, 01 Mar 2026 12:00:30 GMT",
      "retry-after": "30",
    },
    expected: { limit: 60, remaining: 0, resetInSeconds: 30, retryAfterSeconds: 30 },
  },
  {
    api: "Discord",
    source: "https://discord.com/developers/docs/topics/rate-limits",
    status: 200,
    headers: {
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "1",
      "x-ratelimit-reset": "1772366470.123",
      "x-ratelimit-reset-after": "64.57",
      "x-ratelimit-bucket": "abcd1234",
    },
    expected: { limit: 5, remaining: 1, resetInSeconds: 65 },
  },
  {
    api: "Discord limited",
    source: "https://discord.com/developers/docs/topics/rate-limits",
    status: 429,
    headers: { "x-ratelimit-global": "true", "x-ratelimit-scope": "user" },
    body: { message: "You are being rate limited.", retry_after: 64.57, global: false },
    expected: { retryAfterSeconds: 65 },
  },
  {
    api: "Linear (epoch milliseconds)",
    source: "https://linear.app/developers/rate-limiting",
    status: 200,
    headers: {
      "x-ratelimit-requests-limit": "1500",
      "x-ratelimit-requests-remaining": "1499",
      "x-ratelimit-requests-reset": "1772370000000",
      "x-complexity": "12",
      "x-ratelimit-complexity-limit": "250000",
      "x-ratelimit-complexity-remaining": "50000",
      "x-ratelimit-complexity-reset": "1772368200000",
    },
    expected: { limit: 250000, remaining: 50000, resetInSeconds: 1800, policy: "complexity" },
  },
  {
    api: "Aircall",
    source: "https://developer.aircall.io/api-references/#rate-limiting",
    status: 200,
    headers: {
      "x-aircallapi-limit": "60",
      "x-aircallapi-remaining": "59",
      "x-aircallapi-reset": "1772366460",
    },
    expected: { limit: 60, remaining: 59, resetInSeconds: 60 },
  },
  {
    api: "Datadog",
    source: "https://docs.datadoghq.com/api/latest/rate-limits/",
    status: 200,
    headers: {
      "x-ratelimit-limit": "300",
      "x-ratelimit-period": "3600",
      "x-ratelimit-remaining": "299",
      "x-ratelimit-reset": "1200",
      "x-ratelimit-name": "events_query",
    },
    expected: { limit: 300, remaining: 299, resetInSeconds: 1200 },
  },
  {
    api: "Reddit",
    source: "https://support.reddithelp.com/hc/articles/16160319875092",
    status: 200,
    headers: { "x-ratelimit-used": "14", "x-ratelimit-remaining": "586.0", "x-ratelimit-reset": "235" },
    expected: { limit: 600, remaining: 586, resetInSeconds: 235 },
  },
  {
    api: "Docker Hub",
    source: "https://docs.docker.com/docker-hub/usage/pulls/",
    status: 200,
    headers: {
      "ratelimit-limit": "100;w=21600",
      "ratelimit-remaining": "20;w=21600",
      "docker-ratelimit-source": "192.0.2.1",
    },
    expected: { limit: 100, remaining: 20, policy: "100;w=21600" },
  },
  {
    api: "Kong",
    source: "https://developer.konghq.com/plugins/rate-limiting/",
    status: 200,
    headers: {
      "ratelimit-limit": "6",
      "ratelimit-remaining": "4",
      "ratelimit-reset": "47",
      "x-ratelimit-limit-second": "10",
      "x-ratelimit-remaining-second": "9",
      "x-ratelimit-limit-hour": "100",
      "x-ratelimit-remaining-hour": "12",
    },
    expected: { limit: 100, remaining: 12, policy: "hour" },
  },
  {
    api: "Zendesk",
    source:
      "https://developer.zendesk.com/documentation/api-basics/best-practices/best-practices-for-avoiding-rate-limiting",
    status: 200,
    headers: {
      "x-rate-limit": "700",
      "ratelimit-limit": "700",
      "x-rate-limit-remaining": "699",
      "ratelimit-remaining": "699",
      "ratelimit-reset": "41",
      "zendesk-ratelimit-tickets-index": "total=100; remaining=99; resets=41",
    },
    expected: { limit: 100, remaining: 99, resetInSeconds: 41, policy: "tickets-index" },
  },
  {
    api: "Brave Search (several windows in one header)",
    source: "https://api-dashboard.search.brave.com/app/documentation/web-search/response-headers",
    status: 200,
    headers: {
      "x-ratelimit-limit": "1, 15000",
      "x-ratelimit-policy": "1;w=1, 15000;w=2592000",
      "x-ratelimit-remaining": "1, 1000",
      "x-ratelimit-reset": "1, 1419704",
    },
    expected: { limit: 15000, remaining: 1000, resetInSeconds: 1419704, policy: "15000;w=2592000" },
  },
  {
    api: "Strava (limits without spaces, usage)",
    source: "https://developers.strava.com/docs/rate-limits/",
    status: 200,
    headers: {
      "x-ratelimit-limit": "200,2000",
      "x-ratelimit-usage": "20,1950",
      "x-readratelimit-limit": "100,1000",
      "x-readratelimit-usage": "20,105",
    },
    expected: { limit: 2000, remaining: 50 },
  },
  {
    api: "Contentful",
    source:
      "https://www.contentful.com/developers/docs/references/content-management-api/#/introduction/api-rate-limits",
    status: 429,
    headers: {
      "x-contentful-ratelimit-hour-limit": "36000",
      "x-contentful-ratelimit-hour-remaining": "35883",
      "x-contentful-ratelimit-second-limit": "10",
      "x-contentful-ratelimit-second-remaining": "0",
      "x-contentful-ratelimit-reset": "1",
    },
    expected: { limit: 10, remaining: 0, resetInSeconds: 1, policy: "second", retryAfterSeconds: 1 },
  },
  {
    api: "Toggl",
    source: "https://engineering.toggl.com/docs/",
    status: 200,
    headers: { "x-toggl-quota-remaining": "28", "x-toggl-quota-resets-in": "1843" },
    expected: { remaining: 28, resetInSeconds: 1843 },
  },
  {
    api: "HubSpot",
    source: "https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines",
    status: 200,
    headers: {
      "x-hubspot-ratelimit-daily": "250000",
      "x-hubspot-ratelimit-daily-remaining": "249000",
      "x-hubspot-ratelimit-interval-milliseconds": "10000",
      "x-hubspot-ratelimit-max": "100",
      "x-hubspot-ratelimit-remaining": "99",
      "x-hubspot-ratelimit-secondly": "10",
      "x-hubspot-ratelimit-secondly-remaining": "2",
    },
    expected: { limit: 10, remaining: 2, policy: "secondly" },
  },
  {
    api: "BigCommerce (milliseconds by name)",
    source: "https://developer.bigcommerce.com/docs/start/best-practices/api-rate-limits",
    status: 200,
    headers: {
      "x-rate-limit-time-window-ms": "5000",
      "x-rate-limit-time-reset-ms": "3120",
      "x-rate-limit-requests-quota": "7",
      "x-rate-limit-requests-left": "6",
    },
    expected: { limit: 7, remaining: 6, resetInSeconds: 4 },
  },
  {
    api: "Discogs",
    source: "https://www.discogs.com/developers#page:home,header:home-rate-limiting",
    status: 200,
    headers: {
      "x-discogs-ratelimit": "60",
      "x-discogs-ratelimit-used": "1",
      "x-discogs-ratelimit-remaining": "59",
    },
    expected: { limit: 60, remaining: 59 },
  },
  {
    api: "OpenAI",
    source: "https://platform.openai.com/docs/guides/rate-limits",
    status: 200,
    headers: {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-limit-tokens": "150000",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-remaining-tokens": "14999",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-reset-tokens": "6m0s",
    },
    expected: { limit: 150000, remaining: 14999, resetInSeconds: 360, policy: "tokens" },
  },
  {
    api: "Groq",
    source: "https://console.groq.com/docs/rate-limits",
    status: 429,
    headers: {
      "retry-after": "2",
      "x-ratelimit-limit-requests": "14400",
      "x-ratelimit-limit-tokens": "18000",
      "x-ratelimit-remaining-requests": "14370",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-requests": "2m59.56s",
      "x-ratelimit-reset-tokens": "7.66s",
    },
    expected: { limit: 18000, remaining: 0, resetInSeconds: 8, policy: "tokens", retryAfterSeconds: 2 },
  },
  {
    api: "Azure OpenAI",
    source: "https://learn.microsoft.com/azure/ai-services/openai/how-to/quota",
    status: 429,
    headers: {
      "retry-after": "2",
      "retry-after-ms": "1500",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-remaining-tokens": "9000",
    },
    expected: { remaining: 0, policy: "requests", retryAfterSeconds: 2 },
  },
  {
    api: "Anthropic",
    source: "https://docs.anthropic.com/en/api/rate-limits",
    status: 200,
    headers: {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": "2026-03-01T12:00:02Z",
      "anthropic-ratelimit-tokens-limit": "40000",
      "anthropic-ratelimit-tokens-remaining": "4000",
      "anthropic-ratelimit-tokens-reset": "2026-03-01T12:00:54Z",
    },
    expected: { limit: 40000, remaining: 4000, resetInSeconds: 54, policy: "tokens" },
  },
  {
    api: "lemlist",
    source: "https://developer.lemlist.com/api-reference/getting-started/rate-limits",
    status: 200,
    headers: {
      "retry-after": "2",
      "x-ratelimit-limit": "20",
      "x-ratelimit-remaining": "7",
      "x-ratelimit-reset": "Sun Mar 01 2026 13:00:02 GMT+0100 (Central European Standard Time)",
    },
    expected: { limit: 20, remaining: 7, resetInSeconds: 2, retryAfterSeconds: 2 },
  },
  {
    api: "RFC 9110 Retry-After as a date",
    source: "https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3",
    status: 503,
    headers: { "retry-after": "Sun, 01 Mar 2026 12:02:00 GMT" },
    expected: { retryAfterSeconds: 120 },
  },
  {
    api: "Shopify REST",
    source: "https://shopify.dev/docs/api/usage/limits",
    status: 200,
    headers: { "x-shopify-shop-api-call-limit": "39/40" },
    expected: { limit: 40, remaining: 1 },
  },
  {
    api: "Salesforce per app",
    source: "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/headers_api_usage.htm",
    status: 200,
    headers: {
      "sforce-limit-info": "api-usage=25/5000, per-app-api-usage=17/250(appName=sample-connected-app)",
    },
    expected: { limit: 250, remaining: 233, policy: "per-app-api-usage" },
  },
  {
    api: "Telegram",
    source: "https://core.telegram.org/bots/api#responseparameters",
    status: 429,
    headers: {},
    body: {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 35",
      parameters: { retry_after: 35 },
    },
    expected: { retryAfterSeconds: 35 },
  },
  {
    api: "Google Calendar in words",
    source: "https://developers.google.com/workspace/gmail/api/guides/handle-errors",
    status: 403,
    headers: {},
    body: {
      error: {
        code: 403,
        message: "User-rate limit exceeded.  Retry after 2026-03-01T12:00:57.123Z",
        errors: [{ domain: "usageLimits", reason: "userRateLimitExceeded" }],
      },
    },
    expected: { retryAfterSeconds: 58 },
  },
  {
    api: "Django REST framework",
    source: "https://www.django-rest-framework.org/api-guide/throttling/",
    status: 429,
    headers: {},
    body: { detail: "Request was throttled. Expected available in 4521 seconds." },
    expected: { retryAfterSeconds: 4521 },
  },
  {
    api: "Airtable",
    source: "https://airtable.com/developers/web/api/rate-limits",
    status: 429,
    headers: {},
    body: {
      errors: [{ error: "RATE_LIMIT_REACHED", message: "Rate limit exceeded. Please try again later" }],
    },
    expected: undefined,
  },
  {
    api: "Amazon SP-API (a rate per second)",
    source: "https://developer-docs.amazon.com/sp-api/docs/usage-plans-and-rate-limits",
    status: 200,
    headers: { "x-amzn-ratelimit-limit": "0.5" },
    expected: undefined,
  },
];
