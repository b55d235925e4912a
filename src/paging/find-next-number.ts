/** Finds the next page by counting: page and size, offset and limit, against a total or a word that there is more. */

import { readHeader } from "../diagnosis/read-header.js";
import { normalizeKey } from "../json/shape.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { NextPage, PagePlace } from "./page-place.js";
import { findNumber, type PagingFacts } from "./paging-facts.js";
import { toCount } from "./to-count.js";

const sentPageNames = ["page", "pagenumber", "pageno", "pageindex", "pagenum", "currentpage", "p", "pg"];
const saidPageNames = ["page", "currentpage", "pagenumber", "pageno", "pageindex", "pagenum", "current"];
const sentSizeNames = [
  ..."perpage pagesize limit size pagelimit itemsperpage hitsperpage maxresults top take count rpp rows pagecount".split(
    " ",
  ),
];
const saidSizeNames = ["perpage", "pagesize", "limit", "maxresults", "itemsperpage", "hitsperpage", "size"];
const pageCountNames = [
  "totalpages",
  "nbpages",
  "pagecount",
  "numpages",
  "lastpage",
  "totalpagecount",
  "pages",
];
const totalNames = [
  ..."total totalcount totalresults totalitems totalelements totalhits totalrecords totalrows totalsize".split(
    " ",
  ),
  ..."nbhits numfound recordstotal odatacount count".split(" "),
];
const sentOffsetNames = ["offset", "startat", "startindex", "start", "skip", "from", "pageoffset"];
const saidOffsetNames = ["offset", "startat", "startindex", "start", "skip"];

export interface CountInput {
  readonly facts: PagingFacts;
  readonly place: PagePlace;
  readonly headers: ResponseHeaders;
  /** How many rows this page has. */
  readonly rowCount: number;
}

/** Undefined on the last page and on an empty one, and where neither request nor response speaks of pages. */
export function findNextNumber(input: CountInput): NextPage | undefined {
  const { facts, place, headers, rowCount } = input;
  const given = findGivenPage(facts, headers);
  if (given !== undefined) {
    const sent = place.find(sentPageNames);
    return sent?.value === given ? undefined : place.change({ [sent?.name ?? "page"]: Number(given) });
  }
  if (rowCount === 0 || "x-next-page" in headers) return undefined;
  const countsOffset =
    place.findCount(sentOffsetNames) !== undefined && place.find(sentPageNames) === undefined;
  return countsOffset ? nextByOffset(input) : (nextByPage(input) ?? nextByOffset(input));
}

/** The number of the next page itself: GitLab's `X-Next-Page`, `next_page: 3`. */
function findGivenPage(facts: PagingFacts, headers: ResponseHeaders): string | undefined {
  const header = readHeader(headers, "x-next-page");
  if (toCount(header) !== undefined) return header;
  const member = findNumber(facts, [
    "nextpage",
    "nextpagenumber",
    "pagination.next",
    "paging.next",
    "info.next",
  ]);
  return member === undefined || member.count === 0 ? undefined : String(member.count);
}

function nextByPage({ facts, place, headers, rowCount }: CountInput): NextPage | undefined {
  const pageCount =
    findNumber(facts, pageCountNames) ?? headerCount(headers, ["x-total-pages", "x-wp-totalpages"]);
  const current = currentPage(facts, place, headers, pageCount !== undefined);
  if (current === undefined) return undefined;
  const isZeroBased =
    current.page === 0 || normalizeKey(current.key) === "number" || pageCount?.key === "nbPages";
  const done = isZeroBased ? current.page + 1 : current.page;
  const next = place.change({ [current.name]: current.page + 1 });
  if (facts.more === true) return next;
  if (pageCount !== undefined) return done < pageCount.count ? next : undefined;
  const sentSize = toCount(place.find(sentSizeNames)?.value);
  const size =
    findNumber(facts, saidSizeNames)?.count ?? headerCount(headers, ["x-per-page"])?.count ?? sentSize;
  const total = findTotal(facts, headers);
  const perPage = size ?? (done === 1 ? rowCount : undefined);
  if (total !== undefined && perPage !== undefined) return done * perPage < total ? next : undefined;
  // Both numbers were asked for and the page is full: the API pages by them, and a further one may exist.
  return place.find(sentPageNames) !== undefined && sentSize !== undefined && rowCount === sentSize
    ? next
    : undefined;
}

interface CurrentPage {
  readonly page: number;
  /** The response's key it was read from; `""` when the request told it. */
  readonly key: string;
  /** The request parameter. */
  readonly name: string;
}

function currentPage(
  facts: PagingFacts,
  place: PagePlace,
  headers: ResponseHeaders,
  hasPageCount: boolean,
): CurrentPage | undefined {
  const sent = place.find(sentPageNames);
  const said = findNumber(facts, [...saidPageNames, ...(hasPageCount ? ["number"] : [])]);
  if (said !== undefined)
    return { page: said.count, key: said.key, name: sent?.name ?? nameFromResponse(said, facts) };
  const page = toCount(sent?.value);
  if (sent !== undefined && page !== undefined) return { page, key: "", name: sent.name };
  const header = headerCount(headers, ["x-page"]);
  if (header !== undefined) return { page: header.count, key: "", name: "page" };
  // WordPress names only the number of pages and starts with the first.
  return "x-wp-totalpages" in headers ? { page: 1, key: "", name: "page" } : undefined;
}

function nameFromResponse({ key, at }: { key: string; at: string }, facts: PagingFacts): string {
  if (at === "meta.pagination.page" && facts.members.has("meta.pagination.pagecount"))
    return "pagination[page]"; // Strapi
  return ["number", "current", "currentpage"].includes(normalizeKey(key)) ? "page" : key;
}

function nextByOffset({ facts, place, headers, rowCount }: CountInput): NextPage | undefined {
  const sent = place.findCount(sentOffsetNames);
  const said = findNumber(facts, saidOffsetNames);
  const top = place.find(["top"]);
  const name =
    sent?.name ?? (said === undefined ? top?.name.replace(/top$/i, "skip") : nameOffset(said.key, facts));
  if (name === undefined) return undefined;
  const sentSize = place.findCount(sentSizeNames)?.count;
  const saidSize = findNumber(facts, saidSizeNames)?.count;
  const step = saidSize || rowCount;
  if (step === 0) return undefined;
  // An offset said under another name than it is sent counts from the start of all rows, the sent one from that of the asked range.
  const isPlace = said !== undefined && normalizeKey(said.key) !== normalizeKey(name);
  const current = sent?.count ?? (isPlace ? 0 : (said?.count ?? 0));
  const next = place.change({ [name]: current + step });
  if (facts.more === true) return next;
  const isFull = rowCount >= (sentSize ?? saidSize ?? Number.POSITIVE_INFINITY);
  const total = findTotal(facts, headers);
  if (total === undefined) return sent !== undefined && sentSize !== undefined && isFull ? next : undefined;
  const seen = (isPlace ? said.count : current) + step;
  // SCIM (RFC 7644, section 3.4.2.4) counts rows from 1.
  if ((normalizeKey(name) === "startindex" ? seen - 1 : seen) >= total) return undefined;
  // The total may count what lies outside of an asked range: then only a full page can have another.
  const hasRange = asksForKeys(place) || (isPlace && said.count !== current);
  const needsFull = hasRange && (isPlace || (sent === undefined && saidSize === undefined));
  return isFull || !needsFull ? next : undefined;
}

/** Whether a parameter picks rows by their keys: `startkey`, `end_key`, `keys`, `ids`. */
function asksForKeys({ names }: PagePlace): boolean {
  return names.some((name) => /^(?:start|end|min|max|from|to)?keys?(?:docid)?$|^ids?$/.test(name));
}

/** CouchDB says `offset` and takes `skip`. */
function nameOffset(key: string, facts: PagingFacts): string {
  return key === "offset" && facts.members.has("totalrows") ? "skip" : key;
}

/** Also PostgREST's `Content-Range: 0-24/3573`. */
function findTotal(facts: PagingFacts, headers: ResponseHeaders): number | undefined {
  const said =
    findNumber(facts, totalNames) ??
    headerCount(headers, ["x-total-count", "x-total", "x-wp-total", "total-count"]);
  return said?.count ?? toCount(readHeader(headers, "content-range")?.split("/")[1]);
}

function headerCount(
  headers: ResponseHeaders,
  names: readonly string[],
): { key: string; count: number } | undefined {
  for (const name of names) {
    const count = toCount(readHeader(headers, name));
    if (count !== undefined) return { key: name, count };
  }
  return undefined;
}
