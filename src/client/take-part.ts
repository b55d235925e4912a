/** The part of a kept response that a read asks for: by position, or what holds a string. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import { findRows } from "../paging/read-envelope.js";
import { findInDocument } from "../query/find-in-document.js";
import { readPart } from "../query/read-part.js";
import type { ReadRequest } from "./call-request.js";

export interface Part {
  readonly value: JsonValue;
  /** Whether `offset`, `limit` or `find` took it out of the whole. */
  readonly isSlice: boolean;
  /** How many elements, members, characters or matches there are in all. */
  readonly total: number;
  /** Where the part begins among them. */
  readonly offset: number;
  /** The position after the last one taken. */
  readonly end: number;
}

/** @throws ApiSourceError `invalid_input` for an offset beyond the end. */
export function takePart(value: JsonValue, { find, offset = 0, limit, ...rest }: ReadRequest): Part {
  if (find !== undefined) {
    const { value: matches, found, shown } = findInDocument(value, find, { offset, limit });
    return { value: matches, isSlice: true, total: found, offset, end: offset + shown };
  }
  if (limit === undefined && offset === 0 && !("offset" in rest)) {
    const total = countParts(value);
    return { value, isSlice: false, total, offset: 0, end: total };
  }
  const { value: taken, total, end } = readPart(value, { offset, limit });
  return { value: taken, isSlice: true, total, offset, end };
}

/** As many of the matches as fit whole: each leads somewhere by its path and its row. */
export function fitMatches(part: Part, fits: (value: JsonValue) => boolean): Part {
  const { value } = part;
  const matches = isJsonObject(value) ? value["matches"] : undefined;
  if (!Array.isArray(matches)) return part;
  const take = (count: number): Part => ({
    ...part,
    value: { found: part.total, shown: count, matches: matches.slice(0, count) },
    end: part.offset + count,
  });
  let count = matches.length;
  while (count > 1 && !fits(take(count).value)) count = Math.floor(count * 0.8);
  return take(count);
}

export function countParts(value: JsonValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

/**
 * The list of rows under the name that the request's path gives it: `/orders` answers with `[…]` or `{"data":[…]}`, and a model that
 * knows no more writes `orders[]`.
 */
export function findCalled(
  document: JsonValue,
  path: string,
): { readonly name: string; readonly list: JsonValue } | undefined {
  const name = /([^/.]+)(?:\.\w{1,5})?\/*$/.exec(path.slice(-200))?.[1];
  const keys = name === undefined ? undefined : findRows(document, path);
  const list = keys?.reduce<JsonValue | undefined>(
    (at, key) => (isJsonObject(at) ? at[key] : undefined),
    document,
  );
  return name === undefined || !Array.isArray(list) ? undefined : { name, list };
}
