import { describe, expect, it } from "@jest/globals";
import { listCredentialVariables } from "../../src/credentials/credential-variables.js";
import { applyErrorBounds, readError } from "../../src/diagnosis/call-error.js";
import type { AnswerFacts } from "../../src/diagnosis/facts.js";
import type { CallError } from "../../src/errors.js";
import type { ApiSettings } from "../../src/source/api-source.js";
import { makeSource } from "../support/api-source.js";
import { emptyBody, htmlBody, jsonBody, textBody } from "../support/response-body.js";

const request = { method: "GET", path: "/things", url: "https://api.example.com/v1/things" } as const;
const read = (status: number, more: Partial<AnswerFacts> = {}): CallError | undefined => {
  const source = more.source ?? makeSource();
  const credential = { variables: listCredentialVariables(source) };
  return readError({ status, headers: {}, body: emptyBody(), request, source, credential, ...more })?.error;
};
const hintOf = (status: number, more: Partial<AnswerFacts> = {}): string => read(status, more)?.hint ?? "";

describe("the category of a status", () => {
  it.each([
    [302, "unexpected_content"],
    [400, "bad_request"],
    [401, "unauthorized"],
    [402, "forbidden"],
    [403, "forbidden"],
    [404, "not_found"],
    [405, "method_not_allowed"],
    [406, "bad_request"],
    [408, "timeout"],
    [409, "conflict"],
    [410, "not_found"],
    [412, "conflict"],
    [413, "too_large"],
    [414, "too_large"],
    [415, "bad_request"],
    [418, "bad_request"],
    [422, "validation"],
    [423, "conflict"],
    [424, "conflict"],
    [428, "conflict"],
    [429, "rate_limited"],
    [431, "too_large"],
    [451, "forbidden"],
    [500, "server_error"],
    [501, "method_not_allowed"],
    [503, "server_error"],
    [504, "server_error"],
    [599, "server_error"],
  ])("of %i is %s", (status, category) => {
    expect(read(status)?.category).toBe(category);
    expect(read(status)?.message).toBe(`The API answered with status ${status} and no message.`);
  });
});

describe("whether a failure is retryable", () => {
  it.each([408, 425, 429, 502, 503, 504, 522, 529])("%i is, for every method", (status) => {
    expect(read(status)?.retryable).toBe(true);
    expect(read(status, { request: { ...request, method: "POST" } })?.retryable).toBe(true);
  });

  it.each([302, 400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 501, 505])("%i is not", (status) => {
    expect(read(status)?.retryable).toBe(false);
  });

  it("500 is for GET only", () => {
    expect(read(500)?.retryable).toBe(true);
    expect(read(500, { request: { ...request, method: "POST" } })?.retryable).toBe(false);
  });

  it("takes the wait from the rate limit, and gives none for what can't be retried", () => {
    expect(read(429, { rateLimit: { retryAfterSeconds: 30 } })?.retryAfterSeconds).toBe(30);
    expect(read(429, { rateLimit: { remaining: 0, resetInSeconds: 90 } })?.retryAfterSeconds).toBe(90);
    expect(read(404, { rateLimit: { retryAfterSeconds: 30 } })).not.toHaveProperty("retryAfterSeconds");
  });
});

describe("a rate limit in disguise", () => {
  it("is a 403 with a wait, with a spent quota and no text, or with the words", () => {
    expect(read(403, { rateLimit: { retryAfterSeconds: 5 } })?.category).toBe("rate_limited");
    expect(read(403, { rateLimit: { remaining: 0 } })?.category).toBe("rate_limited");
    const body = jsonBody({ message: "API rate limit exceeded for user ID 1." });
    expect(read(403, { body, rateLimit: { remaining: 0 } })?.category).toBe("rate_limited");
  });

  it("is not a missing permission that used up the last call, nor a limit parameter", () => {
    const body = jsonBody({ message: "Resource not accessible by personal access token" });
    expect(read(403, { body, rateLimit: { remaining: 0 } })?.category).toBe("forbidden");
    expect(read(400, { body: jsonBody({ message: "limit must be at most 100" }) })?.category).toBe(
      "bad_request",
    );
    expect(read(422, { body: jsonBody({ errors: { rate_limit: ["is invalid"] } }) })?.category).toBe(
      "validation",
    );
  });
});

describe("the hint of a 401", () => {
  it.each([
    ["bearer", {}, ["Authorization: Bearer", "SHOP_TOKEN or SHOP_API_KEY"]],
    ["header", { authType: "header", headerName: "X-API-Key" }, ["`X-API-Key: <key>`", "SHOP_API_KEY"]],
    ["query", { authType: "query", queryParam: "api_key" }, ["`?api_key=<key>`", "SHOP_TOKEN"]],
    ["basic", { authType: "basic" }, ["base64 of username:password", "SHOP_USERNAME and SHOP_PASSWORD"]],
    ["credentialEnv", { credentialEnv: "MY_KEY" }, ["MY_KEY"]],
    ["a list of credentialEnv", { credentialEnv: ["A_KEY", "B_KEY"] }, ["A_KEY or B_KEY"]],
    [
      "a pair of which one is named",
      { authType: "basic", credentialEnv: { username: "U_ENV" } },
      ["U_ENV and SHOP_PASSWORD"],
    ],
    ["a named pair", { authType: "basic", credentialEnv: { username: "U", password: "P" } }, ["U and P"]],
  ] as const)("names carrier and variables for %s", (_name, settings, words) => {
    const hint = hintOf(401, { source: makeSource(settings) });
    for (const word of words) expect(hint).toContain(word);
    expect(hint).toContain("tell the user");
    expect(hint).toContain("can't change");
  });

  const asks = (challenge: string | readonly string[], settings: Partial<ApiSettings> = {}): string =>
    hintOf(401, { headers: { "www-authenticate": challenge }, source: makeSource(settings) });
  const inHeader = { authType: "header", headerName: "X-API-Key" } as const;
  const inQuery = { authType: "query", queryParam: "p" } as const;

  it.each<[string | readonly string[], Partial<ApiSettings>]>([
    ['Bearer realm="Basic"', {}],
    ["bearer", {}],
    ['Basic realm="x"', { authType: "basic" }],
    ["Token", { authScheme: "Token" }],
    [["Digest a=b", "Bearer"], {}],
    ["X-API-Key", inHeader],
    ['x-api-key realm="dns"', inHeader],
    ["APIKey", inHeader],
    ["ApiKey", inQuery],
    ["", {}],
    ["Negotiate", { authType: "basic" }],
  ])("only speaks of another scheme when %j is one", (challenge, settings) => {
    const isSent = challenge !== "Negotiate";
    expect(/the API (?:announces|asks)/i.test(asks(challenge, settings))).toBe(!isSent);
  });

  it.each<[string | readonly string[], Partial<ApiSettings>, string]>([
    ['Basic realm="InfluxDB"', inQuery, 'announces Basic: set "authType": "basic"'],
    ['Basic realm="InfluxDB"', {}, 'announces Basic: set "authType": "basic"'],
    ["Bearer", inHeader, 'announces Bearer: set "authType": "bearer"'],
    [["Negotiate", "NTLM", "Basic"], {}, 'announces Basic: set "authType": "basic"'],
    ["Negotiate YIIJvwYGKwYBBQUC, NTLM TlRMTVNTUAAC==", inHeader, "Negotiate: no authType can serve it"],
    ["AWS4-HMAC-SHA256", inQuery, "AWS4-HMAC-SHA256: no authType can serve it"],
  ])(
    "after %j says to check the credential first, and only then what is announced",
    (given, settings, text) => {
      const hint = asks(given, settings);
      expect(hint).toContain(text);
      expect(hint).toMatch(/First check SHOP_TOKEN or SHOP_API_KEY: .* If it is right, the server announces/);
      expect(hint).not.toMatch(/"authScheme": "(?:Digest|Negotiate|NTLM|AWS)/);
    },
  );

  it.each<[string | readonly string[], Partial<ApiSettings>, string]>([
    ["Bearer", { authType: "basic" }, 'scheme Bearer. .* Set "authType": "bearer" under `api`'],
    [["Token", "Digest a=b"], {}, 'scheme Token. .* Set "authType": "bearer", "authScheme": "Token"'],
    ["ApiKey", {}, 'Set .*"authScheme": "ApiKey" under `api`, or "authType": "header"'],
    ["Bearer", { authScheme: "Token" }, 'Set "authType": "bearer" under `api`, and remove "authScheme"'],
    ['Digest realm="x", nonce="y", qop="auth"', {}, "scheme Digest. .* No authType can serve it"],
    [
      "X-API-Key",
      {},
      'header X-API-Key. .* Set "authType": "header", "headerName": "X-API-Key" under `api`\\.',
    ],
    ["X-API-Key", inQuery, '"headerName": "X-API-Key" under `api`\\.'],
    ["X-API-Key", { ...inHeader, headerName: "X-Auth" }, '"X-API-Key" under `api`.* second secret'],
  ])("after %j says what the API asks for in place of what was sent", (given, settings, text) => {
    expect(asks(given, settings)).toMatch(new RegExp(`The API asks for it in the .*${text}`));
  });

  it.each<[string, Partial<ApiSettings>, string]>([
    ["Expected 'Authorization: Token <key>'", {}, '"authScheme": "Token"'],
    ['Authorization header must be "Bearer {token}"', { authScheme: "Token" }, 'remove "authScheme"'],
    ["Authentication type must be Bearer", { authScheme: "Token" }, 'remove "authScheme"'],
    ["The header must start with Bearer", { authScheme: "JWT" }, 'remove "authScheme"'],
    ["Format is: Authorization: ApiKey YOUR_KEY", {}, '"authScheme": "ApiKey"'],
    ["Token scheme is required", {}, '"authScheme": "Token"'],
    ["The scheme must be Basic", {}, '"authType": "basic"'],
    ["Invalid token", { authScheme: "Token" }, "check how it is sent"],
    ["Unsupported prefix Token", { authScheme: "Token" }, 'which is "Token": most APIs take "Bearer"'],
    ["Use the Bearer scheme", inHeader, '"authType": "bearer"'],
    ["Missing bearer token", { authType: "basic" }, '"authType": "bearer"'],
    ["Invalid Bearer token", {}, "check how it is sent"],
    ["No token was given", { authScheme: "Token" }, "check how it is sent"],
  ])("after the message %j proposes the scheme it asks for", (message, settings, text) => {
    expect(hintOf(401, { body: jsonBody({ message }), source: makeSource(settings) })).toContain(text);
  });

  it("says that no credential is sent where the record has no authType", () => {
    const { authType: _none, ...api } = makeSource().api;
    const hint = hintOf(401, { source: { ...makeSource(), api } });
    expect(hint).toContain("sends no credential");
  });
});

describe("the hint of a 403", () => {
  it("names missing and granted scopes", () => {
    const headers = { "x-oauth-scopes": "repo", "x-accepted-oauth-scopes": "admin:org" };
    expect(hintOf(403, { headers })).toMatch(/Needed: admin:org\. It has: repo\./);
    const challenge = { "www-authenticate": 'Bearer error="insufficient_scope", scope="orders:write"' };
    expect(hintOf(403, { headers: challenge })).toContain("Needed: orders:write");
    expect(read(403, { headers: challenge })?.code).toBe("insufficient_scope");
  });

  it.each([
    "Invalid API key",
    "API key not valid. Please pass a valid API key.",
    "The API key you provided is invalid.",
    "Your access token has expired",
    "Unknown API key",
    "Token is disabled",
    "This API key has been revoked.",
    "Invalid or expired token.",
    "API key does not exist",
    "The credentials provided are incorrect",
    "Wrong username or password",
  ])("speaks of the credential when the text calls it bad: %s", (message) => {
    const error = read(403, { body: jsonBody({ message }) });
    expect(error).toMatchObject({ category: "unauthorized", retryable: false });
    expect(error?.hint).toContain("The credential was not accepted");
    expect(error?.hint).toContain("SHOP_TOKEN or SHOP_API_KEY");
  });

  it.each([
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "API_KEY_INVALID",
    "invalid_token",
  ])("speaks of the credential when the code calls it bad: %s", (code) => {
    expect(read(403, { body: jsonBody({ code, message: "No." }) })?.category).toBe("unauthorized");
  });

  it.each([
    "Resource not accessible by personal access token",
    "Your API key is not allowed to use this endpoint",
    "The token lacks the scope orders:write",
    "You do not have permission to perform this action.",
    "CSRF token is invalid",
    "Invalid CSRF token",
    "Unauthorized",
    "This feature is disabled for your account",
    "Access denied: the idempotency key is unknown",
  ])("speaks of a permission when the text does not: %s", (message) => {
    const error = read(403, { body: jsonBody({ message }) });
    expect(error?.category).toBe("forbidden");
    expect(error?.hint).toContain("may not do this");
  });

  it.each([
    [
      402,
      { error: { code: "card_declined", message: "Your card has insufficient funds.", type: "card_error" } },
    ],
    [400, { errors: [{ code: "CARD_DECLINED", detail: "Card declined." }] }],
  ])("takes a declined card under %i for the payer's and not the credential's", (status, body) => {
    const hint = hintOf(status, { body: jsonBody(body) });
    expect(hint).toContain("payer's card or account, not about this source's credential");
  });

  it.each([
    "You do not have enough credit.",
    "Upgrade your plan to use this",
    "Your plan does not include exports",
  ])("speaks of paying when the text does: %s", (message) =>
    expect(hintOf(403, { body: jsonBody({ message }) })).toContain("pay or be upgraded"),
  );

  it("tells a firewall when a page answers", async () => {
    expect(hintOf(403, { body: await htmlBody("<html><h1>Blocked</h1></html>") })).toContain("firewall");
  });
});

describe("the words of a refusal", () => {
  const asHeader = { authType: "header", headerName: "X-Key" } as const;
  const page = (title: string): string =>
    `<!doctype html><html><title>${title}</title><h1>${title}</h1></html>`;
  const link = "https://docs.shop.invalid/rest#permissions";
  const chain = [{ message: "Invalid format for Authorization header" }];
  const influx = { results: [{ statement_id: 0, error: "database not found: x" }] };
  const google = { status: "REQUEST_DENIED", error_message: "The provided API key is invalid.", results: [] };

  // Answers as they are met in the wild, shortened.
  it.each<[number, string | object, RegExp, Partial<ApiSettings>?]>([
    [401, { message: "Bad credentials", documentation_url: link }, /^The credential was not accepted/],
    [401, { error_description: "Missing Authorization header" }, /^The credential was not accepted/],
    [401, { message: "Missing Authorization header" }, /"authType": "bearer" under `api`\.$/, asHeader],
    [401, { message: "Missing X-App-Key header" }, /"headers": \{ "X-App-Key": "\$\{NAME\}" \}/, asHeader],
    [401, { message: "You do not have permission: scope read:user missing" }, /may not do this/],
    [
      401,
      { error: "Unauthorized", message: "Client-Id header required" },
      /wants the header Client-Id\. Give/,
    ],
    [401, { message: "Please send your API key in the X-Api-Key header" }, /"headerName": "X-Api-Key"/],
    [403, { message: "Missing Authentication Token" }, /AWS gateway/],
    [403, { Message: "User is not authorized to access this with an explicit deny" }, /may not do this/],
    [403, { message: 'forbidden: User "system:anonymous" cannot get path "/user"' }, /was not accepted/],
    [403, { detail: "Not authenticated" }, /was not accepted/],
    [403, { error: "Origin header required" }, /wants the header Origin/],
    [403, "Please set a descriptive User-Agent. See our policy.", /wants the header User-Agent/],
    [403, page("403 Forbidden"), /firewall or bot protection/],
    [401, page("401 Authorization Required"), /was not accepted/],
    [404, "<!DOCTYPE html><html><body><pre>Cannot GET /user</pre></body></html>", /^No such endpoint/],
    [400, { message: "API key not valid. Please pass a valid API key." }, /was not accepted/],
    [400, { errors: [{ message: "Invalid request headers", error_chain: chain }] }, /was not accepted/],
    [
      400,
      { message: "Unsupported Accept header. Must be application/vnd.shop+json" },
      /Accept: application\/vnd\.shop\+json/,
    ],
    [422, { detail: [{ loc: ["header", "x-tenant"], msg: "Field required" }] }, /wants the header x-tenant/],
    [429, page("Too many requests"), /^Too many calls/],
    [511, page("Network authentication required"), /captive portal/],
    [
      200,
      { errors: [{ message: "Not authorized", extensions: { code: "UNAUTHENTICATED" } }] },
      /was not accepted/,
    ],
    [200, google, /was not accepted/],
    [200, influx, /^The path is right/],
  ])("under %i %j mean %s", async (status, given, meaning, settings = {}) => {
    const body =
      typeof given === "object"
        ? jsonBody(given)
        : given.startsWith("<")
          ? await htmlBody(given)
          : textBody(given);
    expect(hintOf(status, { body, source: makeSource(settings) })).toMatch(meaning);
  });

  it("sends to HTTPS where an API takes nothing else", () => {
    const source = makeSource({ baseUrl: "http://api.example.com/v1" });
    const url = "http://api.example.com/v1/things";
    const body = jsonBody({ message: "SSL is required" });
    expect(hintOf(403, { body, source, request: { ...request, url } })).toContain(
      '"baseUrl": "https://api.example.com/v1"',
    );
  });
});

describe("the hint of a 404", () => {
  const at = (path: string, message: string): string =>
    hintOf(404, {
      body: jsonBody({ message }),
      request: { ...request, path, url: `https://api.example.com/v1${path}` },
    });

  it.each([
    ["/nope", "Cannot GET /v1/nope"],
    ["/user/7/ordres", "no Route matched with those values"],
    ["/charge", "Unrecognized request URL (GET: /v1/charge)."],
    ["/user/12", "404 page not found"],
    ["/x", "The requested URL was not found on the server."],
    ["/x", "No static resource x."],
    ["/Foo", "Resource not found for the segment 'Foo'."],
    ["/x", "No route was found matching the URL and request method."],
    ["/x", "Unknown endpoint"],
  ])("tells a wrong path: %s, %s", (path, message) => {
    expect(at(path, message)).toContain("No such endpoint");
  });

  it.each([
    ["/users/42", "Not Found", "GET /users"],
    ["/customers/cus_123/orders", "No such customer: 'cus_123'", "GET /customers"],
    ["/items/7f0c2f0e-0c55-4b4e-9e0f-0e7d8f1c2b3a", "", "GET /items"],
    ["/repos/a/b", "User with id 7 not found", "List or search first"],
    ["/issues/SHOP-12", "Issue does not exist", "GET /issues"],
    ["/@private/absent", "no such package available", "absent does not exist there"],
    ["/@private/absent", "package not found", "GET /@private to find"],
    ["/garden/absent-doc", "Document is missing", "absent-doc does not exist there"],
    ["/users/42/orders/7", "Not Found", "GET /users/42/orders to find"],
    ["/orgs/acme/repos/absent", "Not Found: acme", "but acme does not exist there"],
    ["/orgs/acme/repos/absent", "Repo not found", "GET /orgs/acme/repos to find"],
    ["/bucket/photo.jpg", "Not Found", "photo.jpg does not exist there"],
    ["/users/ann@example.com", "Not Found", "ann@example.com does not exist there"],
  ])("tells a missing thing: %s, %s", (path, message, advice) => {
    expect(at(path, message)).toContain("does not exist there");
    expect(at(path, message)).toContain(advice);
  });

  it("tells a doubled version segment and shows the joined URL", () => {
    expect(at("/v1/things", "Not Found")).toContain("the base URL already ends with /v1");
    expect(at("/v1/things", "Not Found")).toContain("https://api.example.com/v1/v1/things");
  });

  it("speaks of what the body names when the answer is a success", () => {
    const body = jsonBody({
      errors: [{ message: "Could not resolve to a User", type: "NOT_FOUND" }],
      data: null,
    });
    expect(hintOf(200, { body, request: { ...request, path: "/things/42" } })).toMatch(
      /^The path is right, but what/,
    );
  });

  it("names the last segment where only the path can be shown", () => {
    expect(at("/@private/absent", "Not Found")).toContain("or absent does not exist");
    expect(at("/repos/team42x/absent", "Not Found")).toContain("or absent does not exist");
  });

  it("says both where it can't be told", () => {
    expect(at("/things", "Not Found")).toContain("Either the path is wrong or");
  });

  it("reads an HTML 404 as a wrong path", async () => {
    expect(hintOf(404, { body: await htmlBody("<html><title>404 Not Found</title></html>") })).toContain(
      "No such endpoint",
    );
  });
});

describe("the hint of a refused request", () => {
  const post = {
    ...request,
    method: "POST",
    contentType: "application/json",
    bodyText: '{"title":""}',
  } as const;

  it("shows Allow and what of it this source may use", () => {
    const source = makeSource({ methods: ["GET", "POST"] });
    const hint = hintOf(405, { headers: { allow: "POST, DELETE" }, source });
    expect(hint).toContain("Allow: POST, DELETE");
    expect(hint).toContain("Use POST.");
  });

  it("shows what was sent and names the fields", () => {
    const hint = hintOf(422, { request: post, body: jsonBody({ errors: { title: ["is blank"] } }) });
    expect(hint).toContain("Correct title");
    expect(hint).toContain('application/json {"title":""}');
    expect(hintOf(400, { request: { ...request, url: `${request.url}?size=x` } })).toContain(
      "GET /things?size=x",
    );
  });

  it.each([
    "Missing required parameter: q",
    'missing required parameter "q"',
    "Required request parameter 'q' for method parameter type String is not present",
    "The query parameter q is required.",
    "Missing query parameter 'q'",
    "'q' is required",
    "You must provide the parameter q",
    "q parameter is required",
    'Query parameter "q" must be provided',
    "You must specify a `q` parameter",
    "q is required",
  ])("names the parameter that is missing: %s", (message) => {
    expect(hintOf(400, { body: jsonBody({ message }) })).toMatch(/^Correct q and send/);
  });

  it("names each of several parameters, and those of a form by field", () => {
    const of = (body: object): string => hintOf(400, { body: jsonBody(body) });
    expect(of({ message: "Missing required parameters: from, to and `unit`" })).toMatch(
      /^Correct from, to, unit and/,
    );
    expect(of({ detail: [{ loc: ["query", "q"], msg: "Field required" }] })).toMatch(/^Correct query\.q and/);
  });

  it.each([
    "A required parameter is missing",
    "Missing parameter",
    "The value is required",
    "Query parameter is missing",
    "This is required",
    "No such parameter value allowed",
  ])("names no parameter where none is named: %s", (message) => {
    expect(hintOf(400, { body: jsonBody({ message }) })).toMatch(/^Correct what the message names/);
  });

  it("says where to look when the API says nothing", () => {
    expect(hintOf(400, { request: post })).toMatch(
      /^The API doesn't say what is wrong: compare .* Sent: POST/,
    );
    expect(hintOf(400, { body: jsonBody({ message: "No." }) })).toMatch(/^Correct what the message names/);
  });

  it("bounds what it shows of the body", () => {
    const hint = hintOf(422, { request: { ...post, bodyText: "x".repeat(50_000) } });
    expect(hint.length).toBeLessThanOrEqual(1_000);
  });

  it("shows type sent and types taken on 415, and Accept on 406", () => {
    const hint = hintOf(415, { request: post, headers: { "accept-patch": "application/merge-patch+json" } });
    expect(hint).toContain("as application/json. The API takes: application/merge-patch+json.");
    expect(hint).toContain("Give Content-Type: application/merge-patch+json in headers.");
    expect(hintOf(406, { request: { ...request, accept: "text/csv" } })).toContain("Accept: text/csv");
  });

  it("asks after a 415 for nothing that the request policy then refuses", () => {
    const hint = hintOf(415, {
      request: post,
      headers: { "accept-post": "application/x-www-form-urlencoded" },
    });
    expect(hint).toContain('the user should set api.bodyFormat to "form"');
    expect(hint).not.toContain("in headers");
    expect(hintOf(415, { request: post })).not.toContain("in headers");
  });

  it("names a header that the API wants", () => {
    const body = jsonBody({ message: "Notion-Version header should be defined" });
    expect(hintOf(400, { body })).toContain("The API wants the header Notion-Version. Give it in headers");
  });

  it("knows that without an Accept of its own the default was sent", () => {
    expect(hintOf(406)).toContain("sent was the default Accept (JSON, else anything)");
  });

  const conflict = (status: number, body: unknown, more: object = {}): string =>
    hintOf(status, { body: jsonBody(body), request: { ...post, method: "PUT", ...more } });

  it.each<[string, number, unknown, object]>([
    ["a database", 412, { error: "file_exists", reason: "The database could not be created." }, {}],
    ["a name", 409, { message: "A project with this name already exists" }, {}],
    ["a name that is taken", 409, { code: "name_taken" }, {}],
    ["a unique column", 409, { message: "duplicate key value violates unique constraint" }, {}],
    ["an index", 409, { error: { reason: "version conflict, document already exists" } }, {}],
    ["what If-None-Match forbids", 412, {}, { condition: "If-None-Match" }],
  ])("says of %s that it exists already, and nothing of If-Match", (_name, status, body, more) => {
    expect(conflict(status, body, more)).toMatch(/^It exists already: GET it .* choose another name or id/);
    expect(conflict(status, body, more)).not.toMatch(/If-Match|ETag/);
  });

  it.each<[string, number, unknown, object]>([
    ["a document", 409, { error: "conflict", reason: "Document update conflict." }, {}],
    ["a body with _rev", 409, { error: "conflict" }, { bodyText: '{"_rev":"1-abc","title":"x"}' }],
    ["a query with rev", 409, { error: "conflict" }, { url: "https://api.example.com/v1/x?rev=1-abc" }],
    ["a missing _rev", 412, { reason: "_rev is missing; the document already exists" }, {}],
    ["an ETag", 412, { message: "The ETag doesn't match" }, {}],
    [
      "a stale object",
      409,
      { message: "the object has been modified; apply your changes to the latest" },
      {},
    ],
  ])("asks for the current revision of %s", (_name, status, body, more) => {
    expect(conflict(status, body, more)).toContain("put its current revision (_rev, version or ETag");
  });

  it("speaks of the condition that was sent", () => {
    const more = { condition: "If-Match" };
    expect(conflict(412, { message: "already exists" }, more)).toContain("the condition in If-Match");
  });

  it("asks for the current state on conflicts, and for If-Match", () => {
    expect(hintOf(409, { request: post })).toContain("GET the current state");
    expect(hintOf(409, { request: { ...post, bodyText: "{}" } })).toContain("It may exist already");
    // Nothing is created by `POST /orders/7/cancel`.
    const { path, url, method } = post;
    expect(hintOf(409, { request: { path, url, method } })).not.toContain("exist already");
    expect(hintOf(412)).toContain("If-Match");
    expect(hintOf(428)).toContain("if its answer shows an ETag");
    expect(hintOf(413, { request: post })).toContain("send less at once");
    expect(hintOf(414)).toContain("URL is too long");
  });
});

describe("the hint of a failure that is not the call's", () => {
  it("says when to come back", () => {
    const hint = hintOf(429, { rateLimit: { limit: 60, retryAfterSeconds: 1_080 } });
    expect(hint).toContain("Do not retry before 1080 seconds (about 18 minutes)");
    expect(hint).toContain("the limit is 60");
    expect(hintOf(429)).toContain("wait a minute");
    const now = { remaining: 5, resetInSeconds: 0 };
    expect(hintOf(429, { rateLimit: now })).not.toContain("0 seconds");
  });

  it("says that paying is not waiting", () => {
    const body = jsonBody({
      error: { code: "insufficient_quota", message: "You exceeded your current quota" },
    });
    expect(hintOf(429, { body })).toContain("billing");
  });

  it.each([500, 502, 503, 504, 408])("warns that a write under %i may have been executed", (status) => {
    expect(hintOf(status, { request: { ...request, method: "POST" } })).toContain(
      "may or may not have been executed",
    );
    expect(hintOf(status)).not.toContain("executed");
  });

  it("knows a captive portal by its status", () => {
    expect(hintOf(511)).toContain("captive portal");
  });

  it("shows where a redirect points, without its query", () => {
    const hint = hintOf(302, { headers: { location: "https://login.example.com/start?state=abc" } });
    expect(hint).toContain("https://login.example.com/start");
    expect(hint).not.toContain("state=abc");
  });
});

describe("an address that is no URL", () => {
  it.each([400, 401, 403, 404, 429, 500])(
    "with a placeholder and a redacted part has a hint under %i",
    (status) => {
      const source = makeSource({ baseUrl: "http://{tenant}.example.com/v1" });
      const url = "http://[REDACTED].example.com/v1/things";
      for (const message of ["No.", "SSL is required"])
        expect(
          hintOf(status, { source, body: jsonBody({ message }), request: { ...request, url } }),
        ).not.toBe("");
    },
  );
});

describe("punctuation", () => {
  it("has no full stop before a semicolon, nor two at an end", () => {
    const errors = ["One is wrong.", "Two is wrong.", "Three…"].map((message) => ({ message }));
    expect(read(400, { body: jsonBody({ errors }) })?.message).toBe("One is wrong; Two is wrong; Three…");
    const many = Array.from({ length: 7 }, (_, index) => ({ message: `${index} is wrong.` }));
    expect(read(400, { body: jsonBody({ errors: many }) })?.message).toMatch(/4 is wrong \(and 2 more\)$/);
    const headers = { "x-accepted-oauth-scopes": "admin." };
    expect(hintOf(403, { headers })).toContain("Needed: admin. You");
  });
});

describe("the message", () => {
  it("falls back to an excerpt of an unknown body", () => {
    expect(read(400, { body: jsonBody({ foo: { bar: 19 } }) })?.message).toBe(
      'The API answered with status 400: {"foo":{"bar":19}}',
    );
  });

  it("is one bounded line without control and bidirectional characters", () => {
    const error = read(400, { body: textBody(`a\u0007b\u202ec\n${"d".repeat(5_000)}\u{e0041}`) });
    expect(error?.message).toMatch(/^a bc d+…$/);
    expect(error?.message.length).toBeLessThanOrEqual(600);
  });

  it("prints a number that JavaScript would change as the wire had it", () => {
    const error = read(400, { body: jsonBody('{"code":12345678901234567890,"message":"no","max":19.90}') });
    expect(error).toMatchObject({ code: "12345678901234567890", details: { max: "19.90" } });
  });

  it("keeps details bounded and says that they were truncated", () => {
    const texts = Array.from({ length: 90 }, (_, index) => [`field${index}`, ["x".repeat(200)]] as const);
    const error = read(422, { body: jsonBody({ errors: Object.fromEntries(texts) }) });
    const length = JSON.stringify(error?.details).length;
    expect(length).toBeLessThanOrEqual(2_000);
    expect(length).toBeGreaterThan(1_500);
    expect(error?.details).toMatchObject({ truncated: true });
    expect(read(422, { body: jsonBody({ errors: { a: ["b"] } }) })?.details).toEqual({
      fields: { a: ["b"] },
    });
  });

  it("is bounded, with its details, in the errors of other rooms too", () => {
    const long = "x".repeat(5_000);
    const error = {
      message: long,
      category: "network",
      retryable: true,
      code: long,
      details: [long, long],
      hint: long,
    } as const;
    const bounded = applyErrorBounds(error);
    expect(bounded).toMatchObject({ category: "network", retryable: true });
    expect([bounded.message.length, bounded.code?.length, bounded.hint.length]).toEqual([600, 100, 1_000]);
    expect(JSON.stringify(bounded.details).length).toBeLessThanOrEqual(2_000);
    expect(bounded.message.endsWith("…")).toBe(true);
  });
});
