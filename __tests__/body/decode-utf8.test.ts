/** Holds the fast ways of reading UTF-8 to what TextDecoder makes of the same bytes. */

import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { decodeUtf8 } from "../../src/body/decode-utf8.js";

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const ascii = "plain words, ".repeat(400);

describe("decodeUtf8", () => {
  it.each([
    ["nothing", ""],
    ["ASCII", ascii],
    ["Latin-1 after much ASCII", `${ascii}é${ascii}ÿ\u0080`],
    ["Latin-1 over the end of a piece", `${"a".repeat(16_383)}é${"b".repeat(16_382)}ü`],
    ["a wide character over the end of a piece", `é${"a".repeat(16_380)}\u{1f600}${"b".repeat(16_382)}日`],
    ["pieces of ASCII between others", `日${ascii.repeat(4)}é${ascii.repeat(4)}日`],
    ["one wide character at the very end", `${ascii}é${ascii}\u{1f600}`],
    ["the first character that is wide", `é${ascii}\u0100`],
    ["Japanese", "日本語 ".repeat(3000)],
    ["a byte order mark", `\ufeff${ascii}é`],
  ])("reads %s", (_what, text) => {
    expect(decodeUtf8(Buffer.from(text))).toBe(text);
  });

  it.each([
    ["hardly any", `${"words ".repeat(750_000)}日本`],
    ["many", "日本語 words, ".repeat(250_000)],
  ])("reads a text of more than 4 MB with %s wide characters", (_what, text) => {
    expect(decodeUtf8(Buffer.from(text)) === text).toBe(true);
  });

  it("replaces what is not valid as TextDecoder does", () => {
    const bytes = Buffer.concat([Buffer.from(`${ascii}é`), Buffer.from([0xc3, 0x28, 0xff, 0xe2, 0x82])]);
    expect(decodeUtf8(bytes)).toBe(decode(bytes));
  });

  it("reads any mix of any bytes and texts as TextDecoder does", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.constantFrom(ascii, "é", "ÿ", "Ā", "\u{1f600}").map((text) => Buffer.from(text)),
      fc.nat(20_000).map((length) => Buffer.alloc(length, "é".repeat(3))),
      fc.uint8Array({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect(decodeUtf8(bytes) === decode(bytes)).toBe(true);
      }),
    );
  });
});
