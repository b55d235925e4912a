import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { clipAtGrapheme, clipAtLine, findDistance } from "../../../src/core/base/text.js";

describe("clipAtGrapheme", () => {
  it.each([
    ["plain text", "abcdef", 3, "abc"],
    ["a text that is short enough", "abc", 3, "abc"],
    ["a pair of surrogates", "a😀b", 2, "a"],
    ["a flag", "a🇫🇷b", 3, "a"],
    ["a family", "x👨‍👩‍👧y", 5, "x"],
    ["a letter with a combining accent", "xe\u0301y", 2, "x"],
    ["a line break of two characters", "a\r\nb", 2, "a"],
    ["a Thai syllable", "กำ", 1, ""],
    ["a length below nothing", "abc", -4, ""],
  ])("never splits %s", (_name, text, length, clipped) => {
    expect(clipAtGrapheme(text, length)).toBe(clipped);
  });

  it("splits one endless character between its code points", () => {
    const clipped = clipAtGrapheme(`e${"\u0301".repeat(500)}`, 300);
    expect(clipped.length).toBeLessThanOrEqual(300);
    expect(clipAtGrapheme("\u{1F468}\u200d".repeat(200), 301).isWellFormed?.() ?? true).toBe(true);
  });
});

describe("clipAtLine", () => {
  it("prefers the end of a line that is near, and no line that is far", () => {
    expect(clipAtLine(`${"a".repeat(90)}\n${"b".repeat(90)}`, 100)).toBe(`${"a".repeat(90)}\n`);
    expect(clipAtLine(`a\n${"b".repeat(190)}`, 100)).toHaveLength(100);
  });
});

describe("findDistance", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });

  it("finds the same distance with a limit as without one, or a distance beyond the limit", () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(0, 1, 2, 2.7, 3), (left, right, most) => {
        const [exact, limited] = [findDistance(left, right), findDistance(left, right, most)];
        expect(limited <= most ? limited : "beyond").toBe(exact <= most ? exact : "beyond");
      }),
      { numRuns: 3_000 },
    );
  });

  it("counts a swap of two letters as one", () => {
    expect([findDistance("status", "sattus"), findDistance("abc", "cab"), findDistance("", "ab")]).toEqual([
      1, 2, 2,
    ]);
  });
});
