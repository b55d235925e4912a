/** Asks every short value of every row of a list, by the row's label, of a view or of a cut text. */

import type { JsonValue } from "../../src/json/exact-number.js";

export interface Lookup {
  readonly value: JsonValue;
  /** Keys down to the list, and from a row to its label. */
  readonly rows: readonly string[];
  readonly label: readonly string[];
}

type Record = { readonly [key: string]: JsonValue };

const isRecord = (value: JsonValue | undefined): value is Record =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const follow = (value: JsonValue, keys: readonly string[]): JsonValue | undefined =>
  keys.reduce<JsonValue | undefined>(
    (at, key) => (typeof at === "object" && at !== null ? (at as Record)[key] : undefined),
    value,
  );

const isShort = (value: JsonValue): boolean =>
  typeof value === "string"
    ? value !== "" && value.length <= 40 && !value.includes("://")
    : typeof value === "number" || typeof value === "boolean";

function listFields(record: Record, keys: readonly string[] = []): string[][] {
  return Object.entries(record).flatMap(([key, value]) => {
    if (isShort(value)) return [[...keys, key]];
    return isRecord(value) ? listFields(value, [...keys, key]) : [];
  });
}

function listQuestions({ value, rows, label }: Lookup): string[][][] {
  const list = (follow(value, rows) ?? []) as Record[];
  return list.flatMap((row, index) =>
    listFields(row)
      .filter((keys) => keys.join() !== label.join())
      .map((keys) => [
        [...rows, String(index), ...label],
        [...rows, String(index), ...keys],
      ]),
  );
}

/** How many the view answers: the label and the value both stand at their paths. */
export function countLookups(lookup: Lookup, view: JsonValue): number {
  const stands = (keys: readonly string[]): boolean => follow(view, keys) === follow(lookup.value, keys);
  return listQuestions(lookup).filter((question) => question.every(stands)).length;
}

/** How many stand whole in the first `length` characters of the compact JSON. */
export function countLookupsInText(lookup: Lookup, length: number): number {
  const ends = new Map<string, number>();
  let text = "";
  const write = (value: JsonValue, path: string): void => {
    if (typeof value !== "object" || value === null) {
      text += JSON.stringify(value);
      ends.set(path, text.length);
      return;
    }
    text += Array.isArray(value) ? "[" : "{";
    for (const [index, [key, item]] of Object.entries(value).entries()) {
      text += `${index > 0 ? "," : ""}${Array.isArray(value) ? "" : `${JSON.stringify(key)}:`}`;
      write(item, `${path}/${key}`);
    }
    text += Array.isArray(value) ? "]" : "}";
  };
  write(lookup.value, "");
  const stands = (keys: readonly string[]): boolean =>
    (ends.get(`/${keys.join("/")}`) ?? Number.POSITIVE_INFINITY) <= length;
  return listQuestions(lookup).filter((question) => question.every(stands)).length;
}
