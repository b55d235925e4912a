import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseQuery } from "../../../src/core/request/parse-query.js";
import type { QueryPair } from "../../../src/core/request/query-style.js";
import { writeQuery } from "../../../src/core/request/write-query.js";
import { findRefusal } from "../../support/refusals.js";

/** Reads the query and writes it again as `name=value` lines, each as it was decoded. */
const read = (value: unknown): string[] =>
  parseQuery(value).map(([name, text]) => `${name}=${text}`);

const refusal = (value: unknown) => findRefusal(() => parseQuery(value));

const deep = JSON.parse(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`) as unknown;

describe("parseQuery", () => {
  it.each([
    undefined,
    null,
    "",
    "  ",
    "?",
    "null",
    "{}",
    "[]",
    [],
    {},
    { a: null, b: undefined, c: [] },
  ])("takes %j as no query", (value) => {
    expect(parseQuery(value)).toEqual([]);
  });

  it.each<[unknown, string[]]>([
    [
      [
        { name: "a", value: "1" },
        { name: "a", value: [2, true] },
        { name: "b", value: null },
      ],
      ["a=1", "a=2", "a=true"],
    ],
    [
      [
        ["a", "b"],
        ["c", 1],
      ],
      ["a=b", "c=1"],
    ],
    [{ a: ["x", 2, null], b: false, c: 0, d: "" }, ["a=x", "a=2", "b=false", "c=0", "d="]],
    [
      { "a[b]": "c", $filter: "x eq 'y'", constructed: 1 },
      ["a[b]=c", "$filter=x eq 'y'", "constructed=1"],
    ],
    ["?a=1&a=2", ["a=1", "a=2"]],
    ["a=b=c&d&&e=", ["a=b=c", "d=", "e="]],
    ["q=a+b%20c%2B&r=%E6%97%A5日", ["q=a b c+", "r=日日"]],
    ['{"a":1,"b":["x","y"]}', ["a=1", "b=x", "b=y"]],
    ['[{"name":"a","value":"1"}]', ["a=1"]],
    [
      { a: 1e21, b: 1e-7, c: -1.5e-9 },
      ["a=1000000000000000000000", "b=0.0000001", "c=-0.0000000015"],
    ],
    [
      { a: 0.1, b: -0, c: 2 ** 53 - 1, d: 12345678901234567890n },
      ["a=0.1", "b=0", "c=9007199254740991", "d=12345678901234567890"],
    ],
    [{ a: "line\nbreak" }, ["a=line\nbreak"]],
  ])("reads %p", (value, pairs) => {
    expect(read(value)).toEqual(pairs);
  });

  it.each<[string, unknown]>([
    ["a nested object", { a: { b: 1 } }],
    ["axios' JSON token", { "a{}": { b: 1 } }],
    ["100,000 levels", deep],
    ["NaN", { a: Number.NaN }],
    ["an integer that lost digits", { a: 2 ** 60 }],
    ["a function", { a: () => 1 }],
    ["a lone surrogate in a value", { a: "\ud800" }],
    ["an own __proto__", JSON.parse('{"__proto__":{"polluted":1}}')],
    ["constructor", { constructor: "x" }],
    ["an empty name", { "": "x" }],
    ["a control character in a name", { "a\0": "x" }],
    ["a line break in a string", "a=1\nb=2"],
    ["a fragment", "a=1#b"],
    ["half an escape", "a=100%"],
    ["escapes that are not UTF-8", "a=%ff"],
    ["a number", 5],
    ["a list of strings", ["a=1"]],
    ["broken JSON", '{"a":'],
  ])("refuses %s", (_, value) => {
    expect(refusal(value)?.category).toBe("invalid_input");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("shows how to write a nested name", () => {
    expect(refusal({ filter: { state: "open" } })?.hint).toContain('"filter[state]"');
  });
});

describe("writeQuery", () => {
  it.each<[QueryPair, string]>([
    [["a b", "c d"], "a%20b=c%20d"],
    [["$filter", "x eq 'y'"], "$filter=x%20eq%20%27y%27"],
    [["a", "1+1=2&3#?%;"], "a=1%2B1%3D2%263%23%3F%25%3B"],
    [["filter[a]", '{"x":"<>`|^\\'], "filter%5Ba%5D=%7B%22x%22:%22%3C%3E%60%7C%5E%5C"],
    [["a", "日\r\n\0"], "a=%E6%97%A5%0D%0A%00"],
    [["t", "12:00,-a@b/c"], "t=12:00,-a@b/c"],
  ])("writes %j", (pair, query) => {
    expect(writeQuery([pair, ["b", ""]])).toBe(`${query}&b=`);
  });

  it("is changed by no URL parser and read back as it was", () => {
    const isName = (name: string): boolean =>
      !/\p{Cc}/u.test(name) &&
      name.trim() !== "" &&
      !/^(?:__proto__|constructor|prototype)$/.test(name);
    const text = fc.string({ unit: "grapheme", minLength: 1 }).filter(isName);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.string({ unit: "grapheme" })), { minLength: 1 }),
        (pairs) => {
          const query = writeQuery(pairs);
          expect(new URL(`http://h/?${query}`).href).toBe(`http://h/?${query}`);
          expect(parseQuery(query)).toEqual(pairs);
          expect([...new URL(`http://h/?${query}`).searchParams]).toEqual(pairs);
        },
      ),
    );
  });
});
