/** Whether the pages that were read are all there are, by evidence. */

import { plural } from "../base/text.js";

/** How a page leads to the one after it. */
export type NextKind = "link" | "cursor" | "number";

/** By what a search itself is not whole. */
export interface Limit {
  readonly text: string;
  /** Whether it shows that rows are missing. */
  readonly isMore: boolean;
}

/** The evidence of one page. */
export interface PageShown {
  readonly rows: number;
  /** False for an answer without a body, which shows nothing. @default true */
  readonly hasBody?: boolean;
  /** How the next page is requested, where there is one. */
  readonly next?: NextKind;
  /** Whether the API states that this is the last page. */
  readonly isEnd: boolean;
  /** Whether a flag states that there are more rows. */
  readonly hasMore?: boolean;
  /** Whether the next page that the API gives is this page again. */
  readonly isStuck?: boolean;
  /** Why a next page that exists can't be requested. */
  readonly unreachable?: string | undefined;
  /** Advice for a reader who knows more, where the API does not name the parameter of the next page. */
  readonly ownWay?: string | undefined;
  /** Whether the answer or the request places this page in a numbered sequence. */
  readonly isNumbered: boolean;
  /** How many rows a page has, as the answer reports it; absent where it may only repeat what was requested. */
  readonly size?: number;
  readonly total?: number;
  /** How many pages there are in all, as the answer reports it. */
  readonly pageCount?: number;
  readonly limit?: Limit;
  /** Why the next page may be one of another list. */
  readonly doubt?: string | undefined;
  /** A member or a header that looks as if there were more, quoted. */
  readonly sign?: string | undefined;
  /** How many rows were requested for it. */
  readonly sentSize?: number | undefined;
  /** The parameter that requested so many. */
  readonly sentSizeName?: string | undefined;
  /** The parameter by which the request began after the beginning of the list, such as `page=3`. */
  readonly startsAt?: string | undefined;
}

export interface Reading {
  /** At least one, in the order in which they were read. */
  readonly pages: readonly PageShown[];
  /** How many different rows. */
  readonly rows: number;
  /** How many rows of a page are the same as one of an earlier page, and are counted once. */
  readonly repeated: number;
  /** How many rows have the identity of a row of an earlier page, and other content. */
  readonly changed?: number;
  /** How many rows without an identity equal one of an earlier page. */
  readonly equal?: number;
  /** Why the pages do not show that the list is whole. */
  readonly doubt?: string;
  /** Why reading ended before the last page. */
  readonly stopped?: string;
  /** Whether the record has `paging: "none"`. */
  readonly isUnpaged?: boolean;
}

/** The judgement. */
export interface Completeness {
  /** Whether these are all rows; null where that is not known. */
  readonly complete: boolean | null;
  /** The observation, where they are not all, or it is not known. */
  readonly why?: string;
}

/**
 * Judges by the first row of this table that fits.
 *
 * | What is known | `complete` |
 * |---|---|
 * | reading stopped before the last page: a limit, a failure, a page without new rows | false |
 * | the last page reports a next page that can't be requested, or a flag that there is more | false |
 * | the API reports that it did not search everything | false |
 * | the API reports more rows or more pages than were read | false |
 * | a page was found by a guess that its rows do not prove, or one of two lists may be the rows | null |
 * | a link to a next page leaves out a parameter of the request, or is one of several | null |
 * | equal rows are on two pages, or other rows with the same ids | null |
 * | the API reports fewer rows than were read, another total on each page, or a total that is a lower bound | null |
 * | the next page that the API gives is the page itself | null |
 * | the first request began after the beginning of the list | null |
 * | the record has `paging: "none"`, and the page is exactly as long as was requested | null |
 * | the record has `paging: "none"` | true |
 * | the API states that this is the last page: a paging member that is null, empty or false | true |
 * | nothing states the end, and a member or a header looks as if there were more | null |
 * | the rows read equal the total that the API reports, unless that is the number of rows that was requested for one page | true |
 * | the last page came without a body, as a 204 does: that shows nothing | null |
 * | the last page has no link or cursor, and the page before it had one | true |
 * | in a numbered sequence, the last page is empty, or has fewer rows than an earlier page or than the size that the answer, and not the request, states | true |
 * | anything else | null |
 */
export function judgeComplete(reading: Reading): Completeness {
  const { pages, rows, stopped } = reading;
  const [last, before] = [pages.at(-1), pages.at(-2)];
  const totals = findTotals(pages);
  const total = totals.at(-1);
  const limits = pages.flatMap(({ limit }) => limit ?? []);
  const missing =
    stopped ??
    describeOpen(last) ??
    limits.find(({ isMore }) => isMore)?.text ??
    (pages[0]?.startsAt === undefined ? describeMissing(reading, total) : undefined);
  if (missing !== undefined) return { complete: false, why: missing };
  const doubt = describeDoubt(reading, totals) ?? limits[0]?.text ?? describeStart(reading);
  if (doubt !== undefined) return { complete: null, why: doubt };
  const isFull = last !== undefined && last.rows > 0 && last.rows === last.sentSize;
  if (reading.isUnpaged === true && isFull)
    return { complete: null, why: "the page is exactly as long as was requested" };
  const hasWay = last?.next !== undefined;
  if (reading.isUnpaged === true || (last?.isEnd === true && !hasWay)) return { complete: true };
  if (!hasWay && last?.sign !== undefined) return { complete: null, why: last.sign };
  const isCounted = rows === total;
  if (isCounted || (last?.hasBody !== false && isLast(pages, last, before)))
    return { complete: true };
  return { complete: null, why: isShort(last) ? describeShort(last) : unshown };
}

const unshown = "nothing in the answer shows whether there are more rows";

/** It looks like the end, but some APIs have pages shorter than what is requested. */
function describeShort({ rows, sentSize = 0, sentSizeName = "the size" }: PageShown): string {
  return `${plural(rows, "row")}, fewer than ${sentSizeName}=${sentSize}; the API does not say whether that is all`;
}

/** Why there are more rows than were read, by the page alone. */
function describeOpen({
  unreachable,
  hasMore,
  next,
  ownWay,
}: Partial<PageShown> = {}): string | undefined {
  if (unreachable !== undefined || next !== undefined || hasMore !== true) return unreachable;
  return `the API reports that there is more, and nothing in the answer shows how it is requested; ${ownWay}`;
}

/** Whether a page has fewer rows than were requested. */
function isShort(page: PageShown | undefined): page is PageShown {
  return page?.sentSize !== undefined && page.rows < page.sentSize;
}

/** Whether the pages show that there are no more rows, though the answer does not state it. */
function isLast(pages: Reading["pages"], last?: PageShown, before?: PageShown): boolean {
  const hasNoWay = last?.next === undefined;
  if (hasNoWay && (before?.next === "link" || before?.next === "cursor")) return true;
  const most = Math.max(...pages.slice(0, -1).map((page) => page.rows), last?.size ?? 0);
  return last?.isNumbered === true && (last.rows === 0 || last.rows < most);
}

/** The totals that the pages report; none where each page only counts its own rows. */
function findTotals(pages: readonly PageShown[]): number[] {
  const isOfPages =
    pages.length > 1 && pages.every(({ total, rows }) => total === undefined || total === rows);
  return isOfPages ? [] : [...new Set(pages.flatMap(({ total }) => total ?? []))];
}

/** How many rows or pages the API reports, where that is more than were read. */
function describeMissing({ pages, rows }: Reading, total: number | undefined): string | undefined {
  if (total !== undefined && rows < total)
    return `the API reports ${plural(total, "row")}, and ${rows} were read`;
  const read = Math.max(1, pages.length - (pages.at(-1)?.rows === 0 ? 1 : 0));
  const pageCount = pages.at(-1)?.pageCount ?? pages.at(-2)?.pageCount ?? 0;
  return rows !== total && read < pageCount
    ? `the API reports ${plural(pageCount, "page")}, and ${read} were read`
    : undefined;
}

/** Why any evidence of the end is doubtful. */
function describeDoubt(
  { pages, rows, repeated, changed = 0, equal = 0, doubt }: Reading,
  totals: readonly number[],
): string | undefined {
  const stated = doubt ?? pages.find((page) => page.doubt !== undefined)?.doubt;
  if (stated !== undefined) return stated;
  if (repeated > 0)
    return `equal rows are on two pages: ${plural(repeated, "row")} with the id of an earlier one counted once`;
  if (changed > 0)
    return `rows of two pages have the same id and other content (${plural(changed, "row")}): all are kept`;
  if (equal > 0) return "equal rows are on two pages: all are kept";
  const isLimited = pages.some(({ limit }) => limit !== undefined);
  return totals.length > 1 || (!isLimited && rows > (totals.at(-1) ?? rows))
    ? `the API reports ${totals.join(", then ")} rows, and ${rows} were read`
    : undefined;
}

function describeStart({ pages }: Reading): string | undefined {
  const startsAt = pages[0]?.startsAt;
  if (pages.at(-1)?.isStuck === true)
    return "the next page that the API gives is the same page again";
  return startsAt && `the first request began at \`${startsAt}\`: the rows before it were not read`;
}
