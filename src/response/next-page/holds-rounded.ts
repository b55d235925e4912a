/** Tells whether a next page was made of a number that a double can't hold: then digits of it are lost. */

import { isObject } from "../error/shape.js";
import type { JsonValue } from "../json-document.js";
import type { NextPage } from "./page-place.js";
import type { PagingFacts } from "./paging-facts.js";

const maxValues = 50;
/** From here on JavaScript writes a number with an exponent; its first digits are looked for. */
const longest = 1e21;
const firstDigits = 15;

/** Takes a next page and the native numbers it was found among. */
export function holdsRounded(next: NextPage, { members, rows = [] }: PagingFacts): boolean {
  const sent = JSON.stringify(next);
  const envelope = [...members.values()].map(({ value }) => value);
  return [...envelope, ...ownValues(rows[0]), ...ownValues(rows.at(-1))]
    .flatMap((value) => [value, ...ownValues(value)])
    .some(
      (value) => typeof value === "number" && !Number.isSafeInteger(value) && sent.includes(digitsOf(value)),
    );
}

function digitsOf(value: number): string {
  const text = String(value);
  return Math.abs(value) < longest ? text : text.replace(".", "").slice(0, firstDigits);
}

function ownValues(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value.slice(0, maxValues) : isObject(value) ? firstValues(value) : [];
}

function firstValues(object: { [key: string]: JsonValue }): JsonValue[] {
  const values: JsonValue[] = [];
  for (const key in object) {
    if (values.length === maxValues) break;
    values.push(object[key] ?? null);
  }
  return values;
}
