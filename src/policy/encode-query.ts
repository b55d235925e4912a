/** Writes query pairs so that no URL parser changes a byte of them. */

import type { QueryPair } from "./parse-query.js";

/**
 * The query string without `?`; `""` for no pairs. A space is `%20`. Letters, digits and `-._~!*()$,:@/` stay
 * plain (RFC 3986 allows them in a query, and `$filter` stays readable), everything else is percent-encoded UTF-8.
 *
 * @throws URIError for a lone surrogate; `parseQuery` lets none pass
 */
export function encodeQuery(pairs: readonly QueryPair[]): string {
  if (pairs.length === 0) return "";
  return pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

function encodePart(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("'", "%27")
    .replace(/%(?:24|2C|3A|40|2F)/g, decodeURIComponent);
}
