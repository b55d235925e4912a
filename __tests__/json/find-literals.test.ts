import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createLiteralFinder, type LiteralFinder, type Place } from "../../src/json/find-literals.js";
import { isNumberLiteral, type JsonValue, toLiteral } from "../../src/json/json-document.js";
import { parseJson } from "../../src/json/parse-json.js";
import { skipSpaces, skipValue, skipValueBack } from "../../src/json/skip-value.js";
import { jsonText, numberSpelling } from "../support/json-arbitrary.js";

type Visit = (finder: LiteralFinder, place: Place, pair: { native: JsonValue; exact: JsonValue }) => void;

/** Walks the native tree, its places and the exact tree together; members from the last one back when told so. */
function walk(text: string, backwards: boolean, visit: Visit): void {
  const finder = createLiteralFinder(text);
  const step = (place: Place, native: JsonValue, exact: JsonValue): void => {
    visit(finder, place, { native, exact });
    if (typeof native !== "object" || native === null) return;
    const keys = Object.keys(native);
    const order = [...keys.entries()];
    for (const [index, key] of backwards ? order.reverse() : order) {
      const inner = Array.isArray(native)
        ? finder.element(place, index)
        : finder.member(place, { key, index, count: keys.length });
      const values = [native, exact].map(
        (whole) => (whole as { [key: string]: JsonValue })[key] as JsonValue,
      );
      step(inner, values[0] as JsonValue, values[1] as JsonValue);
    }
  };
  step(finder.root, JSON.parse(text) as JsonValue, parseJson(text).value);
}

function expectLiterals(text: string, backwards: boolean): number {
  const { numberMark } = parseJson(text);
  let numbers = 0;
  walk(text, backwards, (finder, place, { native, exact }) => {
    if (typeof native !== "number") return;
    numbers += 1;
    const kept = isNumberLiteral(exact, numberMark) ? toLiteral(exact as string) : String(exact);
    expect(finder.literal(place, native)).toBe(kept);
  });
  return numbers;
}

describe("createLiteralFinder", () => {
  it("finds every number of any text as it is written, whichever is asked for first", () => {
    fc.assert(
      fc.property(jsonText, fc.boolean(), (text, backwards) => {
        expectLiterals(text, backwards);
      }),
      { numRuns: 800 },
    );
  });

  it("finds the members behind and before a long list", () => {
    const long = JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id, text: `]}",{[ \\ ${id}` })));
    const member = fc.tuple(fc.stringMatching(/^[a-z"\\ é]{1,6}$/), numberSpelling);
    const members = fc.uniqueArray(member, { maxLength: 4, selector: ([key]) => key });
    fc.assert(
      fc.property(members, members, fc.boolean(), (before, after, backwards) => {
        const write = (prefix: string, pairs: [string, string][]): string[] =>
          pairs.map(([key, value]) => `${JSON.stringify(prefix + key)} : ${value} `);
        const inner = [...write("b", before), `"rows":${long}`, ...write("a", after)].join(",");
        expectLiterals(`{"x":{${inner}},"last":1.0}`, backwards);
        expectLiterals(` {${inner}} `, backwards);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['{"b":1,"1":1.0}', "1.0", "1"],
    ['{"a":1.0,"a":2.0}', "2.0", "a"],
    ['{"a":1.0,"b":2,"a":3.0}', "3.0", "a"],
    ['{"\\u0061":1.0}', "1.0", "a"],
    ['{"__proto__":1.0}', "1.0", "__proto__"],
    ['{"a\\nb":1.0,"a\\\\nb":2.0}', "2.0", "a\\nb"],
    ['{"a\\\\nb":1.00,"a\\nb":1.0,"0":1}', "1.00", "a\\nb"],
    ['{"":1.50}', "1.50", ""],
  ])("finds in %s the number %s by its key", (text, literal, key) => {
    const finder = createLiteralFinder(text);
    const keys = Object.keys(JSON.parse(text) as object);
    const place = finder.member(finder.root, { key, index: keys.indexOf(key), count: keys.length });
    const last = finder.lastMember(finder.root, key);
    const value = Number(literal);
    expect(finder.literal(place, value) ?? finder.literal(last, value)).toBe(literal);
    expect(finder.literal(last, value)).toBe(literal);
  });

  it("goes by the keys at the end of a long object whose keys don't stand in the parsed order", () => {
    const rows = JSON.stringify(Array.from({ length: 9000 }, (_, id) => ({ id })));
    expect(expectLiterals(`{"rows":${rows},"b":1.00,"0":1.0}`, true)).toBe(9002);
  });

  it("has no literal where the text has another number, or nothing was found", () => {
    const finder = createLiteralFinder('{"a":1.0}');
    const place = finder.member(finder.root, { key: "a", index: 0, count: 1 });
    expect(finder.literal(place, 2)).toBeUndefined();
    const nowhere = finder.member(place, { key: "b", index: 0, count: 1 });
    expect(finder.literal(finder.element(nowhere, 3), 4)).toBeUndefined();
  });
});

describe("skipValue", () => {
  it.each([
    ["escapes beyond counting", `["${"\\n".repeat(400)}\\"]","x"]`],
    ["a string that ends in backslashes", '["a\\\\\\\\","]"]'],
    ["a long string with quotes", `["${'x\\"'.repeat(30)}\\\\","]"]`],
    [
      "more strings than one stretch takes",
      JSON.stringify(Array.from({ length: 5000 }, (_, i) => `[${i}{"`)),
    ],
    ["100,000 levels", `${'[{"a":'.repeat(50_000)}1${"}]".repeat(50_000)}`],
    ["white space in front of brackets", '{ "a" : [ 1 , { "b" : [ ] } ] }'],
  ])("passes over %s", (_, value) => {
    expect(skipValue(`${value} , 1`, 0)).toBe(value.length);
  });

  it("passes over any value", () => {
    fc.assert(
      fc.property(jsonText, jsonText, (value, next) => {
        const start = skipSpaces(value, 0);
        expect(`${value},${next}`.slice(start, skipValue(`${value},${next}`, start))).toBe(value.trim());
      }),
      { numRuns: 500 },
    );
  });
});

describe("skipValueBack", () => {
  it("comes to the start of any value from behind it, unless that is too far", () => {
    fc.assert(
      fc.property(jsonText, jsonText, (before, written) => {
        const value = written.trim();
        const text = `${before},${value}`;
        const start = text.length - value.length;
        expect(skipValueBack(text, text.length, 0)).toBe(start);
        const isHolder = /^["[{]/.test(value);
        expect(skipValueBack(text, text.length, start + 1)).toBe(isHolder ? undefined : start);
      }),
      { numRuns: 500 },
    );
  });
});
