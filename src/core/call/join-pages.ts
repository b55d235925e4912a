/** Several pages of one list as one document: the rows of all, and the last page's paging members. */

import {
  isJsonContainer,
  isJsonObject as isObject,
  type JsonObject,
  type JsonValue,
} from "../base/exact-number.js";
import { writeJson } from "../base/write-json.js";
import { rowsAt } from "../paging/read-envelope.js";
import { RowsRead } from "../paging/rows-read.js";

/**
 * Joins pages whose rows are at the same path.
 *
 * Members beside the rows that differ from page to page are of one page: those of the last one stay. Lists among them (JSON:API's
 * `included`) are joined like the rows, so that nothing is lost.
 *
 * @param path - Member names that lead to the rows; empty where the body itself is the list.
 * @returns `repeated`: rows that came again because the list moved while it was read; each is there once.
 */
export function joinPages(
  documents: readonly JsonValue[],
  path: readonly string[],
): { readonly document: JsonValue; readonly rows: number; readonly repeated: number } {
  const read = new RowsRead();
  const lists = documents.map((document) => read.compare(rowsAt(document, path)));
  const rows = lists.flatMap(({ fresh }) => fresh);
  const received = documents.reduce<number>((sum, document) => sum + rowsAt(document, path).length, 0);
  const document = withRows(joinMembers(documents, path), path, rows);
  return { document, rows: rows.length, repeated: received - rows.length };
}

/** All items in order, but for those that an earlier list has. Two equal items of one list are the API's own. */
function joinLists(lists: readonly (readonly JsonValue[])[]): JsonValue[] {
  const seen = new Set<string>();
  return lists.flatMap((list) => {
    const texts = list.map((item) => writeJson(item));
    const added = list.filter((_, index) => !seen.has(texts[index] ?? ""));
    for (const text of texts) seen.add(text);
    return added;
  });
}

/** What is beside the rows. */
function joinMembers(pages: readonly JsonValue[], [onPath, ...rest]: readonly string[]): JsonValue {
  const last = pages.at(-1) ?? null;
  const objects = pages.filter(isObject);
  if (objects.length < pages.length || !isObject(last)) return last;
  const names = new Set(objects.flatMap((page) => Object.keys(page)));
  const joined: JsonObject = {};
  for (const name of names) {
    const values = objects.filter((page) => Object.hasOwn(page, name)).map((page) => page[name] ?? null);
    const value = values.at(-1) ?? null;
    const areLists = values.every((each) => Array.isArray(each));
    if (name === onPath) joined[name] = joinMembers(values, rest);
    else if (areLists) joined[name] = joinLists(values);
    // A last page without it: a link or a cursor that ended, or a part that only the first page has.
    else if (Object.hasOwn(last, name) || isJsonContainer(value)) joined[name] = value;
  }
  return joined;
}

function withRows(envelope: JsonValue, path: readonly string[], rows: JsonValue[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return rows;
  const members: JsonObject = isObject(envelope) ? envelope : {};
  return { ...members, [name]: withRows(members[name] ?? null, rest, rows) };
}
