/** Searches a document for a text and answers with the paths where it stands, as JMESPath that works on the whole. */

import { isJsonContainer, type JsonValue } from "../json/exact-number.js";

export interface FindResult {
  /** `{found, shown, matches: [{path, value}]}`; a long value is an excerpt around the text. */
  readonly document: JsonValue;
  /** How many places there are. */
  readonly found: number;
  /** How many of them are in the document. */
  readonly shown: number;
}

const defaultLimit = 20;
const excerptCharacters = 80;
/** Deeper than this a path is of no use to anyone. */
const maxDepth = 200;

interface Place {
  readonly value: JsonValue;
  readonly path: string;
  readonly depth: number;
}

/**
 * Finds keys and values that hold a text, whatever its case, in document order.
 *
 * @param offset - How many places to pass over. Default 0.
 * @param limit - How many to show. Default 20.
 */
export function findInDocument(
  value: JsonValue,
  text: string,
  {
    offset = 0,
    limit = defaultLimit,
  }: { readonly offset?: number; readonly limit?: number | undefined } = {},
): FindResult {
  const searched = text.toLowerCase();
  const matches: JsonValue[] = [];
  let found = 0;
  const note = (path: string, shown: JsonValue): void => {
    if (found >= offset && matches.length < limit) matches.push({ path, value: shown });
    found += 1;
  };
  const open: Place[] = [{ value, path: "", depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { path } = place;
    if (isJsonContainer(place.value)) {
      open.push(...childrenOf(place, searched, note));
      continue;
    }
    const shown = String(place.value);
    const at = shown.toLowerCase().indexOf(searched);
    if (at !== -1) note(path === "" ? "@" : path, excerpt(place.value, shown, at));
  }
  return {
    document: { found, shown: matches.length, matches },
    found,
    shown: matches.length,
  };
}

/** In reverse, because the next to be looked at is taken from the end. */
function childrenOf(
  { value, path, depth }: Place,
  searched: string,
  note: (path: string, shown: JsonValue) => void,
): Place[] {
  if (depth >= maxDepth || !isJsonContainer(value)) return [];
  const children: Place[] = [];
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      children.push({ value: item, path: `${path}[${index}]`, depth: depth + 1 });
    });
  } else {
    for (const [key, item] of Object.entries(value)) {
      const child = `${path}${path === "" ? "" : "."}${quoteKey(key)}`;
      if (key.toLowerCase().includes(searched)) note(child, "(the key)");
      children.push({ value: item, path: child, depth: depth + 1 });
    }
  }
  return children.reverse();
}

/** A key as JMESPath writes it: bare when it is a plain word, else a JSON string. */
function quoteKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}

function excerpt(value: JsonValue, shown: string, at: number): JsonValue {
  if (typeof value !== "string" || shown.length <= 2 * excerptCharacters) return value;
  const start = Math.max(0, at - excerptCharacters);
  const end = Math.min(shown.length, at + excerptCharacters);
  return `${start > 0 ? "…" : ""}${shown.slice(start, end).toWellFormed()}${end < shown.length ? "…" : ""}`;
}
