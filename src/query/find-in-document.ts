/** Searches a document for a string and answers with the places where it stands: paths for a query, offsets in a text. */

import { isJsonContainer, type JsonValue } from "../json/exact-number.js";
import { createSearch } from "./text-functions.js";

export interface FindResult {
  /**
   * `{found, shown, matches: [{path, value, row: {path, id}}]}`, of a text `[{offset, value}]`; a long value is an excerpt around the
   * string, and `row` the record of a list or map around it, by what identifies that.
   */
  readonly value: JsonValue;
  /** How many places there are. */
  readonly found: number;
  /** How many of them are in the value. */
  readonly shown: number;
}

export interface FindOptions {
  /** How many places to pass over. @default 0 */
  readonly offset?: number;
  /** How many to show. @default 20 */
  readonly limit?: number | undefined;
}

const excerptCharacters = 80;
/** An object of more members is no row. */
const mostMembers = 500;
/** What identifies a row to a further call; and what only names it, where nothing around it has one of those. */
const identityNames = [
  ["id", "_id", "uuid", "guid", "key", "slug", "sha"],
  ["code", "sku", "number", "ref", "name"],
];
/** Deeper than this a path is of no use to anyone. */
const maxDepth = 200;

/** A container on the way to what is looked at; paths are written only for places that are shown. */
interface Open {
  readonly keys: readonly string[] | undefined;
  readonly items: readonly JsonValue[];
  next: number;
}

/** Finds keys and values that hold a string, whatever its case, in document order and in one pass. */
export function findInDocument(
  root: JsonValue,
  text: string,
  { offset = 0, limit = 20 }: FindOptions = {},
): FindResult {
  const matches: JsonValue[] = [];
  let found = 0;
  const add = (describe: () => JsonValue): void => {
    if (found >= offset && matches.length < limit) matches.push(describe());
    found += 1;
  };
  const search = createSearch(text.toLowerCase());
  if (typeof root === "string") findLines(root, text.length, search, add);
  else findPlaces(root, search, add);
  return { value: { found, shown: matches.length, matches }, found, shown: matches.length };
}

type Search = (text: string, from?: number) => number;
type Add = (describe: () => JsonValue) => void;

/** Every line once, and a long line again after each excerpt. `offset` is where reading on shows the excerpt. */
function findLines(text: string, length: number, search: Search, add: Add): void {
  const lower = text.toLowerCase();
  for (let at = search(lower); at !== -1; ) {
    const before = lower.slice(Math.max(0, at - excerptCharacters), at);
    const after = lower.slice(at + length, at + length + excerptCharacters);
    const start = at - before.length + before.lastIndexOf("\n") + 1;
    const newLine = after.indexOf("\n");
    const end = at + length + (newLine === -1 ? after.length : newLine);
    add(() => ({ offset: start, value: text.slice(start, end).toWellFormed() }));
    at = search(lower, Math.max(end, at + 1));
  }
}

function findPlaces(root: JsonValue, search: Search, add: Add): void {
  const open: Open[] = [];
  const describe = (value: JsonValue): JsonValue => {
    const row = findRow(open);
    return { path: writePath(open), value, ...(row === undefined ? {} : { row }) };
  };
  const look = (value: JsonValue): void => {
    if (isJsonContainer(value)) {
      if (open.length < maxDepth) open.push(openContainer(value));
      return;
    }
    const shown = String(value);
    const at = search(shown.toLowerCase());
    if (at !== -1) add(() => describe(typeof value === "string" ? excerpt(value, at) : value));
  };
  look(root);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    if (container.next === container.items.length) {
      open.pop();
      continue;
    }
    const key = container.keys?.[container.next];
    const item = container.items[container.next] ?? null;
    container.next += 1;
    if (key !== undefined && search(key.toLowerCase()) !== -1) add(() => describe("(the key)"));
    look(item);
  }
}

function openContainer(value: JsonValue[] | { [key: string]: JsonValue }): Open {
  if (Array.isArray(value)) return { keys: undefined, items: value, next: 0 };
  return { keys: Object.keys(value), items: Object.values(value), next: 0 };
}

/** The innermost record around a place that has an identity: what a further call about the place needs. */
function findRow(open: readonly Open[]): JsonValue | undefined {
  for (const names of identityNames) {
    for (let depth = open.length - 1; depth > 0; depth -= 1) {
      const { keys = [], items = [] } = open[depth] ?? {};
      if (items.length > mostMembers) continue;
      const name = names.find((each) => isScalar(items[keys.indexOf(each)]));
      if (name !== undefined)
        return { path: writePath(open.slice(0, depth)), [name]: items[keys.indexOf(name)] ?? null };
    }
  }
  return undefined;
}

function isScalar(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !isJsonContainer(value);
}

/** As JMESPath writes it, with keys bare where they are plain words. */
function writePath(open: readonly Open[]): string {
  const path = open
    .map(({ keys, next }) => {
      const key = keys?.[next - 1];
      if (key === undefined) return `[${next - 1}]`;
      return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`;
    })
    .join("");
  return path === "" ? "@" : path.replace(/^\./, "");
}

function excerpt(text: string, at: number): string {
  if (text.length <= 2 * excerptCharacters) return text;
  const start = Math.max(0, at - excerptCharacters);
  const end = Math.min(text.length, at + excerptCharacters);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`;
}
