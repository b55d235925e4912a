import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { writeJson } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { closeTruncatedJson } from "../../../src/core/body/read-json-text.js";
import { jsonText } from "../../support/json-arbitrary.js";
import { leavesOf } from "../../support/json-tokens.js";
import { runsOf } from "../../support/long-run.js";

describe("closeTruncatedJson", () => {
  it("makes of every beginning of any document a valid one whose leaves are all in the original, or nothing", () => {
    fc.assert(
      fc.property(
        jsonText.filter((text) => /^[[{]/.test(text) && text.length < 200),
        (text) => {
          const leaves = new Set(leavesOf(text));
          for (let length = 1; length < text.length; length += 1) {
            const closed = closeTruncatedJson(text.slice(0, length)) ?? "[]";
            const kept = leavesOf(writeJson(parseJson(closed)));
            expect(kept.filter((leaf) => !leaves.has(leaf))).toEqual([]);
          }
        },
      ),
      { numRuns: runsOf(150) },
    );
  });

  it.each([
    ['{"items":[{"a":1,"b":2},{"a":3,"b":4},{"a":5', '{"items":[{"a":1,"b":2},{"a":3,"b":4}]}'],
    ['{"items":[{"a":1,"b":2', '{"items":[{"a":1}]}'],
    ['{"items":[{"a":1},{"a":[1,2,', '{"items":[{"a":1}]}'],
    ["[1.5,2.5,3", "[1.5,2.5]"],
    ['{"abc":1234,"b":tru', '{"abc":1234}'],
    ['{"a":{"b":[1]},"c"', '{"a":{"b":[1]}}'],
    [
      '[{"page":1},[{"id":1,"n":"ab"},{"id":2,"n":"cd"},{"id":3,"n":"ef"},{"id":4',
      '[{"page":1},[{"id":1,"n":"ab"},{"id":2,"n":"cd"},{"id":3,"n":"ef"}]]',
    ],
  ])("closes %s behind its last complete row", (text, closed) => {
    expect(closeTruncatedJson(text)).toBe(closed);
  });

  it.each([
    "",
    "12",
    "tru",
    "<html>",
    "}",
    '{"a":]',
    "[",
    '{"log":"long',
    '{"id":1,"log":"a long text that is most of it',
  ])("has nothing to make of %j", (text) => {
    expect(closeTruncatedJson(text)).toBeUndefined();
  });
});
