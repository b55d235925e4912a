import { describe, expect, it } from "@jest/globals";
import { lintRecord } from "../../src/connection/lint-record.js";
import type { ApiSettings } from "../../src/source/api-source.js";
import { makeSource } from "../support/api-source.js";

const lint = (api: Partial<ApiSettings>): string =>
  lintRecord(makeSource({ testEndpoint: "/user", ...api })).join("\n");

describe("lintRecord", () => {
  it.each([
    {},
    { testEndpoint: "/v2/me" },
    { testEndpoint: "/users/me" },
    { testEndpoint: "/account/settings" },
    { testEndpoint: "/query?q=SHOW+DATABASES" },
    { testEndpoint: "/users/me.json" },
    { testEndpoint: "/shop.xml" },
    { baseUrl: "http://localhost:8080/api" },
    { baseUrl: "http://192.168.0.4" },
    { baseUrl: "http://[::1]:3000" },
    { baseUrl: "http://shop.internal" },
    { baseUrl: "http://api:3000" },
    { baseUrl: "https://en.wiki.example.org/w/api.php" },
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
      expect(lint({ testEndpoint: `/user?a=1&${name}=4711` })).toContain(`credential in its query (${name})`);
      expect(lint({ testEndpoint: `/user?a=1&${name}=4711` })).not.toContain("4711");
    },
  );

  it.each([
    [{ testEndpoint: "user" }, 'write "/user"'],
    [{ testEndpoint: "/user#me" }, "fragment"],
    [{ testEndpoint: "https://api.example.com/v1/user" }, "whole URL"],
    [{ testEndpoint: "/v1/user" }, 'write "/user" unless'],
    [{ baseUrl: "https://api.example.com/openapi.json" }, "ends with a file (openapi.json)"],
    [{ baseUrl: "https://api.example.com/index.html" }, "ends with a file (index.html)"],
    [{ baseUrl: "https://api.example.com/x?version=2" }, "has a query"],
    [{ baseUrl: "http://api.example.com" }, "plain http to api.example.com"],
    [{ baseUrl: "http://203.0.113.9:8080" }, "plain http to 203.0.113.9"],
    [
      { headerName: "X-Key" },
      '`api.headerName` has no effect: only "header" uses it, and `api.authType` is "bearer"',
    ],
    [{ queryParam: "key" }, "`api.queryParam` has no effect"],
    [{ authType: "basic" as const, queryParam: "key" }, "`api.queryParam` has no effect"],
    [
      { authType: "header" as const, headerName: "X-Key", authScheme: "Token" },
      "`api.authScheme` has no effect",
    ],
    [{ variables: { tenant: "x" } }, "`api.variables.tenant` has no effect"],
    [{ methods: ["GET" as const], bodyFormat: "form" as const }, "`api.bodyFormat` has no effect"],
    [
      { methods: ["GET" as const], idempotencyHeader: "Idempotency-Key" },
      "`api.idempotencyHeader` has no effect",
    ],
  ])("warns of %j", (api, warning) => {
    expect(lint(api)).toContain(warning);
  });

  it("warns of a name made from the host", () => {
    const source = {
      ...makeSource({ testEndpoint: "/user" }),
      name: "api.example.com",
      slug: "api_example_com",
    };
    expect(lintRecord(source).join()).toContain("`name` is missing, so the tool is called api_example_com");
  });
});
