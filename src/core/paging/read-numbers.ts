/** Reads the numbers of request and answer that place a page in its list: pages and sizes, offsets and limits. */

import { isJsonObject } from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { Parameters, type Query } from "./paged-request.js";
import type { Answered, Numbers, Position } from "./paging.js";
import {
  bodyOffsetNames,
  bodyPageNames,
  bodySizeNames,
  nextPageNames,
  offsetNames,
  offsetParameters,
  pageCountHeaders,
  pageCountNames,
  pageNames,
  pageParameters,
  sentSizeNames,
} from "./paging-names.js";
import { type Count, findCount, parseCount, readCount } from "./read-envelope.js";
import { readEdgeQuery } from "./read-links.js";

export function readNumbers(answered: Answered): Numbers {
  const { envelope, sent } = answered;
  const { count: sentSize, name: sentSizeName } = sent.findCount(sentSizeNames) ?? {};
  const size = findCount(envelope, bodySizeNames)?.count;
  const position =
    readGiven(answered) ?? readPage(answered, size ?? sentSize) ?? readOffset(answered);
  return { size, sentSize, sentSizeName, position };
}

/** The number of the next page, as the API gives it. */
function readGiven({ envelope, sent, headers }: Answered): Position | undefined {
  const value = readCount(headers, "x-next-page") ?? findCount(envelope, nextPageNames)?.count ?? 0;
  if (value === 0) return readGivenStart(envelope, sent);
  const asked = sent.find(pageParameters)?.name;
  return {
    names: [asked ?? "page"],
    isSent: asked !== undefined,
    isEchoed: true,
    kind: "page",
    value,
    isGiven: true,
  };
}

/** `queries: { nextPage: [{ startIndex: 11 }] }`: the next page as an OpenSearch query. */
function readGivenStart({ members }: Answered["envelope"], sent: Parameters): Position | undefined {
  const given = [...members.values()].find(({ name }) => name === "nextpage")?.value;
  const [query, ...others] = Array.isArray(given) ? given : [];
  const key = "startIndex";
  const value = isJsonObject(query) && others.length === 0 ? parseCount(query[key]) : undefined;
  if (value === undefined) return undefined;
  const asked = sent.findCount(offsetParameters)?.name;
  const place = { isSent: asked !== undefined, isEchoed: true, kind: "offset" } as const;
  return { ...place, names: [asked ?? key], value, isGiven: true };
}

/** The pages of a list that links to its first and its last one. */
interface Edges {
  readonly first: number;
  readonly count: number;
}

/** Undefined where the number of the first page is not stated: an API may count from 0. */
function readEdges(answered: Answered): Edges | undefined {
  const last = readPageNumber(readEdgeQuery(answered, "last"));
  if (last === undefined) return undefined;
  const first = readPageNumber(readEdgeQuery(answered, "first"));
  if (first === undefined || last < first) return undefined;
  return { first, count: last - first + 1 };
}

function readPageNumber(query: Query | undefined): number | undefined {
  if (query === undefined) return undefined;
  return new Parameters({ method: "GET", path: "", query }).findCount(pageParameters)?.count;
}

/** Undefined where nothing numbers the pages. */
function readPage(answered: Answered, size?: number): Position | undefined {
  const { envelope, sent, headers, rowCount } = answered;
  const linked = readEdges(answered);
  const pageCount =
    findCount(envelope, pageCountNames)?.count ??
    pageCountHeaders.map((name) => readCount(headers, name)).find((count) => count !== undefined) ??
    linked?.count;
  const stated = findCount(
    envelope,
    pageCount === undefined ? bodyPageNames : [...bodyPageNames, "number"],
  );
  const asked = sent.findCount(pageParameters);
  const isOffset = asked === undefined && sent.findCount(offsetParameters) !== undefined;
  // Where nothing numbers the page, the first of several came.
  const usual = pageCount !== undefined && rowCount > 0 ? (linked?.first ?? 1) : undefined;
  const current = asked?.count ?? stated?.count ?? usual;
  if (current === undefined || isOffset || envelope.isRecord) return undefined;
  const start = countBefore(findCount(envelope, bodyOffsetNames));
  const counted = current === 0 ? 1 : current;
  const done = stated?.key === "number" ? stated.count + 1 : counted;
  const whole = size ?? (done === 1 ? rowCount : undefined);
  const seenByPages = whole === undefined ? undefined : done * whole;
  return {
    names: asked === undefined ? listPageNames(envelope.counts, stated) : [asked.name],
    isSent: asked !== undefined,
    isEchoed: stated !== undefined,
    kind: "page",
    value: current + 1,
    seen: start === undefined ? seenByPages : start + rowCount,
    isLastPage: pageCount === undefined ? undefined : done >= pageCount,
    pageCount,
  };
}

/** The name that goes with what the answer counts, then what it calls its page's number itself. */
function listPageNames(counts: readonly Count[], stated: Count | undefined): string[] {
  const known = pageNames.find(([at]) => counts.some((count) => at.test(count.at)))?.[1];
  return [known, stated?.key, "page"].filter((name) => name !== undefined);
}

/** How many rows come before the reported one; SCIM (RFC 7644, section 3.4.2.4) and OpenSearch count them from 1. */
function countBefore(stated: Count | undefined): number | undefined {
  return stated === undefined || normalizeKey(stated.key) !== "startindex"
    ? stated?.count
    : stated.count - 1;
}

/** Undefined where nothing counts rows. OData's `$top` goes with `$skip`. */
function readOffset({ envelope, sent, headers, rowCount }: Answered): Position | undefined {
  const asked = sent.findCount(offsetParameters);
  const stated = findCount(envelope, bodyOffsetNames);
  const range = readRange(headers);
  const beside = sent.find(["top"])?.name.replace(/top$/i, "skip");
  const name = asked?.name ?? stated?.key ?? beside ?? (range && "offset");
  if (name === undefined || envelope.isRecord) return undefined;
  const known =
    asked === undefined
      ? offsetNames.find(([members]) => members.every((at) => envelope.members.has(at)))
      : undefined;
  const names = known === undefined ? [name] : [known[1], name];
  const echo = stated?.count ?? range?.start;
  const isEchoed = echo !== undefined && echo === (asked?.count ?? echo);
  const place = { names, isSent: asked !== undefined, isEchoed, kind: "offset" } as const;
  // Another offset than the one that was sent is the next one where a flag says that there is more (HubSpot).
  const isOffset = stated !== undefined && normalizeKey(stated.key) === "offset";
  if (isOffset && envelope.more === true && stated.count !== (asked?.count ?? 0))
    return { ...place, names: [asked?.name ?? stated.key], value: stated.count, isGiven: true };
  const before = asked?.count ?? echo ?? 0;
  const seen = before + rowCount - (normalizeKey(name) === "startindex" ? 1 : 0);
  // CouchDB's offset is a place among all rows, and no parameter.
  const value = known === undefined ? before + rowCount : rowCount;
  return { ...place, value, seen, isOpen: range?.isOpen };
}

/** The first row of `Content-Range: items 0-24/*` (RFC 9110, section 14.4), and whether the length of the list is not known. */
const rangeOfRows = /^(?!\s*bytes)[^/\d]*(\d{1,15})-\d{1,15}\/(\*)?/i;

function readRange(headers: Answered["headers"]): RowRange | undefined {
  const [, start, unknown] = rangeOfRows.exec(readHeader(headers, "content-range") ?? "") ?? [];
  return start === undefined ? undefined : { start: Number(start), isOpen: unknown !== undefined };
}

interface RowRange {
  readonly start: number;
  readonly isOpen: boolean;
}
