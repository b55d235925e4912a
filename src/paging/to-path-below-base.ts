/** Turns a link an API gave into a path below the base URL, or refuses it. */

import { dropEndSlashes, findBelowBase } from "../policy/place-below-base.js";
import { maxUrlLength } from "../policy/resolve-url.js";
import { redactedMarker } from "../secrets/secret.js";

export interface LinkPlace {
  /** The URL that was sent: relative links start from it. */
  readonly url: string;
  readonly baseUrl: string;
  /** The sent path below the base URL. */
  readonly path: string;
  /** Query names that are added to every request: the credential's and the constants'. */
  readonly reservedQueryNames: readonly string[];
}

/**
 * The path with its query string, the reserved parameters dropped; undefined when the link leads elsewhere. `http` and `https` of one
 * host count as the same, for behind a proxy that ends TLS many APIs write `http` into their own links.
 */
export function toPathBelowBase(link: string, place: LinkPlace): string | undefined {
  // No request of this length could be sent.
  if (link.length > maxUrlLength) return undefined;
  const base = parse(place.baseUrl);
  const target = parse(link.trim(), place.url);
  if (base === undefined || target === undefined || !isSameHost(target, base)) return undefined;
  const path =
    findBelowBase(target.pathname, dropEndSlashes(base.pathname)) ??
    cutRepeatedPath(target.pathname, place.path);
  if (path === undefined || !isPlain(link)) return undefined;
  const query = keepQuery(target.search, place.reservedQueryNames);
  if (query.includes(redactedMarker) || query.includes(encodeURIComponent(redactedMarker))) return undefined;
  return query === "" ? path : `${path}?${query}`;
}

function parse(url: string, base?: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

function isSameHost(target: URL, base: URL): boolean {
  if (!/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "") return false;
  if (target.host === base.host) return true;
  // A default port that the other scheme spells out, such as http://host:443.
  return target.hostname === base.hostname && isDefaultPort(target) && isDefaultPort(base);
}

function isDefaultPort({ port }: URL): boolean {
  return port === "" || port === "80" || port === "443";
}

/** Control characters and backslashes have no business in a link. */
function isPlain(link: string): boolean {
  return !/[\p{Cc}\\]/u.test(link.trim());
}

/** `/users?page=2` under a base URL with a path: an API that doesn't know its own prefix repeats the path that was asked for. */
function cutRepeatedPath(pathname: string, sentPath: string): string | undefined {
  return pathname !== "/" && pathname === sentPath ? pathname : undefined;
}

function keepQuery(search: string, reserved: readonly string[]): string {
  const dropped = new Set(reserved.map((name) => name.toLowerCase()));
  const pairs = search.replace(/^\?/, "").split("&");
  return pairs.filter((pair) => pair !== "" && !dropped.has(decodeName(pair).toLowerCase())).join("&");
}

function decodeName(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? "";
}
