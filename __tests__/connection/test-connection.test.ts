import { describe, expect, it } from "@jest/globals";
import type { ConnectionReport } from "../../src/connection/connection-report.js";
import { testConnection } from "../../src/connection/test-connection.js";
import { connectionVerdicts } from "../../src/diagnosis/explanation.js";
import {
  type Answer,
  type BrokenSource,
  give,
  goodToken,
  guarded,
  recordAgainst,
  testAgainst,
} from "../support/broken-source.js";
import { startHttpServer } from "../support/http-server.js";
import { answerWith } from "../support/raw-server.js";

const seen = new Map<string, ConnectionReport>();

/** Every case's report is searched for the credential, and counted for the completeness of the verdicts. */
function note(report: ConnectionReport): ConnectionReport {
  expect(JSON.stringify(report)).not.toContain(goodToken);
  if (!seen.has(report.verdict)) seen.set(report.verdict, report);
  return report;
}

interface Case {
  readonly title: string;
  readonly answer?: Answer;
  readonly broken?: BrokenSource;
  readonly verdict: string;
  readonly message?: RegExp;
  readonly fix?: RegExp;
  readonly warning?: RegExp;
}

const loginPage =
  '<!doctype html><html><head><title>Sign in to Shop</title></head><body><form><input type="password"></form></body></html>';
const jwt = (claims: object): string =>
  [{ alg: "HS256" }, claims, "sig"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
const unauthorized: Answer = { status: 401, body: { message: "Bad credentials" } };
const timeoutMs = 150;
const slow: BrokenSource = { api: { limits: { timeoutMs } } };

const answers: readonly Case[] = [
  {
    title: "a guarded endpoint and the right token",
    answer: guarded("authorization", `Bearer ${goodToken}`),
    verdict: "ok",
    message: /200 with the credential, and 401 without/,
    fix: /^$/,
  },
  {
    title: "an endpoint that answers anyone",
    answer: { body: { login: "x" } },
    verdict: "anonymous_ok",
    message: /proves nothing/,
    fix: /api\.testEndpoint/,
  },
  {
    title: "a record without a test endpoint",
    broken: { api: { testEndpoint: "" } },
    verdict: "no_test_endpoint",
    fix: /testEndpoint/,
  },
  {
    title: "a placeholder without a value",
    broken: { api: { testEndpoint: "/{tenant}/user" } },
    verdict: "unresolved_placeholder",
    message: /\{tenant\}/,
    fix: /"variables"/,
  },
  {
    title: "no credential",
    broken: { env: {} },
    verdict: "missing_credentials",
    fix: /SHOP_TOKEN or SHOP_API_KEY/,
  },
  {
    title: "no value for a secret header",
    broken: { api: { headers: { "X-Tenant": "${SHOP_TENANT}" } } },
    verdict: "missing_credentials",
    message: /SHOP_TENANT/,
    fix: /Set SHOP_TENANT/,
  },
  {
    title: "an API that wants a credential the record does not have",
    answer: { status: 401, headers: { "WWW-Authenticate": 'Basic realm="shop"' } },
    broken: { api: { authType: undefined as never } },
    verdict: "missing_credentials",
    fix: /"authType": "basic"/,
  },
  {
    title: "a token with a line break",
    broken: { env: { SHOP_TOKEN: `${goodToken}\n` } },
    verdict: "malformed_credentials",
    message: /line break/,
    fix: /SHOP_TOKEN/,
  },
  {
    title: "a quoted token",
    answer: unauthorized,
    broken: { env: { SHOP_TOKEN: `"${goodToken}"` } },
    verdict: "malformed_credentials",
    message: /SHOP_TOKEN, begins or ends with a quotation mark/,
    fix: /Correct SHOP_TOKEN: remove/,
  },
  {
    title: "a pasted Bearer",
    answer: unauthorized,
    broken: { env: { SHOP_TOKEN: `Bearer ${goodToken}` } },
    verdict: "malformed_credentials",
    message: /begins with `Bearer `/,
    fix: /token alone/,
  },
  {
    title: "a placeholder text",
    answer: unauthorized,
    broken: { env: { SHOP_TOKEN: "YOUR_API_KEY" } },
    verdict: "malformed_credentials",
    message: /placeholder/,
  },
  {
    title: "basic with base64 already",
    answer: unauthorized,
    broken: {
      api: { authType: "basic" },
      env: { SHOP_USERNAME: Buffer.from(`someone:${goodToken}`).toString("base64"), SHOP_PASSWORD: "" },
    },
    verdict: "malformed_credentials",
    message: /base64 already/,
    fix: /as they are/,
  },
  {
    title: "a wrong token",
    answer: unauthorized,
    verdict: "invalid_credentials",
    message: /Bad credentials/,
    fix: /SHOP_TOKEN/,
  },
  {
    title: "an expired JWT",
    answer: unauthorized,
    broken: { env: { SHOP_TOKEN: jwt({ exp: 1_700_000_000 }) } },
    verdict: "invalid_credentials",
    message: /expired at 2023-11-14T22:13:20Z/,
    fix: /new token/,
  },
  {
    title: "bearer with what looks like a username and a password where Basic is wanted",
    answer: { status: 401, headers: { "WWW-Authenticate": "Basic realm=x" } },
    broken: { env: { SHOP_TOKEN: `someone:${goodToken}` } },
    verdict: "invalid_credentials",
    message: /asks for it in the scheme Basic/,
    fix: /^Set "authType": "basic".*SHOP_USERNAME.* check SHOP_TOKEN: /,
  },
  {
    title: "bearer where the challenge is the header of the key",
    answer: { status: 401, headers: { "WWW-Authenticate": "X-API-Key" } },
    verdict: "invalid_credentials",
    message: /in the header X-API-Key/,
    fix: /^Set "authType": "header", "headerName": "X-API-Key" under `api`\.$/,
  },
  {
    title: "a word before the token that the API does not know",
    answer: { status: 401, body: '"Incorrect authorization scheme"' },
    broken: { api: { authScheme: "Token" } },
    verdict: "invalid_credentials",
    fix: /^Correct "authScheme" under `api`, which is "Token": most APIs take "Bearer".* check SHOP_TOKEN: /,
  },
  {
    title: "a scheme that signs",
    answer: { status: 401, headers: { "WWW-Authenticate": 'Digest realm="x", nonce="1"' } },
    verdict: "invalid_credentials",
    message: /Digest/,
    fix: /No authType/,
  },
  {
    title: "a wrong key that is answered with 200",
    answer: { body: { ok: false, error: "invalid_auth" } },
    verdict: "invalid_credentials",
    message: /invalid_auth/,
  },
  {
    title: "a permission that is missing",
    answer: {
      status: 403,
      body: { message: "Resource not accessible by token" },
      headers: { "X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist" },
    },
    verdict: "missing_permissions",
    message: /Needed: repo\. It has: gist/,
    fix: /scope repo/,
  },
  {
    title: "a 401 that speaks of a scope",
    answer: {
      status: 401,
      headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="orders:read"' },
    },
    verdict: "missing_permissions",
    message: /Needed: orders:read/,
  },
  {
    title: "200 with a missing scope in the body",
    answer: { body: { ok: false, error: "missing_scope", needed: "users:read" } },
    verdict: "missing_permissions",
    message: /missing_scope/,
  },
  {
    title: "payment required",
    answer: { status: 402, body: { message: "Payment required" } },
    verdict: "missing_permissions",
    message: /pay/,
  },
  {
    title: "a User-Agent that is asked for",
    answer: {
      status: 403,
      body: "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
    },
    verdict: "missing_header",
    message: /User-Agent/,
    fix: /"User-Agent": "my-app/,
  },
  {
    title: "a version header that is asked for",
    answer: {
      status: 400,
      body: {
        code: "missing_version",
        message:
          "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.",
      },
    },
    verdict: "missing_header",
    message: /the header Notion-Version/,
    fix: /"headers": \{ "Notion-Version"/,
  },
  {
    title: "an Accept that is not acceptable",
    answer: { status: 406, body: { message: "Only application/vnd.shop.v2+json is produced here" } },
    verdict: "missing_header",
    fix: /"Accept": "application\/vnd\.shop\.v2\+json"/,
  },
  {
    title: "a Content-Type that is asked for",
    answer: { status: 415, body: { message: "Unsupported media type" } },
    verdict: "missing_header",
    fix: /"Content-Type": "application\/json"/,
  },
  {
    title: "a redirect to another host",
    answer: { status: 302, headers: { Location: "https://api.other.invalid/v2/user" } },
    verdict: "redirected",
    message: /to https:\/\/api\.other\.invalid\/v2\/user, which is another host/,
    fix: /"baseUrl": "https:\/\/api\.other\.invalid\/v2"/,
  },
  {
    title: "a redirect to a login page",
    answer: { status: 302, headers: { Location: "/login?next=/user" } },
    broken: { basePath: "/v1" },
    verdict: "redirected",
    message: /login page/,
    fix: /SHOP_TOKEN/,
  },
  {
    title: "a redirect to a login page of the test endpoint's own name",
    answer: { status: 302, headers: { Location: "/login?next=/v1/login" } },
    broken: { basePath: "/v1", api: { testEndpoint: "/login" } },
    verdict: "redirected",
    message: /login page/,
    fix: /^Probably the credential in SHOP_TOKEN/,
  },
  {
    title: "a redirect to HTTPS",
    answer: (request, socket) =>
      answerWith(socket, 301, "", { Location: `https://${request.headers["host"]}${request.target}` }),
    verdict: "redirected",
    message: /HTTPS/,
    fix: /"baseUrl": "https:\/\/127\.0\.0\.1:\d+"/,
  },
  {
    title: "a redirect out of the base path",
    answer: { status: 301, headers: { Location: "/v2/user" } },
    broken: { basePath: "/v1" },
    verdict: "redirected",
    fix: /"baseUrl": "http:\/\/127\.0\.0\.1:\d+\/v2"/,
  },
  {
    title: "a redirect in a circle",
    answer: (request, socket) =>
      answerWith(socket, 301, "", { Location: request.target.endsWith("/") ? "/user" : "/user/" }),
    verdict: "redirected",
    message: /has been before/,
    fix: /circle.*slash/,
  },
  {
    title: "a redirect to nowhere",
    answer: { status: 302 },
    verdict: "redirected",
    message: /without saying where/,
  },
  {
    title: "a slash at the end that is asked for",
    answer: (request, socket) => giveSlash(request, socket),
    verdict: "ok",
    warning: /redirect to .*\/user\/: write `api\.testEndpoint` so/,
  },
  {
    title: "a doubled segment",
    answer: { status: 404 },
    broken: { basePath: "/v1", api: { testEndpoint: "/v1/user?a=1" } },
    verdict: "not_found",
    message: /\/v1\/v1\/user/,
    fix: /"testEndpoint": "\/user\?a=1"/,
  },
  {
    title: "a wrong version segment",
    answer: { status: 404, body: { message: "Not Found" } },
    broken: { basePath: "/v9" },
    verdict: "not_found",
    message: /\/v9\/user/,
    fix: /version segment v9 in `api\.baseUrl`/,
  },
  {
    title: "a version without the part before it",
    answer: { status: 404 },
    broken: { basePath: "/v1", api: { testEndpoint: "/servers" } },
    verdict: "not_found",
    fix: /leading part such as \/api may be missing.*"baseUrl": "http:\/\/127\.0\.0\.1:\d+\/api\/v1"/,
  },
  {
    title: "a leading part that is missing",
    answer: { status: 404 },
    verdict: "not_found",
    fix: /such as \/api may be missing/,
  },
  {
    title: "a website's 404",
    answer: { status: 404, body: "<!doctype html><html><title>Page not found</title></html>" },
    verdict: "not_found",
    message: /web page/,
  },
  {
    title: "a method that is not allowed",
    answer: { status: 405, headers: { Allow: "POST, OPTIONS" } },
    verdict: "method_not_allowed",
    message: /takes POST, OPTIONS/,
    fix: /api\.testEndpoint/,
  },
  {
    title: "a parameter that is missing",
    answer: { status: 400, body: { message: "Missing required parameter: q" } },
    verdict: "bad_request",
    message: /"Missing required parameter: q"/,
    fix: /^Add q to `api\.testEndpoint`, as in "\/user\?q=…", or, if every call needs it, to `api\.query`;/,
  },
  {
    title: "parameters that are missing, by field",
    answer: { status: 422, body: { detail: [{ loc: ["query", "q"], msg: "Field required" }] } },
    broken: { api: { testEndpoint: "/user?a=1" } },
    verdict: "bad_request",
    fix: /^Add q to `api\.testEndpoint`, as in "\/user\?a=1&q=…"/,
  },
  {
    title: "a limit that is reached",
    answer: {
      status: 429,
      body: { message: "Too many requests for this API key" },
      headers: { "Retry-After": "7" },
    },
    verdict: "rate_limited",
    message: /alive.*recognised/,
    fix: /7 seconds/,
  },
  {
    title: "a limit of the address",
    answer: {
      status: 403,
      body: {
        message: "API rate limit exceeded for 192.0.2.1. Authenticated requests get a higher rate limit.",
      },
    },
    verdict: "rate_limited",
    message: /not seen/,
  },
  {
    title: "a server that fails",
    answer: { status: 500, body: { message: "boom" } },
    verdict: "server_error",
    message: /boom/,
  },
  {
    title: "a server that is down",
    answer: { status: 503, headers: { "Retry-After": "120" } },
    verdict: "server_error",
    fix: /120 seconds/,
  },
  { title: "a choice of addresses", answer: { status: 300 }, verdict: "unexpected_status" },
  {
    title: "a login page under 200",
    answer: { body: loginPage },
    verdict: "not_an_api",
    message: /login page \("Sign in to Shop"\)/,
    fix: /api\.baseUrl.*SHOP_TOKEN/,
  },
  {
    title: "a website under 200",
    answer: { body: "<!doctype html><html><title>Welcome</title></html>" },
    verdict: "not_an_api",
    message: /web page \("Welcome"\)/,
    fix: /api\.baseUrl/,
  },
  {
    title: "a bot protection",
    answer: { status: 403, body: "<!doctype html><html><title>Just a moment...</title></html>" },
    verdict: "not_an_api",
    message: /bot protection/,
    fix: /User-Agent/,
  },
  {
    title: "a web page that the test endpoint names",
    answer: guarded(
      "authorization",
      `Bearer ${goodToken}`,
      { status: 401 },
      "<html><title>Welcome</title></html>",
    ),
    broken: { api: { testEndpoint: "/index.html" } },
    verdict: "ok",
    warning: /answer is a web page \("Welcome"\).*api\.testEndpoint/,
  },
  {
    title: "broken JSON",
    answer: { body: '{"a":', headers: { "Content-Type": "application/json" } },
    verdict: "not_an_api",
    message: /can't be read/,
  },
  {
    title: "a failure under 200",
    answer: { body: { ok: false, error: "channel_is_odd" } },
    verdict: "error_in_body",
    message: /channel_is_odd.*status says success/,
  },
  {
    title: "a failure that only the record knows",
    answer: { body: { state: "kaputt" } },
    broken: { api: { errorWhen: "state == 'kaputt'" } },
    verdict: "error_in_body",
    fix: /errorWhen/,
  },
  {
    title: "a connection that is closed without an answer",
    answer: (_request, socket) => socket.destroy(),
    verdict: "unreachable",
    message: /closed it before it answered/,
  },
  {
    title: "an answer that breaks off",
    answer: (_request, socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"),
    verdict: "unreachable",
    message: /closed before its end: the answer with status 200 did not arrive whole/,
  },
  {
    title: "something that is no HTTP",
    answer: (_request, socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
    verdict: "not_an_api",
    fix: /another service/,
  },
  {
    title: "a server that is silent",
    answer: () => {},
    broken: slow,
    verdict: "timeout",
    message: /did not begin to answer within 0\.15 s/,
    fix: /api\.limits\.timeoutMs/,
  },
  {
    title: "a body without an end",
    answer: (_request, socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    broken: slow,
    verdict: "timeout",
    message: /began to answer, but its body did not end within 0\.15 s/,
    fix: /short answer/,
  },
  {
    title: "a proxy's 407",
    answer: { status: 407 },
    verdict: "unreachable",
    message: /proxy/,
    fix: /api\.network\.proxy/,
  },
  {
    title: "a login page within the base URL",
    answer: (request, socket) =>
      give(
        request.target.startsWith("/login")
          ? { body: loginPage }
          : { status: 302, headers: { Location: "/login" } },
        request,
        socket,
      ),
    verdict: "redirected",
    message: /a login page, .*\/login, which is a web page \("Sign in to Shop"\)/,
    fix: /SHOP_TOKEN/,
  },
  {
    title: "a home page within the base URL",
    answer: (request, socket) =>
      give(
        request.target === "/"
          ? { body: "<!doctype html><title>Hi</title>" }
          : { status: 302, headers: { Location: "/" } },
        request,
        socket,
      ),
    verdict: "redirected",
    fix: /website/,
  },
  {
    title: "an identity provider",
    answer: { status: 302, headers: { Location: "https://accounts.shop.invalid/start?x=1" } },
    verdict: "redirected",
    fix: /SHOP_TOKEN/,
  },
];

function giveSlash(
  request: { target: string; headers: Readonly<Record<string, string>> },
  socket: Parameters<typeof answerWith>[0],
): void {
  if (!request.target.endsWith("/")) answerWith(socket, 301, "", { Location: `${request.target}/` });
  else
    answerWith(socket, request.headers["authorization"] === undefined ? 401 : 200, "{}", {
      "Content-Type": "application/json",
    });
}

describe("testConnection", () => {
  it.each(answers)(
    "tells $title: $verdict",
    async ({ answer = { body: {} }, broken, verdict, message, fix, warning }) => {
      const report = note(await testAgainst(answer, broken));
      expect(report).toMatchObject({ verdict, ok: verdict === "ok" || verdict === "anonymous_ok" });
      if (message !== undefined) expect(report.message).toMatch(message);
      if (fix !== undefined) expect(report.fix).toMatch(fix);
      if (warning !== undefined) expect(report.warnings.join("\n")).toMatch(warning);
      if (!report.ok) expect(report.fix).not.toBe("");
    },
  );

  it("reports every problem of a wrong record", async () => {
    const report = note(
      await testConnection({ name: "Shop", api: { baseUrl: "ftp://x?a=1", authType: "header" } }),
    );
    expect(report).toMatchObject({ source: "Shop", ok: false, verdict: "invalid_record" });
    expect(report.fix).toMatch(/api\.baseUrl: .*\napi\.headerName: /);
  });

  it.each([undefined, null, 1, "x", [], {}, { api: {} }])(
    "reports %j as an invalid record",
    async (record) => {
      expect(await testConnection(record)).toMatchObject({
        ok: false,
        verdict: "invalid_record",
        warnings: [],
      });
    },
  );

  it("tells a host that does not exist", async () => {
    const api = { baseUrl: "https://no-such-host.invalid", testEndpoint: "/user" };
    const report = note(await testConnection({ name: "Shop", api }));
    expect(report).toMatchObject({
      verdict: "dns",
      message: expect.stringContaining("no-such-host.invalid"),
    });
  });

  it("tells a port where nothing listens", async () => {
    const { report: first, server } = await recordAgainst({ body: {} });
    expect(first.ok).toBe(true);
    const api = { baseUrl: server.url, testEndpoint: "/user" };
    const report = note(await testConnection({ name: "Shop", api }));
    expect(report).toMatchObject({
      verdict: "refused",
      message: expect.stringContaining(`port ${server.port}`),
    });
  });

  it("tells a proxy where nothing listens from an API where nothing listens", async () => {
    const { server } = await recordAgainst({ body: {} });
    const api = {
      baseUrl: "https://api.shop.invalid",
      testEndpoint: "/user",
      network: { proxy: server.url },
    };
    const report = note(await testConnection({ name: "Shop", api }));
    expect(report).toMatchObject({ verdict: "refused", fix: expect.stringContaining("api.network.proxy") });
  });

  it("verifies a credential only by the request that is refused without it", async () => {
    const right = guarded("authorization", `Bearer ${goodToken}`);
    expect(await testAgainst(right)).toMatchObject({ verdict: "ok", credentialVerified: true });
    expect(await testAgainst({ body: {} })).toMatchObject({
      verdict: "anonymous_ok",
      credentialVerified: false,
    });
  });

  it.each([429, 500, 503])(
    "leaves the credential unverified when the second request is answered with %i",
    async (status) => {
      const report = await testAgainst(guarded("authorization", `Bearer ${goodToken}`, { status }));
      expect(report).toMatchObject({ verdict: "ok", credentialVerified: false });
      expect(report.warnings.join()).toMatch(/not verified/);
    },
  );

  it.each([400, 403, 404])("takes %i without the credential for a refusal", async (status) => {
    const report = await testAgainst(guarded("authorization", `Bearer ${goodToken}`, { status }));
    expect(report).toMatchObject({ verdict: "ok", credentialVerified: true });
  });

  it("takes a login page without the credential for a refusal", async () => {
    const report = await testAgainst(guarded("authorization", `Bearer ${goodToken}`, { body: loginPage }));
    expect(report).toMatchObject({ verdict: "ok", credentialVerified: true });
  });

  it("leaves out secret headers and parameters the second time, and only these", async () => {
    const { server } = await recordAgainst(
      { body: {} },
      {
        api: { headers: { "X-Second": "${SECOND}", "X-Plain": "1" }, query: { s: "${SECOND}", p: "2" } },
        env: { SHOP_TOKEN: goodToken, SECOND: "second-secret-1" },
      },
    );
    const [first, second] = server.requests;
    expect(first).toMatchObject({
      target: "/user?s=second-secret-1&p=2",
      headers: { "x-second": "second-secret-1", authorization: `Bearer ${goodToken}` },
    });
    expect(second?.target).toBe("/user?p=2");
    expect(second?.headers).toMatchObject({ "x-plain": "1" });
    expect(Object.keys(second?.headers ?? {})).not.toEqual(expect.arrayContaining(["authorization"]));
    expect(second?.headers["x-second"]).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  it("checks a secret header without an authType, too", async () => {
    const broken = {
      api: { authType: undefined as never, headers: { "X-Key": "${SECOND}" } },
      env: { SECOND: "second-secret-1" },
    };
    expect(await testAgainst(guarded("x-key", "second-secret-1"), broken)).toMatchObject({
      verdict: "ok",
      credentialVerified: true,
    });
  });

  it("sends one request to a source without a credential", async () => {
    const { report, server } = await recordAgainst({ body: {} }, { api: { authType: undefined as never } });
    expect(report).toMatchObject({ verdict: "ok", credentialVerified: false });
    expect(server.requests).toHaveLength(1);
  });

  it.each([unauthorized, { status: 503 }, { status: 429 }])(
    "sends a request that fails only once",
    async (answer) => {
      const { server } = await recordAgainst(answer);
      expect(server.requests).toHaveLength(1);
    },
  );

  it("sends nothing when the credential can't be right", async () => {
    const { server } = await recordAgainst({ body: {} }, { env: { SHOP_TOKEN: "a\nb" } });
    expect(server.requests).toHaveLength(0);
  });

  it("is bound by neither methods nor paths", async () => {
    const api = { methods: ["POST" as const], paths: { deny: ["/**"] } };
    expect(await testAgainst({ body: {} }, { api })).toMatchObject({ verdict: "anonymous_ok" });
  });

  it("says what looks wrong with a credential that nobody judged", async () => {
    const report = await testAgainst({ body: {} }, { env: { SHOP_TOKEN: "YOUR_API_KEY" } });
    expect(report.warnings.join()).toMatch(/SHOP_TOKEN, is a placeholder/);
  });

  it("names the variable that the credential was found in", async () => {
    const report = await testAgainst(unauthorized, { env: { SHOP_API_KEY: goodToken } });
    expect(report.message).toContain("comes from SHOP_API_KEY");
    expect(report.curl).toContain("$SHOP_API_KEY");
  });

  it("names the option when the credential was given there", async () => {
    const options = { credentials: { shop: { token: goodToken } } };
    expect((await testAgainst(unauthorized, { env: {}, options })).fix).toContain(
      '`credentials` option for "shop"',
    );
  });

  it("shows no credential that an API echoes, also not in the form it should have had", async () => {
    const echo: Answer = { status: 401, body: { message: `Unknown key ${goodToken}` } };
    for (const token of [goodToken, `"${goodToken}"`, `Bearer ${goodToken}`, ` ${goodToken}`]) {
      const report = await testAgainst(echo, { env: { SHOP_TOKEN: token } });
      expect(JSON.stringify(report)).not.toContain(goodToken);
      expect(report.message).toMatch(/Unknown key ?\[REDACTED\]/);
    }
  });

  it("shows no secret that is a part of the address", async () => {
    const api = { testEndpoint: "/{tenant}/user", variables: { tenant: "${TENANT}" } };
    const report = await testAgainst(
      { status: 404 },
      { api, env: { SHOP_TOKEN: goodToken, TENANT: "tenant-4711-abc" } },
    );
    expect(JSON.stringify(report)).not.toContain("tenant-4711-abc");
    expect(report.message).toContain("/[REDACTED]/user");
    expect(report.curl).toContain("/$TENANT/user");
  });

  it("shows no key that stands in the test endpoint", async () => {
    const report = await testAgainst(
      { status: 404 },
      { api: { testEndpoint: "/user?api_key=k-4711-abcdef" } },
    );
    expect(JSON.stringify(report)).not.toContain("k-4711-abcdef");
    expect(report.request).toContain("/user?api_key=[REDACTED]");
  });

  it("shows the name of the credential's parameter and not its value", async () => {
    const report = await testAgainst(unauthorized, { api: { authType: "query", queryParam: "key" } });
    expect(report.request).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/user\?key=\[REDACTED\]$/);
  });

  it("shows nothing of what the application's own function throws", async () => {
    const credentials = (): never => {
      throw new TypeError(`boom ${goodToken}`);
    };
    const report = note(await testAgainst({ body: {} }, { options: { credentials } }));
    expect(report).toMatchObject({
      verdict: "missing_credentials",
      fix: expect.stringContaining("function"),
    });
  });

  it("rejects with the reason of a caller who cancels", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const answer: Answer = () => controller.abort(reason);
    await expect(testAgainst(answer, { options: { signal: controller.signal } as never })).rejects.toBe(
      reason,
    );
    await expect(testConnection({}, { signal: controller.signal })).rejects.toBe(reason);
  });

  it("tells plain HTTP at a port that the record takes for HTTPS", async () => {
    const server = await startHttpServer();
    const api = { baseUrl: server.url.replace("http:", "https:"), testEndpoint: "/user" };
    const report = note(await testConnection({ name: "Shop", api }));
    await server.close();
    expect(report).toMatchObject({ verdict: "tls", message: expect.stringContaining("speaks plain HTTP") });
    expect(report.fix).toContain(`"baseUrl": "${server.url}"`);
  });

  it("has a case for every verdict", () => {
    expect(connectionVerdicts.filter((verdict) => !seen.has(verdict))).toEqual([]);
  });
});
