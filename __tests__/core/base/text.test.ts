import { describe, expect, it } from "@jest/globals";
import { clipAtCharacter, clipAtLine, findDistance } from "../../../src/core/base/text.js";

describe("clipAtCharacter", () => {
  it.each([
    ["abcdef", 3, "abc"],
    ["abc", 3, "abc"],
    ["a😀b", 2, "a"],
    ["a😀b", 3, "a😀"],
    ["abc", -4, ""],
  ])("never splits a pair of surrogates: %s at %d", (text, length, clipped) => {
    expect(clipAtCharacter(text, length)).toBe(clipped);
  });
});

describe("clipAtLine", () => {
  it("prefers the end of a line that is near, and no line that is far", () => {
    expect(clipAtLine(`${"a".repeat(90)}\n${"b".repeat(90)}`, 100)).toBe(`${"a".repeat(90)}\n`);
    expect(clipAtLine(`a\n${"b".repeat(190)}`, 100)).toHaveLength(100);
  });
});

describe("findDistance", () => {
  it("counts a swap of two letters as one", () => {
    expect([
      findDistance("status", "sattus"),
      findDistance("abc", "cab"),
      findDistance("", "ab"),
    ]).toEqual([1, 2, 2]);
  });
});
