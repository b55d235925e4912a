import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "@jest/globals";
import { SourceRecordError } from "../../src/errors.js";
import { apiSourceJsonSchema } from "../../src/source/json-schema.js";
import { parseSource } from "../../src/source/parse-source.js";
import { listSecretNames } from "../../src/source/read-values.js";

const schema: Schema = JSON.parse(JSON.stringify(apiSourceJsonSchema));
const validator = new Validator(schema, "7", false);
const secret = "$" + "{SHOP_CLIENT_SECRET}";
const tokenUrl = "https://login.example.com/oauth/token";
const grant = "client_credentials";
const client = { grant, tokenUrl, clientId: "app", clientSecret: secret };

const record = (api: Record<string, unknown>) => ({
  name: "Shop",
  api: { baseUrl: "https://api.example.com", authType: "bearer", ...api },
});

function findProblems(api: Record<string, unknown>): string[] {
  try {
    parseSource(record(api));
    return [];
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error;
    return error.problems.map(({ path, message, given }) => `${path} ${message} ${given ?? ""}`.trim());
  }
}

const login = { path: "/login", body: { user: "u", password: "$" + "{SHOP_PASSWORD}" }, tokenAt: "token" };

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
    expect(parseSource(record({ login })).api.login).toEqual({ ...login, method: "POST", headers: {} });
  });

  it.each<[Record<string, unknown>]>([
    [{ oauth2: client }],
    [{ authType: "header", headerName: "X-Token", oauth2: client }],
    [{ oauth2: { ...client, tokenUrl: undefined, issuer: "https://login.example.com/tenant" } }],
    [{ oauth2: { ...client, tokenUrl: "http://127.0.0.1:8080/token?tenant=1" } }],
    [
      {
        oauth2: {
          ...client,
          clientAuthentication: "post",
          audience: "a",
          tokenParameters: { resource: "r" },
        },
      },
    ],
    [
      {
        variables: { tenant: "acme" },
        oauth2: { ...client, tokenUrl: "https://{tenant}.example.com/{tenant}/token" },
      },
    ],
    [{ oauth2: { grant: "refresh_token", tokenUrl, clientId: "app", refreshToken: "$" + "{R}" } }],
    [
      {
        oauth2: {
          grant: "authorization_code",
          tokenUrl,
          authorizationUrl: "https://login.example.com/authorize",
          clientId: "app",
          redirectUri: "https://app.example.com/callback",
          authorizationParameters: { access_type: "offline" },
        },
      },
    ],
    [
      {
        oauth2: {
          grant: "device_code",
          tokenUrl,
          deviceAuthorizationUrl: "https://a.example/d",
          clientId: "a",
        },
      },
    ],
    [{ login }],
    [{ login: { path: "/login", form: { user: "$" + "{U}" }, tokenAt: "@", expiresInSeconds: 60 } }],
    [
      {
        login: {
          path: "/login",
          basic: { username: "u", password: "$" + "{P}" },
          tokenAt: "a.b",
          expiresInSecondsAt: "c",
        },
      },
    ],
  ])("are accepted, by the parser and by the JSON Schema: %j", (api) => {
    const plain: unknown = JSON.parse(JSON.stringify(record(api)));
    expect([findProblems(api), validator.validate(plain).valid]).toEqual([[], true]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ oauth2: { ...client, tokenUrl: undefined } }, "api.oauth2.tokenUrl is missing"],
    [{ oauth2: { ...client, grant: "password" } }, "api.oauth2.grant must be"],
    [{ oauth2: { ...client, clientId: undefined } }, "api.oauth2.clientId is missing"],
    [{ oauth2: { ...client, clientSecret: undefined } }, "api.oauth2.clientSecret is missing"],
    [
      { oauth2: { ...client, tokenUrl: "http://login.example.com/token" } },
      "api.oauth2.tokenUrl is not https",
    ],
    [
      { oauth2: { ...client, tokenUrl: "http://127.0.0.1.example.com/t" } },
      "api.oauth2.tokenUrl is not https",
    ],
    [{ oauth2: { ...client, tokenUrl: "https://u:p@a.example/t" } }, "api.oauth2.tokenUrl carries a user"],
    [{ oauth2: { ...client, issuer: "login.example.com" } }, "api.oauth2.issuer is not an absolute"],
    [{ oauth2: { ...client, grant: "authorization_code" } }, "api.oauth2.authorizationUrl is missing"],
    [{ oauth2: { ...client, grant: "device_code" } }, "api.oauth2.deviceAuthorizationUrl is missing"],
    [{ oauth2: { ...client, refreshToken: "$" + "{R}" } }, "api.oauth2.refreshToken is for grant"],
    [{ oauth2: { ...client, scopes: ["a b"] } }, "api.oauth2.scopes[0] is not one scope"],
    [{ authType: undefined, oauth2: client }, "api.authType is missing"],
    [{ authType: "basic", oauth2: client }, 'api.authType is "basic"'],
    [{ credentialEnv: "X", oauth2: client }, "api.credentialEnv has no effect"],
    [{ oauth2: client, login }, "api.login stands beside `oauth2`"],
    [{ login: { ...login, path: "https://evil.example/login" } }, "api.login.path is no path below"],
    [{ login: { ...login, form: { a: "b" } } }, "api.login.form stands beside `body`"],
    [{ login: { ...login, tokenAt: undefined } }, "api.login.tokenAt is missing"],
    [{ authType: undefined, login }, "api.authType is missing"],
  ])("are refused, by the parser and by the JSON Schema: %j", (api, problem) => {
    const plain: unknown = JSON.parse(JSON.stringify(record(api)));
    expect([findProblems(api)[0]?.startsWith(problem), validator.validate(plain).valid]).toEqual([
      true,
      false,
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ oauth2: { ...client, clientSecret: "pl4in-s3cret" } }, "api.oauth2.clientSecret holds a credential"],
    [
      { oauth2: { ...client, tokenParameters: { password: "pl4in-s3cret" } } },
      "api.oauth2.tokenParameters.password holds a credential",
    ],
    [{ login: { ...login, body: { a: { password: "pl4in-s3cret" } } } }, "api.login.body.a.password holds"],
    [
      { login: { ...login, basic: { username: "u", password: "pl4in-s3cret" } } },
      "api.login.basic.password holds",
    ],
  ])("take no secret in plain text, and don't show it: %j", (api, problem) => {
    const problems = findProblems(api);
    expect(problems[0]).toMatch(problem);
    expect(problems.join()).not.toContain("pl4in");
  });

  it("let nobody but the record choose the host that secrets are sent to", () => {
    const oauth2 = { ...client, tokenUrl: "https://{tenant}.example.com/token" };
    const [problem] = findProblems({ variables: { tenant: "$" + "{TENANT}" }, oauth2 });
    expect(problem).toMatch(/^api\.oauth2\.tokenUrl has \{tenant\} in its host/);
    expect(findProblems({ oauth2 })).toHaveLength(1);
  });

  it("are told of spellings from elsewhere", () => {
    const { clientSecret, ...others } = client;
    expect(findProblems({ oauth2: { ...others, client_secret: clientSecret } })).toEqual([
      expect.stringMatching(/nearest is `clientSecret`/),
    ]);
    expect(findProblems({ clientId: "app", oauth2: { ...client, clientId: undefined } })[0]).toMatch(
      /stands on the wrong level/,
    );
    expect(findProblems({ oauth: client })[0]).toMatch(/nearest is `oauth2`/);
  });

  it("name their secrets, and not the client id, which stands in addresses", () => {
    const source = parseSource(
      record({ oauth2: { ...client, clientId: "$" + "{ID}", tokenParameters: { a: "$" + "{B}" } } }),
    );
    expect(listSecretNames(source)).toEqual(["SHOP_CLIENT_SECRET", "B"]);
    expect(listSecretNames(parseSource(record({ login })))).toEqual(["SHOP_PASSWORD"]);
  });
});
