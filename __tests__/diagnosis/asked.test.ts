import { describe, expect, it } from "@jest/globals";
import { findAskedHeader, findMissingParameters, isCredentialHeader } from "../../src/diagnosis/asked.js";

describe("findAskedHeader", () => {
  it.each([
    ["Missing header X-Tenant", "X-Tenant"],
    ["X-Tenant header is required", "X-Tenant"],
    ["The 'X-Tenant-Id' header must be set.", "X-Tenant-Id"],
    ["Required request header 'X-Tenant-Id' for method parameter type String is not present", "X-Tenant-Id"],
    ["anthropic-version: header is required", "anthropic-version"],
    ["Notion-Version header failed validation: should be defined, instead was undefined.", "Notion-Version"],
    ["Please make sure your request has a User-Agent header", "User-Agent"],
    ["You must provide an Accept header", "Accept"],
    ['{"detail":[{"type":"missing","loc":["header","x-token-id"],"msg":"Field required"}]}', "x-token-id"],
    ["header.x-tenant: Field required", "x-tenant"],
    ["Missing Authorization header", "Authorization"],
    ["No x-api-key header provided", "x-api-key"],
    [
      "Access denied due to missing subscription key. Make sure to include subscription key in header Ocp-Apim-Subscription-Key.",
      "Ocp-Apim-Subscription-Key",
    ],
  ])("reads %j", (words, header) => {
    expect(findAskedHeader(words)).toBe(header);
  });

  it.each([
    "Bad credentials",
    "Not Found",
    "Validation failed: e-mail is required",
    "missing_scope",
    "invalid_auth",
    "The request header is too large",
    "Missing required header",
    "user-name must be set in the body",
    "Request failed with error-code 17",
    "The field created-at is required",
    "Content-Length header required",
    "Missing Retry-After header",
  ])("reads no header in %j", (words) => {
    expect(findAskedHeader(words)).toBeUndefined();
  });

  it("takes time that grows with the text, not with its square", () => {
    for (const piece of ["missing ", "header ", "a-b-", "required ", "X-", "(", "no no "]) {
      expect(findAskedHeader(piece.repeat(20_000).slice(0, 4_000))?.length ?? 0).toBeLessThan(300);
    }
    const started = performance.now();
    for (const piece of [
      "no ",
      "parameter ",
      "a, ",
      "a and ",
      "'a' ",
      "must provide ",
      "a.b",
      "a: ",
      "query ",
    ])
      findMissingParameters(`missing parameter ${piece.repeat(4_000).slice(0, 4_000)}`);
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe("isCredentialHeader", () => {
  it.each([
    "Authorization",
    "X-Api-Key",
    "x-api-key",
    "apikey",
    "api-key",
    "X-Auth-Token",
    "Ocp-Apim-Subscription-Key",
    "DD-APPLICATION-KEY",
    "X-Shop-Access-Token",
  ])("knows %s", (header) => {
    expect(isCredentialHeader(header)).toBe(true);
  });

  it.each([
    "X-Tenant",
    "Accept",
    "User-Agent",
    "Idempotency-Key",
    "X-CSRF-Token",
    "Notion-Version",
    "Client-Id",
  ])("lets %s be", (header) => {
    expect(isCredentialHeader(header)).toBe(false);
  });
});
