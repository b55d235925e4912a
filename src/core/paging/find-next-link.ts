/** Finds the URL of the next page, in the `Link` header or in the body. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { isBlank, toShape } from "../base/shape.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import { describeTooLong, maxLength } from "./change-parameters.js";
import type { NextPage } from "./paged-request.js";
import type { AnsweredPage, WayFound } from "./paging.js";
import { isUrlLike, resolvePageLink } from "./resolve-link.js";

const maxHeaderLength = 32_000;
const linkPattern = /<([^<>]*)>((?:\s*;\s*[^\s;,="<>]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<>]*))?)*)/g;
const parameterPattern = /;\s*([^\s;,="<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/g;

interface LinkFound {
  /** As the API wrote it, absolute or relative. */
  readonly link?: string;
  /** Whether the API states that this is the last page. */
  readonly isEnd: boolean;
}

interface HeaderLink {
  readonly target: string;
  readonly relations: readonly string[];
  readonly hasResults: boolean;
}

/** A link in the header or the body, as far as it can be requested. One that leads elsewhere does not count. */
export function findLink(answered: AnsweredPage): WayFound {
  const { request, headers, envelope } = answered;
  const header = request.method === "GET" ? findHeaderLink(headers) : { isEnd: false };
  const body = envelope.more === false ? { isEnd: false } : findBodyLink(answered);
  const ways = [header.link, body.link].flatMap((link) =>
    link === undefined ? [] : followLink(link, answered),
  );
  const isEnd = header.isEnd || body.isEnd;
  const found = ways.find(({ candidates }) => candidates.some(({ isGuess }) => !isGuess));
  return (
    found ?? ways.find(({ candidates }) => candidates.length > 0) ?? ways[0] ?? { candidates: [], isEnd }
  );
}

export function followLink(link: string, answered: AnsweredPage): WayFound {
  if (link.length > maxLength) return { candidates: [], unreachable: describeTooLong("link", link.length) };
  const { request } = answered;
  const found = resolvePageLink(link, { ...answered, path: request.path });
  const { path, otherHost } = found ?? {};
  if (path === undefined || (otherHost !== undefined && request.method !== "GET")) {
    // Not below the base URL, and yet the same list: an internal address, for one.
    const isSameList = request.path !== "/" && link.split(/[?#]/)[0]?.endsWith(request.path) === true;
    const outside = "the API's link to the next page leads outside of the base URL";
    return { candidates: [], unreachable: isSameList ? outside : undefined };
  }
  const next = toNextPage(path, answered);
  const isGuess = otherHost !== undefined;
  const stated = isGuess ? `a link to ${otherHost}` : undefined;
  return { candidates: [{ next, kind: "link", isGuess, stated }] };
}

/** A link to the very path of a POST search continues that search; any other link is to be fetched. */
function toNextPage(path: string, { request: { method, path: sentPath, body } }: AnsweredPage): NextPage {
  if (method !== "POST" || path.split("?")[0] !== sentPath) return { method: "GET", path };
  return { method, path, body };
}

function readHeaderLinks({ link = [] }: ResponseHeaders): HeaderLink[] {
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
 * The target of the first `rel=next` (RFC 8288, section 3). Links to other pages without one, and Sentry's `results="false"`, state that
 * this is the last page.
 */
function findHeaderLink(headers: ResponseHeaders): LinkFound {
  const links = readHeaderLinks(headers);
  const next = links.find(({ relations }) => relations.includes("next"));
  if (next?.hasResults === true) return { link: next.target, isEnd: false };
  const others = ["first", "prev", "previous", "last"];
  return { isEnd: links.some(({ relations }) => relations.some((relation) => others.includes(relation))) };
}

/** The API's query names in URLs to pages in the answer: those of the header, and of members such as `self`, `first` and `links`. */
export function listUrlNames({ envelope, headers, reservedQueryNames }: AnsweredPage): string[] {
  const urls = [...envelope.members.values()]
    .filter(({ name }) => /^(?:self|first|last|prev|previous|next|url|uri|href|link|afterurl)$/.test(name))
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
export function findBodyLink({ envelope, request }: AnsweredPage): LinkFound {
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
