/** Reads the numbers of request and answer that place a page in its list: pages and sizes, offsets and limits. */

import { normalizeKey } from "../base/shape.js";
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
import { type Count, findCount, readCount } from "./read-envelope.js";

export function readNumbers(answered: Answered): Numbers {
  const { envelope, sent } = answered;
  const sentSize = sent.findCount(sentSizeNames)?.count;
  const size = findCount(envelope, bodySizeNames)?.count;
  const position =
    readGiven(answered) ?? readPage(answered, size ?? sentSize) ?? readOffset(answered);
  return { size, sentSize, position };
}

/** The number of the next page, as the API gives it. */
function readGiven({ envelope, sent, headers }: Answered): Position | undefined {
  const value = readCount(headers, "x-next-page") ?? findCount(envelope, nextPageNames)?.count ?? 0;
  if (value === 0) return undefined;
  const asked = sent.find(pageParameters)?.name;
  return {
    names: [asked ?? "page"],
    isSent: asked !== undefined,
    kind: "page",
    value,
    isGiven: true,
  };
}

/** Undefined where nothing numbers the pages. */
function readPage(
  { envelope, sent, headers, rowCount }: Answered,
  size?: number,
): Position | undefined {
  const pageCount =
    findCount(envelope, pageCountNames)?.count ??
    pageCountHeaders.map((name) => readCount(headers, name)).find((count) => count !== undefined);
  const stated = findCount(
    envelope,
    pageCount === undefined ? bodyPageNames : [...bodyPageNames, "number"],
  );
  const asked = sent.findCount(pageParameters);
  const isOffset = asked === undefined && sent.findCount(offsetParameters) !== undefined;
  // Asked for page 0, an API that counts from 1 answers with its page 1. Where nothing numbers the page, the first of several came.
  const isFirst = asked?.count === 0 && stated?.count === 1 && stated.key !== "number";
  const usual = pageCount !== undefined && rowCount > 0 ? 1 : undefined;
  const current = isFirst ? 1 : (asked?.count ?? stated?.count ?? usual);
  if (current === undefined || isOffset || envelope.isRecord) return undefined;
  // An answer that reports where its first row is shows how pages are counted.
  const start = countBefore(findCount(envelope, bodyOffsetNames));
  const isZeroBased =
    current === 0 || (start !== undefined && start > 0 && start === current * (size ?? 0));
  const done = stated?.key === "number" ? stated.count + 1 : isZeroBased ? current + 1 : current;
  const whole = size ?? (done === 1 ? rowCount : undefined);
  return {
    names: asked === undefined ? listPageNames(envelope.counts, stated) : [asked.name],
    isSent: asked !== undefined,
    kind: "page",
    value: current + 1,
    seen: start !== undefined ? start + rowCount : whole === undefined ? undefined : done * whole,
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
function readOffset({ envelope, sent, rowCount }: Answered): Position | undefined {
  const asked = sent.findCount(offsetParameters);
  const stated = findCount(envelope, bodyOffsetNames);
  const name = asked?.name ?? stated?.key ?? sent.find(["top"])?.name.replace(/top$/i, "skip");
  if (name === undefined || envelope.isRecord) return undefined;
  const known =
    asked === undefined
      ? offsetNames.find(([members]) => members.every((at) => envelope.members.has(at)))
      : undefined;
  const names = known === undefined ? [name] : [known[1], name];
  const place = { names, isSent: asked !== undefined, kind: "offset" } as const;
  // Another offset than the one that was sent is the next one where a flag says that there is more (HubSpot).
  const isOffset = stated !== undefined && normalizeKey(stated.key) === "offset";
  if (isOffset && envelope.more === true && stated.count !== (asked?.count ?? 0))
    return { ...place, names: [asked?.name ?? stated.key], value: stated.count, isGiven: true };
  const before = asked?.count ?? stated?.count ?? 0;
  const seen = before + rowCount - (normalizeKey(name) === "startindex" ? 1 : 0);
  // CouchDB's offset is a place among all rows, and no parameter.
  return { ...place, value: known === undefined ? before + rowCount : rowCount, seen };
}
