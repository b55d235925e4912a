/** Documents as APIs answer them, made from seeds, and what a view of one must hold to. */

import fc from "fast-check";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeJson,
} from "../../src/core/base/exact-number.js";
import { estimateTokens } from "../../src/core/view/count-tokens.js";
import { project } from "../../src/core/view/projection-summarizer.js";
import type { SummarizerInput, Summary } from "../../src/core/view/summary.js";

export function shrink(
  document: JsonValue,
  maxTokens: number,
  more: Partial<SummarizerInput> = {},
): Summary {
  const request = {
    source: "shop",
    baseUrl: "https://api.example.test/v1",
    method: "GET",
    path: "/x",
  } as const;
  const input = {
    document,
    kind: "json",
    maxTokens,
    countTokens: estimateTokens,
    request,
  } as const;
  return project({ ...input, ...more });
}

export const costOf = ({ view, omitted, try: queries }: Summary): number =>
  estimateTokens(
    omitted.length === 0 ? view : `${view}${JSON.stringify(omitted)}${JSON.stringify(queries)}`,
  );

/** What is wrong with `view` as a part of `whole`: every value at its own path, lists and maps a prefix, strings whole or clipped. */
export function findStranger(
  view: JsonValue,
  whole: JsonValue | undefined,
  path = "@",
): string | undefined {
  if (Array.isArray(view)) {
    if (!Array.isArray(whole) || view.length > whole.length) return `${path} is no prefix`;
    return findFirst(view.keys(), (index) =>
      findStranger(view[index] ?? null, whole[index], `${path}[${index}]`),
    );
  }
  if (isJsonObject(view)) {
    if (!isJsonObject(whole)) return `${path} is no object`;
    return findFirst(Object.keys(view), (key) =>
      Object.hasOwn(whole, key)
        ? findStranger(view[key] ?? null, whole[key], `${path}.${key}`)
        : `${path}.${key} is new`,
    );
  }
  if (whole !== undefined && writeJson(view) === writeJson(whole)) return undefined;
  const isClipped = typeof view === "string" && typeof whole === "string" && view.endsWith("…");
  return isClipped && whole.startsWith(view.slice(0, -1))
    ? undefined
    : `${path}: ${writeJson(view)}`;
}

/** As `findStranger`, where `whole` is a view itself, whose strings may be clipped further on. */
export const findLost = (less: JsonValue, more: JsonValue): string | undefined =>
  findStranger(less, more)?.replace(/^/, "lost at ");

function findFirst<T>(
  items: Iterable<T>,
  find: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const prose = (seed: number, words: number): string =>
  Array.from(
    { length: words },
    (_, index) => "quick amber river stone lantern copper".split(" ")[(seed + index * 7) % 6],
  ).join(" ");
const hex = (seed: number, length: number): string =>
  (seed * 2654435761).toString(16).padStart(length, "7af3c09e1b52d864").slice(0, length);

/** Fields of rows, each of one kind in every row: a seed becomes a value. */
const kinds: readonly ((seed: number) => JsonValue)[] = [
  (seed) => seed % 2 === 0,
  (seed) => seed % 900,
  (seed) => (seed % 9000) / 100,
  () => null,
  () => "constant",
  (seed) => ["open", "closed", "held"][seed % 3] ?? null,
  (seed) => `2025-0${1 + (seed % 9)}-1${seed % 10}T0${seed % 10}:00:00Z`,
  (seed) =>
    `https://api.example.test/v1/things/${hex(seed, 12)}?cursor=${hex(seed, 16).repeat(seed % 40)}`,
  (seed) => hex(seed, 40),
  (seed) => `note ${seed} ${prose(seed, 1 + (seed % 90))}`,
  (seed) => hex(seed, 16).repeat(1 + (seed % 30)),
  (seed) =>
    Array.from({ length: seed % 4 }, (_, index) => ({
      sku: `SKU-${seed + index}`,
      about: prose(seed, 4),
    })),
  (seed) => ({ id: seed % 50, name: `owner ${seed % 50}`, site: `https://example.test/${seed}` }),
  (seed) => (seed % 5 === 0 ? { deep: { flag: true, note: prose(seed, 3) } } : null),
  (seed) => Array.from({ length: seed % 5 }, (_, index) => `tag-${(seed + index) % 9}`),
  (seed) => (seed % 17 === 0 ? `rare ${seed}` : null),
];

/** A list or map of rows with `id`, `name` and `customer_id`, and any other fields; and the rows of a view of it. */
export interface MadeBody {
  readonly value: JsonValue;
  readonly rows: readonly JsonObject[];
  readonly rowsOf: (view: JsonValue) => JsonObject[];
}

const valuesOf = (value: JsonValue | undefined): JsonObject[] =>
  (value === undefined ? [] : Object.values(value as JsonObject)) as JsonObject[];
const wrappers: readonly ((rows: JsonObject[]) => Omit<MadeBody, "rows">)[] = [
  (rows) => ({ value: rows, rowsOf: valuesOf }),
  (rows) => ({
    value: { count: rows.length, results: rows, next: null },
    rowsOf: (view) => valuesOf((view as JsonObject)["results"]),
  }),
  (rows) => ({
    value: { license: prose(1, 300), data: { items: rows } },
    rowsOf: (view) => valuesOf(((view as JsonObject)["data"] as JsonObject | undefined)?.["items"]),
  }),
  (rows) => ({
    value: { hosts: Object.fromEntries(rows.map((row, index) => [`host-${index}`, row])) },
    rowsOf: (view) => valuesOf((view as JsonObject)["hosts"]),
  }),
];

export const body: fc.Arbitrary<MadeBody> = fc
  .record({
    fields: fc.array(fc.nat(kinds.length - 1), { minLength: 1, maxLength: 14 }),
    count: fc.integer({ min: 8, max: 150 }),
    place: fc.nat(14),
    wrapper: fc.nat(wrappers.length - 1),
    seed: fc.nat(1e6),
  })
  .map(({ fields, count, place, wrapper, seed }) => {
    const rows = Array.from({ length: count }, (_, row): JsonObject => {
      const entries = fields.map((kind, index): [string, JsonValue] => [
        `field_${index}`,
        kinds[kind]?.((seed + row * 7919 + index * 104_729) % 1e6) ?? null,
      ]);
      const named: [string, JsonValue][] = [
        ["name", `thing ${row}`],
        ["customer_id", `cus_${hex(row + seed, 10)}`],
        ["id", hex(row + 3, 20)],
      ];
      entries.splice(place % (entries.length + 1), 0, ...named);
      return Object.fromEntries(entries);
    });
    return { rows, ...(wrappers[wrapper]?.(rows) ?? { value: rows, rowsOf: valuesOf }) };
  });
