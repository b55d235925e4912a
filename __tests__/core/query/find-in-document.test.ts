import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { JsonValue } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { findInDocument, readPart } from "../../../src/core/query/find-in-document.js";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";

function find(
  text: string,
  searched: string,
  options = {},
): { found: number; matches: { path: string; value: JsonValue }[] } {
  return findInDocument(parseJson(text), searched, options) as never;
}

describe("findInDocument", () => {
  const text =
    '{"items":[{"name":"Wool hat","price":19.9},{"name":"wool","odd key":"x","wool-type":null}],"n":"n"}';

  it.each([
    ["values, whatever their case", "WOOL", ["items[0].name", "items[1].name"]],
    ["numbers", "19.9", ["items[0].price"]],
    ["keys", "odd key", ['items[1]."odd key"']],
  ])("finds %s", (_what, searched, paths) => {
    expect(
      find(text, searched)
        .matches.map(({ path }) => path)
        .sort(),
    ).toEqual([...paths].sort());
  });

  it("gives one match for each row, with what identifies the row", () => {
    const { matches } = find(
      '{"data":{"riders":[{"id":20001,"name":"Oda","bike":{"model":"oda 2","sku":"s-1"}},{"tags":["oda"],"ref":"r-7"}]},"note":"oda"}',
      "oda",
    );
    expect(matches).toEqual([
      { path: "data.riders[0].name", value: "Oda", row: { path: "data.riders[0]", id: 20001 } },
      { path: "data.riders[1].tags[0]", value: "oda", row: { path: "data.riders[1]", ref: "r-7" } },
      { path: "note", value: "oda" },
    ]);
  });

  it("shows a part of the places, and counts all", () => {
    const list = JSON.stringify(Array.from({ length: 50 }, (_, index) => `hit ${index}`));
    const { found, matches } = find(list, "hit", { offset: 10, limit: 3 });
    expect(found).toBe(50);
    expect(matches.map(({ path }) => path)).toEqual(["[10]", "[11]", "[12]"]);
  });

  it("shows a long text around the place", () => {
    const { matches } = find(
      JSON.stringify({ a: `${"x".repeat(500)}needle${"y".repeat(500)}` }),
      "needle",
    );
    expect(matches[0]?.value).toMatch(/^…x{80}needley{74}…$/);
  });

  it("gives every line of a text with the offset at which it is read", () => {
    const text = "first\nsecond NEEDLE\nthird\nneedle again, needle";
    const { found, matches } = find(JSON.stringify(text), "needle");
    expect(found).toBe(2);
    expect(matches).toEqual([
      { offset: 6, value: "second NEEDLE" },
      { offset: 26, value: "needle again, needle" },
    ]);
    expect(readPart(text, { offset: 26 }).value).toBe("needle again, needle");
  });

  it("finds the place in a text in which a letter is longer in lower case", () => {
    const before = "\u0130 ".repeat(300);
    const { matches } = find(JSON.stringify(`${before}\n\u0130stanbul`), "istanbul");
    expect(matches).toEqual([{ offset: before.length + 1, value: "\u0130stanbul" }]);
    const [inRow] = find(JSON.stringify([`${before}needle${"y".repeat(100)}`]), "NEEDLE").matches;
    expect(inRow?.value).toMatch(/^…(?:\u0130 ){40}needley{74}…$/);
  });

  it("describes 1,000 places at most", () => {
    const record = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, at]));
    expect(findInDocument({ record }, "k", { limit: 1_500 })).toMatchObject({
      found: 1_500,
      shown: 1_000,
    });
  });

  it("searches at any depth", () => {
    const deep = `${"[".repeat(100_000)}"x"${"]".repeat(100_000)}`;
    expect(find(`{"a":${deep},"b":"x"}`, "x").matches).toEqual([{ path: "b", value: "x" }]);
  });

  it("gives paths at which the text occurs, for any document", async () => {
    const engine = await loadQueryEngine();
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }).filter((json) => !json.startsWith('"')),
        fc.constantFrom("a", "1", "e", '"', " "),
        (json, searched) => {
          const document = parseJson(json);
          for (const { path, value } of find(json, searched, { limit: 50 }).matches) {
            const { value: there } = engine.run(document, path);
            if (value !== "(the key)") expect(there).toEqual(value);
          }
        },
      ),
    );
  });
});

describe("readPart", () => {
  it.each([
    ["a list", "[1,2,3,4]", { offset: 1, limit: 2 }, [2, 3], 4, 3],
    ["a list to its end", "[1,2,3]", { offset: 1 }, [2, 3], 3, 3],
    ["a text", '"abcdef"', { offset: 2, limit: 2 }, "cd", 6, 4],
    ["an object", '{"a":1,"b":2,"c":3}', { offset: 1, limit: 1 }, { b: 2 }, 3, 2],
  ])("takes a part of %s", (_what, text, options, value, total, end) => {
    expect(readPart(parseJson(text), options)).toEqual({ value, total, end });
  });

  it("has the count when the offset is beyond the end", () => {
    expect(() => readPart([1, 2], { offset: 2 })).toThrow("there are 2 elements");
    expect(readPart([], { offset: 0 }).value).toEqual([]);
  });

  it.each(["1", "null", "true", "19.90"])("refuses %s, which has no parts", (text) => {
    expect(() => readPart(parseJson(text), { offset: 0 })).toThrow("a single value");
  });
});
