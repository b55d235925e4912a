/** Several pages of one list as one document: the rows of all, and beside them what the last page says of paging. */

import {
  isJsonContainer,
  isJsonObject as isObject,
  type JsonObject,
  type JsonValue,
} from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";

/** Names that tell one row from another, whatever API it is: only such a row can come twice by mistake. */
const identity = /^(?:_?id|uuid|guid|key|slug|sha|number|node_id|@id)$|[a-z_]id$/i;

/**
 * Joins pages whose rows stand at the same path.
 *
 * Members beside the rows that differ from page to page speak of one page: the last one's stand. Lists among them (JSON:API's
 * `included`) are joined like the rows, so that nothing is lost.
 *
 * @param path - Member names that lead to the rows; empty where the body itself is the list.
 * @returns `repeated`: rows that came again because the list moved while it was read; each stands there once.
 */
export function joinPages(
  documents: readonly JsonValue[],
  path: readonly string[],
): { readonly document: JsonValue; readonly rows: number; readonly repeated: number } {
  const lists = documents.map((document) => rowsAt(document, path));
  const rows = joinLists(lists, isIdentified);
  const document = withRows(joinMembers(documents, path), path, rows);
  return { document, rows: rows.length, repeated: lists.flat().length - rows.length };
}

/** How many rows a page has. */
export function countRows(document: JsonValue | undefined, path: readonly string[]): number {
  return rowsAt(document ?? null, path).length;
}

/** What stands at the path; one row that stands alone (XML has no lists) is a list of one. */
function rowsAt(document: JsonValue, path: readonly string[]): readonly JsonValue[] {
  const found = path.reduce<JsonValue | undefined>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    document,
  );
  if (Array.isArray(found)) return found;
  return found === undefined || found === null ? [] : [found];
}

function isIdentified(row: JsonValue): boolean {
  return isObject(row) && Object.keys(row).some((name) => identity.test(name));
}

/** All items in order, but for those that an earlier list has. Two equal items of one list are the API's own. */
function joinLists(
  lists: readonly (readonly JsonValue[])[],
  canRepeat: (item: JsonValue) => boolean,
): JsonValue[] {
  const seen = new Set<string>();
  return lists.flatMap((list) => {
    const texts = list.map((item) => (canRepeat(item) ? writeJson(item) : ""));
    const added = list.filter((_, index) => !seen.has(texts[index] ?? ""));
    for (const text of texts) if (text !== "") seen.add(text);
    return added;
  });
}

/** What stands beside the rows. */
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
    else if (areLists) joined[name] = joinLists(values, () => true);
    // A last page without it: a link or a cursor that ended, or a part that only the first page has.
    else if (Object.hasOwn(last, name) || isJsonContainer(value)) joined[name] = value;
  }
  return joined;
}

function withRows(frame: JsonValue, path: readonly string[], rows: JsonValue[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return rows;
  const members: JsonObject = isObject(frame) ? frame : {};
  return { ...members, [name]: withRows(members[name] ?? null, rest, rows) };
}
