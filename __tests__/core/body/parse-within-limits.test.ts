import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { writeJson } from "../../../src/core/base/exact-number.js";
import { mayBeChanged, parseJson } from "../../../src/core/base/parse-json.js";
import { scanJson } from "../../../src/core/base/scan-json.js";
import { parseWithinLimits } from "../../../src/core/body/parse-within-limits.js";
import { checkTreeSize, TooLargeError, treeLimits } from "../../../src/core/body/response-body.js";
import { jsonText } from "../../support/json-arbitrary.js";
import { runsOf } from "../../support/long-run.js";

/** The document, or the kind of the error. */
function judge(parse: () => ReturnType<typeof parseJson>): string {
  try {
    return writeJson(parse());
  } catch (error) {
    return error instanceof TooLargeError ? error.message : (error as Error).name;
  }
}

function parseByScan(text: string): ReturnType<typeof parseJson> {
  const scan = scanJson(text, treeLimits);
  checkTreeSize(scan);
  return parseJson(text, scan);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function expectSame(text: string): string {
  const judged = judge(() => parseWithinLimits(text));
  expect(judged).toBe(judge(() => parseByScan(text)));
  return judged;
}

/** Texts of numbers that lose digits, at any place of a text, and of strings that look like them. */
const long = fc.oneof(
  fc.stringMatching(/^-?[1-9][0-9]{13,18}$/),
  fc.stringMatching(/^-?[1-9]\.[0-9]{13,18}(e[+-]?[0-9]{1,4})?$/),
  fc.stringMatching(/^-?[1-9][eE][+-]?[0-9]{2,4}$/),
  fc.constantFrom("NaN", "-Infinity", "1e400", "-0", '"1234567890123456789"', '"a\\"b"', '"\\n"'),
);
const key = fc.constantFrom('"a"', '"a"', '"__proto__"', '"\\n"', '"\\u0061"', '"a\\\\"', '"}"');
const member = fc.tuple(key, fc.constantFrom("", " "), long).map(([name, space, value]) => {
  return `${name}${space}:${space}${value}`;
});
const hostile = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("x", "1", ".", "[", "é"), maxLength: 16 }),
    fc.array(
      fc.oneof(
        long,
        jsonText,
        fc.array(member).map((all) => `{${all.join()}}`),
      ),
    ),
    fc.constantFrom("]", "]", "]", "", "]]", ",]"),
  )
  .map(([padding, items, end]) => `[${[JSON.stringify(padding), ...items].join(",")}${end}`);

describe("a text that is parsed first", () => {
  it("has the document that it has after the scan of all of it, whatever it is", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expectSame(text);
        // A key with an escape is read wrong by some versions of Node.js alone.
        if (isJson(text) && scanJson(text).changed.length > 0)
          expect(mayBeChanged(text)).toBe(true);
      }),
      { numRuns: runsOf(5_000) },
    );
  });

  it("is refused for the same depth", () => {
    const level = fc.constantFrom(
      ["[", "]"],
      ["[1,", ',"]"]'],
      ['{"a":', ',"b":[{}]}'],
      ['[[],"{",', "]"],
    );
    const nested = fc.tuple(level, fc.integer({ min: 998, max: 1_002 }), fc.boolean());
    fc.assert(
      fc.property(nested, ([[start = "", end = ""], depth, isWhole]) => {
        const judged = expectSame(
          `${start.repeat(depth)}1${end.repeat(isWhole ? depth : depth - 1)}`,
        );
        expect(judged.startsWith("nested deeper")).toBe(judged.includes("1,000 levels"));
      }),
      { numRuns: runsOf(200) },
    );
    const [deep, broken] = [1_000, 1_001].map((depth) => "[".repeat(depth));
    expect(expectSame(`${deep}${"]".repeat(1_000)}`)).toContain("[");
    expect(expectSame(`[${deep}${"]".repeat(1_001)}`)).toBe("nested deeper than 1,000 levels");
    expect(expectSame(`${broken}`)).toBe("nested deeper than 1,000 levels");
  });

  it("is counted before it is built where it may be too large", () => {
    const lists = (count: number): string =>
      `[${Array(count - 1)
        .fill("[]")
        .join(",")}]`;
    expect(expectSame(lists(treeLimits.containers)).length).toBe(3 * treeLimits.containers - 2);
    expect(expectSame(lists(treeLimits.containers + 1))).toMatch(/more than 500,000 objects/);
    expect(expectSame(`[${"1,".repeat(treeLimits.values)}1]`)).toMatch(
      /more than 2,000,000 values/,
    );
    expect(expectSame("{".repeat(900_000))).toMatch(/deeper than/);
  });
});
