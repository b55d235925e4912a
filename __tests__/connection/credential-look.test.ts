import { describe, expect, it } from "@jest/globals";
import { readCredentialFacts } from "../../src/connection/credential-look.js";
import type { UsableCredential } from "../../src/credentials/credential.js";
import type { CredentialFacts } from "../../src/diagnosis/facts.js";
import type { ApiSettings } from "../../src/source/api-source.js";
import { makeSource } from "../support/api-source.js";

const nowMs = Date.UTC(2026, 0, 10);
const look = (credential: UsableCredential, api: Partial<ApiSettings> = {}): CredentialFacts => {
  const origin = { variables: ["SHOP_TOKEN"], candidates: ["SHOP_TOKEN"], isFromEnvironment: true };
  return readCredentialFacts(makeSource(api), credential, origin, nowMs);
};
const token = "sk-canary-4f9a1c7be20d";
const flaws = (value: string, api: Partial<ApiSettings> = {}): string => {
  return look({ kind: "token", token: value }, api).flaw?.what ?? "";
};
const basicFlaws = (username: string, password: string): string =>
  look({ kind: "basic", username, password }, { authType: "basic" }).flaw?.what ?? "";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("the look of a credential", () => {
  it.each([
    token,
    "ghp_0123456789abcdefABCDEF",
    "AIzaSyA-b_c",
    "a.b.c",
    "abc+/def==",
    "0123456789",
    "pk_live_xxyyzz",
    "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
  ])("finds none in %s", (value) => {
    expect(flaws(value)).toBe("");
    expect(flaws(value, { authType: "query", queryParam: "key" })).toBe("");
    expect(basicFlaws("someone", value)).toBe("");
  });

  it.each([
    [`"${token}"`, "begins or ends with a quotation mark"],
    [`'${token}'`, "begins or ends with a quotation mark"],
    [`\u201c${token}\u201d`, "begins or ends with a quotation mark"],
    [`${token}"`, "begins or ends with a quotation mark"],
    [` ${token}`, "begins or ends with a space"],
    [`${token}\t`, "begins or ends with a space"],
    [`${token}\r\n`, "holds a line break"],
    [`${token}\u200b`, "holds an invisible character"],
    [`${token.slice(0, 5)} ${token.slice(5)}`, "holds a space inside"],
    [`Bearer ${token}`, "begins with `Bearer `, which the record adds too"],
    [`bearer: ${token}`, "begins with `bearer `"],
    [`Token ${token}`, "begins with `Token `"],
    [`Basic ${token}`, "begins with `Basic `"],
    [`Authorization: Bearer ${token}`, "begins with `Authorization:`, the name of a header"],
    [`X-Api-Key: ${token}`, "begins with `X-Api-Key:`, the name of a header"],
    [`SHOP_TOKEN=${token}`, "begins with the name of a variable"],
    [base64(`someone:${token}`), "looks like a username and a password in base64"],
    ["YOUR_API_KEY", "placeholder"],
    ["<token>", "placeholder"],
    ["<your-api-key>", "placeholder"],
    ["xxx", "placeholder"],
    ["xxxxxxxxxxxx", "placeholder"],
    ["changeme", "placeholder"],
    ["[REDACTED]", "placeholder"],
    ["sk_test_your_api_key_here", "placeholder"],
    ["undefined", "placeholder"],
    ["${SHOP_TOKEN}", "name of a variable"],
    ["$SHOP_TOKEN", "name of a variable"],
    ["%SHOP_TOKEN%", "name of a variable"],
    ["{{ shop.token }}", "name of a variable"],
    ["process.env.SHOP_TOKEN", "name of a variable"],
    ["sk-12345...", "shortened display"],
    ["sk-****1234", "shortened display"],
  ])("finds in %j that it %s", (value, what) => {
    expect(flaws(value)).toContain(what);
  });

  it("takes two hexadecimal numbers in base64 for a token", () => {
    expect(flaws(base64(`${"0f".repeat(16)}:${"a1".repeat(16)}`))).toBe("");
  });

  it("knows what a raw Authorization header takes", () => {
    expect(flaws(`Token ${token}`, { authScheme: "" })).toBe("");
    expect(flaws(`Bearer ${token}`, { authType: "header", headerName: "authorization" })).toBe("");
    expect(flaws(`Bearer ${token}`, { authType: "header", headerName: "X-Key" })).toContain(
      "begins with `Bearer `",
    );
  });

  it("finds what belongs to the query", () => {
    const query = { authType: "query" as const, queryParam: "key" };
    expect(flaws(`key=${token}`, query)).toContain("begins with `key=`");
    expect(flaws("abc%2Bdef", query)).toContain("percent-encoded already");
  });

  it.each([
    [base64("someone:secret"), "", "is in base64 already (the username)"],
    ["someone", base64("someone:secret"), "is in base64 already (the password)"],
    [`Basic ${base64("someone:secret")}`, "", "is in base64 already (the username)"],
    ["someone", '"secret"', "begins or ends with a quotation mark (the password)"],
    ["someone ", "secret", "begins or ends with a space (the username)"],
  ])("finds in the pair %j, %j that it %s", (username, password, what) => {
    expect(basicFlaws(username, password)).toContain(what);
  });

  it("never shows the value", () => {
    for (const value of [
      `"Bearer ${token}"`,
      ` ${token}`,
      `SHOP_TOKEN=${token}`,
      `${token.slice(0, 9)}...`,
    ]) {
      expect(JSON.stringify(look({ kind: "token", token: value }))).not.toContain(token.slice(0, 9));
    }
  });
});

describe("the expiry of a token", () => {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jwt = (claims: unknown): string => `${encode({ alg: "none" })}.${encode(claims)}.c2ln`;
  const readTokenExpiry = (text: string): string | undefined => look({ kind: "token", token: text }).expiry;

  it.each([
    [
      { exp: nowMs / 1_000 - 86_400 * 3 },
      "is a JWT that expired at 2026-01-07T00:00:00Z, 259200 seconds (about 3 days) ago",
    ],
    [
      { exp: nowMs / 1_000 - 3_600 },
      "is a JWT that expired at 2026-01-09T23:00:00Z, 3600 seconds (about 60 minutes) ago",
    ],
    [{ exp: nowMs / 1_000 }, "is a JWT that expired at 2026-01-10T00:00:00Z, 0 seconds ago"],
    [{ nbf: nowMs / 1_000 + 60 }, "is a JWT that is not valid before 2026-01-10T00:01:00Z"],
  ])("reads %j", (claims, text) => {
    expect(readTokenExpiry(jwt(claims))).toBe(text);
  });

  it.each([
    jwt({ exp: nowMs / 1_000 + 1 }),
    jwt({}),
    jwt([]),
    jwt({ exp: "1" }),
    jwt({ exp: 1e300 }),
    "a.b.c",
    "x",
    `${"a".repeat(30_000)}.b.c`,
  ])("says nothing of what is valid or no JWT", (text) => {
    expect(readTokenExpiry(text)).toBeUndefined();
  });
});
