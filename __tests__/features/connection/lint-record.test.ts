import { describe, expect, it } from "@jest/globals";
import type { ApiSettings } from "../../../src/core/record/api-source.js";
import { lintRecord } from "../../../src/features/connection/lint-record.js";
import { makeSource } from "../../support/api-source.js";

const lint = (api: Partial<ApiSettings>): string =>
  lintRecord(makeSource({ testEndpoint: "/user", ...api })).join("\n");

describe("lintRecord", () => {
  it.each([
    {},
    { testEndpoint: "/users/me" },
    { testEndpoint: "/users?limit=1" },
    { testEndpoint: "/account/settings" },
    { testEndpoint: "/statuses/7" },
    { testEndpoint: "https://api.example.com/v1/user" },
    { baseUrl: "https://api.example.com/openapi.json/v2" },
    { testEndpoint: "/query?q=SHOW+DATABASES" },
    { baseUrl: "http://localhost:8080/api" },
    { baseUrl: "http://192.168.0.4" },
    { baseUrl: "http://[::1]:3000" },
    { baseUrl: "http://shop.internal" },
    { baseUrl: "http://api:3000" },
    { baseUrl: "https://{tenant}.example.com", variables: { tenant: "x" } },
    { authType: "header" as const, headerName: "X-Key" },
    { authType: "query" as const, queryParam: "key" },
    { authScheme: "Token" },
  ])("has nothing to say of %j", (api) => {
    expect(lint(api)).toBe("");
  });

  it.each(["api_key", "apikey", "key", "access_token", "token", "client_secret", "password", "sig"])(
    "warns of a credential in the query: %s",
    (name) => {
      const warning = lint({ testEndpoint: `/user?a=1&${name}=4711` });
      expect(warning).toMatch(new RegExp(`credential in its query \\(${name}\\)(?!.*4711)`));
    },
  );

  const noEffect = '`api.headerName` has no effect: only "header" uses it, and `api.authType` is "bearer"';
  it.each<[Partial<ApiSettings>, string]>([
    [{ testEndpoint: "/v1/user" }, 'write "/user" unless'],
    [{ testEndpoint: "user?a=/b" }, 'has no leading slash: write "/user?a=/b"'],
    [{ testEndpoint: "/orders/create?dry=1" }, "seems to modify something"],
    [{ testEndpoint: "/auth/logout" }, "seems to modify something"],
    [{ testEndpoint: "/healthz" }, "seems to be a health check"],
    [{ testEndpoint: "/v2/ping/" }, "seems to be a health check"],
    [{ testEndpoint: "/users" }, "seems to list everything"],
    [{ baseUrl: "https://api.example.com/v1/index.html" }, "ends with a file (index.html)"],
    [{ baseUrl: "http://api.example.com" }, "plain http to api.example.com"],
    [{ baseUrl: "http://203.0.113.9:8080" }, "plain http to 203.0.113.9"],
    [{ headerName: "X-Key" }, noEffect],
    [{ authType: "basic", queryParam: "key" }, "`api.queryParam` has no effect"],
    [{ authType: "header", headerName: "X-Key", authScheme: "Token" }, "`api.authScheme` has no effect"],
    [{ variables: { tenant: "x" } }, "`api.variables.tenant` has no effect"],
  ])("warns of %j", (api, warning) => {
    expect(lint(api)).toContain(warning);
  });

  it("does not warn of a health check that refused a request without the credential", () => {
    const source = makeSource({ testEndpoint: "/healthz" });
    expect([lintRecord(source, false).length, lintRecord(source, true)]).toEqual([1, []]);
  });
});
