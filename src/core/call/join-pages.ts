/** Several pages of one list as one document: the rows of all, and the last page's paging members. */

import {
  isJsonContainer,
  isJsonObject as isObject,
  type JsonObject,
  type JsonValue,
  writeJson,
} from "../base/exact-number.js";
import { hasIdentity } from "../paging/rows-read.js";

/**
 * Joins pages whose rows are at the same path.
 *
 * Members beside the rows that differ from page to page are of one page: those of the last one stay. Lists among them (JSON:API's
 * `included`, columns beside the rows) are joined, so that nothing is lost.
 *
 * @param path - Member names that lead to the rows; empty where the body itself is the list.
 * @param rows - Those of all pages.
 */
export function joinPages(
  documents: readonly JsonValue[],
  path: readonly string[],
  rows: readonly JsonValue[],
): JsonValue {
  return withRows(joinMembers(documents, path), path, [...rows]);
}

/**
 * A list that is the same on each page is one list, such as a table's header. An item with an identity is the same as an equal one of
 * another page; two equal items of one page are the API's own.
 */
function joinLists(lists: readonly (readonly JsonValue[])[]): JsonValue[] {
  const texts = lists.map((list) => list.map((item) => writeJson(item)));
  const [first = []] = lists;
  const isSame = texts.every((each) => each.join("\n") === texts[0]?.join("\n"));
  if (isSame) return [...first];
  const seen = new Set<string>();
  return lists.flatMap((list, at) => {
    const own = texts[at] ?? [];
    const added = list.filter((item, index) => !hasIdentity(item) || !seen.has(own[index] ?? ""));
    for (const text of own) seen.add(text);
    return added;
  });
}

/** The members beside the rows. */
function joinMembers(pages: readonly JsonValue[], [onPath, ...rest]: readonly string[]): JsonValue {
  const last = pages.at(-1) ?? null;
  const objects = pages.filter(isObject);
  if (objects.length < pages.length || !isObject(last)) return last;
  const names = new Set(objects.flatMap((page) => Object.keys(page)));
  const joined: JsonObject = {};
  for (const name of names) {
    const having = objects.filter((page) => Object.hasOwn(page, name));
    const values = having.map((page) => page[name] ?? null);
    const value = values.at(-1) ?? null;
    const lists = values.filter((each) => Array.isArray(each));
    if (name === onPath) joined[name] = joinMembers(values, rest);
    else if (lists.length === values.length) joined[name] = joinLists(lists);
    // A last page without it: a link or a cursor that ended, or a part that only the first page has.
    else if (Object.hasOwn(last, name) || isJsonContainer(value)) joined[name] = value;
  }
  return joined;
}

function withRows(envelope: JsonValue, path: readonly string[], rows: JsonValue[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return rows;
  if (Array.isArray(envelope))
    return envelope.map((item, at) => (String(at) === name ? withRows(item, rest, rows) : item));
  const members: JsonObject = isObject(envelope) ? envelope : {};
  return { ...members, [name]: withRows(members[name] ?? null, rest, rows) };
}
