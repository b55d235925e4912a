import { describe, expect, it } from "@jest/globals";
import { hasSecretName } from "../../../src/core/base/secret-name.js";

describe("the name of a credential", () => {
  it.each([
    ...[
      "api_key",
      "apiKey",
      "X-API-Key",
      "apikeyid",
      "key",
      "access_token",
      "authToken",
      "authcode",
      "Authorization",
    ],
    ...[
      "client_secret",
      "secretkey",
      "user_password",
      "passwd",
      "pwd",
      "sig",
      "X-Signature",
      "sessionid",
      "app_id",
    ],
  ])("is recognized in %j", (name) => {
    expect(hasSecretName(name, "query")).toBe(true);
  });

  it.each([
    "author",
    "authority",
    "page_token",
    "nextToken",
    "sort_key",
    "user_id",
    "monkey",
    "signal",
    "tokens_used",
  ])("is not recognized in %j", (name) => {
    expect(hasSecretName(name, "query")).toBe(false);
  });
});
