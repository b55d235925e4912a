/** Finds the next page by counting: page and size, offset and limit, against a total or a word that there is more. */

import { normalizeKey } from "../json/shape.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { Parameters } from "./paged-request.js";
import { type Count, type Envelope, findCount, parseCount } from "./read-envelope.js";

const pageNames = "page currentpage pagenumber pageno pageindex pagenum".split(" ");
const sentPageNames = [...pageNames, "p", "pg"];
const nextPageNames = ["nextpage", "nextpagenumber", "pagination.next", "paging.next", "info.next"];
const saidPageNames = [...pageNames, "current"];
const saidSizeNames = "perpage pagesize limit maxresults itemsperpage hitsperpage size".split(" ");
const sentSizeNames = [...saidSizeNames, ..."pagelimit top take count rpp rows pagecount".split(" ")];
const pageCountNames = "totalpages nbpages pagecount numpages lastpage totalpagecount pages".split(" ");
const totalNames = [
  ..."total totalcount totalresults totalitems totalelements totalhits totalrecords totalrows".split(" "),
  ..."totalsize totalentries nbhits numfound recordstotal odatacount resultcount resulttotal count".split(
    " ",
  ),
];
const offsetNames = "offset startat startindex start skip".split(" ");
const sentOffsetNames = [...offsetNames, "from", "pageoffset"];

/** How far a list goes, and where this page stands in it. */
export interface NumberInput {
  readonly envelope: Envelope;
  readonly sent: Parameters;
  readonly headers: ResponseHeaders;
  /** How many rows this page has. */
  readonly rowCount: number;
}

export interface NextNumber {
  /** The parameter to set; absent on the last page, and where neither request nor response speaks of pages. */
  readonly set?: Readonly<Record<string, number>>;
  /** How many rows there are in all, when the request and the response don't say where in them this page stands. */
  readonly unreachableTotal?: number;
}

export function findNextNumber(input: NumberInput): NextNumber {
  const { envelope, sent, headers, rowCount } = input;
  // The number of the next page itself: GitLab's `X-Next-Page`, `next_page: 3`.
  const said = findCount(envelope, nextPageNames)?.count || undefined;
  const given = readCount(headers, ["x-next-page"]) ?? said;
  const sentPage = sent.find(sentPageNames);
  if (given !== undefined) return { set: { [sentPage?.name ?? "page"]: given } };
  if (rowCount === 0 || "x-next-page" in headers) return {};
  const isOffset = sent.findCount(sentOffsetNames) !== undefined && sentPage === undefined;
  const next = (isOffset ? undefined : countPages(input)) ?? countRows(input);
  if (next !== undefined) return next;
  const total = findTotal(input);
  // Records picked by their keys (`ids=1,2`, CouchDB's `startkey`) may be fewer than what the total counts.
  const isAll =
    total === undefined ||
    total <= rowCount ||
    sentPage !== undefined ||
    sent.has(/^(?:ids?|(?:start|end)?keys?)$/);
  return isAll ? {} : { unreachableTotal: total };
}

/** Undefined where nothing speaks of pages. */
function countPages(input: NumberInput): NextNumber | undefined {
  const { envelope, sent, headers, rowCount } = input;
  const pages = findCount(envelope, pageCountNames);
  const pageCount = pages?.count ?? readCount(headers, ["x-total-pages", "x-wp-totalpages"]);
  const said = findCount(envelope, pageCount === undefined ? saidPageNames : [...saidPageNames, "number"]);
  const asked = sent.findCount(sentPageNames);
  // WordPress names only the number of pages and starts with the first.
  const current =
    asked?.count ??
    said?.count ??
    readCount(headers, ["x-page"]) ??
    ("x-wp-totalpages" in headers ? 1 : undefined);
  if (current === undefined) return undefined;
  const set = { [sent.find(sentPageNames)?.name ?? nameSaid(said, envelope)]: current + 1 };
  if (envelope.more === true) return { set };
  const sentSize = parseCount(sent.find(sentSizeNames)?.value);
  const saidSize = findCount(envelope, saidSizeNames)?.count ?? readCount(headers, ["x-per-page"]);
  // A response that says where its first row stands tells how pages are counted, and how far this one goes.
  const start = countBefore(findCount(envelope, offsetNames));
  const isSpring = said !== undefined && normalizeKey(said.key) === "number";
  const isZeroBased =
    current === 0 ||
    pages?.key === "nbPages" || // Algolia
    (start !== undefined && start > 0 && start === current * (saidSize ?? sentSize ?? 0));
  const done = isSpring ? said.count + 1 : isZeroBased ? current + 1 : current;
  if (pageCount !== undefined) return done < pageCount ? { set } : {};
  const total = findTotal(input);
  const perPage = saidSize ?? sentSize ?? (done === 1 ? rowCount : undefined);
  const seen = start !== undefined ? start + rowCount : perPage === undefined ? undefined : done * perPage;
  if (total !== undefined && seen !== undefined) return seen < total ? { set } : {};
  // Both numbers were asked for and the page is full: the API pages by them, and a further one may exist.
  if (asked !== undefined && sentSize !== undefined) return rowCount === sentSize ? { set } : {};
  return total === undefined ? undefined : {};
}

/** How many rows stand before the said one; SCIM (RFC 7644, section 3.4.2.4) and OpenSearch count them from 1. */
function countBefore(said: Count | undefined): number | undefined {
  return said === undefined || normalizeKey(said.key) !== "startindex" ? said?.count : said.count - 1;
}

function nameSaid(said: Count | undefined, { members }: Envelope): string {
  if (said === undefined) return "page";
  if (said.at === "meta.pagination.page" && members.has("meta.pagination.pagecount"))
    return "pagination[page]"; // Strapi
  const isPlain =
    /^(?:number|current(?:page)?)$/.test(normalizeKey(said.key)) && !said.at.includes("criteria");
  return isPlain ? "page" : said.key;
}

/** Undefined where nothing speaks of offsets. */
function countRows(input: NumberInput): NextNumber | undefined {
  const { envelope, sent, rowCount } = input;
  if (envelope.members.has("totalrows")) return countPlaces(input);
  const asked = sent.findCount(sentOffsetNames);
  const saidSize = findCount(envelope, saidSizeNames)?.count;
  const said = findCount(envelope, offsetNames);
  const name = asked?.name ?? said?.key ?? sent.find(["top"])?.name.replace(/top$/i, "skip");
  if (name === undefined) return undefined;
  const seen = (asked?.count ?? said?.count ?? 0) + (saidSize || rowCount);
  const set = { [name]: seen };
  if (envelope.more === true) return { set };
  const total = findTotal(input);
  // SCIM (RFC 7644, section 3.4.2.4) counts rows from 1.
  if (total !== undefined)
    return (normalizeKey(name) === "startindex" ? seen - 1 : seen) < total ? { set } : {};
  const sentSize = sent.findCount(sentSizeNames)?.count;
  return asked !== undefined && sentSize !== undefined && rowCount >= sentSize ? { set } : {};
}

/** CouchDB and its kin: `offset` is a place among all rows, also where a range of keys was asked for; rows are passed over by `skip`. */
function countPlaces({ envelope, sent, rowCount }: NumberInput): NextNumber | undefined {
  const asked = sent.findCount(["skip"])?.count ?? 0;
  const limit = sent.findCount(sentSizeNames)?.count;
  if (limit === undefined) return undefined;
  const place = findCount(envelope, ["offset"])?.count ?? asked;
  const isLast = rowCount < limit || place + rowCount >= (findCount(envelope, ["totalrows"])?.count ?? 0);
  return isLast ? {} : { set: { skip: asked + rowCount } };
}

/** Also PostgREST's `Content-Range: 0-24/3573`. */
function findTotal({ envelope, headers }: NumberInput): number | undefined {
  const said =
    findCount(envelope, totalNames)?.count ??
    readCount(headers, ["x-total-count", "x-total", "x-wp-total", "total-count"]);
  return said ?? parseCount([headers["content-range"] ?? ""].flat()[0]?.split("/")[1]);
}

function readCount(headers: ResponseHeaders, names: readonly string[]): number | undefined {
  return names
    .map((name) => parseCount([headers[name] ?? ""].flat()[0]))
    .find((count) => count !== undefined);
}
