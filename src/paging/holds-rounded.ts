/** Tells whether a next page was made of a number that a double can't hold: then digits of it are lost. */

import type { JsonValue } from "../json/json-document.js";
import { isObject } from "../json/shape.js";
import type { NextPage } from "./page-place.js";
import type { PagingFacts } from "./paging-facts.js";

const maxValues = 50;
/** JavaScript writes a longer number with an exponent, whose sign a URL encodes: what stands before that is looked for. */
const exponent = /e.*$/;

/** Takes a next page and the native numbers it was found among. */
export function holdsRounded(next: NextPage, { members, rows = [] }: PagingFacts): boolean {
  const sent = JSON.stringify(next);
  const envelope = [...members.values()].map(({ value }) => value);
  return [...envelope, ...ownValues(rows[0]), ...ownValues(rows.at(-1))]
    .flatMap((value) => [value, ...ownValues(value)])
    .some(
      (value) =>
        typeof value === "number" &&
        !Number.isSafeInteger(value) &&
        sent.includes(String(value).replace(exponent, "")),
    );
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
