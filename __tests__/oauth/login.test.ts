import { afterEach, describe, expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  ApiSourceToolkit,
  type ClientOptions,
  createSourceClient,
  testConnection,
} from "langchain-api-sources";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";
import { withSeams } from "../support/seams.js";
import {
  clientSecret,
  createTokenRecord,
  startTokenServer,
  type TokenServer,
} from "../support/token-server.js";

let server: TokenServer;
let other: HttpServer | undefined;
afterEach(async () => {
  await server.close();
  await other?.close();
});

const secrets = { SHOP_PASSWORD: clientSecret, SHOP_CLIENT_SECRET: clientSecret };
const name = (variable: string): string => `\${${variable}}`;
const login = {
  path: "/login",
  body: { user: "ada", password: name("SHOP_PASSWORD") },
  tokenAt: "data.token",
  expiresInSecondsAt: "data.ttl",
};
const record = (given: Record<string, unknown> = {}, api: Record<string, unknown> = {}): ApiSourceRecord => ({
  name: "Shop",
  api: {
    baseUrl: server.url,
    authType: "bearer",
    testEndpoint: "/me",
    ...api,
    login: { ...login, ...given },
  },
});
const open = (given: ApiSourceRecord, options: ClientOptions = {}) => {
  const client = createSourceClient(given, { secrets, ...options });
  return async (path = "/me") => {
    const { content } = await client.call({ method: "GET", path });
    for (const canary of server.canaries) expect(content).not.toContain(canary);
    return JSON.parse(content);
  };
};
const logins = () => server.requests.filter(({ url }) => url.startsWith("/login"));

describe("a login call", () => {
  it("gives the token, once, with the API's own headers, and again after its time and after a 401", async () => {
    server = await startTokenServer({ expiresIn: 600 });
    let nowMs = Date.now();
    const ask = open(
      record({ headers: { "X-Login": "1" } }, { headers: { "X-Version": "2" } }),
      withSeams({ clock: { now: () => nowMs } }),
    );
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
      if (!request.url.startsWith("/session")) sendJson(response, { echo: request.headers["x-session"] });
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

  it("reports what the API answered to it, and what its answer has in place of a token", async () => {
    server = await startTokenServer();
    expect((await open(record({ body: { user: "p" } }))()).error).toMatchObject({
      message: 'The login call POST /login of Shop answered 401. It answered: {"message":"wrong password"}',
      category: "unauthorized",
      code: "login_failed",
    });
    expect((await open(record({ tokenAt: "token" }))()).error).toMatchObject({
      message: "The answer to the login call of Shop has no token at `token`. It has: data.",
      category: "not_configured",
    });
  });

  it("has its expressions read when it is loaded", async () => {
    server = await startTokenServer();
    await expect(ApiSourceToolkit.fromSources([record({ tokenAt: "data[" })])).rejects.toMatchObject({
      problems: [{ path: "api.login.tokenAt" }],
    });
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
  const byConsent = { grant: "authorization_code", authorizationUrl: "https://login.example.com/a" };

  it("reports how long a token lives, its scopes and whose it is", async () => {
    const claims = Buffer.from(JSON.stringify({ email: "ada@example.com" })).toString("base64url");
    server = await startTokenServer({ answer: { id_token: `e30.${claims}.x`, scope: "read" } });
    const report = await testConnection(createTokenRecord(server, { scopes: ["read", "write"] }), {
      secrets,
    });
    expect(report).toMatchObject({
      ok: true,
      verdict: "ok",
      grant: { expiresInSeconds: 3_599, renewable: true, scopes: ["read"], account: "ada@example.com" },
      message: expect.stringContaining(
        "The token: authorized as ada@example.com; scopes read; it lives 3599 seconds (about 60 minutes) and is renewed automatically.",
      ),
      warnings: expect.arrayContaining(["Requested and not granted: write."]),
    });
    for (const canary of server.canaries) expect(JSON.stringify(report)).not.toContain(canary);
  });

  it.each([
    ["nobody has agreed", byConsent, "missing_credentials", /api-sources login shop/],
    ["the client is not known", { clientId: "other" }, "invalid_credentials", /client id and secret/],
    [
      "the endpoint is no token endpoint",
      { tokenUrl: "/api/me" },
      "invalid_credentials",
      /endpoint's address/,
    ],
    ["a variable is missing", { clientSecret: "$" + "{NOT_SET}" }, "missing_credentials", /NOT_SET/],
  ])("reports that %s", async (_what, oauth2: Record<string, unknown>, verdict, fix) => {
    server = await startTokenServer();
    const tokenUrl =
      oauth2["tokenUrl"] === undefined ? {} : { tokenUrl: `${server.url}${oauth2["tokenUrl"]}` };
    const report = await testConnection(createTokenRecord(server, { ...oauth2, ...tokenUrl }), { secrets });
    expect(report).toMatchObject({ ok: false, verdict, fix: expect.stringMatching(fix) });
  });

  it("reports what failed at a login", async () => {
    server = await startTokenServer();
    const { verdict, message } = await testConnection(record({ body: {} }), { secrets });
    expect([verdict, message]).toEqual(["invalid_credentials", expect.stringContaining("401")]);
  });
});
