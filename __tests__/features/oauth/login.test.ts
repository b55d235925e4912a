import { describe, expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  createSourceClient,
  testConnection,
} from "langchain-api-sources";
import { type HttpServer, sendJson, startHttpServer } from "../../support/http-server.js";
import { splitOptions, type TestOptions } from "../../support/seams.js";
import {
  clientSecret,
  createTokenRecord,
  startTokenServer,
  type TokenServer,
} from "../../support/token-server.js";

let server: TokenServer;
let other: HttpServer;

const secrets = { SHOP_PASSWORD: clientSecret, SHOP_CLIENT_SECRET: clientSecret };
const name = (variable: string): string => `\${${variable}}`;
const login = {
  path: "/login",
  body: { user: "ada", password: name("SHOP_PASSWORD") },
  tokenAt: "data.token",
  expiresInSecondsAt: "data.ttl",
};
const record = (
  given: Record<string, unknown> = {},
  api: Record<string, unknown> = {},
): ApiSourceRecord => ({
  name: "Shop",
  api: {
    baseUrl: server.url,
    authType: "bearer",
    testEndpoint: "/me",
    ...api,
    login: { ...login, ...given },
  },
});
const open = (given: ApiSourceRecord, options: TestOptions = {}) => {
  const client = createSourceClient(given, ...splitOptions({ secrets, ...options }));
  return async (path = "/me") => {
    const { content } = await client.call({ method: "GET", path });
    for (const canary of server.canaries) expect(content).not.toContain(canary);
    return JSON.parse(content);
  };
};
const logins = () => server.requests.filter(({ url }) => url.startsWith("/login"));

describe("a login call", () => {
  it("that gets no answer in time is reported as such, and that nothing was sent", async () => {
    const api = await startHttpServer(() => {});
    const record = {
      name: "Shop",
      api: {
        baseUrl: api.url,
        authType: "bearer",
        login: { path: "/login", tokenAt: "token" },
        limits: { timeoutMs: 1_000 },
      },
    } as const;
    const { content } = await createSourceClient(record).call({ method: "GET", path: "/me" });
    expect(JSON.parse(content).error).toMatchObject({
      category: "timeout",
      retryable: true,
      message: expect.stringMatching(/from its token or login server\. Nothing was sent/),
      hint: expect.stringContaining("has to check that server"),
    });
    expect(api.requests.map(({ url }) => url)).toEqual(["/login"]);
  });

  it("that is forgotten while it runs serves its own call alone", async () => {
    const tokens: string[] = [];
    let answer = (): void => {};
    const api = await startHttpServer(({ url, headers }, response) => {
      if (url !== "/login") return sendJson(response, {}, headers.authorization ? 200 : 401);
      tokens.push(`t0ken-of-login-${tokens.length}`);
      const token = tokens.at(-1);
      answer = () => sendJson(response, { token });
      if (tokens.length > 1) answer();
    });
    const record = {
      name: "Shop",
      api: { baseUrl: api.url, authType: "bearer", login: { path: "/login", tokenAt: "token" } },
    } as const;
    const toolkit = await ApiSourceToolkit.fromSources([record]);
    const [tool] = toolkit.getTools();
    const ask = async () => JSON.parse(await tool?.invoke({ method: "GET", path: "/a" })).status;
    const first = ask();
    while (tokens.length === 0) await new Promise((later) => setTimeout(later, 1));
    await toolkit.forgetAuthorization("shop");
    answer();
    expect([await first, await ask()]).toEqual([200, 200]);
    expect(tokens).toHaveLength(2);
  });

  it("gives the token, once, with the API's own headers, and again after its time and after a 401", async () => {
    server = await startTokenServer({ expiresIn: 600 });
    let nowMs = Date.now();
    const ask = open(record({ headers: { "X-Login": "1" } }, { headers: { "X-Version": "2" } }), {
      clock: { now: () => nowMs },
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(answers[0]).toEqual({ status: 200, data: { user: "login", echo: "Bearer [REDACTED]" } });
    expect(logins()).toHaveLength(1);
    expect(logins()[0]).toMatchObject({
      method: "POST",
      headers: { "x-version": "2", "x-login": "1", "content-type": "application/json" },
      body: JSON.stringify({ user: "ada", password: clientSecret }),
    });
    nowMs += 580_000;
    await ask();
    expect(logins()).toHaveLength(2);
    server.revokeAccess();
    expect((await ask()).status).toBe(200);
    expect(logins()).toHaveLength(3);
  });

  it("takes a form, HTTP Basic, and a token that is the whole answer", async () => {
    server = await startTokenServer();
    other = await startHttpServer((request, response) => {
      if (!request.url.startsWith("/session"))
        sendJson(response, { echo: request.headers["x-session"] });
      else {
        response.setHeader("content-type", "text/plain");
        response.end("plain-t0ken-of-a-text\n");
      }
    });
    const ask = open({
      name: "Shop",
      api: {
        baseUrl: other.url,
        authType: "header",
        headerName: "X-Session",
        login: {
          path: "/session?new=1",
          form: { a: "b c", secret: name("SHOP_PASSWORD") },
          basic: { username: "ada", password: name("SHOP_PASSWORD") },
          tokenAt: "@",
          expiresInSeconds: 60,
        },
      },
    });
    expect(await ask()).toEqual({ status: 200, data: { echo: "[REDACTED]" } });
    expect(other.requests[0]).toMatchObject({
      url: "/session?new=1",
      headers: {
        authorization: `Basic ${Buffer.from(`ada:${clientSecret}`).toString("base64")}`,
        "content-type": expect.stringContaining("urlencoded"),
      },
      body: `a=b+c&secret=${clientSecret}`,
    });
  });

  it("hides every leaf of its answer that is named as something issued", async () => {
    const issued = {
      refresh: "r3fresh-of-the-login-8Kq2",
      csrf: "csrf-of-the-login-4Zp1",
      inner: "devicecode-77-of-the-login",
      header: "header-t0ken-of-the-login",
    };
    other = await startHttpServer(({ url, method }, response) => {
      if (method === "GET") return sendJson(response, { issued, account: "acct-2024-77" });
      response.setHeader("x-auth-token", issued.header);
      sendJson(response, {
        token: "acc3ss-of-the-login-2Wm",
        refreshToken: issued.refresh,
        data: [{ csrf_token: [issued.csrf], device_code: issued.inner }],
        account: "acct-2024-77",
        url,
      });
    });
    server = await startTokenServer();
    const ask = open(record({ tokenAt: "token" }, { baseUrl: other.url }));
    const redacted = Object.keys(issued).map((member) => [member, "[REDACTED]"]);
    expect((await ask()).data).toEqual({
      issued: Object.fromEntries(redacted),
      account: "acct-2024-77",
    });
  });

  it("reports what the API answered to it, and what its answer has in place of a token", async () => {
    server = await startTokenServer();
    expect((await open(record({ body: { user: "p" } }))()).error).toMatchObject({
      message:
        'The login call POST /login of Shop answered 401. It answered: {"message":"wrong password"}',
      category: "unauthorized",
      code: "login_failed",
    });
    expect((await open(record({ tokenAt: "token" }))()).error).toMatchObject({
      message: "The answer to the login call of Shop has no token at `token`. It has: data.",
      category: "not_configured",
    });
  });

  const mfa = "mfa-77aa88bb99cc00dd";
  const cookie = "c00kie-0102030405060708";

  it.each([
    [{ error: "mfa_required", mfa_token: mfa }, '{"error":"mfa_required"}'],
    [{ message: `go on with ${mfa}`, mfaToken: mfa }, '{"message":"go on with [REDACTED]"}'],
    [{ detail: `session ${cookie} is open` }, '{"detail":"session [REDACTED] is open"}'],
    [
      { error: { message: "no", challenge: mfa, error: { message: mfa } } },
      '{"error":{"message":"no"}}',
    ],
    [[{ message: "no", mfa_token: mfa }], undefined],
    [`the session ${mfa} waits`, undefined],
    [
      { title: "Denied", detail: "Wrong password", type: "about:blank", hint: mfa },
      '{"title":"Denied","detail":"Wrong password"}',
    ],
  ])(
    "quotes of the refusal %j only the reason, in no output a secret of it",
    async (body, quoted) => {
      server = await startTokenServer();
      other = await startHttpServer((_request, response) =>
        sendJson(response, body, 401, { "set-cookie": `sid=${cookie}; Path=/` }),
      );
      const outputs: unknown[] = [];
      const note = (...all: unknown[]): void => void outputs.push(all);
      const given = {
        name: "Shop",
        api: { baseUrl: other.url, authType: "bearer" as const, testEndpoint: "/me", login },
      };
      const options = { secrets, logger: { debug: note, info: note, warn: note, error: note } };
      const shop = createSourceClient(given, { ...options, onCall: note });
      const { content, artifact } = await shop.call({ method: "GET", path: "/me" });
      outputs.push(content, artifact, await testConnection(given, options));
      expect(JSON.stringify(outputs)).not.toMatch(new RegExp(`${mfa}|${cookie}`));
      const { message } = JSON.parse(content).error;
      expect(message).toBe(
        `The login call POST /login of Shop answered 401.${quoted === undefined ? "" : ` It answered: ${quoted}`}`,
      );
    },
  );

  it.each([
    [
      "of many strings",
      JSON.stringify(Array.from({ length: 30_000 }, (_, at) => `item-${at}-of-an-answer`)),
      "",
    ],
    ["nested deep", "[".repeat(100_000) + "]".repeat(100_000), ' It answered: {"message":"no"}'],
  ])(
    "answers a refusal %s as any other, and searches a bounded number of values",
    async (_what, rest, quoted) => {
      server = await startTokenServer();
      other = await startHttpServer((_request, response) =>
        response
          .writeHead(401, { "content-type": "application/json" })
          .end(`{"message":"no","rest":${rest}}`),
      );
      const ask = open({ name: "Shop", api: { baseUrl: other.url, authType: "bearer", login } });
      // Where there are too many values to search, nothing is quoted.
      expect((await ask()).error).toMatchObject({
        message: `The login call POST /login of Shop answered 401.${quoted}`,
        category: "unauthorized",
      });
    },
  );

  it.each([
    ["its session", { location: `/home;jsessionid=${mfa}` }],
    ["a token", { location: `/home?token=${mfa}#${mfa}` }],
    ["a session elsewhere", { location: `https://shop.example/a;JSESSIONID=${mfa}/b` }],
  ])(
    "does not show %s in the URL of a redirect that it is answered with",
    async (_what, headers) => {
      server = await startTokenServer();
      other = await startHttpServer((_request, response) => sendJson(response, {}, 302, headers));
      const ask = open({ name: "Shop", api: { baseUrl: other.url, authType: "bearer", login } });
      const { error } = await ask();
      expect(error.category).toBe("refused_by_policy");
      expect(JSON.stringify(error)).not.toContain(mfa);
    },
  );

  it("has the cookies redacted that its answer sets besides the token", async () => {
    server = await startTokenServer();
    other = await startHttpServer(({ url }, response) => {
      const cookie = { "set-cookie": `lang=${mfa}` };
      if (url === "/login")
        sendJson(response, { data: { token: "the-t0ken-of-all" } }, 200, cookie);
      else sendJson(response, { was: mfa, coded: Buffer.from(mfa).toString("base64") });
    });
    const ask = open({ name: "Shop", api: { baseUrl: other.url, authType: "bearer", login } });
    expect((await ask()).data).toEqual({ was: "[REDACTED]", coded: "[REDACTED]" });
  });

  it("never follows a redirect with the password", async () => {
    server = await startTokenServer();
    other = await startHttpServer((_request, response) => {
      response.writeHead(307, { location: `${server.url}/login` });
      response.end();
    });
    const ask = open({ name: "Shop", api: { baseUrl: other.url, authType: "bearer", login } });
    expect((await ask()).error.code).toBe("login_failed");
    expect(server.requests).toHaveLength(0);
  });
});

describe("the connection test", () => {
  const byConsent = {
    grant: "authorization_code",
    authorizationUrl: "https://login.example.com/a",
  };

  it.each([
    ["nobody has agreed", byConsent, "missing_credentials", /api-sources login shop/],
    [
      "the client is not known",
      { clientId: "other" },
      "invalid_credentials",
      /client id and secret/,
    ],
    [
      "the endpoint is no token endpoint",
      { tokenUrl: "/api/me" },
      "invalid_credentials",
      /endpoint's address/,
    ],
    [
      "a variable is missing",
      { clientSecret: "$" + "{NOT_SET}" },
      "missing_credentials",
      /NOT_SET/,
    ],
  ])("reports that %s", async (_what, oauth2: Record<string, unknown>, verdict, fix) => {
    server = await startTokenServer();
    const tokenUrl =
      oauth2["tokenUrl"] === undefined ? {} : { tokenUrl: `${server.url}${oauth2["tokenUrl"]}` };
    const report = await testConnection(createTokenRecord(server, { ...oauth2, ...tokenUrl }), {
      secrets,
    });
    expect(report).toMatchObject({ ok: false, verdict, fix: expect.stringMatching(fix) });
  });
});
