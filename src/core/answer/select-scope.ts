/** Which part of a list a `select` ran on: a count over one page of several is not a count of the list. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { plural } from "../base/text.js";
import type { ResponseBody } from "../body/response-body.js";
import type { Page } from "../call/running-call.js";
import { findRows } from "../paging/read-envelope.js";
import type { PageScope } from "../store/keep-response.js";
import type { Answer } from "./answer.js";

interface RowList {
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
function valueAt(document: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    document,
  );
}

/** Of an answer with a list. @returns undefined where no row is known to be missing. */
export function findScope(
  { rows: path, total }: Pick<Page, "rows" | "total">,
  { document }: ResponseBody,
  { next, pages }: Pick<Answer, "next" | "pages">,
): PageScope | undefined {
  const list = valueAt(document, path ?? []) ?? [];
  // XML has no lists: one row is an object.
  const rows = Array.isArray(list) ? list.length : 1;
  const isPart = next !== undefined || pages?.complete === false || (total !== undefined && rows < total);
  if (!isPart) return undefined;
  // A total that is not larger is not the number of all rows.
  return { rows, pages: pages?.read ?? 1, ...(total !== undefined && total > rows ? { total } : {}) };
}

/** @param advice - How to read all rows. @default none */
export function describeScope({ rows, total, pages }: PageScope, advice = ""): string {
  const of = total === undefined ? plural(rows, "row") : `${rows} of ${plural(total, "row")}`;
  const more = total === undefined ? "; the list has more" : "";
  return `\`select\` ran on ${of} (${pages === 1 ? "one page" : `${pages} pages`})${more}.${advice && ` ${advice}`}`;
}
