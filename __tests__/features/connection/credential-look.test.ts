import { describe, expect, it } from "@jest/globals";
import type { UsableCredential } from "../../../src/core/credentials/credential.js";
import type { CredentialFacts } from "../../../src/core/failure/facts.js";
import type { ApiSettings } from "../../../src/core/record/api-source.js";
import {
  listProblems,
  lookAtCredential,
} from "../../../src/features/connection/credential-look.js";
import { makeSource } from "../../support/api-source.js";

const nowMs = Date.UTC(2026, 0, 10);
const look = (
  credential: UsableCredential,
  api: Partial<ApiSettings> = {},
): Pick<CredentialFacts, "problem" | "expiry"> =>
  lookAtCredential(makeSource(api), credential, nowMs);
const token = "sk-canary-4f9a1c7be20d";
const toToken = (value: string): UsableCredential => ({ kind: "token", token: value });
const problems = (value: string, api: Partial<ApiSettings> = {}): string =>
  look(toToken(value), api).problem?.what ?? "";
const basicProblems = (username: string, password: string): string =>
  look({ kind: "basic", username, password }, { authType: "basic" }).problem?.what ?? "";

describe("the look of a credential", () => {
  it("finds none in what a credential may look like", () => {
    const good =
      "ghp_0123456789abcdefABCDEF a.b.c abc+/def== Zm9vYmFyMQ== MFRGGZDFMZTWQ2LK==== monkey: 0123456789 pk_live_xxyyzz";
    for (const value of [token, ...good.split(" ")]) {
      const query = problems(value, { authType: "query", queryParam: "key" });
      expect([value, problems(value), query, basicProblems("someone", value)]).toEqual([
        value,
        "",
        "",
        "",
      ]);
    }
  });

  it.each([
    [`"${token}"`, "begins or ends with a quotation mark"],
    [`\u201c${token}\u201d`, "begins or ends with a quotation mark"],
    [` ${token}`, "begins or ends with a space"],
    [`${token}\r\n`, "holds a line break"],
    [`Bearer ${token}`, "begins with `Bearer `, beside what the record adds"],
    [`bearer: ${token}`, "begins with `bearer: `"],
    [`Token ${token}`, "begins with `Token `"],
    [`Authorization: Bearer ${token}`, "begins with `Authorization: Bearer `"],
  ])("finds in %j that it %s, and redacts what was meant", (value, what) => {
    expect(problems(value)).toContain(what);
    expect(listProblems(makeSource(), toToken(value)).map(({ meant }) => meant)).toContain(token);
    expect(JSON.stringify(look(toToken(value)))).not.toContain(token);
  });

  it("finds a placeholder in the place of a credential", () => {
    const words =
      "YOUR_API_KEY <your-api-key> xxx changeme [REDACTED] sk_test_your_api_key_here undefined";
    const names = "${SHOP_TOKEN} %SHOP_TOKEN% process.env.SHOP_TOKEN sk-12345... sk-****1234";
    for (const value of [...words.split(" "), ...names.split(" "), "{{ shop.token }}"])
      expect([value, problems(value)]).toEqual([value, expect.stringContaining("placeholder")]);
  });

  it("knows what a raw Authorization header takes", () => {
    const inHeader = (headerName: string): Partial<ApiSettings> => ({
      authType: "header",
      headerName,
    });
    expect(problems(`Token ${token}`, { authScheme: "" })).toBe("");
    expect(problems(`Bearer ${token}`, inHeader("authorization"))).toBe("");
    expect(problems(`Bearer ${token}`, inHeader("X-Key"))).toBe("begins with `Bearer `");
  });

  it("names the part of a pair", () => {
    const encoded = Buffer.from("someone:secret").toString("base64");
    expect(basicProblems(encoded, "")).toBe("is in base64 already (the username)");
    expect(basicProblems("someone", `Basic ${encoded}`)).toBe(
      "is in base64 already (the password)",
    );
    expect(basicProblems(`someone:${token}`, "")).toBe("has a colon (the username)");
    expect(basicProblems("someone", '"secret"')).toBe(
      "begins or ends with a quotation mark (the password)",
    );
  });
});

describe("the expiry of a token", () => {
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const expiry = (claims: unknown): string | undefined =>
    look(toToken(`${encode({ alg: "none" })}.${encode(claims)}.sig`)).expiry;

  it("is reported for a JWT that has expired", () => {
    const exp = Date.UTC(2026, 0, 7) / 1000;
    expect(expiry({ exp })).toBe("is a JWT that expired at 2026-01-07T00:00:00Z");
  });

  it("is not reported without an expiry in the claims, nor for text that is not a JWT", () => {
    for (const claims of [
      { exp: "1" },
      { exp: -1 },
      { exp: 1e300 },
      {},
      [],
      null,
      "x",
      { exp: nowMs },
    ])
      expect(expiry(claims)).toBeUndefined();
    for (const value of ["", "a.b", "a.b.c", "..", `${encode({})}.!.x`, "x".repeat(50_000)])
      expect(look(toToken(value)).expiry).toBeUndefined();
  });
});
