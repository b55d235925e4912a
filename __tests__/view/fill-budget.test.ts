import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { JsonValue } from "../../src/json/exact-number.js";
import { estimateTokens } from "../../src/view/count-tokens.js";
import { projectionSummarizer } from "../../src/view/projection-summarizer.js";
import type { Summary } from "../../src/view/summary.js";
import { countLookups, countLookupsInText, type Lookup } from "../support/lookups.js";

const summarizer = projectionSummarizer();
const shrink = (value: JsonValue, maxTokens: number): Summary =>
  summarizer.summarize({
    document: value,
    kind: "json",
    maxTokens,
    countTokens: estimateTokens,
    runSelect: () => undefined,
    request: { source: "shop", baseUrl: "https://api.example.test/v1", method: "GET", path: "/orders" },
  }) as Summary;

/** Fields of records as APIs have them, each the same kind in every row: a seed becomes a value. */
const kinds: readonly ((seed: number) => JsonValue)[] = [
  (seed) => seed % 2 === 0,
  (seed) => seed % 900,
  (seed) => (seed % 9000) / 100,
  () => null,
  () => "constant",
  (seed) => ["open", "closed", "held"][seed % 3] ?? null,
  (seed) => `2025-0${1 + (seed % 9)}-1${seed % 10}T0${seed % 10}:00:00Z`,
  (seed) => `https://api.example.test/v1/things/${seed}`,
  (seed) => `/v1/things/${seed}/`,
  (seed) => seed.toString(16).padStart(32, "7af3c09e1b52d864"),
  (seed) => `lorem ipsum ${seed} dolor sit amet `.repeat(1 + (seed % 12)),
  (seed) => Array.from({ length: seed % 4 }, (_, index) => ({ id: seed + index, name: `part ${index}` })),
  (seed) => ({ name: `owner ${seed % 50}`, score: seed % 7, site: `https://example.test/${seed}` }),
  (seed) => (seed % 5 === 0 ? { [`rare_${seed % 40}`]: seed, also: { deep: { flag: true } } } : null),
  (seed) =>
    Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`opt_${(seed * 7 + index) % 60}`, index])),
];

const wrappers: readonly ((rows: JsonValue[]) => { value: JsonValue; path: string[] })[] = [
  (rows) => ({ value: rows, path: [] }),
  (rows) => ({ value: { count: rows.length, results: rows, next: null }, path: ["results"] }),
  (rows) => ({ value: { license: "word ".repeat(300), data: { items: rows } }, path: ["data", "items"] }),
  (rows) => ({ value: { errors: [], tags: ["a", "b"], rows, included: rows.slice(0, 3) }, path: ["rows"] }),
];

const body = fc
  .record({
    fields: fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 14 }),
    count: fc.integer({ min: 8, max: 150 }),
    place: fc.nat(14),
    wrapper: fc.nat(wrappers.length - 1),
    isWrapped: fc.boolean(),
    seed: fc.nat(1e6),
  })
  .map(({ fields, count, place, wrapper, isWrapped, seed }) => {
    const rows = Array.from({ length: count }, (_, row): JsonValue => {
      const entries = fields.map((kind, index): [string, JsonValue] => [
        `field_${index}`,
        kinds[kind]?.((seed + row * 7919 + index * 104_729) % 1e6) ?? null,
      ]);
      entries.splice(place % (entries.length + 1), 0, ["name", `thing ${row}`]);
      return isWrapped ? { kind: "t1", data: Object.fromEntries(entries) } : Object.fromEntries(entries);
    });
    const { value, path } = wrappers[wrapper]?.(rows) ?? { value: rows, path: [] };
    return { value, path, label: isWrapped ? ["data", "name"] : ["name"] };
  });

describe("fillBudget", () => {
  it("shows what answers no fewer lookups than as many first characters of the body", () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 300, max: 2500 }), ({ value, path, label }, maxTokens) => {
        const lookup: Lookup = { value, rows: path, label };
        const { view } = shrink(value, maxTokens);
        const inCut = countLookupsInText(lookup, view.length);
        expect(countLookups(lookup, JSON.parse(view) as JsonValue)).toBeGreaterThanOrEqual(inCut);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    [
      "rows that lose nothing by a cut",
      (row: number): JsonValue => ({ id: row, name: `thing ${row}`, rank: row % 9 }),
    ],
    [
      "rows with keys of their own",
      (row: number): JsonValue => ({
        kind: "t1",
        data: {
          name: `thing ${row}`,
          open: row % 2 === 0,
          ...(kinds[14]?.(row) as object),
          hash: kinds[9]?.(row) ?? null,
        },
      }),
    ],
    [
      "rows that rarely hold more",
      (row: number): JsonValue => ({
        kind: "t1",
        data: {
          name: `thing ${row}`,
          field_0: row % 2 === 1,
          field_1: kinds[13]?.(104_742 + row * 7919) ?? null,
          field_2: row % 2 === 1,
          field_3: kinds[9]?.(314_200 + row * 7919) ?? null,
          field_4: kinds[13]?.(418_929 + row * 7919) ?? null,
        },
      }),
    ],
  ])("shows what answers no fewer at any budget, of %s and other lists around them", (_name, toRow) => {
    const label = Object.hasOwn(toRow(0) as object, "name") ? ["name"] : ["data", "name"];
    for (let maxTokens = 300; maxTokens < 2500; maxTokens += 9) {
      const rows = Array.from({ length: maxTokens < 1200 ? 14 : 26 }, (_, row) => toRow(row));
      const value = { errors: [], tags: ["a", "b"], rows, included: rows.slice(0, 3) };
      const { view } = shrink(value, maxTokens);
      const lookup: Lookup = { value, rows: ["rows"], label };
      const missed =
        countLookupsInText(lookup, view.length) - countLookups(lookup, JSON.parse(view) as JsonValue);
      expect([maxTokens, Math.max(0, missed)]).toEqual([maxTokens, 0]);
    }
  });

  it("names the row that the end of the beginning cuts short", () => {
    const rows = Array.from({ length: 30 }, (_, row) => ({
      ...Object.fromEntries(Array.from({ length: 60 }, (_key, index) => [`own_${row}_${index}`, index])),
      name: `thing ${row}`,
    }));
    for (let maxTokens = 700; maxTokens < 3000; maxTokens += 100) {
      const view = JSON.parse(shrink(rows, maxTokens).view) as { [key: string]: JsonValue }[];
      expect(view.map((row) => row["name"])).toEqual(rows.slice(0, view.length).map(({ name }) => name));
    }
  });

  it("follows the beginning of a body to no great depth", () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const rows = Array.from(
      { length: 60 },
      (_, row): JsonValue => ({
        name: `thing ${row}`,
        ...(row === 3 ? { deep } : {}),
        [`own_${row}`]: row,
        [`too_${row}`]: true,
      }),
    );
    expect(() => JSON.parse(shrink(rows, 5000).view)).not.toThrow();
  });
});
