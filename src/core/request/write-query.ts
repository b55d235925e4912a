/** Writes pairs as a query string, and joins the values of a list that is one parameter. */

import type { QueryStyle, QueryStyles, WrittenPair } from "./query-style.js";

/**
 * The query string without `?`; `""` for no pairs. A space is `%20`. Letters, digits and `-._~!*()$,:@/` stay
 * plain (RFC 3986 allows them in a query, and `$filter` stays readable), everything else is percent-encoded UTF-8.
 *
 * @throws URIError for a lone surrogate; `parseQuery` lets none pass
 */
export function writeQuery(pairs: readonly WrittenPair[]): string {
  return pairs
    .map(([name, value, written]) => `${encodePart(name)}=${written ?? encodePart(value)}`)
    .join("&");
}

/** No URL parser changes a byte of what this writes. */
export function encodePart(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("'", "%27")
    .replace(/%(?:24|2C|3A|40|2F)/g, decodeURIComponent);
}

export const separators: { readonly [Style in QueryStyle]?: string } = {
  comma: ",",
  space: " ",
  tab: "\t",
  pipe: "|",
};

/** Makes one parameter of those that are repeated where their style is one with a separator. */
export function joinRepeated(pairs: readonly WrittenPair[], styles: QueryStyles): WrittenPair[] {
  const joined = new Map<string, WrittenPair>();
  const kept = pairs.filter((pair) => {
    const [name] = pair;
    const separator = separators[styles.get(name) ?? "repeat"];
    if (separator === undefined) return true;
    const before = joined.get(name);
    joined.set(name, before === undefined ? pair : joinPairs(before, pair, separator));
    return before === undefined;
  });
  return kept.map((pair) => joined.get(pair[0]) ?? pair);
}

function joinPairs(before: WrittenPair, pair: WrittenPair, separator: string): WrittenPair {
  const value = `${before[1]}${separator}${pair[1]}`;
  const isPlain = before[2] === undefined && pair[2] === undefined;
  if (isPlain) return [pair[0], value];
  const [one, other] = [before, pair].map(([, each, written]) => written ?? encodePart(each));
  return [pair[0], value, `${one}${encodePart(separator)}${other}`];
}
