/** Finds the URL of the next page, in the `Link` header or in the body, and turns it into a path below the base URL. */

import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import { isBlank, toShape } from "../json/shape.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import { findBelowBase, toBasePath } from "../policy/check-path.js";
import { redactedMarker } from "../secrets/secret.js";
import type { Envelope } from "./read-envelope.js";

const maxHeaderLength = 32_000;
const linkPattern = /<([^<>]*)>((?:\s*;\s*[^\s;,="<>]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<>]*))?)*)/g;
const parameterPattern = /;\s*([^\s;,="<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"<>]*)))?/g;

export interface LinkFound {
  /** As the API wrote it, absolute or relative. */
  readonly link?: string;
  /** Whether the API states that there is no next page. */
  readonly isEnd: boolean;
}

interface HeaderLink {
  readonly target: string;
  readonly relations: readonly string[];
  readonly hasResults: boolean;
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
export function findHeaderLink(headers: ResponseHeaders): LinkFound {
  const links = readHeaderLinks(headers);
  const next = links.find(({ relations }) => relations.includes("next"));
  if (next?.hasResults === true) return { link: next.target, isEnd: false };
  const others = ["first", "prev", "previous", "last"];
  return { isEnd: links.some(({ relations }) => relations.some((relation) => others.includes(relation))) };
}

/** The query names of URLs to pages in the answer: those of the header, and of members such as `self`, `first` and `links`. */
export function listUrlNames({ members }: Envelope, headers: ResponseHeaders): string[] {
  const urls = [...members.values()]
    .filter(({ name }) => /^(?:self|first|last|prev|previous|next|url|uri|href|link)$/.test(name))
    .flatMap(({ value }) => readHref(value) ?? []);
  const targets = readHeaderLinks(headers).map(({ target }) => target);
  const searches = [...targets, ...urls].map((url) => /\?([^#]{1,4000})/.exec(url)?.[1] ?? "");
  return [...new Set(searches.flatMap((search) => [...new URLSearchParams(search).keys()]))];
}

/** Keys that speak of nothing but a next page (`@odata.nextLink`, `next_page_url`, `more_topics_url`), and those a record may have too. */
const sureKey =
  /^(?:odata|hydra)?next(?:page|records|results)?(?:link|url|uri|href)$|^nextresults$|^more\w{0,20}ur[li]$/;
const looseKey = /^next(?:page)?$/;

/**
 * A link is believed anywhere around the rows. A bare `next` counts only beside a list and not in an object with an id: a
 * record's `next` is its neighbour.
 */
export function findBodyLink({ members, rows }: Envelope): LinkFound {
  let isEnd = false;
  for (const { name, value, isOfRecord, isOfPaging } of members.values()) {
    const listed = findRelNext(value);
    if (listed !== undefined) return { link: listed, isEnd: false };
    if (!sureKey.test(name) && !(looseKey.test(name) && rows !== undefined && !isOfRecord)) continue;
    const link = readHref(value);
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

/** A token is not a URL: `next: "eyJwIjoy…"`. */
export function isUrlLike(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?|\.{0,2}\/)/i.test(text) || /^[\w./%-]{1,500}\?[^=\s]{1,200}=/.test(text);
}

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
 * The path with its query string, the reserved parameters dropped and variables of a URI template (RFC 6570, HAL's `{&sort}`) expanded to
 * nothing; undefined when the link leads elsewhere. `http` and `https` of one host count as the same, for behind a proxy that ends TLS
 * many APIs write `http` into their own links.
 */
export function resolveLink(link: string, place: LinkPlace): string | undefined {
  const plain = link.trim().replace(/\{[^{}]{0,200}\}/g, "");
  // Control characters and backslashes have no business in a link.
  if (/[\p{Cc}\\]/u.test(plain)) return undefined;
  if (!URL.canParse(place.baseUrl) || !URL.canParse(plain, place.url)) return undefined;
  const [base, target] = [new URL(place.baseUrl), new URL(plain, place.url)];
  if (!isSameHost(target, base)) return undefined;
  // `/users?page=2` under a base URL with a path: an API that doesn't know its own prefix repeats the path that was asked for.
  const isRepeated = target.pathname !== "/" && target.pathname === place.path;
  const below = findBelowBase(target.pathname, toBasePath(base)) ?? (isRepeated ? place.path : undefined);
  if (below === undefined) return undefined;
  // Discourse and other Rails applications leave out the extension that was asked for.
  const path = `${below}.json` === place.path ? place.path : below;
  const query = keepQuery(target.search, place.reservedQueryNames);
  if (query.includes(redactedMarker) || query.includes(encodeURIComponent(redactedMarker))) return undefined;
  return query === "" ? path : `${path}?${query}`;
}

function isSameHost(target: URL, base: URL): boolean {
  if (!/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "") return false;
  if (target.host === base.host) return true;
  // A default port that the other scheme spells out, such as http://host:443.
  return target.hostname === base.hostname && [target, base].every(({ port }) => /^(?:80|443)?$/.test(port));
}

function keepQuery(search: string, reserved: readonly string[]): string {
  const dropped = new Set(reserved.map((name) => name.toLowerCase()));
  const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? "";
  const pairs = search.replace(/^\?/, "").split("&");
  return pairs.filter((pair) => pair !== "" && !dropped.has(nameOf(pair).toLowerCase())).join("&");
}
