/** Finds the next page by counting: page and size, offset and limit, against a total, a number of pages, or the pages before. */

import { normalizeKey } from "../base/shape.js";
import { listUrlNames } from "./find-next-link.js";
import { writeLike } from "./paged-request.js";
import { type AnsweredPage, type Change, changeParameters, type WayFound } from "./paging.js";
import {
  besideSize,
  bodyOffsetNames,
  bodyPageNames,
  bodySizeNames,
  cursorParameter,
  nextPageNames,
  offsetNames,
  offsetParameters,
  pageCountHeaders,
  pageCountNames,
  pageNames,
  pageParameters,
  sentSizeNames,
  usualNames,
} from "./paging-names.js";
import { type Count, findCount, readCount } from "./read-envelope.js";

/** Where the next page is, as the request or the answer numbers it. */
interface Position {
  /** Names to send it as, best first. */
  readonly names: readonly string[];
  /** Whether the request has the parameter. */
  readonly isSent: boolean;
  readonly kind: "page" | "offset";
  readonly value: number;
  /** How many rows of the list come before the end of this page, where that is known. */
  readonly seen?: number;
  /** Whether the API gives the number itself. */
  readonly isGiven?: boolean;
  /** Whether the number of pages states that this is the last page. */
  readonly isLastPage?: boolean;
  readonly pageCount?: number;
}

export type Numbers = ReturnType<typeof readNumbers>;

/**
 * What request and answer count: how many rows a page has, as the answer reports it (`size`), and as the request asked; and where the next page is,
 * which is absent where neither request nor answer number the pages, or the rows.
 */
export function readNumbers(answered: AnsweredPage) {
  const { envelope, sent } = answered;
  const sentSize = sent.findCount(sentSizeNames)?.count;
  const size = findCount(envelope, bodySizeNames)?.count;
  const position =
    readGiven(answered) ?? readPage(answered, size ?? sentSize) ?? readOffset(answered);
  return { size, sentSize, position };
}

/** @param total - How many rows the API reports. */
export function findNextNumber(
  { position, size, sentSize }: Numbers,
  answered: AnsweredPage,
  total: number | undefined,
): WayFound {
  const { envelope, sent, rowCount, before } = answered;
  const isEnd = position?.isLastPage === true;
  if (position?.isGiven !== true && (rowCount === 0 || isEnd)) return { candidates: [], isEnd };
  const read = (before?.rows ?? 0) + rowCount;
  if (position === undefined) {
    // Nothing numbers the pages, and the answer reports that there are others.
    const isOpen = envelope.more === true || (total !== undefined && read < total);
    return isOpen
      ? changeParameters(listUnstated(answered, total), "number", sent)
      : { candidates: [] };
  }
  // Until the total or the number of pages is reached; else of one answer a full page suggests another one, and while pages are read one
  // that is not shorter than those before it and than the size that is reported.
  const asked = (position.isSent ? sentSize : undefined) ?? Number.POSITIVE_INFINITY;
  const full = before === undefined ? (size ?? asked) : Math.max(before.largest, size ?? 0);
  const seen = before === undefined ? position.seen : read;
  const isWithin = total !== undefined && seen !== undefined && seen <= total;
  const isOpen =
    position.isGiven === true ||
    envelope.more === true ||
    (before === undefined && position.isLastPage === false);
  if (!isOpen && !(isWithin ? seen < total : rowCount >= full)) return { candidates: [] };
  return changeParameters(listChanges(position, answered), "number", sent);
}

/** The parameter that the request or the API's description has for this; else usual names, which are guesses. */
function listChanges({ names, isSent, kind, value }: Position, answered: AnsweredPage): Change[] {
  const [first = kind] = names;
  const to = (name: string, isNamed: boolean, next = value): Change => ({
    set: { [name]: next },
    guessOf: isNamed ? undefined : normalizeKey(names.find((each) => each !== kind) ?? kind),
  });
  // An API that counts from 1 answers page 0 with its first page, so that page 1 is that page again.
  if (isSent)
    return value === 1 && kind === "page"
      ? [to(first, true), to(first, true, 2)]
      : [to(first, true)];
  const named = findNamed(kind === "page" ? pageParameters : offsetParameters, answered);
  return named === undefined
    ? [...new Set([...names, kind])].map((name) => to(name, false))
    : [to(named, true)];
}

/** The one parameter of the API's description, or of a URL in the answer, that is for this. */
function findNamed(wanted: readonly string[], answered: AnsweredPage): string | undefined {
  const known = new Set([...answered.described, ...listUrlNames(answered)]);
  const fitting = [...known].filter((name) => wanted.includes(normalizeKey(name)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Ways to the second page of a list that only shows that it has one: by the size that was sent, else by what is usual. */
function listUnstated(answered: AnsweredPage, total: number | undefined): Change[] {
  const { sent, request, rowCount, envelope, before } = answered;
  // Keys that were asked for are a filter, and a request with a cursor continues by cursors.
  const isOther =
    sent.findLike(/^(?:ids?|(?:start|end)?keys?|endingbefore)$/) ?? sent.findLike(cursorParameter);
  const isSorted = Object.hasOwn(sent.body ?? {}, "search_after");
  if (isOther !== undefined || isSorted || before?.by !== undefined || envelope.rows === undefined)
    return [];
  const size = sent.findCount(sentSizeNames);
  const known = offsetNames.find(([members]) =>
    members.every((at) => envelope.members.has(at)),
  )?.[1];
  const sizeName = normalizeKey(size?.name.replace(/^.*[[.]|\]$/g, "") ?? "");
  const usual = (known === undefined ? besideSize[sizeName] : [known]) ?? usualNames;
  const named = findNamed([...pageParameters, ...offsetParameters], answered);
  const doubt = total === undefined ? "the API does not show how its pages are counted" : undefined;
  return (named === undefined ? usual : [named]).map((name) => ({
    set: {
      [writeLike(name, size?.name ?? "")]: pageParameters.includes(normalizeKey(name))
        ? 2
        : rowCount,
    },
    guessOf: named === undefined ? `a page of ${request.path}` : undefined,
    doubt,
  }));
}

/** The number of the next page, as the API gives it. */
function readGiven({ envelope, sent, headers }: AnsweredPage): Position | undefined {
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
  { envelope, sent, headers, rowCount }: AnsweredPage,
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
function readOffset({ envelope, sent, rowCount }: AnsweredPage): Position | undefined {
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
  // With a flag that there is more, another offset than the one that was sent is the next one (HubSpot).
  const isOffset = stated !== undefined && normalizeKey(stated.key) === "offset";
  if (isOffset && envelope.more === true && stated.count !== (asked?.count ?? 0))
    return { ...place, names: [asked?.name ?? stated.key], value: stated.count, isGiven: true };
  const before = asked?.count ?? stated?.count ?? 0;
  const seen = before + rowCount - (normalizeKey(name) === "startindex" ? 1 : 0);
  // CouchDB's offset is a place among all rows, and no parameter.
  return { ...place, value: known === undefined ? before + rowCount : rowCount, seen };
}
