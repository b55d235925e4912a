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

/** The words are looked for in `message → fix ⚠ warnings`. */
type Row = readonly [
  title: string,
  verdict: string,
  answer: Answer,
  words: RegExp | readonly RegExp[],
  broken?: BrokenSource,
];

const loginPage =
  '<!doctype html><html><head><title>Sign in to Shop</title></head><body><form><input type="password"></form></body></html>';
const jwt = (claims: object): string =>
  [{ alg: "HS256" }, claims, "sig"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
const unauthorized: Answer = { status: 401, body: { message: "Bad credentials" } };
const timeoutMs = 150;
const slow: BrokenSource = { api: { limits: { timeoutMs } } };

const answers: readonly Row[] = [
  [
    "a guarded endpoint and the right token",
    "ok",
    guarded("authorization", `Bearer ${goodToken}`),
    [/200 with the credential, and 401 without/, /→ {2}⚠/],
  ],
  [
    "an endpoint that answers anyone",
    "anonymous_ok",
    { body: { login: "x" } },
    [/proves nothing/, /api\.testEndpoint/],
  ],
  [
    "a record without a test endpoint",
    "no_test_endpoint",
    { body: {} },
    /testEndpoint/,
    { api: { testEndpoint: "" } },
  ],
  [
    "a placeholder without a value",
    "unresolved_placeholder",
    { body: {} },
    [/\{tenant\}/, /"variables"/],
    { api: { testEndpoint: "/{tenant}/user" } },
  ],
  ["no credential", "missing_credentials", { body: {} }, /SHOP_TOKEN or SHOP_API_KEY/, { env: {} }],
  [
    "no value for a secret header",
    "missing_credentials",
    { body: {} },
    [/SHOP_TENANT/, /Set SHOP_TENANT/],
    { api: { headers: { "X-Tenant": "${SHOP_TENANT}" } } },
  ],
  [
    "an API that wants a credential the record does not have",
    "missing_credentials",
    { status: 401, headers: { "WWW-Authenticate": 'Basic realm="shop"' } },
    /"authType": "basic"/,
    { api: { authType: undefined as never } },
  ],
  [
    "a token with a line break",
    "malformed_credentials",
    { body: {} },
    [/line break/, /SHOP_TOKEN/],
    { env: { SHOP_TOKEN: `${goodToken}\n` } },
  ],
  [
    "a quoted token",
    "malformed_credentials",
    unauthorized,
    [/SHOP_TOKEN, begins or ends with a quotation mark/, /Correct SHOP_TOKEN: remove/],
    { env: { SHOP_TOKEN: `"${goodToken}"` } },
  ],
  [
    "a pasted Bearer",
    "malformed_credentials",
    unauthorized,
    [/begins with `Bearer `/, /token alone/],
    { env: { SHOP_TOKEN: `Bearer ${goodToken}` } },
  ],
  [
    "a placeholder text",
    "malformed_credentials",
    unauthorized,
    /placeholder/,
    { env: { SHOP_TOKEN: "YOUR_API_KEY" } },
  ],
  [
    "basic with base64 already",
    "malformed_credentials",
    unauthorized,
    [/base64 already/, /as they are/],
    {
      api: { authType: "basic" },
      env: { SHOP_USERNAME: Buffer.from(`someone:${goodToken}`).toString("base64"), SHOP_PASSWORD: "" },
    },
  ],
  ["a wrong token", "invalid_credentials", unauthorized, [/Bad credentials/, /SHOP_TOKEN/]],
  [
    "an expired JWT",
    "invalid_credentials",
    unauthorized,
    [/expired at 2023-11-14T22:13:20Z/, /new token/],
    { env: { SHOP_TOKEN: jwt({ exp: 1_700_000_000 }) } },
  ],
  [
    "bearer with what looks like a username and a password where Basic is wanted",
    "invalid_credentials",
    { status: 401, headers: { "WWW-Authenticate": "Basic realm=x" } },
    /→ First check SHOP_TOKEN: .* announces Basic: set "authType": "basic".*SHOP_USERNAME/,
    { env: { SHOP_TOKEN: `someone:${goodToken}` } },
  ],
  [
    "bearer where the challenge is the header of the key",
    "invalid_credentials",
    { status: 401, headers: { "WWW-Authenticate": "X-API-Key" } },
    [/in the header X-API-Key/, /→ Set "authType": "header", "headerName": "X-API-Key" under `api`\. ⚠/],
  ],
  [
    "a word before the token that the API does not know",
    "invalid_credentials",
    { status: 401, body: '"Incorrect authorization scheme"' },
    /→ Check SHOP_TOKEN: .* "authScheme" under `api`, which is "Token": most APIs take "Bearer"/,
    { api: { authScheme: "Token" } },
  ],
  [
    "a scheme that signs",
    "invalid_credentials",
    { status: 401, headers: { "WWW-Authenticate": 'Digest realm="x", nonce="1"' } },
    /Digest: no authType/,
  ],
  [
    "a wrong key that is answered with 200",
    "invalid_credentials",
    { body: { ok: false, error: "invalid_auth" } },
    /invalid_auth/,
  ],
  [
    "a permission that is missing",
    "missing_permissions",
    {
      status: 403,
      body: { message: "Resource not accessible by token" },
      headers: { "X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist" },
    },
    [/Needed: repo\. It has: gist/, /scope repo/],
  ],
  [
    "a 401 that speaks of a scope",
    "missing_permissions",
    {
      status: 401,
      headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="orders:read"' },
    },
    /Needed: orders:read/,
  ],
  [
    "200 with a missing scope in the body",
    "missing_permissions",
    { body: { ok: false, error: "missing_scope", needed: "users:read" } },
    /missing_scope/,
  ],
  ["payment required", "missing_permissions", { status: 402, body: { message: "Payment required" } }, /pay/],
  [
    "a User-Agent that is asked for",
    "missing_header",
    {
      status: 403,
      body: "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
    },
    [/User-Agent/, /"User-Agent": "my-app/],
  ],
  [
    "a version header that is asked for",
    "missing_header",
    {
      status: 400,
      body: {
        code: "missing_version",
        message:
          "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.",
      },
    },
    [/the header Notion-Version/, /"headers": \{ "Notion-Version"/],
  ],
  [
    "an Accept that is not acceptable",
    "missing_header",
    { status: 406, body: { message: "Only application/vnd.shop.v2+json is produced here" } },
    [/vnd\.shop\.v2/, /→ Set "headers": \{ "Accept": /],
  ],
  [
    "a Content-Type that is asked for",
    "missing_header",
    { status: 415, body: { message: "Unsupported media type" } },
    /"Content-Type": "application\/json"/,
  ],
  [
    "a redirect to another host",
    "redirected",
    { status: 302, headers: { Location: "https://api.other.invalid/v2/user" } },
    [
      /to https:\/\/api\.other\.invalid\/v2\/user, which is another host/,
      /"baseUrl": "https:\/\/api\.other\.invalid\/v2"/,
    ],
  ],
  [
    "a redirect to a login page",
    "redirected",
    { status: 302, headers: { Location: "/login?next=/user" } },
    [/login page/, /SHOP_TOKEN/],
    { basePath: "/v1" },
  ],
  [
    "a redirect to a login page of the test endpoint's own name",
    "redirected",
    { status: 302, headers: { Location: "/login?next=/v1/login" } },
    [/login page/, /→ Probably the credential in SHOP_TOKEN/],
    { basePath: "/v1", api: { testEndpoint: "/login" } },
  ],
  [
    "a redirect to HTTPS",
    "redirected",
    (request, socket) =>
      answerWith(socket, 301, "", { Location: `https://${request.headers["host"]}${request.target}` }),
    [/HTTPS/, /"baseUrl": "https:\/\/127\.0\.0\.1:\d+"/],
  ],
  [
    "a redirect out of the base path",
    "redirected",
    { status: 301, headers: { Location: "/v2/user" } },
    /"baseUrl": "http:\/\/127\.0\.0\.1:\d+\/v2"/,
    { basePath: "/v1" },
  ],
  [
    "a redirect in a circle",
    "redirected",
    (request, socket) =>
      answerWith(socket, 301, "", { Location: request.target.endsWith("/") ? "/user" : "/user/" }),
    [/has been before/, /circle.*slash/],
  ],
  ["a redirect to nowhere", "redirected", { status: 302 }, /without saying where/],
  [
    "a slash at the end that is asked for",
    "ok",
    (request, socket) => giveSlash(request, socket),
    /⚠.*redirect to .*\/user\/: write `api\.testEndpoint` so/,
  ],
  [
    "a doubled segment",
    "not_found",
    { status: 404 },
    [/\/v1\/v1\/user/, /"testEndpoint": "\/user\?a=1"/],
    { basePath: "/v1", api: { testEndpoint: "/v1/user?a=1" } },
  ],
  [
    "a wrong version segment",
    "not_found",
    { status: 404, body: { message: "Not Found" } },
    [/\/v9\/user/, /version segment v9 in `api\.baseUrl`/],
    { basePath: "/v9" },
  ],
  [
    "a version without the part before it",
    "not_found",
    { status: 404 },
    /leading part such as \/api may be missing.*"baseUrl": "http:\/\/127\.0\.0\.1:\d+\/api\/v1"/,
    { basePath: "/v1", api: { testEndpoint: "/servers" } },
  ],
  ["a leading part that is missing", "not_found", { status: 404 }, /such as \/api may be missing/],
  [
    "a website's 404",
    "not_found",
    { status: 404, body: "<!doctype html><html><title>Page not found</title></html>" },
    /web page/,
  ],
  [
    "a method that is not allowed",
    "method_not_allowed",
    { status: 405, headers: { Allow: "POST, OPTIONS" } },
    [/takes POST, OPTIONS/, /api\.testEndpoint/],
  ],
  [
    "a parameter that is missing",
    "bad_request",
    { status: 400, body: { message: "Missing required parameter: q" } },
    [
      /"Missing required parameter: q"/,
      /→ Add q to `api\.testEndpoint`, as in "\/user\?q=…", or, if every call needs it, to `api\.query`;/,
    ],
  ],
  [
    "parameters that are missing, by field",
    "bad_request",
    { status: 422, body: { detail: [{ loc: ["query", "q"], msg: "Field required" }] } },
    /→ Add q to `api\.testEndpoint`, as in "\/user\?a=1&q=…"/,
    { api: { testEndpoint: "/user?a=1" } },
  ],
  [
    "a limit that is reached",
    "rate_limited",
    { status: 429, body: { message: "Too many requests" }, headers: { "Retry-After": "7" } },
    [/alive/, /7 seconds/],
  ],
  ["a server that fails", "server_error", { status: 500, body: { message: "boom" } }, /boom/],
  [
    "a server that is down",
    "server_error",
    { status: 503, headers: { "Retry-After": "120" } },
    /120 seconds/,
  ],
  ["a choice of addresses", "unexpected_status", { status: 300 }, /./],
  [
    "a login page under 200",
    "not_an_api",
    { body: loginPage },
    [/login page \("Sign in to Shop"\)/, /api\.baseUrl.*SHOP_TOKEN/],
  ],
  [
    "a website under 200",
    "not_an_api",
    { body: "<!doctype html><html><title>Welcome</title></html>" },
    [/web page \("Welcome"\)/, /api\.baseUrl/],
  ],
  [
    "a bot protection",
    "not_an_api",
    { status: 403, body: "<!doctype html><html><title>Just a moment...</title></html>" },
    [/bot protection/, /User-Agent/],
  ],
  [
    "a web page that the test endpoint names",
    "ok",
    guarded("authorization", `Bearer ${goodToken}`, { status: 401 }, "<html><title>Welcome</title></html>"),
    /⚠.*answer is a web page \("Welcome"\).*api\.testEndpoint/,
    { api: { testEndpoint: "/index.html" } },
  ],
  [
    "broken JSON",
    "not_an_api",
    { body: '{"a":', headers: { "Content-Type": "application/json" } },
    /can't be read/,
  ],
  [
    "a failure under 200",
    "error_in_body",
    { body: { ok: false, error: "channel_is_odd" } },
    /channel_is_odd.*status says success/,
  ],
  [
    "a failure that only the record knows",
    "error_in_body",
    { body: { state: "kaputt" } },
    /errorWhen/,
    { api: { errorWhen: "state == 'kaputt'" } },
  ],
  [
    "a connection that is closed without an answer",
    "unreachable",
    (_request, socket) => socket.destroy(),
    /closed it before it answered/,
  ],
  [
    "an answer that breaks off",
    "unreachable",
    (_request, socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"),
    /closed before its end: the answer with status 200 did not arrive whole/,
  ],
  [
    "something that is no HTTP",
    "not_an_api",
    (_request, socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
    /another service/,
  ],
  [
    "a server that is silent",
    "timeout",
    () => {},
    [/did not begin to answer within 0\.15 s/, /api\.limits\.timeoutMs/],
    slow,
  ],
  [
    "a body without an end",
    "timeout",
    (_request, socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    [/began to answer, but its body did not end within 0\.15 s/, /short answer/],
    slow,
  ],
  ["a proxy's 407", "unreachable", { status: 407 }, [/proxy/, /api\.network\.proxy/]],
  [
    "a login page within the base URL",
    "redirected",
    (request, socket) =>
      give(
        request.target.startsWith("/login")
          ? { body: loginPage }
          : { status: 302, headers: { Location: "/login" } },
        request,
        socket,
      ),
    [/a login page, .*\/login, which is a web page \("Sign in to Shop"\)/, /SHOP_TOKEN/],
  ],
  [
    "a home page within the base URL",
    "redirected",
    (request, socket) =>
      give(
        request.target === "/"
          ? { body: "<!doctype html><title>Hi</title>" }
          : { status: 302, headers: { Location: "/" } },
        request,
        socket,
      ),
    /website/,
  ],
  [
    "an identity provider",
    "redirected",
    { status: 302, headers: { Location: "https://accounts.shop.invalid/start?x=1" } },
    /SHOP_TOKEN/,
  ],
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
  // Objects and not rows: for a row that is shorter than the parameters, jest waits for a callback.
  const cases = answers.map(([title, verdict, answer, words, broken]) => ({
    title,
    verdict,
    answer,
    words,
    broken,
  }));

  it.each(cases)("tells $title: $verdict", async ({ answer, broken, verdict, words }) => {
    const report = note(await testAgainst(answer, broken));
    expect(report).toMatchObject({ verdict, ok: verdict === "ok" || verdict === "anonymous_ok" });
    const told = `${report.message} → ${report.fix} ⚠ ${report.warnings.join("\n")}`;
    for (const word of [words].flat()) expect(told).toMatch(word);
    if (!report.ok) expect(report.fix).not.toBe("");
  });

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
