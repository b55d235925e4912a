import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { redactedMarker, Secret } from "../../../src/core/secrets/secret.js";
import { characterEncoders, wholeEncoders } from "../../support/encode-everywhere.js";
import { runsOf } from "../../support/long-run.js";

type Encode = (secret: string) => string;

const encodersOf = (from: Readonly<Record<string, Encode>>, ...names: string[]): fc.Arbitrary<Encode> =>
  fc.constantFrom(...(names.length === 0 ? Object.values(from) : names.flatMap((name) => from[name] ?? [])));

/** One encoding each. */
const isNestable = ([name]: [string, Encode]): boolean => !/in json|twice|lines/.test(name);
const nestableCharacters = Object.fromEntries(Object.entries(characterEncoders).filter(isNestable));
const nestable = Object.fromEntries(
  Object.entries({ ...characterEncoders, ...wholeEncoders }).filter(isNestable),
);

/** One encoder, two of characters on top of each other, or one of the whole around or inside of one of characters. */
const encoder: fc.Arbitrary<Encode> = fc.oneof(
  fc.tuple(encodersOf(nestableCharacters), encodersOf(nestable)).map(
    ([outer, inner]): Encode =>
      (secret) =>
        outer(inner(secret)),
  ),
  fc
    .tuple(
      encodersOf(
        wholeEncoders,
        "base64",
        "base64url",
        "base64 after one byte",
        "base64 after two bytes",
        "hex",
      ),
      encodersOf(characterEncoders, "json", "URL component", "form"),
    )
    .map(
      ([outer, inner]): Encode =>
        (secret) =>
          outer(inner(secret)),
    ),
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
  .filter((secret) => [...secret.trim()].length >= 8 && !/^\d+$/.test(secret.trim()))
  // In two encodings at once, a backslash before the beginning of another escape can be read in two ways.
  .filter((secret) => !/\\[%&\\]/.test(secret))
  // One that is itself nearly nothing but escapes is looked for in its usual spellings only.
  .filter((secret) => secret.replace(/%[\da-f]{2}|[\\\s]|&#?\w+;|(["'])\1+/gi, "").length >= 8);

const redactorOf = (...values: string[]) => createRedactor(values.map((value) => new Secret(value)));

/** The first character is no hexadecimal digit: the last digit of an escape before it could be taken for it. */
const plainSecrets = fc
  .string({ unit: fc.constantFrom(..."abcdefgXYZ01289"), minLength: 12, maxLength: 30 })
  .map((text) => `k${text}`);

describe("a redactor", () => {
  it("leaves no secret in any nesting of two encodings, whatever is around it", () => {
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
          const text = some.map((secret, index) => `${texts[index] ?? ""}${encode(secret)}`).join("");
          const once = redactor.redact(text);
          expect(redactor.redact(once)).toBe(once);
        },
      ),
      { numRuns: runsOf(200) },
    );
  });

  it("keeps JSON valid, whichever piece of the document is the secret", () => {
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
          const redacted = redactorOf(text.slice(from, from + length)).redact(text);
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

  it("finds a secret divided by characters that do not show, and keeps the text around it", () => {
    const letter = fc.constantFrom(..."\u00ad\u034f\u200b\u200d\u2060\ufe0f\ufeff\u3164");
    const gap = fc.string({ unit: letter, maxLength: 3 });
    const around = fc.string({ unit: fc.constantFrom(..."äß日 .,"), maxLength: 5 });
    const whole = secrets.filter((secret) => /^[^\s\\].*[^\s\\]$/s.test(secret));
    const gaps = fc.array(gap, { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(whole, gaps, gap, around, (secret, each, last, text) => {
        const letters = [...secret];
        const divided = letters.map((one, at) => (at === 0 ? one : `${each[at]}${one}`)).join("");
        const redactor = createRedactor([new Secret(secret)]);
        const write = (middle: string): string => `${text}${last}#${last}${middle}${last}#${last}${text}`;
        expect(redactor.redact(write(divided))).toBe(write(redactedMarker));
      }),
      { numRuns: runsOf(300) },
    );
  });

  it("finds what a search finds that leaves out no stretch of the text", () => {
    const pieces = [
      ..."\u200b\ufe0f\u00ad❤é😀 \n\r\t\\%&;u\"'{}[]<>,\0\x7f",
      ..."\r\n|\n  |  \n\n|\\u00|%4|&amp|amp;|''|\"\"|\ud83d|❤\ufe0f|\u200b\u200b|,\n  |\n }".split("|"),
    ];
    const inserted = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...pieces)), { maxLength: 6 });
    const judged = fc.oneof(fc.stringMatching(/^[a-z0-9]{4,7}$/), fc.stringMatching(/^[0-9]{8,12}$/));
    const secret = fc.oneof(plainSecrets, secrets, judged);
    const same: Encode = (text) => text;
    fc.assert(
      fc.property(secret, fc.oneof(fc.constant(same), encoder), inserted, (value, encode, places) => {
        const text = places.reduce((mix, [place, piece]) => {
          const at = place % (mix.length + 1);
          return mix.slice(0, at) + piece + mix.slice(at);
        }, encode(value));
        // With a secret of such characters each text is searched as a whole, and again without what does not show.
        expect(redactorOf(value).redact(text)).toBe(redactorOf(value, "{ÿ}{ÿ}{ÿ}").redact(text));
      }),
      { numRuns: runsOf(2000), seed: 26 },
    );
  });
});
