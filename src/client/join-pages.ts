/** Several pages of one list as one document: the rows of all, and beside them what the last page says of paging. */

import { isJsonObject as isObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";

export interface JoinedPages {
  readonly document: JsonValue;
  readonly rows: number;
  /** Rows that came again because the list moved while it was read; each stands there once. */
  readonly repeated: number;
}

/** Names that tell one row from another, whatever API it is: only such a row can come twice by mistake. */
const identity = /^(?:_?id|uuid|guid|key|slug|sha|number|node_id|@id)$|[a-z_]id$/i;

/**
 * Joins pages whose rows stand at the same path.
 *
 * Members beside the rows that differ from page to page speak of one page: the last one's stand. Lists among them (JSON:API's
 * `included`) are joined like the rows, so that nothing is lost.
 *
 * @param path - Member names that lead to the rows; empty where the body itself is the list.
 */
export function joinPages(documents: readonly JsonValue[], path: readonly string[]): JoinedPages {
  const seen = new Set<string>();
  let repeated = 0;
  const rows: JsonValue[] = [];
  for (const document of documents) {
    const own = rowsAt(document, path);
    const texts = own.map((row) => (isIdentified(row) ? writeJson(row) : undefined));
    for (const [index, row] of own.entries()) {
      const text = texts[index];
      if (text !== undefined && seen.has(text)) repeated += 1;
      else rows.push(row);
    }
    // After the page: two equal rows of one page are the API's own.
    for (const text of texts) if (text !== undefined) seen.add(text);
  }
  const [first = null, ...later] = documents;
  const lists: JoinedLists = new WeakMap();
  const frame = later.reduce<JsonValue>((joined, page) => joinMembers(joined, page, path, lists), first);
  return { document: withRows(frame, path, rows), rows: rows.length, repeated };
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

/** What the lists beside the rows hold by now, as text: to write them anew for each page would take a time of pages squared. */
type JoinedLists = WeakMap<JsonValue[], Set<string>>;

function joinMembers(
  earlier: JsonValue,
  later: JsonValue,
  path: readonly string[],
  lists: JoinedLists,
): JsonValue {
  if (!isObject(earlier) || !isObject(later)) return later;
  const [onPath, ...rest] = path;
  const joined: JsonObject = {};
  for (const [name, value] of Object.entries(earlier)) {
    const next = Object.hasOwn(later, name) ? later[name] : undefined;
    if (name === onPath) joined[name] = next === undefined ? value : joinMembers(value, next, rest, lists);
    else if (next !== undefined) joined[name] = joinBeside(value, next, lists);
    // A page without it: a link or a cursor that ended, or a part that only the first page has.
    else if (typeof value === "object" && value !== null) joined[name] = value;
  }
  for (const [name, value] of Object.entries(later)) if (!Object.hasOwn(joined, name)) joined[name] = value;
  return joined;
}

function joinBeside(earlier: JsonValue, later: JsonValue, lists: JoinedLists): JsonValue {
  if (!Array.isArray(earlier) || !Array.isArray(later)) return later;
  const known = lists.get(earlier) ?? new Set(earlier.map((each) => writeJson(each)));
  const texts = later.map((each) => writeJson(each));
  const joined = [...earlier, ...later.filter((_, index) => !known.has(texts[index] ?? ""))];
  for (const text of texts) known.add(text);
  lists.set(joined, known);
  return joined;
}

function withRows(frame: JsonValue, path: readonly string[], rows: JsonValue[]): JsonValue {
  const [name, ...rest] = path;
  if (name === undefined) return rows;
  const members: JsonObject = isObject(frame) ? frame : {};
  return { ...members, [name]: withRows(members[name] ?? null, rest, rows) };
}
