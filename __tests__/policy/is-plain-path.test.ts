import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { decodeStages } from "../../src/policy/decode-stages.js";
import { findPathDanger, foldPath } from "../../src/policy/find-path-danger.js";
import { findPlaceholder } from "../../src/policy/find-placeholder.js";
import { isPlainPath } from "../../src/policy/is-plain-path.js";

describe("isPlainPath", () => {
  it.each(["/a", "/v1.0/users", "/a/b/", "/report.json", "/.well-known/x", "/...", "/a..b/~c_d-e", "/a../b"])(
    "holds for %s",
    (path) => {
      expect(isPlainPath(path)).toBe(true);
    },
  );

  it.each([
    "",
    "/",
    "a",
    "//a",
    "/a//b",
    "/.",
    "/..",
    "/./a",
    "/a/..",
    "/a/../b",
    "/a/%2e",
    "/a b",
    "/a+b",
    "/é",
    "/a?b",
    "/a#b",
    "/a;b",
    "/{id}",
    "/a\\b",
    "/a\n",
    "/a/..\n",
    "https://a/b",
  ])("does not hold for %j", (path) => {
    expect(isPlainPath(path)).toBe(false);
  });

  it("holds only for what all the rules find harmless and leave as it is", () => {
    const character = fc.constantFrom(..."/.%2e+;?#{}\\~_- aZ9ⅰ．\u200b\r\n");
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), (tail) => {
        const path = `/${tail}`;
        fc.pre(isPlainPath(path));
        expect(findPathDanger(path)).toBeUndefined();
        expect(decodeStages(path)).toEqual([path]);
        expect(foldPath(path)).toBe(path);
        expect(findPlaceholder(path)).toBeUndefined();
        expect(new URL(`https://a.test${path}`).href).toBe(`https://a.test${path}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no longer per character for a long path", () => {
    expect(isPlainPath(`${"/a.".repeat(1_000_000)}%`)).toBe(false);
  });
});
