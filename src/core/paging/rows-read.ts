/** What the pages of this process have shown: which rows of a list were read before, which names worked, and where none did. */

import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import type { Clock } from "../base/runtime.js";

/** Names that identify a row whatever the rest of it is. */
const identityNames = ["id", "_id", "uuid", "guid", "@id", "node_id", "sha"];
/** Rows with a member of such a name are not the same by chance when all of their members are. */
const identifying = /^(?:_?id|uuid|guid|key|slug|sha|number|node_id|@id)$|[a-z_]id$/i;

/**
 * Compares rows by their whole content. Two equal rows of one page are the API's own. A row without an identity that is equal to one of
 * another page is kept: measurements may be equal.
 */
export class RowsRead {
  readonly #rows = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #pages = new Set<string>();
  #name: string | undefined;

  /** Compares a page with those before, and remembers it unless it is rejected. */
  compare(rows: readonly JsonValue[], isGuess = false) {
    this.#name ??= findIdentity(rows);
    const keys = rows.map((row) => this.#keyOf(row));
    const isKnown = keys.map(({ text }) => this.#rows.has(text));
    const page = toKey(keys.map(({ text }) => text).join("\n"));
    const isRepeat =
      rows.length > 0 &&
      isKnown.every(Boolean) &&
      (keys.some(({ isSure }) => isSure) || this.#pages.has(page));
    const isChanged = keys.map(
      ({ id }, at) => id !== undefined && isKnown[at] !== true && this.#ids.has(id),
    );
    const isRejected = isRepeat || (isGuess && isKnown[0] === true && keys[0]?.isSure === true);
    if (!isRejected) {
      this.#pages.add(page);
      for (const { text, id } of keys) {
        this.#rows.add(text);
        if (id !== undefined) this.#ids.add(id);
      }
    }
    return {
      /** The rows without those that surely were read before. */
      fresh: rows.filter((_, at) => isKnown[at] !== true || keys[at]?.isSure !== true),
      /** How many rows were read before, on another page; of rows without an identity, how many are equal to one. */
      repeated: isKnown.filter(Boolean).length,
      /** How many rows have the id of a row of another page, and another content. */
      changed: isChanged.filter(Boolean).length,
      /** Whether it is not the next page: no row is new, or for a guess its first row surely was read before. */
      isRejected,
    };
  }

  /** Of a row; `isSure`: whether an equal row is the same one. */
  #keyOf(row: JsonValue) {
    const id = this.#name === undefined ? undefined : readIdentity(row, this.#name);
    const isSure = id !== undefined || isIdentifiable(row);
    return { text: toKey(writeJson(row)), isSure, id };
  }
}

/** Whether an equal row elsewhere is the same one. */
export function isIdentifiable(row: JsonValue): boolean {
  return isJsonObject(row) && Object.keys(row).some((name) => identifying.test(name));
}

function toKey(text: string): string {
  return text.length < 100 ? text : createHash("sha256").update(text).digest("base64");
}

/** A member that every row of a page has, with a value of its own. */
function findIdentity(rows: readonly JsonValue[]): string | undefined {
  if (rows.length === 0) return undefined;
  return identityNames.find((name) => {
    const ids = rows.map((row) => readIdentity(row, name));
    return !ids.includes(undefined) && new Set(ids).size === ids.length;
  });
}

/** Of a row or, in a GraphQL edge, of its node. */
function readIdentity(row: JsonValue, name: string): string | undefined {
  if (!isJsonObject(row)) return undefined;
  const node = row["node"];
  const own = isJsonObject(node) ? node : row;
  const value = Object.hasOwn(own, name) ? own[name] : undefined;
  return value === undefined || value === null || typeof value === "boolean"
    ? undefined
    : writeJson(value);
}

export type LearnedNames = ReturnType<typeof createLearnedNames>;

/** The oldest go. */
const maxEntries = 500;
const failureMs = 600_000;

export function createLearnedNames(clock: Clock) {
  const names = new Map<string, string>();
  const failedAtMs = new Map<string, number>();
  const paged = new Map<string, true>();
  return {
    /** The name under which this source takes what its answers call `stated`. */
    find: (source: string, stated: string) => names.get(`${source} ${stated}`),
    learn: (source: string, stated: string, name: string) =>
      addLast(names, `${source} ${stated}`, name),
    /** Whether no name worked at this path in the last ten minutes. */
    hasFailed: (path: string, stated: string) =>
      clock.now() - (failedAtMs.get(`${path} ${stated}`) ?? Number.NEGATIVE_INFINITY) < failureMs,
    fail: (path: string, stated: string) => addLast(failedAtMs, `${path} ${stated}`, clock.now()),
    /** Whether a list at this path gave a link or a cursor to its next page. */
    isPaged: (path: string) => paged.has(path),
    notePaged: (path: string) => addLast(paged, path, true),
  };
}

function addLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) map.delete(oldest);
}
