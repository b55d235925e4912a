/** A part of a document by position: elements of a list, members of an object, or characters of a string. */

import { invalidInput } from "../base/errors.js";
import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { plural } from "../base/text.js";

export interface DocumentPart {
  readonly value: JsonValue;
  /** How many elements, members or characters there are in all. */
  readonly total: number;
  /** The position after the last one taken. */
  readonly end: number;
}

/**
 * Takes `limit` elements from `offset` on.
 *
 * @param offset - From 0. @default 0
 * @param limit - @default all that follow
 * @throws ApiSourceError `invalid_input` for a value that has no parts, or an offset beyond the end.
 */
export function readPart(
  value: JsonValue,
  { offset = 0, limit }: { readonly offset?: number; readonly limit?: number | undefined },
): DocumentPart {
  const members = isJsonObject(value) ? Object.entries(value) : undefined;
  const parts = members ?? value;
  if (typeof parts !== "string" && !Array.isArray(parts))
    throw invalidInput(
      "offset and limit take a part of a list, an object or a string; this is a single value.",
      "Leave offset and limit out, or select a list.",
    );
  const total = parts.length;
  if (offset > 0 && offset >= total) {
    const unit = typeof parts === "string" ? "character" : members === undefined ? "element" : "member";
    throw invalidInput(
      `offset ${offset} is beyond the end: there are ${plural(total, unit)}.`,
      `Take an offset below ${total}.`,
    );
  }
  const end = limit === undefined ? total : Math.min(total, offset + limit);
  if (typeof parts === "string") return { value: parts.slice(offset, end).toWellFormed(), total, end };
  const taken = parts.slice(offset, end);
  return {
    value: members === undefined ? taken : Object.fromEntries(members.slice(offset, end)),
    total,
    end,
  };
}
