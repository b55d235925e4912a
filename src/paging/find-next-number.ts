/** Finds the next page by counting: page and size, offset and limit, against a total, a number of pages, or the pages before. */

import { normalizeKey } from "../json/shape.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { Change, DescribedParameter } from "./find-next-cursor.js";
import type { NextKind } from "./judge-complete.js";
import type { Parameters } from "./paged-request.js";
import { type Count, type Envelope, findCount, parseCount } from "./read-envelope.js";

const pageNames = "page currentpage pagenumber pageno pageindex pagenum".split(" ");
const sentPageNames = [...pageNames, "p", "pg"];
const nextPageNames = ["nextpage", "nextpagenumber", "pagination.next", "paging.next", "info.next"];
const bodyPageNames = [...pageNames, "current"];
const bodySizeNames = "perpage pagesize limit maxresults itemsperpage hitsperpage size".split(" ");
const sentSizeNames = [...bodySizeNames, ..."pagelimit top take count rpp rows pagecount".split(" ")];
const pageCountNames = "totalpages nbpages pagecount numpages lastpage totalpagecount pages".split(" ");
const offsetNames = "offset startat startindex start skip".split(" ");
const sentOffsetNames = [...offsetNames, "from", "pageoffset"];

/** What was read before this page, while pages are read from the beginning of the list. */
export interface RowsBefore {
  readonly rows: number;
  /** How many rows the largest page had. */
  readonly largest: number;
  /** How this page was requested; absent for the first one. */
  readonly by?: NextKind | undefined;
}

export interface NumberInput {
  readonly envelope: Envelope;
  readonly sent: Parameters;
  readonly headers: ResponseHeaders;
  readonly total: number | undefined;
  readonly described: readonly DescribedParameter[];
  readonly before?: RowsBefore | undefined;
}

export interface NumberFound {
  /** Best first; none on the last page, and where nothing shows pages. */
  readonly changes: readonly Change[];
  /** Whether the number of pages, or an empty `X-Next-Page`, states that this is the last page. */
  readonly isEnd: boolean;
  /** Whether request or answer number the pages, or the rows. */
  readonly isNumbered: boolean;
  /** Absent where it may only repeat the request's. */
  readonly size?: number | undefined;
  readonly pageCount?: number | undefined;
}

/** Where this page is, as the request or the answer numbers it. */
interface Position {
  readonly name: string;
  readonly isNamed: boolean;
  readonly value: number;
  /** How many rows of the list come before the end of this page, where that is known. */
  readonly seen: number | undefined;
  readonly isLastPage?: boolean | undefined;
  readonly pageCount?: number | undefined;
}

export function findNextNumber(input: NumberInput): NumberFound {
  const { envelope, sent, headers, before } = input;
  const { rows, more } = envelope;
  const rowCount = rows?.items.length ?? 0;
  const sentSize = sent.findCount(sentSizeNames)?.count;
  const size = findCount(envelope, bodySizeNames)?.count ?? readCount(headers, "x-per-page");
  const given = readCount(headers, "x-next-page") ?? findCount(envelope, nextPageNames)?.count;
  const stated = size === sentSize ? undefined : size || undefined;
  const shown = { isNumbered: true, size: stated };
  if (given !== undefined && given > 0) {
    const asked = sent.find(sentPageNames)?.name;
    return {
      ...shown,
      isEnd: false,
      changes: listChanges(asked ?? "page", asked !== undefined, given, input),
    };
  }
  const position = findPage(input, size) ?? findOffset(input);
  const isEmptyHeader = "x-next-page" in headers;
  if (position === undefined) return { changes: [], isEnd: isEmptyHeader, isNumbered: isEmptyHeader };
  const { name, isNamed, value, isLastPage = false } = position;
  const end = { ...shown, pageCount: position.pageCount, changes: [], isEnd: isLastPage || isEmptyHeader };
  if (rowCount === 0 || end.isEnd) return end;
  const changes = listChanges(name, isNamed, value, input);
  if (more === true) return { ...end, isEnd: false, changes };
  const goesOn =
    before === undefined ? mayGoOn(position, input, size, sentSize) : isGoingOn(input, before, size);
  return { ...end, isEnd: false, changes: goesOn ? changes : [] };
}

/** For one answer: whether the total, the number of pages, or a full page suggests a further page. */
function mayGoOn(
  { seen, isNamed, isLastPage }: Position,
  { envelope, total }: NumberInput,
  size: number | undefined,
  sentSize: number | undefined,
): boolean {
  const rowCount = envelope.rows?.items.length ?? 0;
  if (isLastPage === false) return true;
  if (total !== undefined && seen !== undefined) return seen < total;
  const expected = size ?? (isNamed ? sentSize : undefined);
  return expected !== undefined && rowCount >= expected;
}

/** While pages are read: until the total is reached, else until a page is shorter than one before it or than the size that is reported. */
function isGoingOn({ envelope, total }: NumberInput, before: RowsBefore, size: number | undefined): boolean {
  const rowCount = envelope.rows?.items.length ?? 0;
  if (total !== undefined && before.rows + rowCount <= total) return before.rows + rowCount < total;
  return rowCount >= Math.max(before.largest, size ?? 0);
}

/** The parameter's name in the description of the API, where it has exactly one for this; else the usual name, a guess. */
function listChanges(name: string, isSent: boolean, value: number, { described }: NumberInput): Change[] {
  const wanted = isPageName(name) ? sentPageNames : sentOffsetNames;
  const fitting = described.filter((each) => wanted.includes(normalizeKey(each.name)));
  const known =
    described.find((each) => each.name === name) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (isSent) return [{ set: { [name]: value }, isNamed: true }];
  const usual = isPageName(name) ? "page" : "offset";
  const names = known === undefined ? [...new Set([name, usual])] : [known.name];
  return names.map((each) => ({ set: { [each]: value }, isNamed: known !== undefined }));
}

function isPageName(name: string): boolean {
  const normal = normalizeKey(name.replace(/^.*[[.](?=[^[\]]+\]?$)/, ""));
  return sentPageNames.includes(normal) || normal === "number" || normalizeKey(name) === "page";
}

/** Undefined where nothing numbers the pages. */
function findPage({ envelope, sent, headers }: NumberInput, size: number | undefined): Position | undefined {
  const rowCount = envelope.rows?.items.length ?? 0;
  const pages = findCount(envelope, pageCountNames);
  const pageCount =
    pages?.count ?? readCount(headers, "x-total-pages") ?? readCount(headers, "x-wp-totalpages");
  const stated = findCount(envelope, pageCount === undefined ? bodyPageNames : [...bodyPageNames, "number"]);
  const asked = sent.findCount(sentPageNames);
  const current = asked?.count ?? stated?.count ?? readCount(headers, "x-page");
  const isOffset = sent.findCount(sentOffsetNames) !== undefined && sent.find(sentPageNames) === undefined;
  if (current === undefined || isOffset) return undefined;
  // An answer that reports where its first row is shows how pages are counted.
  const start = countBefore(findCount(envelope, offsetNames));
  const perPage = size ?? sent.findCount(sentSizeNames)?.count;
  const isZeroBased =
    current === 0 ||
    pages?.key === "nbPages" ||
    (start !== undefined && start > 0 && start === current * (perPage ?? 0));
  const done = stated?.key === "number" ? stated.count + 1 : isZeroBased ? current + 1 : current;
  const whole = perPage ?? (done === 1 ? rowCount : undefined);
  const isLastPage = pageCount === undefined ? undefined : done >= pageCount;
  const plain =
    stated === undefined ||
    /^(?:number|current(?:page)?)$/.test(normalizeKey(stated.key)) ||
    stated.at.includes("pagination.");
  return {
    name: asked?.name ?? (plain && !stated?.at.includes("criteria") ? "page" : (stated?.key ?? "page")),
    isNamed: asked !== undefined,
    value: current + 1,
    seen: start !== undefined ? start + rowCount : whole === undefined ? undefined : done * whole,
    isLastPage,
    pageCount,
  };
}

/** How many rows come before the reported one; SCIM (RFC 7644, section 3.4.2.4) and OpenSearch count them from 1. */
function countBefore(stated: Count | undefined): number | undefined {
  return stated === undefined || normalizeKey(stated.key) !== "startindex" ? stated?.count : stated.count - 1;
}

/** Undefined where nothing counts rows. `offset` beside `total_rows` is a place among all rows: they are skipped by `skip` (CouchDB). */
function findOffset({ envelope, sent }: NumberInput): Position | undefined {
  const rowCount = envelope.rows?.items.length ?? 0;
  const asked = sent.findCount(sentOffsetNames);
  const stated = findCount(envelope, offsetNames);
  if (envelope.members.has("totalrows")) {
    const limit = sent.findCount(sentSizeNames)?.count;
    if (limit === undefined || rowCount < limit) return undefined;
    return {
      name: "skip",
      isNamed: true,
      value: (asked?.count ?? 0) + rowCount,
      seen: (stated?.count ?? 0) + rowCount,
    };
  }
  const name = asked?.name ?? stated?.key ?? sent.find(["top"])?.name.replace(/top$/i, "skip");
  if (name === undefined) return undefined;
  const value = (asked?.count ?? stated?.count ?? 0) + rowCount;
  return {
    name,
    isNamed: asked !== undefined,
    value,
    seen: normalizeKey(name) === "startindex" ? value - 1 : value,
  };
}

function readCount(headers: ResponseHeaders, name: string): number | undefined {
  return parseCount([headers[name] ?? ""].flat()[0]);
}
