import { describe, expect, it } from "@jest/globals";
import type { CallError } from "../../../src/core/base/errors.js";
import { listCredentialVariables } from "../../../src/core/credentials/credential-variables.js";
import { readError } from "../../../src/core/failure/call-error.js";
import type { AnswerFacts } from "../../../src/core/failure/facts.js";
import type { ApiSettings } from "../../../src/core/record/api-source.js";
import { makeSource } from "../../support/api-source.js";
import { emptyBody, htmlBody, jsonBody } from "../../support/response-body.js";

const request = {
  method: "GET",
  path: "/things",
  url: "https://api.example.com/v1/things",
} as const;
const post = {
  ...request,
  method: "POST",
  contentType: "application/json",
} as const;
const read = (status: number, more: Partial<AnswerFacts> = {}): CallError | undefined => {
  const source = more.source ?? makeSource();
  const credential = { variables: listCredentialVariables(source) };
  return readError({ status, headers: {}, body: emptyBody(), request, source, credential, ...more })
    ?.error;
};
const hintOf = (status: number, more: Partial<AnswerFacts> = {}): string =>
  read(status, more)?.hint ?? "";
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

it.each([403, 503])("the hint of a %i names Cloudflare's challenge", (status) => {
  const challenge = { headers: { "cf-mitigated": "challenge" }, source: makeSource(inHeader) };
  expect(hintOf(status, challenge)).toMatch(/^Cloudflare.*did not reach the API.*tell the user/);
});

describe("whether a failure is retryable", () => {
  it.each([425, 429])("%i is, for every method", (status) => {
    expect(read(status)?.retryable).toBe(true);
    expect(read(status, { request: post })?.retryable).toBe(true);
  });

  it.each([408, 500, 502, 503, 504, 522, 529])(
    "%i is, but for a write that could be done twice",
    (status) => {
      expect(read(status)?.retryable).toBe(true);
      expect(read(status, { request: { ...post, method: "PUT" } })?.retryable).toBe(true);
      expect(read(status, { request: { ...post, repeatable: true } })?.retryable).toBe(true);
      expect(read(status, { request: post })?.retryable).toBe(false);
    },
  );

  it.each([302, 400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 501, 505])(
    "%i is not",
    (status) => {
      expect(read(status)?.retryable).toBe(false);
    },
  );

  it("takes the wait from the rate limit, and gives none for what can't be retried", () => {
    expect(read(429, { rateLimit: { retryAfterSeconds: 30 } })?.retryAfterSeconds).toBe(30);
    expect(read(429, { rateLimit: { remaining: 0, resetInSeconds: 90 } })?.retryAfterSeconds).toBe(
      90,
    );
    expect(read(404, { rateLimit: { retryAfterSeconds: 30 } })).not.toHaveProperty(
      "retryAfterSeconds",
    );
  });
});

describe("a rate limit under another status", () => {
  it("is decided by the wait, the quota and the codes, and not by the words of the message", () => {
    const of = (status: number, body: object, rateLimit?: object): unknown =>
      read(status, { body: jsonBody(body), rateLimit })?.category;
    expect(of(403, {}, { retryAfterSeconds: 5 })).toBe("rate_limited");
    expect(of(403, { message: "API rate limit exceeded" }, { remaining: 0 })).toBe("rate_limited");
    expect(of(400, { code: "ThrottlingException" })).toBe("rate_limited");
    expect(of(403, { message: "API rate limit exceeded" })).toBe("forbidden");
    expect(of(400, { message: "limit must be at most 100" })).toBe("bad_request");
    expect(of(422, { errors: { rate_limit: ["is invalid"] } })).toBe("validation");
  });
});

describe("the words of a message", () => {
  // Answers as they are met in the wild, shortened.
  it.each<[number, object, string]>([
    [
      400,
      { error: { type: "parsing_exception", reason: "unknown token after [query]" } },
      "bad_request",
    ],
    [403, { message: "Invalid API key" }, "forbidden"],
    [409, { message: "too many requests" }, "conflict"],
    [400, { code: "The credit limit exceeded 5,000" }, "bad_request"],
    [200, { ok: false, code: "Order 7 was not found" }, "bad_request"],
  ])("decide no category under %i: %j", (status, body, category) => {
    const error = read(status, { body: jsonBody(body) });
    expect(error?.category).toBe(category);
    if (category !== "forbidden") expect(error?.hint).not.toMatch(/credential \(/);
  });

  it("change no hint: any text under the same status, codes and fields has the same one", () => {
    const hints = [
      "Card declined",
      "Missing header X-Tenant",
      "q is required",
      "already exists",
      "Bad credentials",
    ].flatMap((message) =>
      [400, 403, 409, 429].map((status) => [
        status,
        hintOf(status, { body: jsonBody({ message }) }),
      ]),
    );
    for (const status of [400, 403, 409, 429])
      expect(new Set(hints.filter(([each]) => each === status).map(([, hint]) => hint)).size).toBe(
        1,
      );
  });

  it.each([
    [403, "InvalidAccessKeyId", "unauthorized"],
    [400, "API_KEY_INVALID", "unauthorized"],
    [400, "missing_scope", "forbidden"],
    [400, "com.amazonaws.dynamodb.v20120810#AccessDeniedException", "forbidden"],
    [400, "invalid_request_error", "validation"],
    [503, "SlowDown", "rate_limited"],
    [200, "not_authed", "unauthorized"],
    [200, "channel_not_found", "not_found"],
    [200, "name_already_exists", "conflict"],
    [200, "internal_error", "server_error"],
    [200, "request_timeout", "timeout"],
    [200, "ratelimited", "rate_limited"],
  ])("do not decide under %i by %s, unlike a code: %s", (status, type, category) => {
    expect(read(status, { body: jsonBody({ ok: false, type, message: "No." }) })?.category).toBe(
      category,
    );
  });
});

describe("the hint of a 401", () => {
  const answering = (
    challenge: string | readonly string[],
    settings: Partial<ApiSettings> = {},
  ): string =>
    hintOf(401, { headers: { "www-authenticate": challenge }, source: makeSource(settings) });

  it.each<[string | readonly string[], Partial<ApiSettings>]>([
    ['Bearer realm="Basic"', {}],
    ['Basic realm="x"', { authType: "basic" }],
    [["Digest a=b", "Bearer"], {}],
    ['x-api-key realm="dns"', inHeader],
    ["", {}],
    ["Token", { authType: "header", headerName: "Authorization" }],
    ["Negotiate YIIJvwYGKwYBBQUC, NTLM TlRMTVNTUAAC==", inHeader],
  ])("suggests no setting after %j", (challenge, settings) => {
    expect(answering(challenge, settings)).not.toContain("authType");
  });

  it.each<[string | readonly string[], Partial<ApiSettings>, string]>([
    ['Basic realm="InfluxDB"', {}, '"authType": "basic"'],
    ["Bearer", inHeader, '"authType": "bearer"'],
    ["Bearer", { authScheme: "Token" }, '"authType": "bearer", "authScheme": "Bearer"'],
    [["Token", "Digest a=b"], {}, '"authType": "bearer", "authScheme": "Token"'],
  ])("suggests what %j announces, with %j in the record", (given, settings, change) => {
    expect(answering(given, settings)).toContain(change);
  });
});

describe("the hint of a 403", () => {
  it("names the form of a credential that can't be right, unless a code names a permission", () => {
    const problem = { what: "is quoted", fix: "Remove the quotes." };
    const credential = { variables: ["SHOP_TOKEN"], problem };
    const of = (body: object): string => hintOf(403, { body: jsonBody(body), credential });
    expect(of({ message: "Forbidden" })).toContain("is quoted");
    expect(of({ code: "missing_scope" })).not.toContain("is quoted");
  });
});

describe("a refusal by a status, a code or a page", () => {
  const causeOf = async (status: number, given: string | object): Promise<unknown> => {
    const body = typeof given === "string" ? await htmlBody(given) : jsonBody(given);
    const source = makeSource();
    const facts = {
      status,
      headers: {},
      body,
      request,
      source,
      credential: { variables: ["SHOP_TOKEN"] },
    };
    return readError(facts)?.cause.name;
  };

  it.each<[number, string | object, string]>([
    [403, "<!doctype html><title>403 Forbidden</title>", "permission_missing"],
    [403, { error: "missing_scope", needed: "chat:write" }, "scope_missing"],
    [403, '<!doctype html><title>x</title><input name="p" type="password">', "credential_refused"],
    [429, "<!doctype html><title>Too many</title>", "rate_limited"],
    [511, "<!doctype html><title>Network</title>", "page"],
    [407, {}, "proxy_sign_in"],
    [
      200,
      { errors: [{ message: "No", extensions: { code: "UNAUTHENTICATED" } }] },
      "credential_refused",
    ],
  ])("under %i, %j is %s", async (status, given, kind) => {
    expect(await causeOf(status, given)).toBe(kind);
  });

  it("has a hint where an address is not a URL", () => {
    const source = makeSource({ baseUrl: "http://{tenant}.example.com/v1" });
    const url = "http://[REDACTED].example.com/v1/things";
    for (const status of [400, 401, 403, 404, 429, 500])
      expect(hintOf(status, { source, request: { ...request, url } })).not.toBe("");
  });
});

describe("the hint of a refused request", () => {
  it("names after a 415 what the API takes, and the format that the record fixes", () => {
    const { bodyFormat: _fixed, ...api } = makeSource().api;
    const of = (settings: Partial<ApiSettings>): string =>
      hintOf(415, {
        request: post,
        headers: { "accept-post": "text/csv" },
        source: { ...makeSource(), api: { ...api, ...settings } },
      });
    expect(of({})).toMatch(/accepts: text\/csv\. Give .* as Content-Type in headers\.$/);
    expect(of({ bodyFormat: "json" })).toMatch(/ are json: .* api\.bodyFormat/);
  });
});
