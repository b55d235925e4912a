import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { estimateTokens } from "../../../src/response/count-tokens.js";
import type { JsonValue } from "../../../src/response/json-document.js";
import { projectionSummarizer } from "../../../src/response/projection-summarizer.js";
import type { Summary } from "../../../src/response/summary.js";
import { countLookups, countLookupsInText, type Lookup } from "../../support/lookups.js";

const summarizer = projectionSummarizer();
const shrink = (value: JsonValue, maxTokens: number): Summary =>
  summarizer.summarize({
    document: { value, numberMark: "" },
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
});
