/** Finds the next page by counting: page and size, offset and limit, against a total, a number of pages, or the pages before. */

import { normalizeKey } from "../base/shape.js";
import { changeParameters } from "./change-parameters.js";
import { offsetParameters, pageParameters } from "./paged-request.js";
import type { AnsweredPage, DescribedParameter, WayFound } from "./paging.js";
import { type Count, findCount, readCount } from "./read-envelope.js";

const nextPageNames = ["nextpage", "nextpagenumber", "pagination.next", "paging.next", "info.next"];
const bodyPageNames = [...pageParameters, "current"];
const bodySizeNames = "perpage pagesize limit maxresults itemsperpage hitsperpage size".split(" ");
const sentSizeNames = [...bodySizeNames, ..."pagelimit top take count rpp rows pagecount".split(" ")];
const pageCountNames = "totalpages nbpages pagecount numpages lastpage totalpagecount pages".split(" ");
const bodyOffsetNames = offsetParameters.filter((name) => name !== "from" && name !== "pageoffset");

/** What request and answer count. */
export interface Numbers {
  /** Whether request or answer number the pages, or the rows. */
  readonly isNumbered: boolean;
  /** How many rows a page has, as the answer reports it, and as the request asked. */
  readonly size: number | undefined;
  readonly sentSize: number | undefined;
  /** Whether the number of pages, or an empty `X-Next-Page`, states that this is the last page. */
  readonly isEnd: boolean;
  readonly position?: Position | undefined;
}

/** Where the next page is, as the request or the answer numbers it. */
interface Position {
  readonly name: string;
  /** Whether the request has the parameter. */
  readonly isSent: boolean;
  readonly usualName: "page" | "offset";
  readonly value: number;
  /** How many rows of the list come before the end of this page, where that is known. */
  readonly seen?: number | undefined;
  /** Whether the API gives the number itself. */
  readonly isGiven?: boolean;
  readonly isLastPage?: boolean | undefined;
  readonly pageCount?: number | undefined;
}

export function readNumbers(answered: AnsweredPage): Numbers {
  const { envelope, sent, headers } = answered;
  const sentSize = sent.findCount(sentSizeNames)?.count;
  const size = findCount(envelope, bodySizeNames)?.count ?? readCount(headers, "x-per-page");
  const isEmptyHeader = "x-next-page" in headers;
  const position = readGiven(answered) ?? readPage(answered, size ?? sentSize) ?? readOffset(answered);
  return {
    isNumbered: position !== undefined || isEmptyHeader,
    size,
    sentSize,
    position,
    isEnd: position?.isGiven !== true && (position?.isLastPage === true || isEmptyHeader),
  };
}

/** @param total - How many rows the API reports. */
export function findNextNumber(
  { position, size, sentSize, isEnd }: Numbers,
  { envelope, sent, rowCount, before, described }: AnsweredPage,
  total: number | undefined,
): WayFound {
  if (position === undefined || (position.isGiven !== true && (rowCount === 0 || isEnd)))
    return { candidates: [], isEnd };
  // For one answer: the total, the number of pages, or a full page suggests a further page.
  const expected = size ?? (position.isSent ? sentSize : undefined);
  const { seen, isGiven = false } = position;
  const mayGoOn =
    position.isLastPage === false ||
    (total !== undefined && seen !== undefined
      ? seen < total
      : expected !== undefined && rowCount >= expected);
  // While pages are read: until the total is reached, else until a page is shorter than one before it or than the size that is reported.
  const read = (before?.rows ?? 0) + rowCount;
  const isGoingOn =
    total !== undefined && read <= total
      ? read < total
      : rowCount >= Math.max(before?.largest ?? 0, size ?? 0);
  const goesOn = isGiven || envelope.more === true || (before === undefined ? mayGoOn : isGoingOn);
  if (!goesOn) return { candidates: [] };
  return changeParameters(listChanges(position, described), "number", sent);
}

/** The parameter's name in the description of the API, where it has exactly one for this; else the usual name, a guess. */
function listChanges(
  { name, isSent, usualName, value }: Position,
  described: readonly DescribedParameter[],
): { set: Record<string, number>; isNamed: boolean }[] {
  const wanted = usualName === "page" ? pageParameters : offsetParameters;
  const fitting = described.filter((each) => each.name === name || wanted.includes(normalizeKey(each.name)));
  const one = fitting.length === 1 ? fitting[0] : fitting.find((each) => each.name === name);
  const known = isSent ? name : one?.name;
  const names = known === undefined ? [...new Set([name, usualName])] : [known];
  return names.map((each) => ({ set: { [each]: value }, isNamed: known !== undefined }));
}

/** The number of the next page, as the API gives it. */
function readGiven({ envelope, sent, headers }: AnsweredPage): Position | undefined {
  const value = readCount(headers, "x-next-page") ?? findCount(envelope, nextPageNames)?.count ?? 0;
  if (value === 0) return undefined;
  const asked = sent.find(pageParameters)?.name;
  return { name: asked ?? "page", isSent: asked !== undefined, usualName: "page", value, isGiven: true };
}

/** Undefined where nothing numbers the pages. */
function readPage({ envelope, sent, headers, rowCount }: AnsweredPage, size?: number): Position | undefined {
  const pageCount =
    findCount(envelope, pageCountNames)?.count ??
    readCount(headers, "x-total-pages") ??
    readCount(headers, "x-wp-totalpages");
  const stated = findCount(envelope, pageCount === undefined ? bodyPageNames : [...bodyPageNames, "number"]);
  const asked = sent.findCount(pageParameters);
  const current = asked?.count ?? stated?.count ?? readCount(headers, "x-page");
  const isOffset = asked === undefined && sent.findCount(offsetParameters) !== undefined;
  if (current === undefined || isOffset) return undefined;
  // An answer that reports where its first row is shows how pages are counted.
  const start = countBefore(findCount(envelope, bodyOffsetNames));
  const isZeroBased = current === 0 || (start !== undefined && start > 0 && start === current * (size ?? 0));
  const done = stated?.key === "number" ? stated.count + 1 : isZeroBased ? current + 1 : current;
  const isPlain = /^(?:number|current(?:page)?)$/.test(normalizeKey(stated?.key ?? "number"));
  const whole = size ?? (done === 1 ? rowCount : undefined);
  return {
    name: asked?.name ?? (isPlain ? "page" : (stated?.key ?? "page")),
    isSent: asked !== undefined,
    usualName: "page",
    value: current + 1,
    seen: start !== undefined ? start + rowCount : whole === undefined ? undefined : done * whole,
    isLastPage: pageCount === undefined ? undefined : done >= pageCount,
    pageCount,
  };
}

/** How many rows come before the reported one; SCIM (RFC 7644, section 3.4.2.4) and OpenSearch count them from 1. */
function countBefore(stated: Count | undefined): number | undefined {
  return stated === undefined || normalizeKey(stated.key) !== "startindex" ? stated?.count : stated.count - 1;
}

/** Undefined where nothing counts rows. OData's `$top` goes with `$skip`. */
function readOffset({ envelope, sent, rowCount }: AnsweredPage): Position | undefined {
  const asked = sent.findCount(offsetParameters);
  const stated = findCount(envelope, bodyOffsetNames);
  const name = asked?.name ?? stated?.key ?? sent.find(["top"])?.name.replace(/top$/i, "skip");
  if (name === undefined) return undefined;
  const value = (asked?.count ?? stated?.count ?? 0) + rowCount;
  const seen = normalizeKey(name) === "startindex" ? value - 1 : value;
  return { name, isSent: asked !== undefined, usualName: "offset", value, seen };
}
