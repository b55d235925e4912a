import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { JsonValue } from "../../../src/core/base/exact-number.js";
import { parseJson } from "../../../src/core/base/parse-json.js";
import { writeLines } from "../../../src/extras/inspector/write-lines.js";

/** Letters alone: a text is then never like the brackets around it. */
const word = fc.stringMatching(/^[a-z]{0,6}$/);
const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    ...[word, fc.integer(), fc.boolean(), fc.constant(null)],
    fc.array(tie("tree"), { maxLength: 5 }),
    fc.dictionary(word, tie("tree"), { maxKeys: 5 }),
  ),
}));

/** A part of a document: each list to some length, each object without some members. */
function takePart(value: JsonValue, random: () => number): JsonValue {
  if (Array.isArray(value))
    return value.slice(0, random() * (value.length + 1)).map((each) => takePart(each, random));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(() => random() > 0.4);
  return Object.fromEntries(members.map(([key, each]) => [key, takePart(each, random)]));
}

/** Of lines where some are missing. */
const readLines = (lines: readonly string[]): unknown =>
  JSON.parse(lines.join("\n").replace(/,(?=\s*[\]}])/g, ""));

describe("writeLines", () => {
  it("writes the whole document, and marks as shown what makes up the part that was seen", () => {
    fc.assert(
      fc.property(
        tree,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (value, numbers) => {
          const view = takePart(value, () => numbers.next().value);
          const { lines, total, omitted, isMarked } = writeLines(value, view);
          expect(isMarked).toBe(true);
          expect(readLines(lines.map(([text]) => text))).toEqual(value);
          const shown = lines.filter(([, mark]) => mark === "shown").map(([text]) => text);
          expect(readLines(shown)).toEqual(view);
          expect([total, omitted]).toEqual([lines.length, lines.length - shown.length]);
        },
      ),
      { seed: 20261123 },
    );
  });

  it("keeps the digits of numbers, and marks a text that was seen in part", () => {
    const whole = parseJson(
      '{"price":19.95,"note":"Ring twice, please.","id":12345678901234567890}',
    );
    const view = parseJson('{"price":19.95,"note":"Ring…"}');
    expect(writeLines(whole, view).lines).toEqual([
      ["{", "shown"],
      ['  "price": 19.95,', "shown"],
      ['  "note": "Ring twice, please.",', "part"],
      ['  "id": 12345678901234567890', "omitted"],
      ["}", "shown"],
    ]);
  });

  it("is bounded in lines, in the length of a line, and in depth", () => {
    const rows = Array.from({ length: 30_000 }, () => 1);
    const many = writeLines(rows, [1]);
    expect([many.lines.length, many.total, many.omitted]).toEqual([5_000, 30_002, 29_999]);
    const [[long = ""] = []] = writeLines("x".repeat(5_000)).lines;
    expect(long).toMatch(/^"x{1999}… \(3002 more characters\)$/);
    const nest = (): JsonValue => {
      let deep: JsonValue = 1;
      for (let level = 0; level < 50_000; level += 1) deep = [deep];
      return deep;
    };
    const deep = nest();
    expect(writeLines(deep).total).toBe(201);
    expect(writeLines(deep, nest()).isMarked).toBe(true);
  });
});

describe("what the model saw", () => {
  it.each([
    ["another value", { a: 1 }, { a: 2 }],
    ["a member that is not there", { b: 1 }, { a: 1 }],
    ["a text without a mark that is shorter", "Ring", "Ring twice"],
    ["a text of a table", "a,b", [{ a: 1, b: 2 }]],
  ])("marks nothing where it is %s", (_what, view, whole) => {
    expect(writeLines(whole, view)).toEqual(writeLines(whole));
  });
});
