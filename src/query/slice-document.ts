/** A part of a document: elements of a list, members of an object, or characters of a text. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";

export interface Slice {
  readonly document: JsonValue;
  /** How many elements, members or characters there are in all. */
  readonly total: number;
  /** The position after the last one taken. */
  readonly end: number;
}

/**
 * Takes `limit` elements from `offset` on.
 *
 * @param offset - From 0. Default 0.
 * @param limit - Default: all that follow.
 * @returns undefined for a value that has no parts: a number, true, false, null.
 */
export function sliceDocument(
  value: JsonValue,
  { offset = 0, limit }: { readonly offset?: number; readonly limit?: number | undefined },
): Slice | undefined {
  const take = (total: number): [number, number] => {
    const start = Math.min(offset, total);
    return [start, limit === undefined ? total : Math.min(total, start + limit)];
  };
  if (Array.isArray(value)) {
    const [start, end] = take(value.length);
    return { document: value.slice(start, end), total: value.length, end };
  }
  if (typeof value === "string") {
    const [start, end] = take(value.length);
    return {
      document: value.slice(start, end).toWellFormed(),
      total: value.length,
      end,
    };
  }
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  const [start, end] = take(members.length);
  return {
    document: Object.fromEntries(members.slice(start, end)),
    total: members.length,
    end,
  };
}
