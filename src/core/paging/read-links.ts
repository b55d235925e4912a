/** Knows the links of an answer, in its `Link` header and its body, and which of them leads to the next page. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { isBlank, normalizeKey, toShape } from "../base/shape.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { Query } from "./paged-request.js";
import type { Answered } from "./paging.js";
import { linkKey, sentSizeNames } from "./paging-names.js";
import { type Member, parseCount } from "./read-envelope.js";

const maxHeaderLength = 32_000;
const linkPattern =
  /<([^<>]*)>((?:\s*;\s*[^\s;,="<>]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<>]*))?)*)/g;
const parameterPattern = /;\s*([^\s;,="<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/g;

interface HeaderLink {
  readonly target: string;
  readonly relations: readonly string[];
  /** False for Sentry's `results="false"`: its next page is empty. */
  readonly hasResults: boolean;
  /** The resource whose relation it is, where that is named. */
  readonly anchor: string | undefined;
}

/** The links of a `Link` header (RFC 8288, section 3). */
function readHeaderLinks({ link = [] }: ResponseHeaders): HeaderLink[] {
  const text = (typeof link === "string" ? link : link.join(", ")).slice(0, maxHeaderLength);
  return [...text.matchAll(linkPattern)].map(([, target = "", list = ""]) => {
    const pairs = [...list.matchAll(parameterPattern)].map(
      ([, name = "", quoted, plain = ""]) =>
        [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain] as const,
    );
    // The first of equal names counts (section 3.3), and stays when the list is turned around.
    const parameters = new Map(pairs.reverse());
    const relations = (parameters.get("rel") ?? "").toLowerCase().split(/\s+/);
    const hasResults = parameters.get("results") !== "false";
    return { target: target.trim(), relations, hasResults, anchor: parameters.get("anchor") };
  });
}

/** The links of a `Link` header that are about the resource that was requested: `anchor` names another one (RFC 8288, section 3.2). */
function readOwnLinks({ headers, url, request }: Answered): HeaderLink[] {
  return readHeaderLinks(headers).filter(({ anchor }) => {
    if (anchor === undefined || !URL.canParse(anchor, url)) return true;
    return new URL(anchor, url).pathname.endsWith(request.path);
  });
}

/** The first link of a `Link` header with one of these relations. */
export function findHeaderLink(
  headers: ResponseHeaders,
  wanted: readonly string[],
): string | undefined {
  return readHeaderLinks(headers).find(({ relations }) =>
    relations.some((relation) => wanted.includes(relation)),
  )?.target;
}

/** Every link of a `Link` header. */
export function listHeaderLinks(headers: ResponseHeaders): string[] {
  return readHeaderLinks(headers).map(({ target }) => target);
}

/** The links to the next page, the header's first, absolute or relative. A body whose flag says that this was all has none. */
export function listNextLinks(page: Answered): string[] {
  const [inHeader] = listHeaderNext(page);
  const isPage = inHeader?.hasResults === true && mayLeadToList(inHeader.target, page);
  const header = isPage ? [inHeader.target] : [];
  const body = page.envelope.more === false ? undefined : findBodyLink(page);
  return body === undefined ? header : [...header, body];
}

function listHeaderNext(page: Answered): HeaderLink[] {
  return readOwnLinks(page).filter(({ relations }) => relations.includes("next"));
}

/** How many next pages a `Link` header names. */
export function countHeaderNext(page: Answered): number {
  return new Set(listHeaderNext(page).map(({ target }) => target)).size;
}

/** A header may link other documents than lists, such as the next page of a manual: a page of this list at another host has its path there, too. */
function mayLeadToList(link: string, { url, request }: Answered): boolean {
  if (!URL.canParse(link, url)) return true;
  const { host, pathname } = new URL(link, url);
  return host === new URL(url).host || pathname.endsWith(request.path);
}

/** Keys that a record may have, too. */
const looseKey = /^next(?:page)?$/;

/** A link is believed anywhere around the rows. */
function findBodyLink(page: Answered): string | undefined {
  for (const member of page.envelope.members.values()) {
    const listed = findRelation(member.value, "next");
    if (listed !== undefined) return listed;
    const link = readHref(member.value);
    if (link !== undefined && isUrlLike(link) && isForNextLink(member, page))
      return odataKey.test(member.key) ? startAtRoot(link, page) : link;
  }
  return undefined;
}

const odataKey = /^(?:@?odata\.nextLink|@nextLink|__next)$/;

/** OData: a relative link starts at the service root, which the context URL names (OData JSON 4.01, section 4.5.1), else at the base URL. */
function startAtRoot(link: string, { envelope, url, baseUrl }: Answered): string {
  if (/^(?:[a-z][a-z\d+.-]*:|[/?.])/i.test(link)) return link;
  const root = new URL(baseUrl.replace(/\/?$/, "/"));
  const stated = envelope.members.get("odatacontext")?.value;
  const context =
    typeof stated === "string" && URL.canParse(stated, url) ? new URL(stated, url) : root;
  return new URL(link, context.host === root.host ? context : root).href;
}

/** Whether a member that is there for the link to the next page has none. */
export function hasNullLink(page: Answered): boolean {
  return [...page.envelope.members.values()].some(
    (member) => member.isOfPaging && isBlank(member.value) && isForNextLink(member, page),
  );
}

/**
 * A bare `next` counts only beside a list and not in an object with an id: a record's `next` is its neighbour, unless it leads to the
 * same path.
 */
function isForNextLink(
  { name, value, isOfRecord }: Member,
  { envelope, request }: Answered,
): boolean {
  if (linkKey.test(name)) return true;
  if (!looseKey.test(name) || envelope.rows === undefined) return false;
  return !isOfRecord || readHref(value)?.split("?")[0]?.endsWith(request.path) === true;
}

/** Members that link to the first or the last page of a list. */
const edgeNames = {
  first: /^first(?:page)?(?:link|url|uri|href)?$/,
  last: /^last(?:page)?(?:link|url|uri|href)?$/,
};

/** The query of the link to the first or the last page of a list. */
export function readEdgeQuery(page: Answered, edge: "first" | "last"): Query | undefined {
  if (!page.envelope.isOwnList) return undefined;
  const link = findEdgeLink(page, edge);
  const search = link === undefined ? undefined : /\?([^#]{1,4000})/.exec(link)?.[1];
  return search === undefined ? undefined : [...new URLSearchParams(search)];
}

function findEdgeLink(page: Answered, edge: "first" | "last"): string | undefined {
  const inHeader = readOwnLinks(page).find(({ relations }) => relations.includes(edge));
  if (inHeader !== undefined) return inHeader.target;
  for (const { name, value, isOfRecord } of page.envelope.members.values()) {
    if (isOfRecord) continue;
    const listed = findRelation(value, edge);
    const link = edgeNames[edge].test(name) ? readHref(value) : listed;
    if (link !== undefined && isUrlLike(link)) return link;
  }
  return undefined;
}

/** The parameter by which the API's link to the last page leads to a later page than this one, such as `page=9`. */
export function findLaterPage(page: Answered): string | undefined {
  const last = readEdgeQuery(page, "last");
  if (last === undefined) return undefined;
  const sent = new Map(page.request.query);
  const first = new Map(readEdgeQuery(page, "first"));
  const later = last.find(([name, value]) => {
    if (sentSizeNames.includes(normalizeKey(name))) return false;
    if (page.reservedQueryNames.includes(name)) return false;
    const own = parseCount(sent.get(name)) ?? parseCount(first.get(name)) ?? 1;
    return (parseCount(value) ?? 0) > own;
  });
  return later && `${later[0]}=${later[1]}`;
}

/** Whether a header links to other pages of a list and to no next one, or a list to itself or to the page before it. */
export function linksBack(page: Answered): boolean {
  const { envelope, request } = page;
  if (findLaterPage(page) !== undefined) return false;
  const others = ["first", "prev", "previous", "last"];
  const isInHeader = readOwnLinks(page).some(({ relations }) =>
    relations.some((relation) => others.includes(relation)),
  );
  if (isInHeader || !envelope.isOwnList) return isInHeader;
  return [...envelope.members.values()].some(({ name, value, isOfRecord }) => {
    if (isOfRecord || !/^(?:self|prev|previous)(?:page)?(?:link|url|uri|href)?$/.test(name))
      return false;
    const link = readHref(value);
    if (link === undefined || !isUrlLike(link)) return false;
    return !name.startsWith("self") || link.split(/[?#]/)[0]?.endsWith(request.path) === true;
  });
}

/** The API's query names in URLs to pages in the answer: those of the header, and of members such as `self`, `first` and `links`. */
export function listUrlNames({ envelope, headers, reservedQueryNames }: Answered): string[] {
  const urls = [...envelope.members.values()]
    .filter(({ name }) =>
      /^(?:self|first|last|prev|previous|next|url|uri|href|link|afterurl)$/.test(name),
    )
    .flatMap(({ value }) => readHref(value) ?? []);
  const searches = [...listHeaderLinks(headers), ...urls].map(
    (url) => /\?([^#]{1,4000})/.exec(url)?.[1] ?? "",
  );
  const names = searches.flatMap((search) => [...new URLSearchParams(search).keys()]);
  return names.filter((name) => !reservedQueryNames.includes(name));
}

function readHref(value: JsonValue): string | undefined {
  if (typeof value === "string") return value.trim();
  if (!isJsonObject(value)) return undefined;
  const shape = toShape(value);
  const href = ["href", "url", "uri", "link", "template"].map((key) => shape.get(key)?.value);
  return href.find((item) => typeof item === "string");
}

/** `[{"rel":"next","href":…}]`, FHIR's `[{"relation":"next","url":…}]`, Atom's `<link rel="next" href=…/>`, alone or in a list. */
function findRelation(value: JsonValue, wanted: string): string | undefined {
  const found = (Array.isArray(value) ? value.slice(0, 50) : [value]).find((item) => {
    if (!isJsonObject(item)) return false;
    const rel = item["rel"] ?? item["relation"] ?? item["@rel"];
    return rel === wanted || (Array.isArray(rel) && rel.includes(wanted));
  });
  const link = found === undefined ? undefined : readHref(found);
  return link !== undefined && isUrlLike(link) ? link : undefined;
}

/** A token is not a URL: `next: "eyJwIjoy…"`. */
export function isUrlLike(text: string): boolean {
  return (
    /^(?:https?:\/\/|\/|\?|\.{0,2}\/)/i.test(text) ||
    /^[\w./%()',*=-]{1,500}\?[^=\s]{1,200}=/.test(text)
  );
}
