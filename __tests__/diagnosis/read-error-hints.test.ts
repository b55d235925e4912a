import { describe, expect, it } from "@jest/globals";
import { listCredentialVariables } from "../../src/credentials/credential-variables.js";
import { readError } from "../../src/diagnosis/call-error.js";
import type { AnswerFacts } from "../../src/diagnosis/facts.js";
import type { CallError } from "../../src/errors.js";
import type { ApiSettings } from "../../src/source/api-source.js";
import { makeSource } from "../support/api-source.js";
import { emptyBody, htmlBody, jsonBody, textBody } from "../support/response-body.js";

const request = { method: "GET", path: "/things", url: "https://api.example.com/v1/things" } as const;
const post = {
  ...request,
  method: "POST",
  contentType: "application/json",
  bodyText: '{"title":""}',
} as const;
const read = (status: number, more: Partial<AnswerFacts> = {}): CallError | undefined => {
  const source = more.source ?? makeSource();
  const credential = { variables: listCredentialVariables(source) };
  return readError({ status, headers: {}, body: emptyBody(), request, source, credential, ...more })?.error;
};
const hintOf = (status: number, more: Partial<AnswerFacts> = {}): string => read(status, more)?.hint ?? "";
const inHeader = { authType: "header", headerName: "X-API-Key" } as const;

describe("the category of a status", () => {
  it.each<[string, readonly number[]]>([
    ["unexpected_content", [302]],
    ["bad_request", [400, 406, 415, 418]],
    ["unauthorized", [401]],
    ["forbidden", [402, 403, 451]],
    ["not_found", [404, 410]],
    ["method_not_allowed", [405, 501]],
    ["timeout", [408]],
    ["conflict", [409, 412, 423, 428]],
    ["too_large", [413, 414, 431]],
    ["validation", [422]],
    ["rate_limited", [429]],
    ["server_error", [500, 503, 504]],
  ])("is %s for %j", (category, statuses) => {
    for (const status of statuses) {
      const message = `The API answered with status ${status} and no message.`;
      expect(read(status)).toMatchObject({ category, message });
    }
  });
});

describe("whether a failure is retryable", () => {
  it.each([408, 425, 429, 502, 503, 504, 522, 529])("%i is, for every method", (status) => {
    expect(read(status)?.retryable).toBe(true);
    expect(read(status, { request: post })?.retryable).toBe(true);
  });

  it.each([302, 400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 501, 505])("%i is not", (status) => {
    expect(read(status)?.retryable).toBe(false);
  });

  it("500 is for GET only", () => {
    expect(read(500)?.retryable).toBe(true);
    expect(read(500, { request: post })?.retryable).toBe(false);
  });

  it("takes the wait from the rate limit, and gives none for what can't be retried", () => {
    expect(read(429, { rateLimit: { retryAfterSeconds: 30 } })?.retryAfterSeconds).toBe(30);
    expect(read(429, { rateLimit: { remaining: 0, resetInSeconds: 90 } })?.retryAfterSeconds).toBe(90);
    expect(read(404, { rateLimit: { retryAfterSeconds: 30 } })).not.toHaveProperty("retryAfterSeconds");
  });
});

describe("a rate limit in disguise", () => {
  it("is a 403 with a wait, with a spent quota and no text, or with the words", () => {
    const body = jsonBody({ message: "API rate limit exceeded for user ID 1." });
    expect(read(403, { rateLimit: { retryAfterSeconds: 5 } })?.category).toBe("rate_limited");
    expect(read(403, { rateLimit: { remaining: 0 } })?.category).toBe("rate_limited");
    expect(read(403, { body, rateLimit: { remaining: 0 } })?.category).toBe("rate_limited");
  });

  it("is not a missing permission that used up the last call, nor a limit parameter", () => {
    const of = (status: number, body: object, rateLimit?: object): unknown =>
      read(status, { body: jsonBody(body), rateLimit })?.category;
    expect(of(403, { message: "Not accessible by this token" }, { remaining: 0 })).toBe("forbidden");
    expect(of(400, { message: "limit must be at most 100" })).toBe("bad_request");
    expect(of(422, { errors: { rate_limit: ["is invalid"] } })).toBe("validation");
  });
});

describe("the hint of a 401", () => {
  it.each([
    ["bearer", {}, ["Authorization: Bearer", "SHOP_TOKEN or SHOP_API_KEY"]],
    ["header", inHeader, ["`X-API-Key: <key>`", "SHOP_API_KEY"]],
    ["query", { authType: "query", queryParam: "api_key" }, ["`?api_key=<key>`", "SHOP_TOKEN"]],
    ["basic", { authType: "basic" }, ["base64 of username:password", "SHOP_USERNAME and SHOP_PASSWORD"]],
    ["credentialEnv", { credentialEnv: ["A_KEY", "B_KEY"] }, ["A_KEY or B_KEY"]],
    [
      "a pair of which one is named",
      { authType: "basic", credentialEnv: { username: "U_ENV" } },
      ["U_ENV and SHOP_PASSWORD"],
    ],
  ] as const)("names carrier and variables for %s", (_name, settings, words) => {
    const hint = hintOf(401, { source: makeSource(settings) });
    for (const word of [...words, "tell the user", "can't change"]) expect(hint).toContain(word);
  });

  const asks = (challenge: string | readonly string[], settings: Partial<ApiSettings> = {}): string =>
    hintOf(401, { headers: { "www-authenticate": challenge }, source: makeSource(settings) });

  it.each<[string | readonly string[], Partial<ApiSettings>]>([
    ['Bearer realm="Basic"', {}],
    ["bearer", {}],
    ['Basic realm="x"', { authType: "basic" }],
    ["Token", { authScheme: "Token" }],
    [["Digest a=b", "Bearer"], {}],
    ['x-api-key realm="dns"', inHeader],
    ["ApiKey", { authType: "query", queryParam: "p" }],
    ["", {}],
    ["Token", { authType: "header", headerName: "Authorization" }],
  ])("speaks of no other scheme after %j, which was sent", (challenge, settings) => {
    expect(asks(challenge, settings)).not.toMatch(/the (?:server|API) (?:announces|asks)/i);
  });

  it.each<[string | readonly string[], Partial<ApiSettings>, string]>([
    ['Basic realm="InfluxDB"', {}, 'Basic: set "authType": "basic"'],
    ["Bearer", inHeader, 'Bearer: set "authType": "bearer"'],
    [
      "Bearer",
      { authScheme: "Token" },
      'Bearer: set "authType": "bearer" under `api`, and remove "authScheme"',
    ],
    [["Token", "Digest a=b"], {}, 'Token: set "authType": "bearer", "authScheme": "Token"'],
    [["Negotiate", "NTLM", "Basic"], {}, 'Basic: set "authType": "basic"'],
    ["Negotiate YIIJvwYGKwYBBQUC, NTLM TlRMTVNTUAAC==", inHeader, "Negotiate: no authType can serve it"],
    ['Digest realm="x", nonce="y", qop="auth"', {}, "Digest: no authType can serve it"],
  ])("after %j has the credential checked first, then what is announced", (given, settings, text) => {
    const start = "First check SHOP_TOKEN or SHOP_API_KEY: .* If it is right, the server announces ";
    expect(asks(given, settings)).toMatch(new RegExp(`${start}${text}`));
  });

  it.each<[string, Partial<ApiSettings>, string]>([
    ["X-API-Key", {}, 'Set "authType": "header", "headerName": "X-API-Key" under `api`\\.'],
    ["X-API-Key", { ...inHeader, headerName: "X-Auth" }, '"X-API-Key" under `api`.* second secret'],
  ])("after %j with %j says which header the API asks for", (given, settings, text) => {
    expect(asks(given, settings)).toMatch(new RegExp(`asks for it in the header X-API-Key\\. .*${text}`));
  });

  it("doubts a scheme that few take, and says that no credential is sent where there is none", () => {
    const { authType: _none, ...api } = makeSource().api;
    expect(hintOf(401, { source: makeSource({ authScheme: "Token" }) })).toContain('which is "Token"');
    expect(hintOf(401, { source: { ...makeSource(), api } })).toContain("sends no credential");
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

  it.each<string | object>([
    "Invalid API key",
    "API key not valid. Please pass a valid API key.",
    "The API key you provided is invalid.",
    "Your access token has expired",
    "Token is disabled",
    "Invalid or expired token.",
    "API key does not exist",
    "The credentials provided are incorrect",
    "Wrong username or password",
    ...["InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "API_KEY_INVALID"].map((code) => ({
      code,
    })),
  ])("speaks of the credential when text or code calls it bad: %j", (said) => {
    const error = read(403, { body: jsonBody(typeof said === "string" ? { message: said } : said) });
    expect(error).toMatchObject({ category: "unauthorized", retryable: false });
    expect(error?.hint).toMatch(/The credential was not accepted.*SHOP_TOKEN or SHOP_API_KEY/);
  });

  it.each([
    "Resource not accessible by personal access token",
    "Your API key is not allowed to use this endpoint",
    "The token lacks the scope orders:write",
    "CSRF token is invalid",
    "Unauthorized",
    "This feature is disabled for your account",
    "Access denied: the idempotency key is unknown",
  ])("speaks of a permission when the text does not: %s", (message) => {
    const error = read(403, { body: jsonBody({ message }) });
    expect(error).toMatchObject({ category: "forbidden", hint: expect.stringContaining("may not do this") });
  });
});

describe("a 403 to a credential that can't be right by its look", () => {
  it.each([
    ["Forbidden", "The credential, from SHOP_TOKEN, is quoted"],
    ["The scope orders:read is missing", "may not do this"],
  ])("speaks of its look unless %s tells of a permission", (message, words) => {
    const flaw = { what: "is quoted", fix: "Remove the quotes." };
    const credential = { variables: ["SHOP_TOKEN"], flaw };
    expect(hintOf(403, { body: jsonBody({ message }), credential })).toContain(words);
  });
});

describe("the words of a refusal", () => {
  const page = (title: string): string =>
    `<!doctype html><html><title>${title}</title><h1>${title}</h1></html>`;
  const google = { status: "REQUEST_DENIED", error_message: "The provided API key is invalid.", results: [] };
  const chain = [{ message: "Invalid format for Authorization header" }];

  // Answers as they are met in the wild, shortened.
  it.each<[number, string | object, RegExp, Partial<ApiSettings>?]>([
    [401, { message: "Bad credentials" }, /^The credential was not accepted/],
    [401, { message: "Missing Authorization header" }, /"authType": "bearer" under `api`/, inHeader],
    [401, { message: "Missing X-App-Key header" }, /"headers": \{ "X-App-Key": "\$\{NAME\}" \}/, inHeader],
    [401, { message: "You do not have permission: scope read:user missing" }, /may not do this/],
    [401, { message: "Client-Id header required" }, /wants the header Client-Id\. Give/],
    [401, { message: "Please send your API key in the X-Api-Key header" }, /"headerName": "X-Api-Key"/],
    [403, { message: "Missing Authentication Token" }, /AWS gateway/],
    [403, { Message: "User is not authorized to access this with an explicit deny" }, /may not do this/],
    [403, { message: 'forbidden: User "system:anonymous" cannot get path "/user"' }, /was not accepted/],
    [403, { error: "Origin header required" }, /wants the header Origin/],
    [403, "Please set a descriptive User-Agent. See our policy.", /wants the header User-Agent/],
    [402, { error: { code: "card_declined", message: "Your card has insufficient funds." } }, /payer's card/],
    [400, { errors: [{ code: "CARD_DECLINED", detail: "Card declined." }] }, /payer's card/],
    [403, { message: "You do not have enough credit." }, /pay or be upgraded/],
    [403, { message: "Upgrade your plan to use this" }, /pay or be upgraded/],
    [403, page("403 Forbidden"), /firewall or bot protection/],
    [401, page("401 Authorization Required"), /was not accepted/],
    [404, "<!DOCTYPE html><html><body><pre>Cannot GET /user</pre></body></html>", /^No such endpoint/],
    [400, { message: "API key not valid. Please pass a valid API key." }, /was not accepted/],
    [400, { errors: [{ message: "Invalid request headers", error_chain: chain }] }, /was not accepted/],
    [400, { message: "Notion-Version header should be defined" }, /wants the header Notion-Version\. Give/],
    [400, { message: "No." }, /^Correct what the message names/],
    [422, { detail: [{ loc: ["header", "x-tenant"], msg: "Field required" }] }, /wants the header x-tenant/],
    [429, page("Too many requests"), /^Too many calls/],
    [511, page("Network authentication required"), /captive portal/],
    [200, { errors: [{ message: "No", extensions: { code: "UNAUTHENTICATED" } }] }, /was not accepted/],
    [200, google, /was not accepted/],
    [200, { results: [{ statement_id: 0, error: "database not found: x" }] }, /^The path is right/],
  ])("under %i %j mean %s", async (status, given, meaning, settings = {}) => {
    const text = typeof given === "string" ? given : "";
    const body = text === "" ? jsonBody(given) : text.startsWith("<") ? await htmlBody(text) : textBody(text);
    expect(hintOf(status, { body, source: makeSource(settings) })).toMatch(meaning);
  });

  it.each([
    "Validation failed: e-mail is required",
    "The request header is too large",
    "user-name must be set in the body",
    "The field created-at is required",
    "Content-Length header required",
  ])("name no header that the API wants: %s", (message) => {
    expect(hintOf(400, { body: jsonBody({ message }) })).not.toContain("wants the header");
  });

  it("send to HTTPS where an API takes nothing else", () => {
    const source = makeSource({ baseUrl: "http://api.example.com/v1" });
    const url = "http://api.example.com/v1/things";
    const body = jsonBody({ message: "SSL is required" });
    const base = '"baseUrl": "https://api.example.com/v1"';
    expect(hintOf(403, { body, source, request: { ...request, url } })).toContain(base);
  });

  it.each([400, 401, 403, 404, 429, 500])("stand under %i where an address is no URL", (status) => {
    const source = makeSource({ baseUrl: "http://{tenant}.example.com/v1" });
    const url = "http://[REDACTED].example.com/v1/things";
    const body = jsonBody({ message: "SSL is required" });
    expect(hintOf(status, { source, body, request: { ...request, url } })).not.toBe("");
  });
});

describe("the hint of a 404", () => {
  const at = (path: string, message: string): string => {
    const url = `https://api.example.com/v1${path}`;
    return hintOf(404, { body: jsonBody({ message }), request: { ...request, path, url } });
  };
  const wrong = /No such endpoint/;
  const told = (what: string): RegExp =>
    new RegExp(`^The path looks right, but ${what} does not exist.* GET /\\w+ to find`);

  it.each([
    ["/nope", "Cannot GET /v1/nope", wrong],
    ["/user/7/ordres", "no Route matched with those values", wrong],
    ["/charge", "Unrecognized request URL (GET: /v1/charge).", wrong],
    ["/user/12", "404 page not found", wrong],
    ["/x", "The requested URL was not found on the server.", wrong],
    ["/x", "No static resource x.", wrong],
    ["/x", "Unknown endpoint", wrong],
    ["/users/42", "The path /users/42 does not exist", wrong],
    ["/users/42", "Not Found", /^42 does not exist there, .* GET \/users to find the right one/],
    ["/users/42/orders/7", "Not Found", /^7 does not exist there, .* GET \/users\/42\/orders to find/],
    [
      "/things",
      "Not Found",
      /^things does not exist there, .* or the path is wrong: .* List or search first/,
    ],
    ["/users/42", "User not found", told("42")],
    ["/users/ada", "There is nobody called ada.", told("ada")],
    ["/things/copy", "no such thing", told("what the API names")],
    [
      "/v1/things",
      "Not Found",
      /^The URL was https:\S+\/v1\/v1\/things: the base URL already ends with \/v1/,
    ],
  ])("tells a wrong path from a missing thing: %s, %s", (path, message, advice) => {
    expect(at(path, message)).toMatch(advice);
  });

  it("says so by a code of the API's, too, and not by one that only repeats the status", () => {
    const hint = (code: string): string => hintOf(404, { body: jsonBody({ code }) });
    expect(hint("user_not_found")).toContain("The path looks right");
    expect(hint("not_found")).toContain("or the path is wrong");
  });
});

describe("the hint of a refused request", () => {
  it("shows Allow and what of it this source may use", () => {
    const source = makeSource({ methods: ["GET", "POST"] });
    const hint = hintOf(405, { headers: { allow: "POST, DELETE" }, source });
    expect(hint).toBe("GET is not possible on this path. Allow: POST, DELETE. Use POST.");
  });

  it("names the fields and shows what was sent, bounded", () => {
    const hint = hintOf(422, { request: post, body: jsonBody({ errors: { title: ["is blank"] } }) });
    expect(hint).toMatch(/^Correct title .* application\/json \{"title":""\}$/);
    const url = `${request.url}?size=x`;
    expect(hintOf(400, { request: { ...request, url } })).toContain("GET /things?size=x");
    expect(hintOf(400, { request: post })).toMatch(/^The API doesn't say what is wrong: .* Sent: POST/);
    const long = hintOf(422, { request: { ...post, bodyText: "x".repeat(50_000) } });
    expect(long.length).toBeLessThanOrEqual(1_000);
  });

  it.each([
    "Missing required parameter: q",
    'missing required parameter "q"',
    "Required request parameter 'q' for method parameter type String is not present",
    "The query parameter q is required.",
    "'q' is required",
    "q parameter is required",
    "You must specify a `q` parameter",
    "q is required",
  ])("names the parameter that is missing: %s", (message) => {
    expect(hintOf(400, { body: jsonBody({ message }) })).toMatch(/^Correct q and send/);
  });

  it.each(["A required parameter is missing", "The value is required", "Query parameter is missing"])(
    "names no parameter where none is named: %s",
    (message) => {
      expect(hintOf(400, { body: jsonBody({ message }) })).toMatch(/^Correct what the message names/);
    },
  );

  it.each<[object, Partial<ApiSettings>, RegExp]>([
    [
      {},
      {},
      /^The API does not take what was sent as application\/json\. Look in .* Content-Type in headers\.$/,
    ],
    [{ accept: "text/csv" }, {}, /The API takes: text\/csv\. Give Content-Type: text\/csv in headers\.$/],
    [{ accept: "multipart/form-data" }, {}, /^(?!.*Give Content-Type: multipart)/],
    [
      { "accept-patch": "application/merge-patch+json" },
      { bodyFormat: "json" },
      /Give Content-Type: application\/merge-patch\+json in headers\.$/,
    ],
    [
      { "accept-post": "application/x-www-form-urlencoded" },
      { bodyFormat: "json" },
      /^(?!.*in headers).* should set api\.bodyFormat to "form"/,
    ],
  ])("asks after a 415 with %j and %j only for what can be sent", (headers, settings, hint) => {
    const { bodyFormat: _fixed, ...api } = makeSource().api;
    const source = { ...makeSource(), api: { ...api, ...settings } };
    expect(hintOf(415, { request: post, headers: headers as never, source })).toMatch(hint);
  });

  it("shows the Accept that was sent after a 406", () => {
    expect(hintOf(406, { request: { ...request, accept: "text/csv" } })).toContain("sent was text/csv");
    expect(hintOf(406)).toContain("sent was the default (JSON, else anything)");
  });

  it.each<[number, unknown, object, RegExp]>([
    [412, { error: "file_exists", reason: "The database could not be created." }, {}, /^It exists already/],
    [409, { message: "A project with this name already exists" }, {}, /^It exists already: GET it/],
    [409, { message: "duplicate key value violates unique constraint" }, {}, /^It exists already/],
    [412, {}, { condition: "If-None-Match" }, /^It exists already/],
    [409, { error: "conflict", reason: "Document update conflict." }, {}, /GET the current state.*_rev/],
    [409, {}, {}, /^The call conflicts with the present state/],
    [423, {}, {}, /be locked: GET the current state first/],
    [
      412,
      { reason: "_rev is missing; the document already exists" },
      {},
      /^The API takes this only on a cond/,
    ],
    [412, {}, { condition: "If-Match" }, /GET the current state first/],
    [423, {}, { condition: "If-Match" }, /^The call conflicts with the present state, .* locked/],
    [428, {}, {}, /if its answer shows an ETag, send that in If-Match/],
    [428, { message: "Missing header If-Match" }, {}, /if its answer shows an ETag, send that in If-Match/],
  ])("says what to do about the conflict %i %j %j", (status, body, more, hint) => {
    expect(hintOf(status, { body: jsonBody(body), request: { ...post, ...more } })).toMatch(hint);
  });

  it("sends nobody to the record for what is withheld by law", () => {
    expect(hintOf(451)).toMatch(/legal reasons; no change of the call helps: tell the user\.$/);
  });

  it("says what is too large", () => {
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
    const body = jsonBody({ error: { code: "insufficient_quota", message: "You exceeded your quota" } });
    expect(hintOf(429, { body })).toContain("billing");
  });

  it.each([500, 502, 503, 504, 408])("warns that a write under %i may have been executed", (status) => {
    expect(hintOf(status, { request: post })).toContain("may or may not have been executed");
    expect(hintOf(status)).not.toContain("executed");
  });

  it("shows where a redirect points, without its query", () => {
    const hint = hintOf(302, { headers: { location: "https://login.example.com/start?state=abc" } });
    expect(hint).toMatch(/https:\/\/login\.example\.com\/start(?!\?state)/);
  });
});
