import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "../../src/secrets/create-redactor.js";
import { redactBytes } from "../../src/secrets/redact-bytes.js";
import { Secret } from "../../src/secrets/secret.js";

const redactor = createRedactor([new Secret("sécret-välue")]);

describe("redactBytes", () => {
  it("replaces a secret in UTF-8 and in Latin-1 and keeps every other byte", () => {
    for (const charset of ["utf8", "latin1"] as const) {
      const bytes = Buffer.concat([
        Buffer.from([0, 0xff, 0x80]),
        Buffer.from("sécret-välue", charset),
        Buffer.from([0xfe, 0]),
      ]);
      const expected = Buffer.concat([
        Buffer.from([0, 0xff, 0x80]),
        Buffer.from("[REDACTED]"),
        Buffer.from([0xfe, 0]),
      ]);
      expect(Buffer.compare(redactBytes(bytes, redactor), expected)).toBe(0);
    }
  });

  it("returns the same array when there is nothing to replace", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(redactBytes(bytes, redactor)).toBe(bytes);
  });
});
