import { describe, expect, it } from "@jest/globals";
import { search } from "@jmespath-community/jmespath";
import fc from "fast-check";
import { nameField, nameKey, nameRows, nameWithin, quoteText } from "../../src/view/name-path.js";

const list = { isMap: false, holdsArrays: false };

describe("name-path", () => {
  it.each([
    [nameField("@", "items"), "items"],
    [nameField("items[]", "body"), "items[].body"],
    [nameField("@", "odd key"), '"odd key"'],
    [nameField("a", 'say "x"\n'), 'a."say \\"x\\"\\n"'],
    [nameField("a", "let"), 'a."let"'],
    [nameRows("@", list), "[]"],
    [nameRows("items", list), "items[]"],
    [nameRows("items", { isMap: false, holdsArrays: true }), "items[*]"],
    [nameRows("@", { isMap: true, holdsArrays: false }), "*"],
    [nameRows("m", { isMap: true, holdsArrays: false }), "m.*"],
    [nameWithin("@", "0:3"), "[0:3]"],
    [nameWithin("items", "?a==`1`"), "items[?a==`1`]"],
  ])("writes %s", (written, expected) => {
    expect(written).toBe(expected);
  });

  it("names any key so that a query finds it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (key) => {
        expect(search(Object.fromEntries([[key, 7]]), nameKey(key))).toBe(7);
      }),
    );
  });

  it("quotes any text so that a query compares with it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(search({ a: [{ b: text }] }, `a[?b==${quoteText(text)}] | length(@)`)).toBe(1);
      }),
    );
  });
});
