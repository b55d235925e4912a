import { describe, expect, it } from "@jest/globals";
import { clipAtGrapheme, clipAtLine } from "../src/text.js";

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
