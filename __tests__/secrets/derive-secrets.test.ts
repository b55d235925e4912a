import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "../../src/secrets/create-redactor.js";
import { deriveBasicSecrets } from "../../src/secrets/derive-basic-secrets.js";
import { deriveHeaderSecrets } from "../../src/secrets/derive-header-secrets.js";

const reveal = (secrets: ReturnType<typeof deriveBasicSecrets>): string[] =>
  secrets.map((secret) => secret.reveal());

describe("deriveBasicSecrets", () => {
  it("gives the password, the pair and its base64, not the username", () => {
    expect(reveal(deriveBasicSecrets("jo", "pässword"))).toEqual([
      "pässword",
      "jo:pässword",
      "am86cMOkc3N3b3Jk",
    ]);
  });

  it("gives the username when the password is empty", () => {
    expect(reveal(deriveBasicSecrets("key-123456", ""))).toEqual([
      "key-123456",
      "key-123456:",
      "a2V5LTEyMzQ1Njo=",
    ]);
    expect(deriveBasicSecrets("", "")).toEqual([]);
  });

  it("hides a short password in the header that is sent and leaves the username", () => {
    const redactor = createRedactor(deriveBasicSecrets("operator", "kitty"));
    const sent = Buffer.from("operator:kitty").toString("base64");
    expect(redactor.redact(`operator Basic ${sent} operator:kitty`)).toBe(
      "operator Basic [REDACTED] [REDACTED]",
    );
  });
});

describe("deriveHeaderSecrets", () => {
  it("gives the token, and what is sent when the token is short", () => {
    expect(reveal(deriveHeaderSecrets("long-enough", "Bearer"))).toEqual(["long-enough"]);
    expect(reveal(deriveHeaderSecrets("abc12", "Splunk"))).toEqual(["abc12", "Splunk abc12"]);
    expect(reveal(deriveHeaderSecrets("abc12", ""))).toEqual(["abc12"]);
    expect(deriveHeaderSecrets(" ", "Bearer")).toEqual([]);
  });
});
