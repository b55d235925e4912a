import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { redactedMarker, Secret } from "../../../src/core/secrets/secret.js";
import { characterEncoders, wholeEncoders } from "../../support/encode-everywhere.js";
import { runsOf } from "../../support/long-run.js";

type Encode = (secret: string) => string;

const encoder = fc.constantFrom<Encode>(
  ...Object.values({ ...characterEncoders, ...wholeEncoders }),
);

const secrets = fc
  .string({
    unit: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(..."abcXYZ0189-._~") },
      { weight: 2, arbitrary: fc.constantFrom(..."\"'\\/+= &<>%$[]{}:,@!#*") },
      { weight: 1, arbitrary: fc.constantFrom("é", "ß", "日", "本", "😀", "\n", "\t") },
    ),
    minLength: 8,
    maxLength: 40,
  })
  .filter((secret) => [...secret.trim()].length >= 8 && !/^\d+$/.test(secret.trim()));

const redactorOf = (...values: string[]) =>
  createRedactor(values.map((value) => new Secret(value)));

/** The first character is no hexadecimal digit: the last digit of an escape before it could be taken for it. */
const plainSecrets = fc
  .string({ unit: fc.constantFrom(..."abcdefgXYZ01289"), minLength: 12, maxLength: 30 })
  .map((text) => `k${text}`);

describe("a redactor", () => {
  it("leaves no secret in any encoding, whatever is around it", () => {
    fc.assert(
      fc.property(secrets, encoder, fc.string(), fc.string(), (secret, encode, before, after) => {
        const encoded = encode(secret);
        const redacted = redactorOf(secret).redact(`${before} ${encoded} ${after}`);
        expect(redacted).toContain(redactedMarker);
        expect(redacted).not.toContain(encoded);
      }),
      { numRuns: runsOf(600) },
    );
  });

  it("leaves a text as it is in which one character of the secret differs, in any encoding", () => {
    fc.assert(
      fc.property(plainSecrets, fc.nat(), encoder, (secret, place, encode) => {
        const at = place % secret.length;
        const near = `${secret.slice(0, at)}${secret.charAt(at) === "q" ? "r" : "q"}${secret.slice(at + 1)}`;
        const text = `(${encode(near)})`;
        expect(redactorOf(secret).redact(text)).toBe(text);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it("changes nothing more when it is applied again", () => {
    fc.assert(
      fc.property(
        fc.array(plainSecrets, { minLength: 1, maxLength: 4 }),
        fc.array(fc.string()),
        encoder,
        (some, texts, encode) => {
          const redactor = redactorOf(...some);
          const text = some
            .map((secret, index) => `${texts[index] ?? ""}${encode(secret)}`)
            .join("");
          const once = redactor.redact(text);
          expect(redactor.redact(once)).toBe(once);
        },
      ),
      { numRuns: runsOf(200) },
    );
  });

  it("keeps JSON valid, whichever piece of a string or a number is the secret", () => {
    const documents = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc
        .array(
          fc.record({
            id: fc.nat(),
            name: secrets,
            price: fc.float({ noNaN: true, noDefaultInfinity: true }),
          }),
        )
        .map((rows) => JSON.stringify(rows)),
    );
    fc.assert(
      fc.property(
        documents.filter((text) => /^[[{]/.test(text) && text.length > 12),
        fc.nat(),
        fc.integer({ min: 8, max: 24 }),
        (text, place, length) => {
          const from = place % (text.length - 8);
          const [piece = ""] = text.slice(from, from + length).match(/[^"{}[\]:,\s]{8,}/) ?? [];
          const redacted = redactorOf(piece).redact(text);
          expect(() => JSON.parse(redacted)).not.toThrow();
        },
      ),
      { numRuns: runsOf(600) },
    );
  });

  it("finds what a search for each secret alone finds", () => {
    const some = fc.array(
      fc.string({ unit: fc.constantFrom("a", "b", "Z", "9"), minLength: 8, maxLength: 12 }),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    const text = fc.string({ unit: fc.constantFrom("a", "b", "Z", "9", "-"), maxLength: 3000 });
    fc.assert(
      fc.property(some, text, fc.array(fc.nat(2999)), (secretTexts, filler, places) => {
        const values = secretTexts.filter((value) => !/^\d+$/.test(value));
        const mixed = places.reduce(
          (mix, place, index) =>
            mix.slice(0, place) + (values[index % values.length] ?? "") + mix.slice(place),
          filler,
        );
        const redacted = redactorOf(...values).redact(mixed);
        for (const value of values) expect(redacted).not.toContain(value);
        const hits = values.some((value) => mixed.includes(value));
        expect(redacted !== mixed).toBe(hits);
      }),
      { numRuns: runsOf(300) },
    );
  });
});
