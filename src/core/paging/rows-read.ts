/** Knows which rows of a page were read before. Only an identity that the first page shows makes two rows the same one. */

import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";

/** Names of members that identify a row, best first. Others that end alike do not: `paid`, `valid`, the `user_id` of an order. */
const identityNames = ["id", "_id", "uuid", "guid", "@id", "node_id", "sha"];

/** A page beside those that were read before it. */
export interface ComparedPage {
  /** The rows to add. */
  readonly fresh: readonly JsonValue[];
  /** How many rows are left out: an earlier page has the same row, with the same identity and content. */
  readonly repeated: number;
  /** How many rows have the identity of a row of an earlier page, and other content. */
  readonly changed: number;
  /** How many rows without an identity equal one of an earlier page: they are the API's, and stay. */
  readonly equal: number;
}

/** The rows of the pages of one list. */
export class RowsRead {
  readonly #identity: string | undefined;
  /** The content of each row by its identity, and the contents of rows without one. */
  readonly #contents = new Map<string, string>();
  readonly #pages = new Set<string>();

  constructor(first: readonly JsonValue[]) {
    this.#identity = findIdentity(first);
    this.add(first);
  }

  /** Whether the rows are, in order, equal to those of a page that was read before. */
  isRepeat(rows: readonly JsonValue[]): boolean {
    return rows.length > 0 && this.#pages.has(toPageKey(rows));
  }

  /** Compares a page with those before it, and remembers it. */
  add(rows: readonly JsonValue[]): ComparedPage {
    const compared = rows.map((row) => this.#compare(row));
    this.#pages.add(toPageKey(rows));
    for (const { key, content } of compared) this.#contents.set(key, content);
    const count = (kind: Likeness): number => compared.filter(({ is }) => is === kind).length;
    return {
      fresh: rows.filter((_, at) => compared[at]?.is !== "repeated"),
      repeated: count("repeated"),
      changed: count("changed"),
      equal: count("equal"),
    };
  }

  #compare(row: JsonValue): {
    readonly key: string;
    readonly content: string;
    readonly is: Likeness;
  } {
    const content = toKey(writeJson(row));
    const id = this.#identity === undefined ? undefined : readIdentity(row, this.#identity);
    const key = id === undefined ? `row ${content}` : `id ${id}`;
    const known = this.#contents.get(key);
    if (known === undefined) return { key, content, is: "new" };
    if (id === undefined) return { key, content, is: "equal" };
    return { key, content, is: known === content ? "repeated" : "changed" };
  }
}

/** A row beside the rows of the pages before it. */
type Likeness = "new" | "repeated" | "changed" | "equal";

/** Whether an item beside the rows has an identity, so that an equal one on another page is the same. */
export function hasIdentity(item: JsonValue): boolean {
  return identityNames.some((name) => readIdentity(item, name) !== undefined);
}

/** A short text as it is, else its hash: a long list would be kept twice. */
function toKey(text: string): string {
  return text.length < 100 ? text : createHash("sha256").update(text).digest("base64");
}

function toPageKey(rows: readonly JsonValue[]): string {
  return toKey(rows.map((row) => writeJson(row)).join("\n"));
}

/** The first name that every row of a page has, with a value of its own. */
function findIdentity(rows: readonly JsonValue[]): string | undefined {
  if (rows.length === 0) return undefined;
  return identityNames.find((name) => {
    const ids = rows.map((row) => readIdentity(row, name));
    return !ids.includes(undefined) && new Set(ids).size === ids.length;
  });
}

/** The identity of a row or, in a GraphQL edge, of its node. */
function readIdentity(row: JsonValue, name: string): string | undefined {
  if (!isJsonObject(row)) return undefined;
  const node = row["node"];
  const own = isJsonObject(node) ? node : row;
  const value = Object.hasOwn(own, name) ? own[name] : undefined;
  if (value === undefined || value === null || typeof value === "boolean") return undefined;
  return writeJson(value);
}
