import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { salvageBrokenJson } from "../../../src/core/base/salvage-json.js";
import { writeJson } from "../../../src/core/base/write-json.js";
import { jsonText } from "../../support/json-arbitrary.js";
import { leavesOf } from "../../support/json-tokens.js";
import { runsOf } from "../../support/long-run.js";

function salvaged(prefix: string): string | undefined {
  const document = salvageBrokenJson(prefix)?.document;
  return document === undefined ? undefined : writeJson(document);
}

describe("salvageBrokenJson: truncated text", () => {
  it("makes of every prefix of any document a valid one whose leaves are all in the original", () => {
    fc.assert(
      fc.property(
        jsonText.filter((text) => /^[[{]/.test(text) && text.length < 200),
        (text) => {
          const leaves = new Set(leavesOf(text));
          for (let length = 1; length <= text.length; length += 1) {
            const result = salvaged(text.slice(0, length)) ?? "missing";
            // Only a string that is most of the text is kept in part.
            const isCutString = (leaf: string): boolean => leaf.endsWith('…"');
            expect(leavesOf(result).filter((leaf) => !leaves.has(leaf) && !isCutString(leaf))).toEqual([]);
          }
        },
      ),
      { numRuns: runsOf(150) },
    );
  });

  it.each([
    ['{"items":[{"a":1,"b":2},{"a":3,"b":4},{"a":5', '{"items":[{"a":1,"b":2},{"a":3,"b":4}]}'],
    ['{"items":[{"a":1,"b":2', '{"items":[{"a":1}]}'],
    ['{"items":[{"a":1,"b":2,', '{"items":[{"a":1,"b":2}]}'],
    ["[1.0,2.0,3", "[1.0,2.0]"],
    ['{"a":1,"b":tru', '{"a":1}'],
    ['{"a":1,"b"', '{"a":1}'],
    ['{"a":1,"b":"unfinished', '{"a":1}'],
    ["[", "[]"],
    [
      '[{"page":1},[{"id":1,"n":"ab"},{"id":2,"n":"cd"},{"id":3,"n":"ef"},{"id":4',
      '[{"page":1},[{"id":1,"n":"ab"},{"id":2,"n":"cd"},{"id":3,"n":"ef"}]]',
    ],
  ])("makes %s whole", (prefix, whole) => {
    expect(salvaged(prefix)).toBe(whole);
  });

  it.each([
    ["", ""],
    ["\\u00", ""],
    ["\\ud83d", ""],
    ["\\\\ud83d", "\\\\ud83d"],
    ["\\\\", "\\\\"],
    ["\\", ""],
  ])("keeps a string that is most of the text up to %j at its end", (end, kept) => {
    const start = '{"log":"a long text that is most of what arrived';
    expect(salvaged(start + end)).toBe(`${start}${kept}…"}`);
  });

  it.each(["", "  ", '"text', "12", "tru", "<html>", "}", "hello"])("has nothing to make of %j", (prefix) => {
    expect(salvageBrokenJson(prefix)).toBeUndefined();
  });

  it("reads 100,000 open levels", () => {
    expect(salvaged("[".repeat(100_000))).toBe("[".repeat(100_000) + "]".repeat(100_000));
  });
});

describe("salvageBrokenJson", () => {
  it.each([
    ['{"a":1,,"b":2}', '{"a":1}', 7],
    ["[1,2}", "[1,2]", 4],
    ['{"a":1} rest', '{"a":1}', 8],
    ['{"a":01}', "{}", 5],
    ['[1,"\\x",2]', "[1]", 4],
    ['{"a" 1}', "{}", 5],
  ])("keeps the part before the error in %s", (text, kept, stop) => {
    const result = salvageBrokenJson(text);
    expect(JSON.stringify(result?.document)).toBe(kept);
    expect(result).toMatchObject({ stop, complete: false });
  });

  it.each([
    ['{"a":NaN,"b":-Infinity,"c":1.50}', '{"a":"NaN","b":"-Infinity","c":1.50}'],
    ['{"a":[1,2,],}', '{"a":[1,2]}'],
    ['{"a":"x\ny\tz"}', '{"a":"x\\ny\\tz"}'],
  ])("repairs %j", (text, whole) => {
    const result = salvageBrokenJson(text);
    expect(result?.complete).toBe(true);
    expect(result && writeJson(result.document)).toBe(whole);
  });

  it("never throws, whatever the text", () => {
    const piece = fc.constantFrom(...'{ } [ ] , : "a" " 1.0 - NaN tru null \\ \n e5 \u0080'.split(" "));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        expect(() => salvageBrokenJson(pieces.join(""))).not.toThrow();
      }),
      { numRuns: runsOf(3000) },
    );
  });
});
