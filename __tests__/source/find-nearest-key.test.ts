import { describe, expect, it } from "@jest/globals";
import { findNearestKey } from "../../src/source/find-nearest-key.js";

const known = ["baseUrl", "authType", "ca", "key", "name", "paths", "headers", "headerName"];

describe("findNearestKey", () => {
  it.each([
    ["BASE-URL", "baseUrl"],
    ["bsaeUrl", "baseUrl"],
    ["baseUlr", "baseUrl"],
    ["abseUrll", "baseUrl"],
    ["CA", "ca"],
    ["nmae", "name"],
    ["path", "paths"],
    ["headrs", "headers"],
    ["headername_", "headerName"],
  ])("takes %s for %s", (key, nearest) => {
    expect(findNearestKey(key, known, "")).toBe(nearest);
  });

  it.each([
    "cat",
    "keys",
    "note",
    "frame",
    "pat",
    "leaders2x",
    "constructor",
    "__proto__",
    "x".repeat(1_000_000),
  ])("takes %.20s for no other key", (key) => {
    expect(findNearestKey(key, known, "api")).toBeUndefined();
  });
});
