/** What a person reads when a token is missing or refused. */

import { afterEach, describe, expect, it } from "@jest/globals";
import { type ApiSourceRecord, createSourceClient, testConnection } from "langchain-api-sources";
import { type HttpServer, type Respond, sendJson, startHttpServer } from "../../support/http-server.js";
import { withSeams } from "../../support/seams.js";
import {
  clientSecret,
  createTokenRecord,
  openShop,
  startTokenServer,
  type TokenServer,
} from "../../support/token-server.js";

let server: TokenServer;
let other: HttpServer | undefined;
afterEach(async () => {
  await server.close();
  await other?.close();
  other = undefined;
});

const secrets = { SHOP_CLIENT_SECRET: clientSecret, SHOP_PASSWORD: clientSecret };
/** The error of a call. */
const call = async (record: ApiSourceRecord) =>
  JSON.parse((await createSourceClient(record, { secrets }).call({ method: "GET", path: "/me" })).content)
    .error;
/** A source with a login at a server that answers so. */
async function openLogin(path: string, respond: Respond): Promise<ApiSourceRecord> {
  server = await startTokenServer();
  other = await startHttpServer(respond);
  const login = { path, body: { password: "$" + "{SHOP_PASSWORD}" }, tokenAt: "token" };
  return { name: "Shop", api: { baseUrl: other.url, authType: "bearer", testEndpoint: "/me", login } };
}

describe("an authorization", () => {
  const byConsent = () => ({ grant: "authorization_code", authorizationUrl: `${server.url}/authorize` });

  it("that expired without a refresh token has expired, and was not left out by anyone", async () => {
    server = await startTokenServer({ answer: { refresh_token: null }, expiresIn: 600 });
    let nowMs = Date.now();
    const shop = openShop(server, byConsent(), withSeams({ clock: { now: () => nowMs } }));
    const first = await shop.ask();
    expect(first.error.message).toBe("Shop is not authorized yet: a person has to authorize it.");
    await shop.completeAuthorization(server.agree(first.error.details.auth_url));
    expect((await shop.ask()).status).toBe(200);
    nowMs += 601_000;
    const { error } = await shop.ask();
    expect(error).toMatchObject({ code: "auth_required", details: { auth_url: expect.any(String) } });
    expect(error.message).toBe(
      "The authorization of Shop has expired, and the API gave no refresh token: a person has to authorize it again.",
    );
  });
});

describe("a token that the API refuses", () => {
  it("names `oauth2` of the record, and neither a variable nor a credential that was not given", async () => {
    server = await startTokenServer();
    other = await startHttpServer((_request, response) => sendJson(response, { message: "no" }, 401));
    const record = createTokenRecord(server, {}, { baseUrl: other.url, testEndpoint: "/me" });
    expect((await call(record)).hint).toBe(
      "The API did not accept what `oauth2` of the record obtained. Tell the user.",
    );
    const report = await testConnection(record, { secrets });
    expect(report).toMatchObject({ verdict: "invalid_credentials" });
    expect(`${report.message} ${report.fix}`).not.toMatch(/`credentials` option|SHOP_CLIENT_SECRET|given/);
    expect(report.fix).toContain("`oauth2.audience`, `oauth2.resource`");
  });

  it("names `login` of the record", async () => {
    const record = await openLogin("/login", ({ url }, response) =>
      sendJson(response, { token: "t0ken-of-a-login" }, url === "/login" ? 200 : 401),
    );
    expect((await call(record)).hint).toBe(
      "The API did not accept what `login` of the record obtained. Tell the user.",
    );
  });
});

describe("a login call", () => {
  it.each([
    [404, "`login.path`, which begins below `baseUrl`,"],
    [405, "`login.method`"],
    [410, "`login.path`"],
  ])("that is answered with %i has a wrong address, and not a wrong credential", async (status, field) => {
    const record = await openLogin("/sign-in", (_request, response) =>
      sendJson(response, { message: "nothing here" }, status),
    );
    const error = await call(record);
    expect(error).toMatchObject({ category: "not_configured", code: "login_failed" });
    expect(error.message).toContain(`The login call POST /sign-in of Shop answered ${status}.`);
    expect(error.hint).toContain(`correct ${field}`);
    const report = await testConnection(record, { secrets });
    expect(report.verdict).not.toBe("invalid_credentials");
    expect(report.fix).toContain(field);
  });
});

describe("scopes", () => {
  it("that are empty are left out, in a request and in what was granted", async () => {
    server = await startTokenServer({ answer: { scope: "" } });
    const record = createTokenRecord(server, { scopes: ["$" + "{EXTRA_SCOPE}", "read"] });
    const report = await testConnection(record, { secrets: { ...secrets, EXTRA_SCOPE: " " } });
    expect(server.tokenRequests[0]?.["scope"]).toBe("read");
    expect(report.grant).not.toHaveProperty("scopes");
    expect(report.message).not.toContain("scopes");
    await testConnection(createTokenRecord(server, { scopes: "" }), { secrets });
    expect(server.tokenRequests[1]).not.toHaveProperty("scope");
  });
});
