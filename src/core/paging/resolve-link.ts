/** Turns a link of an answer into a path below the base URL, the place that it may be requested at. */

import { hasSecretName } from "../base/secret-name.js";
import { findBelowBase, toBasePath } from "../request/check-path.js";
import { redactedMarker } from "../secrets/secret.js";
import type { AnsweredPage } from "./paging.js";

/** The URL that was sent, from which relative links start, and its path below the base URL. */
export interface LinkPlace extends Pick<AnsweredPage, "url" | "baseUrl" | "reservedQueryNames"> {
  readonly path: string;
}

/** The path that a link leads to, with its query string; undefined when that is not below the base URL. */
export function resolveLink(link: string, place: LinkPlace): string | undefined {
  const { path, otherHost, hidden } = resolvePageLink(link, place) ?? {};
  return otherHost === undefined && hidden === undefined ? path : undefined;
}

/** A link below the base URL. */
export interface PageLink {
  /** Below the base URL, with its query string. */
  readonly path: string;
  /** The host that the link names, where it is not the API's. */
  readonly otherHost: string | undefined;
  /** The parameter that is redacted and not named like a credential, or `path`: without it the link would lead elsewhere. */
  readonly hidden: string | undefined;
}

/**
 * The path with its query string, the credential and the other reserved parameters dropped (Facebook's `paging.next` has the
 * `access_token`; the interceptor adds it to each request), and variables of a URI template (RFC 6570, HAL's `{&sort}`) expanded to
 * nothing; undefined when the link leads elsewhere. `http` and `https` of one host count as the same, for behind a proxy that ends TLS
 * many APIs write `http` into their own links. An API behind a gateway may write its internal host (`otherHost`): then the path decides.
 */
export function resolvePageLink(link: string, place: LinkPlace): PageLink | undefined {
  const plain = link.trim().replace(/\{[^{}]{0,200}\}/g, "");
  // Control characters and backslashes have no business in a link.
  if (/[\p{Cc}\\]/u.test(plain)) return undefined;
  if (!URL.canParse(place.baseUrl) || !URL.canParse(plain, place.url)) return undefined;
  const [base, target] = [new URL(place.baseUrl), new URL(plain, place.url)];
  if (!/^https?:$/.test(target.protocol)) return undefined;
  const basePath = toBasePath(base);
  const isOwn = isSameHost(target, base);
  if (isOwn && `${target.username}${target.password}` !== "") return undefined;
  const below =
    findBelowBase(target.pathname, basePath) ??
    (isOwn ? findRepeated(target, basePath, place) : undefined);
  // Below a base URL without a path is everything: another host has to name the very path that was requested.
  if (below === undefined || (!isOwn && basePath === "" && below !== place.path)) return undefined;
  const query = keepQuery(target.search, place.reservedQueryNames);
  return {
    path: query === "" ? below : `${below}?${query}`,
    otherHost: isOwn ? undefined : target.host,
    hidden: holdsMarker(below) ? "path" : findHidden(query),
  };
}

/** An API that does not know its own prefix repeats the path that was asked for, or the end of it with the base URL's. */
function findRepeated(
  { pathname }: URL,
  basePath: string,
  { path }: LinkPlace,
): string | undefined {
  const isEnd = `${basePath}${path}`.endsWith(pathname) && pathname.length >= path.length;
  return pathname !== "/" && isEnd ? path : undefined;
}

function isSameHost(target: URL, base: URL): boolean {
  if (target.host === base.host) return true;
  // A default port that the other scheme spells out, such as http://host:443.
  return (
    target.hostname === base.hostname &&
    [target, base].every(({ port }) => /^(?:80|443)?$/.test(port))
  );
}

function keepQuery(search: string, reserved: readonly string[]): string {
  const dropped = new Set(reserved.map((name) => name.toLowerCase()));
  const isKept = (pair: string): boolean => {
    const [parameter] = new URLSearchParams(pair);
    if (parameter === undefined) return false;
    const [name, value] = parameter;
    const isCredential = value === redactedMarker && hasSecretName(name, "query");
    return !isCredential && !dropped.has(name.toLowerCase());
  };
  return search.replace(/^\?/, "").split("&").filter(isKept).join("&");
}

function findHidden(query: string): string | undefined {
  return [...new URLSearchParams(query)].find((parameter) => parameter.some(holdsMarker))?.[0];
}

function holdsMarker(text: string): boolean {
  return text.includes(redactedMarker) || text.includes(encodeURIComponent(redactedMarker));
}
