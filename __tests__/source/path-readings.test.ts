import { describe, expect, it } from "@jest/globals";
import { hasDotSegment } from "../../src/source/path-readings.js";

describe("hasDotSegment", () => {
  it.each([
    ...[
      "..",
      ".",
      "a/../b",
      "./a",
      "..\\a",
      "%2e%2e",
      ".%2E",
      "%252e%252e",
      "..%2fa",
      "..%5ca",
      "..;x",
      "..%3bx/y",
    ],
    ...[
      "．．",
      "‥",
      "。。",
      "..%00",
      ".\t.",
      "%c0%ae%c0%ae",
      "%E0%80%ae",
      " .. ",
      "%25252525252525252525252e",
    ],
  ])("finds one in %j", (text) => {
    expect(hasDotSegment(text)).toBe(true);
  });

  it.each([
    "",
    "a",
    "a..b",
    "...",
    ".github",
    "a.",
    "..a",
    "%2Fa",
    "100%25",
    "%zz",
    "a;..",
    "Größe",
    "a%2Fb",
    ".a/b.",
  ])("finds none in %j", (text) => {
    expect(hasDotSegment(text)).toBe(false);
  });
});
