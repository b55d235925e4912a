import { describe, expect, it } from "@jest/globals";
import { findPatternFlaw } from "../../src/source/find-pattern-flaw.js";

describe("findPatternFlaw", () => {
  it.each([
    "/",
    "/**",
    "/a",
    "/a/",
    "/a/*/b",
    "/**/comments",
    "/users/*/repos/**",
    "/a%20b",
    "/Users('a')/$metadata",
  ])("accepts %s", (pattern) => {
    expect(findPatternFlaw(pattern)).toBeUndefined();
  });

  it.each([
    ["", "begin with"],
    ["a/b", "begin with"],
    ["**", "begin with"],
    ["https://api.example.com/a", "begin with"],
    ["/a*", "part of a segment"],
    ["/*.json", "part of a segment"],
    ["/a/***", "part of a segment"],
    ["/a?b=c", "which no path has"],
    ["/a#b", "which no path has"],
    ["/a b", "which no path has"],
    ["/a\\b", "which no path has"],
    ["/users/{id}", "brace"],
    ["/a/../b", "segment"],
    ["/a/%2e%2e/b", "segment"],
  ])("refuses %j: %s", (pattern, message) => {
    expect(findPatternFlaw(pattern)?.message).toContain(message);
  });
});
