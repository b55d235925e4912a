/** Finds the URL of the next page, in the `Link` header or in the body, and turns it into a path below the base URL. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { isBlank, toShape } from "../base/shape.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import { findBelowBase, toBasePath } from "../request/check-path.js";
import { redactedMarker } from "../secrets/secret.js";
import type { NextPage } from "./paged-request.js";
import { type AnsweredPage, maxLength, tooLong, type WayFound } from "./paging.js";

const maxHeaderLength = 32_000;
const linkPattern =
  /<([^<>]*)>((?:\s*;\s*[^\s;,="<>]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<>]*))?)*)/g;
const parameterPattern = /;\s*([^\s;,="<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/g;

/** A link in the header or the body, as far as it can be requested. One that leads elsewhere does not count. */
export function findLink(answered: AnsweredPage): WayFound {
  const { request, headers, envelope } = answered;
  const header = request.method === "GET" ? findHeaderLink(headers) : { isEnd: false };
  const body = envelope.more === false ? { isEnd: false } : findBodyLink(answered);
  const ways = [header.link, body.link].flatMap((link) =>
    link === undefined ? [] : followLink(link, answered),
  );
  const isEnd = header.isEnd || body.isEnd || linksBack(answered);
  const sure = ways.find(({ candidates }) =>
    candidates.some(({ guessOf }) => guessOf === undefined),
  );
  return (
    sure ??
    ways.find(({ candidates }) => candidates.length > 0) ??
    ways[0] ?? { candidates: [], isEnd }
  );
}

export function followLink(link: string, answered: AnsweredPage): WayFound {
  if (link.length > maxLength) return { candidates: [], unreachable: tooLong };
  const { request } = answered;
  const found = resolvePageLink(link, { ...answered, path: request.path });
  const { path, otherHost } = found ?? {};
  if (path === undefined || (otherHost !== undefined && request.method !== "GET")) {
    // Not below the base URL, and yet the same list: an internal address, for one.
    const isSameList =
      request.path !== "/" && link.split(/[?#]/)[0]?.endsWith(request.path) === true;
    const outside = "the API's link to the next page leads outside of the base URL";
    return { candidates: [], unreachable: isSameList ? outside : undefined };
  }
  const next = toNextPage(path, answered);
  return { candidates: [{ next, kind: "link", guessOf: otherHost && `a link to ${otherHost}` }] };
}

/** A link to the very path of a POST search continues that search; any other link is to be fetched. */
function toNextPage(
  path: string,
  { request: { method, path: sentPath, body } }: AnsweredPage,
): NextPage {
  if (method !== "POST" || path.split("?")[0] !== sentPath) return { method: "GET", path };
  return { method, path, body };
}

function readHeaderLinks({ link = [] }: ResponseHeaders) {
  const text = (typeof link === "string" ? link : link.join(", ")).slice(0, maxHeaderLength);
  return [...text.matchAll(linkPattern)].map(([, target = "", list = ""]) => {
    const pairs = [...list.matchAll(parameterPattern)].map(
      ([, name = "", quoted, plain = ""]) =>
        [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain] as const,
    );
    // Of equal names the first counts (section 3.3), and stays when the list is turned around.
    const parameters = new Map(pairs.reverse());
    const relations = (parameters.get("rel") ?? "").toLowerCase().split(/\s+/);
    return { target: target.trim(), relations, hasResults: parameters.get("results") !== "false" };
  });
}

/**
 * The target of the first `rel=next` (RFC 8288, section 3), absolute or relative. Links to other pages without one, and Sentry's `results="false"`, state that
 * this is the last page (`isEnd`).
 */
function findHeaderLink(headers: ResponseHeaders) {
  const links = readHeaderLinks(headers);
  const next = links.find(({ relations }) => relations.includes("next"));
  if (next?.hasResults === true) return { link: next.target, isEnd: false };
  const others = ["first", "prev", "previous", "last"];
  return {
    isEnd: links.some(({ relations }) => relations.some((relation) => others.includes(relation))),
  };
}

/** The API's query names in URLs to pages in the answer: those of the header, and of members such as `self`, `first` and `links`. */
export function listUrlNames({ envelope, headers, reservedQueryNames }: AnsweredPage): string[] {
  const urls = [...envelope.members.values()]
    .filter(({ name }) =>
      /^(?:self|first|last|prev|previous|next|url|uri|href|link|afterurl)$/.test(name),
    )
    .flatMap(({ value }) => readHref(value) ?? []);
  const targets = readHeaderLinks(headers).map(({ target }) => target);
  const searches = [...targets, ...urls].map((url) => /\?([^#]{1,4000})/.exec(url)?.[1] ?? "");
  const names = searches.flatMap((search) => [...new URLSearchParams(search).keys()]);
  return names.filter((name) => !reservedQueryNames.includes(name));
}

/** Keys that are about a next page and nothing else (`@odata.nextLink`, `next_page_url`, `more_topics_url`), and those a record may have too. */
const sureKey =
  /^(?:odata|hydra)?(?:next(?:page|records|results)?|after)(?:link|url|uri|href)$|^nextresults$|^more\w{0,20}ur[li]$/;
const looseKey = /^next(?:page)?$/;

/**
 * A link is believed anywhere around the rows. A bare `next` counts only beside a list and not in an object with an id: a
 * record's `next` is its neighbour, unless it leads to the same path.
 */
export function findBodyLink({ envelope, request }: AnsweredPage) {
  const { members, rows } = envelope;
  let isEnd = false;
  for (const { name, value, isOfRecord, isOfPaging } of members.values()) {
    const listed = findRelNext(value);
    if (listed !== undefined) return { link: listed, isEnd: false };
    const link = readHref(value);
    const isSamePath = link?.split("?")[0]?.endsWith(request.path) === true;
    const isLoose = looseKey.test(name) && rows !== undefined && (!isOfRecord || isSamePath);
    if (!sureKey.test(name) && !isLoose) continue;
    if (link !== undefined && isUrlLike(link)) return { link, isEnd: false };
    if (isBlank(value) && isOfPaging) isEnd = true;
  }
  return { isEnd };
}

/** Whether a list links to itself or to the page before it: where it links to no next one, it is the last page. */
function linksBack({ envelope: { members, isOwnList }, request }: AnsweredPage): boolean {
  if (!isOwnList) return false;
  return [...members.values()].some(({ name, value, isOfRecord }) => {
    if (isOfRecord || !/^(?:self|prev|previous)(?:page)?(?:link|url|uri|href)?$/.test(name))
      return false;
    const link = readHref(value);
    if (link === undefined || !isUrlLike(link)) return false;
    return !name.startsWith("self") || link.split(/[?#]/)[0]?.endsWith(request.path) === true;
  });
}

function readHref(value: JsonValue): string | undefined {
  if (typeof value === "string") return value.trim();
  if (!isJsonObject(value)) return undefined;
  const shape = toShape(value);
  const href = ["href", "url", "uri", "link"].map((key) => shape.get(key)?.value);
  return href.find((item) => typeof item === "string");
}

/** `[{"rel":"next","href":…}]`, FHIR's `[{"relation":"next","url":…}]`, Atom's `<link rel="next" href=…/>`, alone or in a list. */
function findRelNext(value: JsonValue): string | undefined {
  const next = (Array.isArray(value) ? value.slice(0, 50) : [value]).find((item) => {
    if (!isJsonObject(item)) return false;
    const rel = item["rel"] ?? item["relation"] ?? item["@rel"];
    return rel === "next" || (Array.isArray(rel) && rel.includes("next"));
  });
  const link = next === undefined ? undefined : readHref(next);
  return link !== undefined && isUrlLike(link) ? link : undefined;
}

/** A token is not a URL: `next: "eyJwIjoy…"`. */
export function isUrlLike(text: string): boolean {
  return (
    /^(?:https?:\/\/|\/|\?|\.{0,2}\/)/i.test(text) || /^[\w./%-]{1,500}\?[^=\s]{1,200}=/.test(text)
  );
}

/** What was sent: the URL, from which relative links start, and its path below the base URL. */
export interface LinkPlace extends Pick<AnsweredPage, "url" | "baseUrl" | "reservedQueryNames"> {
  readonly path: string;
}

/** The path that a link leads to, with its query string; undefined when that is not below the base URL. */
export function resolveLink(link: string, place: LinkPlace): string | undefined {
  const { path, otherHost } = resolvePageLink(link, place) ?? {};
  return otherHost === undefined ? path : undefined;
}

/**
 * The path with its query string, the reserved parameters dropped and variables of a URI template (RFC 6570, HAL's `{&sort}`) expanded to
 * nothing; undefined when the link leads elsewhere. `http` and `https` of one host count as the same, for behind a proxy that ends TLS
 * many APIs write `http` into their own links. An API behind a gateway may write its internal host (`otherHost`): then the path decides.
 */
function resolvePageLink(link: string, place: LinkPlace) {
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
  // Discourse and other Rails applications leave out the extension that was asked for.
  const path = `${below}.json` === place.path ? place.path : below;
  const query = keepQuery(target.search, place.reservedQueryNames);
  if (query.includes(redactedMarker) || query.includes(encodeURIComponent(redactedMarker)))
    return undefined;
  return {
    path: query === "" ? path : `${path}?${query}`,
    otherHost: isOwn ? undefined : target.host,
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
  const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? "";
  const pairs = search.replace(/^\?/, "").split("&");
  return pairs.filter((pair) => pair !== "" && !dropped.has(nameOf(pair).toLowerCase())).join("&");
}
