import { describe, expect, it } from "@jest/globals";
import { type Answer, type BrokenSource, give, testAgainst } from "../support/broken-source.js";

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body,
  headers,
});
const asQuery: BrokenSource = { api: { authType: "query", queryParam: "key" } };
const asHeader: BrokenSource = { api: { authType: "header", headerName: "X-Key" } };

/** Answers as they are met in the wild, shortened; the last column is a text of the fix. */
const dialects: readonly (readonly [
  title: string,
  answer: Answer,
  verdict: string,
  fix: RegExp,
  broken?: BrokenSource,
])[] = [
  [
    "a link to the documentation beside the message",
    json(401, {
      message: "Bad credentials",
      documentation_url: "https://docs.shop.invalid/rest#permissions",
    }),
    "invalid_credentials",
    /SHOP_TOKEN/,
  ],
  [
    "the record's own header",
    json(401, { error_description: "Missing Authorization header" }),
    "invalid_credentials",
    /SHOP_TOKEN/,
  ],
  [
    "another header than the record's",
    json(401, { message: "Missing Authorization header" }),
    "invalid_credentials",
    /"authType": "bearer" under `api`\.$/,
    asHeader,
  ],
  [
    "a second key",
    json(401, { message: "Missing X-App-Key header" }),
    "invalid_credentials",
    /"headers": \{ "X-App-Key": "\$\{NAME\}" \}/,
    asHeader,
  ],
  [
    "a gateway without a route",
    json(403, { message: "Missing Authentication Token" }),
    "invalid_credentials",
    /AWS gateway/,
  ],
  [
    "a policy that denies",
    json(403, { Message: "User is not authorized to access this resource with an explicit deny" }),
    "missing_permissions",
    /permission/,
  ],
  [
    "a permission under 401",
    json(401, { message: "You do not have permission: scope read:user missing" }),
    "missing_permissions",
    /permission/,
  ],
  [
    "an unknown user of a cluster",
    json(403, { message: 'forbidden: User "system:anonymous" cannot get path "/user"' }),
    "invalid_credentials",
    /SHOP_TOKEN/,
  ],
  [
    "a denied request under 200",
    json(200, { status: "REQUEST_DENIED", error_message: "The provided API key is invalid.", results: [] }),
    "invalid_credentials",
    /SHOP_TOKEN/,
    asQuery,
  ],
  [
    "a GraphQL refusal",
    json(200, { errors: [{ message: "Not authorized", extensions: { code: "UNAUTHENTICATED" } }] }),
    "invalid_credentials",
    /SHOP_TOKEN/,
  ],
  [
    "a format of the header",
    json(400, {
      errors: [
        {
          message: "Invalid request headers",
          error_chain: [{ message: "Invalid format for Authorization header" }],
        },
      ],
    }),
    "invalid_credentials",
    /SHOP_TOKEN/,
  ],
  ["a framework's 403", json(403, { detail: "Not authenticated" }), "invalid_credentials", /SHOP_TOKEN/],
  [
    "a framework's scheme",
    json(401, { detail: "Authentication credentials were not provided." }, { "WWW-Authenticate": "Token" }),
    "invalid_credentials",
    /"authScheme": "Token"/,
  ],
  [
    "several schemes, one of them the record's",
    json(401, {}, { "WWW-Authenticate": 'Basic realm="x", Bearer realm="x", ApiKey' }),
    "invalid_credentials",
    /SHOP_TOKEN/,
  ],
  [
    "a made-up scheme for a key in a header",
    json(401, {}, { "WWW-Authenticate": "ApiKey" }),
    "invalid_credentials",
    /^Check SHOP_TOKEN/,
    asHeader,
  ],
  [
    "the header in a sentence",
    json(401, { message: "Please send your API key in the X-Api-Key header" }),
    "invalid_credentials",
    /"headerName": "X-Api-Key"/,
    asQuery,
  ],
  [
    "a field error of a header",
    json(422, { detail: [{ loc: ["header", "x-tenant"], msg: "Field required" }] }),
    "missing_header",
    /"x-tenant"/,
  ],
  [
    "a client id",
    json(401, { error: "Unauthorized", message: "Client-Id header required" }),
    "missing_header",
    /"Client-Id"/,
  ],
  ["an origin", json(403, { error: "Origin header required" }), "missing_header", /"Origin"/],
  [
    "a policy of user agents",
    { status: 403, body: "Please set a descriptive User-Agent. See our policy." },
    "missing_header",
    /"User-Agent"/,
  ],
  [
    "a type that is not offered",
    json(400, { message: "Unsupported Accept header. Must be application/vnd.shop+json; version=3" }),
    "missing_header",
    /"Accept": "application\/vnd\.shop\+json"/,
  ],
  [
    "a page of a framework without the route",
    { status: 404, body: "<!DOCTYPE html><html><body><pre>Cannot GET /user</pre></body></html>" },
    "not_found",
    /api\.testEndpoint/,
  ],
  [
    "a page of a web server that refuses",
    { status: 403, body: page("403 Forbidden") },
    "missing_permissions",
    /SHOP_TOKEN/,
  ],
  [
    "a page of a web server that asks",
    {
      status: 401,
      body: page("401 Authorization Required"),
      headers: { "WWW-Authenticate": 'Basic realm="x"' },
    },
    "invalid_credentials",
    /"authType": "basic"/,
  ],
  [
    "a page of a limit",
    { status: 429, body: page("Too many requests") },
    "rate_limited",
    /requestsPerMinute/,
  ],
  [
    "a page of a network",
    { status: 511, body: page("Network authentication required") },
    "not_an_api",
    /network/,
  ],
  ["an API that takes HTTPS only", json(403, { message: "SSL is required" }), "tls", /"baseUrl": "https:/],
  [
    "a statement that failed",
    json(200, { results: [{ statement_id: 0, error: "database not found: x" }] }),
    "error_in_body",
    /api\.testEndpoint/,
  ],
  [
    "a login page within the base URL",
    (request, socket) =>
      give(
        request.target.startsWith("/login")
          ? { body: page("Log in") }
          : { status: 302, headers: { Location: "/login" } },
        request,
        socket,
      ),
    "redirected",
    /SHOP_TOKEN/,
  ],
  [
    "a home page within the base URL",
    (request, socket) =>
      give(
        request.target === "/" ? { body: page("Welcome") } : { status: 302, headers: { Location: "/" } },
        request,
        socket,
      ),
    "redirected",
    /website/,
  ],
  [
    "an identity provider",
    { status: 302, headers: { Location: "https://accounts.shop.invalid/start?x=1" } },
    "redirected",
    /SHOP_TOKEN/,
  ],
];

// Objects and not rows: for a row that is shorter than the parameters, jest waits for a callback.
const cases = dialects.map(([title, answer, verdict, fix, broken]) => ({
  title,
  answer,
  verdict,
  fix,
  broken,
}));

describe("testConnection", () => {
  it.each(cases)("reads $title", async ({ answer, verdict, fix, broken }) => {
    const report = await testAgainst(answer, broken);
    expect([report.verdict, report.fix]).toEqual([verdict, expect.stringMatching(fix)]);
  });
});
