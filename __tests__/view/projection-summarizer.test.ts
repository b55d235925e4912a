import { describe, expect, it } from "@jest/globals";
import { search } from "@jmespath-community/jmespath";
import fc from "fast-check";
import { countTokens as countReal } from "gpt-tokenizer/encoding/o200k_base";
import type { JsonValue } from "../../src/json/exact-number.js";
import { parseJson } from "../../src/json/parse-json.js";
import { estimateTokens } from "../../src/view/count-tokens.js";
import { projectionSummarizer } from "../../src/view/projection-summarizer.js";
import type { Omission, SummarizerInput, Summary } from "../../src/view/summary.js";
import { createDice } from "../support/dice.js";
import { jsonText } from "../support/json-arbitrary.js";

const summarizer = projectionSummarizer();
const runOn =
  (value: JsonValue) =>
  (expression: string): JsonValue | undefined => {
    try {
      return search(value as never, expression) as JsonValue;
    } catch {
      return undefined;
    }
  };

function summarize(document: JsonValue, maxTokens: number, more: Partial<SummarizerInput> = {}): Summary {
  return summarizer.summarize({
    document,
    kind: "json",
    maxTokens,
    countTokens: estimateTokens,
    runSelect: runOn(document),
    request: { source: "shop", baseUrl: "https://api.example.test/v1", method: "GET", path: "/orders" },
    ...more,
  }) as Summary;
}

const shrink = (value: JsonValue, maxTokens: number, more: Partial<SummarizerInput> = {}): Summary =>
  summarize(value, maxTokens, more);
const viewOf = (summary: Summary): JsonValue => JSON.parse(summary.view) as JsonValue;
const costOf = ({ view, omitted, try: tries }: Summary): string =>
  omitted.length === 0 ? view : `${view}${JSON.stringify(omitted)}${JSON.stringify(tries)}`;

/** Every leaf of a view with the value at the same path of the whole. */
function* pairLeaves(
  view: JsonValue,
  whole: JsonValue | undefined,
  path: string,
): Generator<[JsonValue, JsonValue | undefined, string]> {
  if (typeof view !== "object" || view === null) yield [view, whole, path];
  else {
    expect(Array.isArray(whole)).toBe(Array.isArray(view));
    for (const key of Object.keys(view)) {
      const of = whole as { [key: string]: JsonValue };
      expect(Object.hasOwn(of, key)).toBe(true);
      yield* pairLeaves((view as { [key: string]: JsonValue })[key] as JsonValue, of[key], `${path}/${key}`);
    }
  }
}

function expectProjection(view: string, document: JsonValue): void {
  const shown = parseJson(view);
  for (const [leaf, whole] of pairLeaves(shown, document, "")) {
    const text = String(leaf);
    const original = String(whole);
    if (text === original) continue;
    expect(typeof whole).toBe("string");
    expect(text.endsWith("…")).toBe(true);
    expect(original.startsWith(text.slice(0, -1))).toBe(true);
  }
}

function expectTrueCounts(omitted: readonly Omission[], summary: Summary, whole: JsonValue): void {
  for (const { path, shown, of } of omitted) {
    // The bare query library also finds what every object inherits; a count speaks of a record's own keys.
    if (of === undefined || /\b__proto__\b/.test(path)) continue;
    const found = search(whole as never, path) as JsonValue;
    const sizeOf = (value: JsonValue): number =>
      typeof value === "string" ? value.length : Object.keys(value ?? {}).length;
    expect([path, of]).toEqual([path, sizeOf(found)]);
    if (shown === undefined) continue;
    const inView = search(viewOf(summary) as never, path) as JsonValue;
    expect([path, shown]).toEqual([
      path,
      sizeOf(typeof inView === "string" ? inView.replace(/…$/, "") : inView),
    ]);
  }
}

const dice = createDice(5);
const words = "quick amber river stone lantern copper meadow signal harbor violet".split(" ");
const prose = (count: number): string => Array.from({ length: count }, () => words[dice.whole(10)]).join(" ");
const hex = (length: number): string => Array.from({ length }, () => dice.whole(16).toString(16)).join("");
const makeTicket = (_: unknown, index: number): { [key: string]: JsonValue } => ({
  url: `https://api.example.test/v1/tickets/${index}`,
  id: 9000 + index,
  hash: hex(40),
  title: `${prose(3)} ${index}`,
  state: ["open", "closed", "held"][index % 3] as string,
  kind: "ticket",
  closed_at: null,
  labels: [],
  points: dice.whole(90),
  body: prose(200),
});
const tickets = (count: number): { [key: string]: JsonValue }[] => Array.from({ length: count }, makeTicket);

describe("projectionSummarizer", () => {
  it("gives a body that fits whole, compact, with nothing omitted", () => {
    const document = parseJson('{ "a": 19.90, "b": [1, null, ""], "c": 12345678901234567890, "d": null }');
    expect(summarize(document, 200)).toEqual({
      view: '{"a":19.90,"b":[1,null,""],"c":12345678901234567890,"d":null}',
      omitted: [],
      try: [],
    });
  });

  it("keeps, for any JSON and any budget, a projection within the budget whose counts are true, twice the same", () => {
    const grown = fc.tuple(
      fc.array(jsonText, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 60 }),
    );
    fc.assert(
      fc.property(grown, fc.integer({ min: 200, max: 1500 }), ([texts, repeats], maxTokens) => {
        const rows = Array.from(
          { length: repeats },
          (_, index) => `{"row":${index},"value":${texts[index % texts.length]}}`,
        );
        const document = parseJson(`{"rows":[${rows.join(",")}],"first":${texts[0]}}`);
        const summary = summarize(document, maxTokens);
        expect(estimateTokens(costOf(summary))).toBeLessThanOrEqual(maxTokens);
        expectProjection(summary.view, document);
        expectTrueCounts(summary.omitted, summary, document);
        expect(summarize(document, maxTokens)).toEqual(summary);
      }),
      { numRuns: 120 },
    );
  });

  it("leaves out what is the same in every row before what tells rows apart, and says it once", () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      number: 50_000 + index,
      currency: "EUR",
      total: 10.25 + index * 3,
      city: ["Delft", "Arles", "Lund", "Torun", "Lecce"][index % 5] as string,
      note: prose(40),
    }));
    const { view, omitted } = shrink(rows, 700);
    expect(view).toContain('"city":');
    expect(view).not.toContain("EUR");
    expect(JSON.stringify(omitted)).toContain("EUR");
  });

  it("shows the numbers of a large text as written, where keys repeat or are numbers themselves", () => {
    const row = '{"far":1.0,"far":1E400,"name":"x","inner":{"1":2.0,"0":3.10}}';
    const text = `{"rows":[${Array(400).fill(row).join(",")}],"total":12345678901234567890}`;
    const { view } = summarize(parseJson(text), 1500);
    expectProjection(view, parseJson(text));
    for (const literal of ['"1":2.0}', '"0":3.10,', '"far":1E400,', '"total":12345678901234567890}'])
      expect(view).toContain(literal);
  });

  it("selects from the whole what stands at a path of the view", () => {
    const whole = { total: 3, "odd key": { items: tickets(80) } };
    const view = viewOf(shrink(whole, 1500));
    const rows = search(view as never, '"odd key".items[].{id:id,title:title}') as JsonValue[];
    expect(rows.length).toBeGreaterThan(40);
    expect(
      (search(whole as never, '"odd key".items[].{id:id,title:title}') as JsonValue[]).slice(0, rows.length),
    ).toEqual(rows);
  });

  it("keeps every row with its identity and short facts before any long text", () => {
    const whole = tickets(60);
    const summary = shrink(whole, 2000);
    const view = viewOf(summary) as { [key: string]: JsonValue }[];
    expect(view).toHaveLength(60);
    for (const [index, row] of view.entries()) {
      expect(row).toMatchObject({
        id: whole[index]?.["id"],
        title: whole[index]?.["title"],
        state: whole[index]?.["state"],
      });
      expect(Object.keys(row)).not.toContain("hash");
      expect(Object.keys(row)).not.toContain("closed_at");
    }
    expect(summary.omitted).toContainEqual({ path: "[].hash", of: 60, about: "string" });
  });

  it.each([
    ["{kind, data}", (row: JsonValue): JsonValue => ({ kind: "t3", data: row }), "[].data"],
    ["{node}", (row: JsonValue): JsonValue => ({ node: row, cursor: hex(12) }), "[].node"],
    ["{attributes}", (row: JsonValue): JsonValue => ({ type: "ticket", attributes: row }), "[].attributes"],
  ])("shows what identifies a row inside %s", (_name, wrap, path) => {
    const view = viewOf(shrink(tickets(200).map(wrap), 2000));
    const rows = search(view as never, path) as { [key: string]: JsonValue }[];
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) expect(Object.keys(row)).toEqual(expect.arrayContaining(["id", "title"]));
  });

  it("shows the beginning of a map of records and says how many keys there are", () => {
    const whole = { items: Object.fromEntries(tickets(300).map((row) => [`k-${row["id"]}`, row])) };
    const summary = shrink(whole, 1500);
    const shown = Object.keys((viewOf(summary) as typeof whole).items);
    expect(shown).toEqual(Object.keys(whole.items).slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(30);
    expect(summary.omitted).toContainEqual({ path: "items", shown: shown.length, of: 300, about: "keys" });
  });

  it("answers no fewer lookups than the first characters would, where many small lists would share the budget", () => {
    const entry = (kind: string, index: number): JsonValue => ({
      slot: index,
      [kind]: { name: `${kind}-${index}`, url: `/api/v2/${kind}/${index}/` },
    });
    const list = (kind: string, count: number): JsonValue[] =>
      Array.from({ length: count }, (_, index) => entry(kind, index));
    const moves = list("move", 5).map((row) => ({
      ...(row as object),
      details: Array.from({ length: 60 }, () => ({ level: 15, how: { url: "/api/v2/how/1/" }, order: null })),
    }));
    const whole = { indices: list("version", 46), moves, name: "magikarp", stats: list("stat", 6) };
    const { view, omitted } = shrink(whole as JsonValue, 2000);
    const shown = JSON.parse(view) as typeof whole;
    const head = JSON.stringify(whole).slice(0, view.length);
    const inHead = list("version", 46).filter((row) => head.includes(JSON.stringify(row))).length;
    expect(inHead).toBe(46);
    expect(
      shown.indices.filter((row) => typeof (row as { [key: string]: JsonValue })["slot"] === "number"),
    ).toHaveLength(inHead);
    expect(omitted.length).toBeGreaterThan(0);
  });

  it("shows of a body that loses nothing by a cut its first rows whole, and says of each field how many rows show it", () => {
    const whole = Array.from({ length: 120 }, (_, index) => ({
      display: { provider: "Acme", operation: `Read ${words[index % 10]}`, resource: `res-${index % 7}` },
      name: `acme.${words[index % 10]}/${words[(index * 7) % 10]}/${words[(index * 3) % 10]}-${index}/read`,
      ...(index % 3 === 0 ? { [`note_${index}`]: index, region: "north", zone: index, tier: true } : {}),
    }));
    const summary = shrink(whole as unknown as JsonValue, 2000);
    const view = viewOf(summary) as typeof whole;
    expect(view[0]).toEqual(whole[0]);
    for (const row of view) expect(Object.keys(row)).toContain("name");
    expectTrueCounts(summary.omitted, summary, whole as unknown as JsonValue);
    expect(summary.omitted[0]).toEqual({ path: "@", shown: view.length, of: 120 });
  });

  it("says of a field that the first rows alone show how many do", () => {
    const whole = Array.from({ length: 60 }, (_, index) => ({
      name: `${words[index % 10]} ${index}`,
      rank: index % 17,
      score: index * 7,
      open: index % 2 === 0,
      paid: index % 3 === 0,
      late: index % 5 === 0,
      at: `2025-01-01T00:${String(index).padStart(2, "0")}:00.123456+00:00`,
      seen: `2025-02-02T00:${String(index).padStart(2, "0")}:00.654321+00:00`,
    }));
    const summary = shrink(whole, 2600);
    const view = viewOf(summary) as Record<string, JsonValue>[];
    expect(view).toHaveLength(60);
    const shown = view.filter((row) => "seen" in row).length;
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(60);
    expect(summary.omitted).toContainEqual({ path: "[].seen", shown, of: 60, about: "time" });
    expectTrueCounts(summary.omitted, summary, whole);
  });

  it.each([
    ["an object", (blob: string): JsonValue => ({ content: blob })],
    ["nested objects", (blob: string): JsonValue => ({ file: { content: blob, encoding: "base64" } })],
    [
      "a few rows",
      (blob: string): JsonValue => [
        { content: blob, name: "a" },
        { content: blob, name: "b" },
      ],
    ],
  ])("clips a blob that is nearly all there is, in %s", (_name, wrap) => {
    const blob = Array.from({ length: 40_000 }, (_, index) => "aZ3fQ9xK0b"[(index * index) % 10]).join("");
    const { view, omitted } = shrink(wrap(blob), 2000);
    expect(estimateTokens(view)).toBeGreaterThan(1400);
    expect(omitted.some(({ path }) => path.endsWith("content"))).toBe(true);
  });

  it("shares the budget among several arrays", () => {
    const view = viewOf(
      shrink({ open: tickets(200), closed: tickets(30), held: tickets(3) }, 3000),
    ) as Record<string, JsonValue[]>;
    expect(view["open"]?.length).toBeGreaterThan(25);
    expect(view["closed"]?.length).toBeGreaterThan(15);
    expect(view["held"]).toHaveLength(3);
  });

  it("prints numbers as the wire had them", () => {
    const text = `{"rows":[${tickets(50).map((row, index) => `{"id":${index},"price":${index}.90,"big":1234567890123456789${index},"body":${JSON.stringify(row["body"])}}`)}]}`;
    const { view } = summarize(parseJson(text), 2000);
    expect(view).toContain('"price":7.90');
    expect(view).toContain('"big":12345678901234567897');
  });

  it("clips a text where a character ends, and says how long it was", () => {
    const text = "👨‍👩‍👧é🇫🇷".repeat(4000);
    const { view, omitted } = shrink(text, 400, { kind: "text" });
    const shown = JSON.parse(view) as string;
    expect(shown.endsWith("…")).toBe(true);
    expect(
      [...new Intl.Segmenter().segment(shown.slice(0, -1))].every(({ segment }) =>
        ["👨‍👩‍👧", "é", "🇫🇷"].includes(segment),
      ),
    ).toBe(true);
    expect(omitted).toEqual([
      { path: "@", shown: shown.length - 1, of: text.length, about: "string, characters" },
    ]);
  });

  it("survives 100,000 levels, a million rows and a million keys", () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 100_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    expect(() => JSON.parse(shrink(deep, 500).view)).not.toThrow();
    expect(
      shrink(
        Array.from({ length: 1_000_000 }, (_, index) => index),
        500,
      ).omitted[0],
    ).toMatchObject({ path: "@", of: 1_000_000 });
    const map = Object.fromEntries(
      Array.from({ length: 200_000 }, (_, index) => [`key${index}`, { a: index, b: "x" }]),
    );
    expect(shrink(map, 500).omitted[0]).toMatchObject({ path: "@", of: 200_000 });
  });

  it("fills four fifths of the budget and stays below a tenth over it by a real tokenizer", () => {
    for (const maxTokens of [500, 2000, 5000]) {
      const used = countReal(costOf(shrink({ items: tickets(300) }, maxTokens))) / maxTokens;
      expect(used).toBeGreaterThan(0.8);
      expect(used).toBeLessThan(1.1);
    }
  });

  it("keeps a budget counted by another tokenizer", () => {
    const countTokens = (text: string): number => text.length;
    const summary = shrink({ items: tickets(300) }, 6000, { countTokens });
    expect(costOf(summary).length).toBeLessThanOrEqual(6000);
    expect(costOf(summary).length).toBeGreaterThan(4500);
  });

  it("proposes only queries that ran on this body and whose result fits", () => {
    const whole = { items: tickets(300) };
    const ran: string[] = [];
    const runSelect = (expression: string): JsonValue | undefined => {
      ran.push(expression);
      return runOn(whole)(expression);
    };
    const summary = shrink(whole, 2000, { runSelect });
    expect(summary.try.length).toBeGreaterThan(0);
    expect(ran.length).toBeLessThanOrEqual(5);
    for (const expression of summary.try) {
      expect(ran).toContain(expression);
      expect(estimateTokens(JSON.stringify(search(whole as never, expression)))).toBeLessThanOrEqual(2000);
    }
    expect(shrink(whole, 2000, { runSelect: () => undefined }).try).toEqual([]);
  });

  it("proposes no query whose result is larger than the budget", () => {
    const runSelect = (): JsonValue => tickets(300);
    expect(shrink({ items: tickets(300) }, 2000, { runSelect }).try).toEqual([]);
  });
});
