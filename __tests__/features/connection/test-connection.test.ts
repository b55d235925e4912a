import { describe, expect, it } from "@jest/globals";
import { type ClientOptions, type ConnectionReport, testConnection } from "langchain-api-sources";
import { connectionVerdicts } from "../../../src/core/failure/cause.js";
import type { ApiFields } from "../../../src/core/record/record-types.js";
import { startHttpServer } from "../../support/http-server.js";
import {
  answerWith,
  type RawServer,
  type RecordedRequest,
  startRawServer,
} from "../../support/raw-server.js";
import { asRecord } from "../../support/unchecked.js";

const goodToken = "sk-canary-4f9a1c7be20d";

/** What a server does with one request. */
type Answer =
  | {
      readonly status?: number;
      readonly body?: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | ((request: RecordedRequest, socket: Parameters<typeof answerWith>[0]) => void);

interface BrokenSource {
  readonly api?: Partial<ApiFields>;
  /** Appended to the server's address. */
  readonly basePath?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: ClientOptions;
}

const testAgainst = async (answer: Answer, broken?: BrokenSource): Promise<ConnectionReport> =>
  (await recordAgainst(answer, broken)).report;

/** Tests a bearer source whose server gives the same answer to every request. */
async function recordAgainst(
  answer: Answer,
  { api = {}, basePath = "", env = { SHOP_TOKEN: goodToken }, options = {} }: BrokenSource = {},
): Promise<{ report: ConnectionReport; server: RawServer }> {
  const server = await startRawServer((request, socket) => give(answer, request, socket));
  try {
    const settings: ApiFields = {
      baseUrl: `${server.url}${basePath}`,
      testEndpoint: "/user",
      authType: "bearer",
      ...api,
    };
    const report = await testConnection({ name: "Shop", api: settings }, options, {
      readEnvironment: (name) => env[name],
    });
    return { report, server };
  } finally {
    await server.close();
  }
}

/** Writes the answer; an object is sent as JSON. */
function give(
  answer: Answer,
  request: RecordedRequest,
  socket: Parameters<typeof answerWith>[0],
): void {
  if (typeof answer === "function") {
    answer(request, socket);
    return;
  }
  const { status = 200, body = "", headers = {} } = answer;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type =
    typeof body !== "string" ? "application/json" : body === "" ? "text/plain" : "text/html";
  answerWith(socket, status, text, { "Content-Type": type, ...headers });
}

/** Answers those who send the credential, and refuses the others. */
const guarded =
  (refusal: Answer): Answer =>
  (request, socket) =>
    give(request.headers.authorization === rightToken ? anyone : refusal, request, socket);

const seen = new Set<string>();

/** Every case's report is searched for the credential, and counted for the completeness of the verdicts. */
function note(report: ConnectionReport): ConnectionReport {
  expect(JSON.stringify(report)).not.toContain(goodToken);
  seen.add(report.verdict);
  return report;
}

/** What each server answers, and what is broken about its source. */
type Row = readonly [answer: Answer, broken?: BrokenSource];

const loginPage =
  '<!doctype html><html><head><title>Sign in to Shop</title></head><body><form><input type="password"></form></body></html>';
const expired = `e30.${Buffer.from('{"exp":1700000000}').toString("base64url")}.sig`;
const says = (status: number, message: string, headers = {}) => ({
  status,
  body: { message },
  headers,
});
const asks = (challenge: string): Answer => ({
  status: 401,
  headers: { "WWW-Authenticate": challenge },
});
const page = (title: string): string => `<!doctype html><html><title>${title}</title></html>`;
const leads = (status: number, Location: string): Answer => ({ status, headers: { Location } });
const unauthorized = says(401, "Bad credentials");
const withToken = (SHOP_TOKEN: string): BrokenSource => ({ env: { SHOP_TOKEN } });
const at = (testEndpoint: string, basePath = ""): BrokenSource => ({
  basePath,
  api: { testEndpoint },
});
/** Long enough to connect and to send on a loaded machine. */
const slow: BrokenSource = { api: { limits: { timeoutMs: 1_000 } } };
const anyone: Answer = { body: { login: "x" } };
const rightToken = `Bearer ${goodToken}`;
/** Leads everybody to one place, which answers. */
const through =
  (place: string, answer: Answer): Answer =>
  (request, socket) =>
    give(request.target.startsWith(place) ? answer : leads(302, place), request, socket);
const write =
  (text: string): Answer =>
  (_request, socket) =>
    socket.write(text);
const end =
  (text: string): Answer =>
  (_request, socket) =>
    socket.end(text);
const scopes = { "X-Accepted-OAuth-Scopes": "repo", "X-OAuth-Scopes": "gist" };
const noAuthentication: BrokenSource = { api: { authType: undefined as never } };
const publicBase: BrokenSource = { api: { authType: undefined as never, testEndpoint: "" } };
const keyInHeader: BrokenSource = { api: { authType: "header", headerName: "X-Api-Key" } };

const answers: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  ok: { "the right token": [guarded(unauthorized)] },
  anonymous_ok: { "an endpoint that answers anyone": [anyone] },
  reachable: {
    "a public API that answers its base URL": [anyone, publicBase],
    "a public API that has nothing there": [{ status: 404 }, publicBase],
    "a public API that is down": [{ status: 503 }, publicBase],
  },
  no_test_endpoint: { "a record without a test endpoint": [anyone, at("")] },
  unresolved_placeholder: { "a placeholder without a value": [anyone, at("/{tenant}/user")] },
  missing_credentials: {
    "no credential": [anyone, { env: {} }],
    "an API that wants a credential the record does not have": [
      asks('Basic realm="shop"'),
      noAuthentication,
    ],
    "an API without a test endpoint that wants a credential": [
      asks('Basic realm="shop"'),
      publicBase,
    ],
  },
  malformed_credentials: {
    "a token with a line break": [anyone, withToken(`${goodToken}\n`)],
    "a quoted token": [unauthorized, withToken(`"${goodToken}"`)],
  },
  invalid_credentials: {
    "a wrong token": [unauthorized],
    "an expired JWT": [unauthorized, withToken(expired)],
    "bearer where Basic is wanted": [asks("Basic realm=x")],
    "a header for the key that the message names": [says(401, "X-Api-Key header is required")],
    "a message that names the header of the key": [
      says(401, "The X-Api-Key header is invalid"),
      keyInHeader,
    ],
  },
  missing_permissions: {
    "a permission that is missing": [says(403, "Not accessible by token", scopes)],
  },
  missing_header: {
    "an Accept that is not acceptable": [
      says(406, "Only application/vnd.shop.v2+json is produced here"),
    ],
    "a header that the message of a 406 names": [says(406, "missing header Accept-Version")],
    "a header that the message names": [says(400, "Notion-Version header should be defined")],
  },
  redirected: {
    "a redirect to another host": [leads(302, "https://api.other.invalid/v2/user")],
    "a redirect to a login page": [leads(302, "/login?next=/user"), { basePath: "/v1" }],
    "a login page within the base URL": [through("/login", { body: loginPage })],
    "a redirect to HTTPS": [
      (request, socket) =>
        answerWith(socket, 301, "", {
          Location: `https://${request.headers["host"]}${request.target}`,
        }),
    ],
    "a redirect in a circle": [through("/user/", leads(301, "/user"))],
    "a redirect to nowhere": [{ status: 302 }],
  },
  not_found: {
    "a doubled segment": [{ status: 404 }, at("/v1/user?a=1", "/v1")],
    "a website's 404": [{ status: 404, body: page("Page not found") }],
  },
  method_not_allowed: {
    "a method that is not allowed": [{ status: 405, headers: { Allow: "POST, OPTIONS" } }],
  },
  bad_request: {
    "a parameter that is missing": [says(400, "Missing required parameter: q"), at("/user?a=1")],
  },
  rate_limited: {
    "a limit that is reached": [says(429, "Too many requests", { "Retry-After": "7" })],
  },
  server_error: { "a server that is down": [{ status: 503, headers: { "Retry-After": "120" } }] },
  unexpected_status: { "a choice of addresses": [{ status: 300 }] },
  not_an_api: {
    "a login page under 200": [{ body: loginPage }],
    "broken JSON": [{ body: '{"a":', headers: { "Content-Type": "application/json" } }],
    "a header with a space": [end("HTTP/1.1 200 OK\r\nX Api Version: 1\r\n\r\n")],
    "no HTTP": [end("SSH-2.0-OpenSSH_9.2\r\n")],
  },
  error_in_body: { "a failure under 200": [{ body: { ok: false, error: "channel_is_odd" } }] },
  unreachable: {
    "no answer": [(_request, socket) => socket.destroy()],
    "an answer that breaks off": [end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")],
    "a proxy's 407": [{ status: 407 }],
  },
  timeout: {
    silence: [() => {}, slow],
    "a body without an end": [write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), slow],
  },
};

describe("testConnection", () => {
  const cases = Object.entries(answers).flatMap(([verdict, rows]) =>
    Object.entries(rows).map(([title, row]) => [title, verdict, row] as const),
  );

  it.each(cases)("tells %s: %s", async (_title, verdict, [answer, broken]) => {
    const report = note(await testAgainst(answer, broken));
    expect(report).toMatchObject({ verdict, ok: /^(?:ok|anonymous_ok|reachable)$/.test(verdict) });
    const told = [report.message, report.fix, ...report.warnings];
    // Without ports, and the codes of Node.js, which differ.
    const steady = told.map((text) => text.replaceAll(/127\.0\.0\.1:\d+/g, "shop.test"));
    expect(steady.map((text) => text.replaceAll(/ \((?:HPE_|E)[A-Z_]+\)/g, ""))).toMatchSnapshot();
    if (!report.ok) expect(report.fix).not.toBe("");
  });

  it("reports every problem of a wrong record", async () => {
    const report = note(
      await testConnection(
        asRecord({ name: "Shop", api: { baseUrl: "ftp://x?a=1", authType: "header" } }),
      ),
    );
    expect(report).toMatchObject({ source: "Shop", ok: false, verdict: "invalid_record" });
    expect(report.fix).toMatch(/api\.baseUrl: .*\napi\.headerName: /);
  });

  it("recognizes a host that does not exist, and a port where nothing listens", async () => {
    const { server } = await recordAgainst({ body: {} });
    const test = async (baseUrl: string): Promise<ConnectionReport> =>
      note(await testConnection({ name: "Shop", api: { baseUrl, testEndpoint: "/user" } }));
    const words = (text: string): unknown => expect.stringContaining(text);
    const unknown = { verdict: "dns", message: words("no-such-host") };
    expect(await test("https://no-such-host.invalid")).toMatchObject(unknown);
    const refused = { verdict: "refused", message: words(`port ${server.port}`) };
    expect(await test(`http://127.0.0.1:${server.port}`)).toMatchObject(refused);
  });

  it.each<[Answer, boolean]>([
    ...[429, 500, 503].map((status): [Answer, boolean] => [{ status }, false]),
    ...[400, 403, 404].map((status): [Answer, boolean] => [{ status }, true]),
    [{ body: loginPage }, true],
  ])("takes %j without the credential for a refusal: %p", async (refusal, credentialVerified) => {
    const report = await testAgainst(guarded(refusal));
    expect(report).toMatchObject({ verdict: "ok", credentialVerified });
    expect(/not verified/.test(report.warnings.join())).toBe(!credentialVerified);
  });

  it("leaves out secret headers and parameters the second time, and only these", async () => {
    const { server } = await recordAgainst(
      { body: {} },
      {
        api: {
          headers: { "X-Second": "${SECOND}", "X-Plain": "1" },
          query: { s: "${SECOND}", p: "2" },
        },
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
    expect(Object.keys(second?.headers ?? {})).not.toEqual(
      expect.arrayContaining(["authorization"]),
    );
    expect(second?.headers["x-second"]).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  it("sends one request when it fails, or without a credential, and none when the credential can't be right", async () => {
    for (const answer of [unauthorized, { status: 503 }, { status: 429 }])
      expect((await recordAgainst(answer)).server.requests).toHaveLength(1);
    const { server } = await recordAgainst({ body: {} }, withToken("a\nb"));
    expect(server.requests).toHaveLength(0);
    const open = await recordAgainst({ body: {} }, { api: { authType: undefined as never } });
    expect(open.report).toMatchObject({ verdict: "ok", credentialVerified: false });
    expect(open.server.requests).toHaveLength(1);
  });

  it("is bound by neither methods nor paths, and reports what looks wrong with a credential that was not judged", async () => {
    const api = { methods: ["POST" as const], paths: { deny: ["/**"] } };
    const report = await testAgainst({ body: {} }, { api, env: { SHOP_TOKEN: "YOUR_API_KEY" } });
    expect(report).toMatchObject({ verdict: "anonymous_ok", credentialVerified: false });
    expect(report.warnings.join()).toMatch(/SHOP_TOKEN, is a placeholder/);
  });

  it("names the variable that the credential was found in", async () => {
    const report = await testAgainst(unauthorized, { env: { SHOP_API_KEY: goodToken } });
    expect(report.message).toContain("comes from SHOP_API_KEY");
    expect(report.curl).toContain("$SHOP_API_KEY");
  });

  it("shows no credential that an API echoes, also not in the form it should have had", async () => {
    const echo: Answer = { status: 401, body: { message: `Unknown key ${goodToken}` } };
    const pasted = [`"${goodToken}"`, `«${goodToken}»`, `Bearer ${goodToken}`, ` ${goodToken}`];
    for (const token of [goodToken, ...pasted, `Authorization: Bearer ${goodToken}`]) {
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

  it("warns of plain http outside of a machine or a network", async () => {
    const warn = async (baseUrl: string): Promise<string> =>
      (await testConnection({ name: "Shop", api: { baseUrl } })).warnings.join();
    expect(await warn("http://203.0.113.9:8080")).toContain("plain http to 203.0.113.9");
    expect(await warn("http://api.example.com")).toContain("plain http to api.example.com");
    for (const host of [
      "localhost:8080/api",
      "192.168.0.4",
      "[::1]:3000",
      "shop.internal",
      "api:3000",
    ])
      expect(await warn(`http://${host}`)).not.toContain("plain http");
  });

  it("shows no key of the test endpoint, and warns of it", async () => {
    const report = await testAgainst(
      { status: 404 },
      { api: { testEndpoint: "/user?api_key=k-4711-abcdef" } },
    );
    expect(JSON.stringify(report)).not.toContain("k-4711-abcdef");
    expect(report.request).toContain("/user?api_key=[REDACTED]");
    expect(report.warnings.join()).toContain("credential in its query (api_key)");
  });

  it("shows the name of the credential's parameter and not its value", async () => {
    const report = await testAgainst(unauthorized, {
      api: { authType: "query", queryParam: "key" },
    });
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
    await expect(
      testAgainst(answer, { options: { signal: controller.signal } as never }),
    ).rejects.toBe(reason);
    await expect(testConnection(asRecord({}), { signal: controller.signal })).rejects.toBe(reason);
  });

  it("recognizes plain HTTP at a port that the record takes for HTTPS", async () => {
    const server = await startHttpServer();
    const api = { baseUrl: server.url.replace("http:", "https:"), testEndpoint: "/user" };
    const report = note(await testConnection({ name: "Shop", api }));
    await server.close();
    expect(report).toMatchObject({
      verdict: "tls",
      fix: expect.stringContaining("may not speak HTTPS"),
    });
  });

  it("has a case for every verdict", () => {
    expect(connectionVerdicts.filter((verdict) => !seen.has(verdict))).toEqual([]);
  });
});
