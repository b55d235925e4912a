/** Finds the URL of the next page: in the `Link` header (RFC 8288) or in the body. */

import type { JsonValue } from "../json/exact-number.js";
import { isEmpty, isObject, toShape } from "../json/shape.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { PagingFacts } from "./paging-facts.js";
import { parseLinkHeader } from "./parse-link-header.js";

/** The target of the first `rel=next`; Sentry says with `results="false"` that nothing is behind it. */
export function findHeaderLink(headers: ResponseHeaders): string | undefined {
  const { link } = headers;
  if (link === undefined) return undefined;
  const next = parseLinkHeader(link).find(({ rel }) => rel.includes("next"));
  return next === undefined || next.params.get("results") === "false" ? undefined : next.target;
}

/** Keys that speak of nothing but a next page, and those a single record may have too. */
const sureKeys: ReadonlySet<string> = new Set(
  "nextlink odatanextlink nexturl nexturi nextpageurl nextpageuri nextpagelink nexthref nextrecordsurl nextresults".split(
    " ",
  ),
);
const looseKeys: ReadonlySet<string> = new Set(["next", "nextpage"]);

export interface BodyLink {
  /** As the API wrote it, absolute or relative. */
  readonly link?: string;
  /** The API says in so many words that there is no next page (`next: null`). */
  readonly isEnd: boolean;
}

/** Only the envelope is looked at. `next` counts only beside a list, for a record's `next` may be its neighbour. */
export function findBodyLink(facts: PagingFacts): BodyLink {
  let isEnd = false;
  for (const { name, value } of facts.members.values()) {
    const listed = name === "links" || name === "link" ? findRelNext(value) : undefined;
    if (listed !== undefined) return { link: listed, isEnd: false };
    if (!sureKeys.has(name) && !(looseKeys.has(name) && facts.rows !== undefined)) continue;
    const link = linkOf(value);
    if (link !== undefined && isUrlLike(link)) return { link, isEnd: false };
    if (isEmpty(value)) isEnd = true;
  }
  return { isEnd };
}

function linkOf(value: JsonValue): string | undefined {
  if (typeof value === "string") return value.trim();
  if (!isObject(value)) return undefined;
  const shape = toShape(value);
  const href = ["href", "url", "uri", "link"].map((key) => shape.get(key)?.value);
  return href.find((item) => typeof item === "string");
}

/** `[{"rel":"next","href":…}]`, or FHIR's `[{"relation":"next","url":…}]`. */
function findRelNext(value: JsonValue): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const next = value.slice(0, 50).find((item) => {
    if (!isObject(item)) return false;
    const rel = item["rel"] ?? item["relation"];
    return rel === "next" || (Array.isArray(rel) && rel.includes("next"));
  });
  const link = next === undefined ? undefined : linkOf(next);
  return link !== undefined && isUrlLike(link) ? link : undefined;
}

/** A token is no URL: `next: "eyJwIjoy…"`. */
export function isUrlLike(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?|\.{0,2}\/)/i.test(text) || /^[\w./%-]+\?[^=\s]+=/.test(text);
}
