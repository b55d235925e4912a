/** Finds the rows of a document: a list alone, or in an envelope such as `{"issues":[…],"total":724}`. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import { findRows } from "../paging/read-envelope.js";

export interface RowList {
  /** The member names that lead to the list; none where the document is the list. */
  readonly keys: readonly string[];
  readonly list: JsonValue[];
  /** Whether the document is an envelope around the list: neither the list itself nor a record with an id. */
  readonly isInEnvelope: boolean;
}

/** @param path - Of the request: its last segment may name the list. @returns undefined for a document without a list. */
export function findList(document: JsonValue, path: string): RowList | undefined {
  const keys = findRows(document, path);
  const list = keys && valueAt(document, keys);
  if (keys === undefined || !Array.isArray(list)) return undefined;
  const isRecord =
    isJsonObject(document) && (Object.hasOwn(document, "id") || Object.hasOwn(document, "_id"));
  return { keys, list, isInEnvelope: keys.length > 0 && !isRecord };
}

/** The value under member names, one after the other; undefined where one is missing. */
export function valueAt(document: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    document,
  );
}
