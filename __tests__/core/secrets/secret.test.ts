import { inspect } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import {
  listBasicSecrets,
  listHeaderSecrets,
  redactedMarker,
  Secret,
} from "../../../src/core/secrets/secret.js";

const secret = new Secret("never-to-be-seen");

describe("Secret", () => {
  it("shows nothing but the marker, and has nothing to enumerate, copy or clone", () => {
    const shown = [
      `${secret}`,
      inspect(secret),
      inspect({ a: [secret] }, { depth: 9, showHidden: true }),
    ];
    for (const text of [...shown, JSON.stringify(secret)]) {
      expect(text).toContain(redactedMarker);
      expect(text).not.toContain("never");
    }
    expect(Reflect.ownKeys({ ...secret })).toEqual([]);
    expect(JSON.stringify(structuredClone(secret))).not.toContain("never");
  });
});

const reveal = (secrets: ReturnType<typeof listBasicSecrets>): string[] =>
  secrets.map((secret) => secret.reveal());

describe("listBasicSecrets", () => {
  it("gives the password, the pair and its base64, not the username", () => {
    expect(reveal(listBasicSecrets("jo", "pässword"))).toEqual([
      "pässword",
      "jo:pässword",
      "am86cMOkc3N3b3Jk",
    ]);
  });

  it("gives the username when the password is empty", () => {
    expect(reveal(listBasicSecrets("key-123456", ""))).toEqual([
      "key-123456",
      "key-123456:",
      "a2V5LTEyMzQ1Njo=",
    ]);
    expect(listBasicSecrets("", "")).toEqual([]);
  });

  it("hides a short password in the header that is sent and leaves the username", () => {
    const redactor = createRedactor(listBasicSecrets("operator", "kitty"));
    const sent = Buffer.from("operator:kitty").toString("base64");
    expect(redactor.redact(`operator Basic ${sent} operator:kitty`)).toBe(
      "operator Basic [REDACTED] [REDACTED]",
    );
  });
});

describe("listHeaderSecrets", () => {
  it("gives the token, and what is sent when the token is short", () => {
    expect(reveal(listHeaderSecrets("long-enough", "Bearer"))).toEqual(["long-enough"]);
    expect(reveal(listHeaderSecrets("abc12", "Splunk"))).toEqual(["abc12", "Splunk abc12"]);
    expect(reveal(listHeaderSecrets("abc12", ""))).toEqual(["abc12"]);
    expect(listHeaderSecrets(" ", "Bearer")).toEqual([]);
  });
});
