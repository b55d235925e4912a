import { describe, expect, it } from "@jest/globals";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { listSecretNames, listShownNames } from "../../../src/core/record/used-names.js";
import { findProblems as findAll, isValid } from "../../support/record-problems.js";

const secret = "$" + "{SHOP_CLIENT_SECRET}";
const tokenUrl = "https://login.example.com/oauth/token";
const grant = "client_credentials";
const client = { grant, tokenUrl, clientId: "app", clientSecret: secret };

const record = (api: Record<string, unknown>) => ({
  name: "Shop",
  api: { baseUrl: "https://api.example.com", authType: "bearer", ...api },
});

const findProblems = (api: Record<string, unknown>): string[] =>
  findAll(record(api)).map(({ path, message, given }) =>
    `${path} ${message} ${given ?? ""}`.trim(),
  );

const login = {
  path: "/login",
  body: { user: "u", password: "$" + "{SHOP_PASSWORD}" },
  tokenAt: "token",
};

describe("api.oauth2 and api.login", () => {
  it("are read with their defaults filled in, and read again as they are", () => {
    const { api } = parseSource(record({ oauth2: { ...client, scopes: "read  write" } }));
    expect(api.oauth2).toEqual({
      ...client,
      scopes: ["read", "write"],
      tokenParameters: {},
      authorizationParameters: {},
    });
    expect(parseSource({ api: { ...api } }).api.oauth2).toEqual(api.oauth2);
    expect(parseSource(record({ login })).api.login).toEqual({
      ...login,
      method: "POST",
      headers: {},
    });
  });

  const oauth = (more: Record<string, unknown>) => ({ oauth2: { ...client, ...more } });
  const logIn = (more: Record<string, unknown>) => ({ login: { ...login, ...more } });
  const person = { tokenUrl, clientId: "app" };
  it.each<[Record<string, unknown>]>([
    [{ authType: "header", headerName: "X-Token", oauth2: client }],
    [oauth({ tokenUrl: undefined, issuer: "https://login.example.com/tenant" })],
    [oauth({ tokenUrl: "http://127.0.0.1:8080/token?tenant=1", clientAuthentication: "post" })],
    [oauth({ audience: "a", tokenParameters: { resource: "r" } })],
    [
      {
        variables: { t: "acme" },
        oauth2: { ...client, tokenUrl: "https://{t}.example.com/{t}/token" },
      },
    ],
    [{ oauth2: { ...person, grant: "refresh_token", refreshToken: "$" + "{R}" } }],
    [
      {
        oauth2: {
          ...person,
          grant: "authorization_code",
          authorizationUrl: "https://login.example.com/authorize",
          redirectUri: "https://app.example.com/callback",
          authorizationParameters: { access_type: "offline" },
        },
      },
    ],
    [
      {
        oauth2: { ...person, grant: "device_code", deviceAuthorizationUrl: "https://a.example/d" },
      },
    ],
    [
      {
        login: { path: "/login", form: { user: "$" + "{U}" }, tokenAt: "@", expiresInSeconds: 60 },
      },
    ],
    [
      logIn({
        body: undefined,
        basic: { username: "u", password: "$" + "{P}" },
        expiresInSecondsAt: "c",
      }),
    ],
  ])("are accepted, by the parser and by the JSON Schema: %j", (api) => {
    expect([findProblems(api), isValid(record(api))]).toEqual([[], true]);
  });

  it.each<[Record<string, unknown>, string]>([
    [oauth({ tokenUrl: undefined }), "api.oauth2.tokenUrl is missing"],
    [oauth({ grant: "password" }), "api.oauth2.grant must be"],
    [oauth({ clientId: undefined }), "api.oauth2.clientId is missing"],
    [oauth({ clientSecret: undefined }), "api.oauth2.clientSecret is missing"],
    [oauth({ tokenUrl: "http://login.example.com/t" }), "api.oauth2.tokenUrl is not https"],
    [oauth({ tokenUrl: "http://127.0.0.1.example.com/t" }), "api.oauth2.tokenUrl is not https"],
    [oauth({ tokenUrl: "https://u:p@a.example/t" }), "api.oauth2.tokenUrl carries a user"],
    [oauth({ issuer: "login.example.com" }), "api.oauth2.issuer is not an absolute"],
    [oauth({ grant: "authorization_code" }), "api.oauth2.authorizationUrl is missing"],
    [oauth({ grant: "device_code" }), "api.oauth2.deviceAuthorizationUrl is missing"],
    [oauth({ refreshToken: "$" + "{R}" }), "api.oauth2.refreshToken is for grant"],
    [oauth({ scopes: ["a b"] }), "api.oauth2.scopes[0] is not one scope"],
    [oauth({ clientSecret: "pl4in-s3cret" }), "api.oauth2.clientSecret holds a credential"],
    [{ authType: undefined, oauth2: client }, "api.authType must say how"],
    [{ authType: "basic", oauth2: client }, "api.authType must say how"],
    [{ credentialEnv: "X", oauth2: client }, "api.credentialEnv has no effect"],
    [logIn({ tokenAt: undefined, cookie: "SID" }), "api.authType contradicts `login.cookie`"],
    [{ oauth2: client, login }, "api.login is set beside `oauth2`"],
    [logIn({ path: "https://evil.example/login" }), "api.login.path is not a path below"],
    [logIn({ form: { a: "b" } }), "api.login.form is set beside `body`"],
    [logIn({ method: "GET" }), "api.login.body is a body for GET"],
    [logIn({ tokenAt: undefined }), "api.login.tokenAt is missing, and so is `cookie`"],
    [
      logIn({ basic: { username: "u", password: "pl4in-s3cret" } }),
      "api.login.basic.password holds",
    ],
  ])("are refused, by the parser and by the JSON Schema: %j", (api, problem) => {
    const problems = findProblems(api);
    expect([problems[0]?.startsWith(problem), isValid(record(api))]).toEqual([true, false]);
    expect(problems.join()).not.toContain("pl4in");
  });

  it.each<[Record<string, unknown>, string]>([
    [
      oauth({ tokenParameters: { password: "pl4in" } }),
      "api.oauth2.tokenParameters.password holds",
    ],
    [logIn({ body: { a: [{ password: "pl4in" }] } }), "api.login.body.a[0].password holds"],
    [
      logIn({ headers: { Host: "evil.example" } }),
      "api.login.headers.Host belongs to the connection",
    ],
    [oauth({ redirectUri: "javascript:alert(1)" }), "api.oauth2.redirectUri is not an absolute"],
    [oauth({ resource: "https://a.example/#part" }), "api.oauth2.resource"],
  ])("are refused by the parser: %j", (api, problem) => {
    const problems = findProblems(api);
    expect(problems[0]).toContain(problem);
    expect(problems.join()).not.toContain("pl4in");
  });

  it("let only the record choose the host that secrets are sent to", () => {
    const oauth2 = { ...client, tokenUrl: "https://{tenant}.example.com/token" };
    const [problem] = findProblems({ variables: { tenant: "$" + "{TENANT}" }, oauth2 });
    expect(problem).toMatch(/^api\.oauth2\.tokenUrl has \{tenant\} in its host/);
    expect(findProblems({ oauth2 })).toHaveLength(1);
  });

  it("are warned of spellings from elsewhere", () => {
    const { clientSecret, ...others } = client;
    expect(findProblems({ oauth2: { ...others, client_secret: clientSecret } })).toEqual([
      expect.stringMatching(/nearest is `clientSecret`/),
    ]);
    expect(
      findProblems({ clientId: "app", oauth2: { ...client, clientId: undefined } })[0],
    ).toMatch(/is on the wrong level/);
    expect(findProblems({ oauth: client })[0]).toMatch(/nearest is `oauth2`/);
  });

  it("name their secrets, and not the client id, which occurs in addresses", () => {
    const source = parseSource(
      record({
        oauth2: { ...client, clientId: "$" + "{ID}", tokenParameters: { a: "$" + "{B}" } },
      }),
    );
    expect(listSecretNames(source)).toEqual(["SHOP_CLIENT_SECRET", "B"]);
    expect(listSecretNames(parseSource(record({ login })))).toEqual(["SHOP_PASSWORD"]);
  });

  it("have names that may be seen: the tenant in the base URL's host, and the client id", () => {
    const variables = { tenant: "$" + "{TENANT}", realm: "$" + "{REALM}" };
    const oauth2 = { ...client, clientId: "$" + "{ID}", tokenUrl: "https://a.example/{realm}" };
    const source = parseSource(
      record({ baseUrl: "https://{tenant}.api.example", variables, oauth2 }),
    );
    expect(listSecretNames(source)).toEqual(["SHOP_CLIENT_SECRET", "REALM"]);
    expect(listShownNames(source)).toEqual(["TENANT", "ID"]);
  });
});
