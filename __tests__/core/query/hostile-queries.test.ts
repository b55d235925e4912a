/** What a hostile query may not do: hold the process, and take its memory. */

import { describe, expect, it } from "@jest/globals";
import type { JsonObject } from "../../../src/core/base/exact-number.js";
import { findInDocument } from "../../../src/core/query/find-in-document.js";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";

const engine = await loadQueryEngine();

const rows: JsonObject[] = Array.from({ length: 4_000 }, (_, id) => ({
  id,
  name: `thing ${id}`,
  tags: ["a", "b"],
  note: "x".repeat(90),
}));
const o = Object.fromEntries(rows.slice(0, 1_000).map((row, id) => [`key${id}`, row]));
const bodies: Readonly<Record<string, JsonObject>> = {
  rows: { items: rows, o },
  texts: {
    text: "a".repeat(600_000),
    pattern: `${"a".repeat(40_000)}b${"a".repeat(40_000)}`,
    line: `x${" ".repeat(300_000)}x`,
    prefix: `${"a".repeat(200_000)}`,
    names: Array.from(
      { length: 2_000 },
      (_, index) => `${"a".repeat(2_000)}${(index * 7_919) % 2_003}`,
    ),
  },
};
const doubled = Array.from({ length: 40 }, () => "[@,@]").join("|");

const stopped: readonly (readonly [string, string, string])[] = [
  [
    "makes a string that doubles",
    "rows",
    `${Array.from({ length: 30 }, () => "join('',[@,@])")
      .join("|")
      .replace(/^/, "'ab'|")}`,
  ],
  ["replaces each character by many", "texts", "replace(text,'a',prefix)"],
  ["doubles a value", "rows", doubled],
  ["writes a doubled value", "rows", `${doubled}|to_string(@)`],
  ["compares doubled values", "rows", `[${doubled},${doubled}]|[0]==[1]`],
  ["flattens a list that doubles", "rows", `items${"|[@,@][]".repeat(40)}`],
  ["writes the whole body for each row", "rows", "length(items[].to_string($))"],
  ["merges a large object for each row", "rows", "items[].length(merge($.o,$.o))"],
  ["lists the members of a large object for each row", "rows", "items[].length($.o.*)"],
  ["lists the keys of a large object for each row", "rows", "items[].length(keys($.o))"],
  ["groups by the whole body", "rows", "group_by(items,&$)"],
  ["slices a large list for each row", "rows", "items[].length($.items[1:])"],
  ["asks each row for all rows", "rows", "let $all=items in map(&length($all[?id==`1`]),items)"],
  ["adds up a large list for each row", "rows", "map(&sum($.items[].id),items)"],
  ["compares a large list for each row", "rows", "items[?$.items[*]==$.items[*]]"],
  ["looks for a value in a large list for each row", "rows", "items[?contains($.items,`{}`)]"],
  ["reverses a large list for each row", "rows", "items[].length(reverse($.items))"],
  ["zips large lists for each row", "rows", "items[].length(zip($.items,$.items))"],
  ["sorts a large list for each row", "rows", "items[].length(sort_by($.items,&id))"],
  ["searches a large string for each row", "texts", "names[?contains($.text,'b')]"],
  ["cuts a string into characters for each row", "texts", "names[].length(split($.prefix,''))"],
  ["counts a large string for each row", "texts", "names[].length($.text)"],
  ["takes a large string backwards", "texts", "map(&$.text[::-1],names)"],
  ["sorts strings with one long beginning", "texts", "sort(names)"],
  ["searches for a very long pattern", "texts", "contains(text,pattern)"],
  ["splits by a very long pattern", "texts", "length(split(text,pattern))"],
];

const answered: readonly (readonly [string, string, string, unknown])[] = [
  [
    "replaces no more often than there is something to replace",
    "rows",
    "replace('a','b','c',`4294967295`)",
    "a",
  ],
  ["trims a long line", "texts", "length(trim(line))", 300_002],
];

describe("a query", () => {
  it.each(stopped)("is stopped when it %s", (_what, body, select) => {
    expect(() => engine.run(bodies[body] ?? null, select)).toThrow(
      expect.objectContaining({ category: "invalid_input", code: "select_too_costly" }),
    );
  });

  it.each(answered)(
    "takes a time of its text's length when it %s",
    (_what, body, select, expected) => {
      expect(engine.run(bodies[body] ?? null, select).value).toBe(expected);
    },
  );

  it.each([
    ["opens brackets without end", "(".repeat(3_990)],
    ["opens lists without end", "[".repeat(3_990)],
    ["opens and closes too many", `${"(".repeat(60)}a${")".repeat(60)}`],
    ["denies without end", `${"!".repeat(3_990)}a(`],
    ["is long and wrong at its end", `${"a.".repeat(1_900)}a b`],
    ["has only quotes", "'".repeat(3_999)],
    ["escapes without end", `"${'\\"'.repeat(1_990)}`],
    ["is longer than any that is needed", "a".repeat(4_001)],
  ])("is refused, and costs no time, when it %s", (_what, select) => {
    expect(() => engine.check(select)).toThrow(
      expect.objectContaining({ category: "invalid_input" }),
    );
  });
});

it.each([
  ["a long pattern", "texts", `${"a".repeat(190)}c`, 0],
  ["a pattern that is everywhere", "rows", "x", 5_000],
])("finds %s in a time of the body's length", (_what, body, find, found) => {
  expect(findInDocument(bodies[body] ?? null, find)).toMatchObject({ found });
});
