import { describe, expect, it } from "@jest/globals";
import { firstPathSegment } from "../../src/limits/first-path-segment.js";

describe("firstPathSegment", () => {
  it.each([
    ["/repos/a/b", "repos"],
    ["repos/a", "repos"],
    ["/repos?page=2", "repos"],
    ["/repos#top", "repos"],
    ["//repos", "repos"],
    ["/", ""],
    ["", ""],
    ["?q=1", ""],
  ])("of %p is %p", (path, segment) => {
    expect(firstPathSegment(path)).toBe(segment);
  });
});
