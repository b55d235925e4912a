/** Queries through the whole tool: what a hostile one may not do (hold the process, outlive the call, take its memory), and notes. */

import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const rows = Array.from({ length: 4_000 }, (_, id) => ({
  id,
  name: `thing ${id}`,
  tags: ["a", "b"],
  note: "x".repeat(90),
}));
const o = Object.fromEntries(rows.slice(0, 1_000).map((row) => [`key${row.id}`, row]));
const bodies: Readonly<Record<string, unknown>> = {
  rows: { items: rows, o },
  texts: {
    text: "a".repeat(600_000),
    pattern: `${"a".repeat(40_000)}b${"a".repeat(40_000)}`,
    line: `x${" ".repeat(300_000)}x`,
    prefix: `${"a".repeat(200_000)}`,
    names: Array.from({ length: 2_000 }, (_, index) => `${"a".repeat(2_000)}${(index * 7_919) % 2_003}`),
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

const server = await startHttpServer((request, response) =>
  sendJson(response, bodies[request.url.slice(1)] ?? {}),
);
const toolkit = await ApiSourceToolkit.fromSources([
  { name: "Shop", api: { baseUrl: server.url } },
  { name: "Judged", api: { baseUrl: server.url, errorWhen: "length(items[].to_string($)) > `0`" } },
]);

interface Answer {
  readonly notes?: readonly string[];
  readonly data?: unknown;
  readonly error?: { readonly category: string; readonly code?: string; readonly message: string };
  readonly shortened?: { readonly id: string };
}

async function invoke(position: number, input: object): Promise<Answer> {
  const tool = toolkit.getTools()[position];
  return JSON.parse((await tool?.invoke(input as never)) as string);
}

const ids: Record<string, string> = {};
for (const body of Object.keys(bodies))
  ids[body] = (await invoke(0, { method: "GET", path: `/${body}` })).shortened?.id ?? "";

/** As a call's select, and on the kept body as the reader's. */
function asks(body: string, select: string): readonly (() => Promise<Answer>)[] {
  return [
    () => invoke(0, { method: "GET", path: `/${body}`, select }),
    () => invoke(2, { id: ids[body], select }),
  ];
}

describe("a query that does too much", () => {
  it.each(stopped)("is stopped when it %s", async (_what, body, select) => {
    for (const ask of asks(body, select))
      expect((await ask()).error).toMatchObject({ category: "invalid_input", code: "select_too_costly" });
  });

  it("does not make an answer a failure, as errorWhen", async () => {
    const { error, shortened } = await invoke(1, { method: "GET", path: "/rows" });
    expect(error).toBeUndefined();
    expect(shortened?.id).toBeDefined();
  });
});

describe("a query over long strings", () => {
  it.each(answered)("takes a time of their length when it %s", async (_what, body, select, expected) => {
    for (const ask of asks(body, select)) expect((await ask()).data).toEqual(expected);
  });
});

describe("an expression", () => {
  it.each([
    ["opens brackets without end", "(".repeat(3_990)],
    ["opens lists without end", "[".repeat(3_990)],
    ["opens and closes too many", `${"(".repeat(60)}a${")".repeat(60)}`],
    ["denies without end", `${"!".repeat(3_990)}a(`],
    ["is long and wrong at its end", `${"a.".repeat(1_900)}a b`],
    ["has only quotes", "'".repeat(3_999)],
    ["escapes without end", `"${'\\"'.repeat(1_990)}`],
    ["is longer than any that is needed", "a".repeat(4_001)],
  ])("costs neither time nor a request when it %s", async (_what, select) => {
    for (const ask of asks("rows", select)) expect((await ask()).error?.category).toBe("invalid_input");
    expect(server.requests).toEqual([]);
  });
});

describe("find", () => {
  it.each([
    ["a long pattern", "texts", `${"a".repeat(190)}c`, 0],
    ["a pattern that is everywhere", "rows", "x", 5_000],
  ])("takes a time of the body's length for %s", async (_what, body, find, found) => {
    const { data } = await invoke(2, { id: ids[body], find });
    expect(data).toMatchObject({ found });
  });
});

it("has notes of an answer, on the call and of the reader, about a name that does not occur", async () => {
  for (const ask of asks("rows", "length(items[?nam=='thing 1'])"))
    expect(await ask()).toMatchObject({ data: 0, notes: [expect.stringContaining('"name"')] });
  for (const ask of asks("rows", "length(items[?name=='thing 1'])"))
    expect((await ask()).notes).toBeUndefined();
});
