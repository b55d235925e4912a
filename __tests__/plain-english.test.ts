import { describe, expect, it } from "@jest/globals";
import { findInText, findUnusualForms } from "./support/plain-english.js";

describe("code, pages and titles of tests", () => {
  it("have no unusual forms", () => {
    expect(findUnusualForms()).toEqual([]);
  });
});

describe("an unusual form", () => {
  it.each([
    "It is no number.",
    "Nobody knows.",
    "describeFlaw(value)",
    "the row stands first",
    "none that fits",
  ])("is found in %j", (text) => {
    expect(findInText("file.ts", text)).toHaveLength(1);
  });

  it.each(["There is no such path.", "It is no longer valid.", "describeProblem(value)", "understands"])(
    "is not found in %j",
    (text) => {
      expect(findInText("file.ts", text)).toEqual([]);
    },
  );
});
