/** A part of a document: elements of a list, members of an object, or characters of a text. */

import { isNumberLiteral, type JsonDocument } from "../json/json-document.js";

export interface Slice {
  readonly document: JsonDocument;
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
  { value, numberMark }: JsonDocument,
  { offset = 0, limit }: { readonly offset?: number; readonly limit?: number | undefined },
): Slice | undefined {
  const take = (total: number): [number, number] => {
    const start = Math.min(offset, total);
    return [start, limit === undefined ? total : Math.min(total, start + limit)];
  };
  if (Array.isArray(value)) {
    const [start, end] = take(value.length);
    return { document: { value: value.slice(start, end), numberMark }, total: value.length, end };
  }
  // Annotated, because the guard would otherwise rule out texts altogether.
  const isLiteral: boolean = isNumberLiteral(value, numberMark);
  if (isLiteral) return undefined;
  if (typeof value === "string") {
    const [start, end] = take(value.length);
    return {
      document: { value: value.slice(start, end).toWellFormed(), numberMark },
      total: value.length,
      end,
    };
  }
  if (typeof value !== "object" || value === null) return undefined;
  const members = Object.entries(value);
  const [start, end] = take(members.length);
  return {
    document: { value: Object.fromEntries(members.slice(start, end)), numberMark },
    total: members.length,
    end,
  };
}
