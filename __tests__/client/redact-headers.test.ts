import { describe, expect, it } from "@jest/globals";
import { redactHeaders } from "../../src/client/redact-headers.js";
import { createRedactor } from "../../src/secrets/redactor.js";
import { Secret } from "../../src/secrets/secret.js";

const token = "tok_Zk29Lq81xvB7uTe";
const redactor = createRedactor([new Secret(token)]);

describe("redactHeaders", () => {
  it("gives back the very headers when they hold no secret", () => {
    const headers = { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] };
    expect(redactHeaders(headers, redactor)).toBe(headers);
  });

  it.each([
    ["a value", { date: "x", echo: `you sent ${token}` }, { date: "x", echo: "you sent [REDACTED]" }],
    ["one of several values", { echo: ["a", token] }, { echo: ["a", "[REDACTED]"] }],
    ["a name", { [`x-${token}`]: "a" }, { "x-[REDACTED]": "a" }],
  ])("takes a secret out of %s", (_where, headers, expected) => {
    const given = structuredClone(headers);
    expect(redactHeaders(given, redactor)).toEqual(expected);
    expect(given).toEqual(headers);
  });

  it("finds a short secret that is a whole value", () => {
    const short = createRedactor([new Secret("a1b2")]);
    expect(redactHeaders({ echo: "a1b2" }, short)).toEqual({ echo: "[REDACTED]" });
  });
});
