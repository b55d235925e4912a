import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { locateJsonError } from "../../src/source/locate-json-error.js";

describe("locateJsonError", () => {
  it.each([
    ['{"a":1,}', 1, 8, "the comma before it is one too many"],
    ['{\n  "a": [1,\n  ]\n}', 3, 3, "the comma before it is one too many"],
    ['{\r\n  "a" 1\r\n}', 2, 7, "`:` is expected here"],
    ['{"a":1 "b":2}', 1, 8, "a comma is missing"],
    ["{'a':1}", 1, 2, "texts stand in double quotes"],
    ["{a:1}", 1, 2, "a key in double quotes or `}` is expected here"],
    ['{"a":1} // x', 1, 9, "comments are not allowed in JSON"],
    ['{/* x */"a":1}', 1, 2, "comments are not allowed in JSON"],
    ['{"a":"b\nc"}', 1, 6, "a text is not closed, or holds a wrong escape or a line break"],
    ['{"a":"C:\\path"}', 1, 6, "a text is not closed, or holds a wrong escape or a line break"],
    ['{"a":tru}', 1, 6, "a value is expected here"],
    ['{"a":01}', 1, 6, "a value is expected here"],
    ['{"a":1', 1, 7, "the text ends too early"],
    ["[1]]", 1, 4, "the end of the file is expected here"],
    ["", 1, 1, "the file is empty"],
    [" \n ", 2, 2, "the file is empty"],
  ])("finds in %j line %i, column %i: %s", (text, line, column, message) => {
    expect(locateJsonError(text)).toEqual({ line, column, message });
  });

  it("finds an error exactly where `JSON.parse` does", () => {
    const json = fc.json({ maxDepth: 4 });
    const piece = fc.constantFrom(
      ..."{}[],:\"\\/'-+.eE0123 \n\tantrufls\u0001",
      "true",
      '"a"',
      "1e5",
      "\\u00e9",
    );
    const broken = fc.tuple(json, fc.nat(), fc.nat(3), piece).map(([text, at, length, inserted]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + length);
    });
    fc.assert(
      fc.property(
        fc.oneof(
          broken,
          fc.array(piece).map((pieces) => pieces.join("")),
        ),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          expect(locateJsonError(text) === undefined).toBe(isJson);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("reads 200,000 levels and a text of a million characters", () => {
    expect(locateJsonError("[".repeat(200_000))?.column).toBe(200_001);
    expect(locateJsonError(`["${"a".repeat(1_000_000)}\n"]`)?.column).toBe(2);
  });
});
