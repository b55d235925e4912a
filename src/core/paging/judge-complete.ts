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

/** What one page shows. */
export interface PageShown {
  readonly rows: number;
  /** False for an answer without a body, which shows nothing. @default true */
  readonly hasBody?: boolean;
  /** How the next page is requested, where there is one. */
  readonly next?: NextKind | undefined;
  /** Whether the API states that this is the last page. */
  readonly isEnd: boolean;
  /** Whether the next page that the API gives is this page again. */
  readonly isStuck?: boolean | undefined;
  /** Why a next page that exists can't be requested. */
  readonly unreachable?: string | undefined;
  /** Whether the answer or the request places this page in a numbered sequence. */
  readonly isNumbered: boolean;
  /** How many rows a page has, as the answer reports it; absent where it may only repeat what was requested. */
  readonly size?: number | undefined;
  readonly total?: number | undefined;
  /** How many pages there are in all, as the answer reports it. */
  readonly pageCount?: number | undefined;
  readonly limit?: Limit | undefined;
  /** Whether it has fewer rows than were requested. */
  readonly isShort?: boolean;
}

export interface Reading {
  /** At least one, in the order in which they were read. */
  readonly pages: readonly PageShown[];
  /** How many different rows. */
  readonly rows: number;
  /** How many rows came again on another page, and how many have an id of another page and another content. */
  readonly repeated: number;
  readonly changed?: number;
  /** Why the pages do not show that the list is whole. */
  readonly doubt?: string | undefined;
  /** Whether a longer list at this path showed how it goes on. */
  readonly isPagedElsewhere?: boolean;
  /** Why reading ended before the last page. */
  readonly stopped?: string | undefined;
  /** The parameter by which the first request began after the beginning of the list, such as `page=3`. */
  readonly startsAt?: string | undefined;
  /** Whether the record has `paging: "none"`. */
  readonly isUnpaged?: boolean | undefined;
}

export interface Completeness {
  /** True by evidence, false where something shows that there is more, null where nothing shows either. */
  readonly complete: boolean | null;
  readonly why?: string;
}

/**
 * Judges by the first row of this table that fits.
 *
 * | What is known | `complete` |
 * |---|---|
 * | reading stopped before the last page: a limit, a failure, a page without new rows | false |
 * | the last page reports a next page that can't be requested, or a member of it is named for more | false |
 * | the API reports that it did not search everything | false |
 * | the API reports more rows or more pages than were read | false |
 * | a page was found by a guess that its rows do not prove, or one of two lists may be the rows | null |
 * | rows appeared again on another page, or others with their ids: the list may have changed while it was read | null |
 * | the API reports fewer rows than were read, another total on each page, or a total that is a lower bound | null |
 * | the next page that the API gives is the page itself | null |
 * | the first request began after the beginning of the list | null |
 * | the record has `paging: "none"` | true |
 * | the API states that this is the last page: a paging member that is null, empty or false | true |
 * | the rows read equal the total that the API reports, unless that is the number of rows that was requested for one page | true |
 * | the last page came without a body, as a 204 does | null |
 * | the last page has no link or cursor, and the page before it had one | true |
 * | in a numbered sequence, the last page is empty, or has fewer rows than an earlier page or than the size that the answer, and not the request, states | true |
 * | the only page has fewer rows than were requested, and no link or cursor, as a longer list at this path had | true |
 * | anything else | null |
 */
export function judgeComplete(reading: Reading): Completeness {
  const { pages, rows } = reading;
  const [last, before] = [pages.at(-1), pages.at(-2)];
  const total = findTotals(pages).at(-1);
  const missing = describeMissing(reading, total);
  if (missing !== undefined) return { complete: false, why: missing };
  const doubt = describeDoubt(reading, total);
  if (doubt !== undefined) return { complete: null, why: doubt };
  if (reading.isUnpaged === true || last?.isEnd === true || rows === total) return { complete: true };
  if (last?.hasBody === false)
    return {
      complete: null,
      why: "the last page came without a body, which does not show whether there are more rows",
    };
  if (last?.next === undefined && (before?.next === "link" || before?.next === "cursor"))
    return { complete: true };
  const most = Math.max(...pages.slice(0, -1).map((page) => page.rows), last?.size ?? 0);
  if (last?.isNumbered === true && (last.rows === 0 || last.rows < most)) return { complete: true };
  const isOnly = reading.isPagedElsewhere === true && pages.length === 1 && last?.isShort === true;
  if (isOnly && last?.next === undefined) return { complete: true };
  return { complete: null, why: "nothing in the answer shows whether there are more rows" };
}

/** The totals that the pages report; none where each page only counts its own rows. */
function findTotals(pages: readonly PageShown[]): number[] {
  const isOfPages =
    pages.length > 1 && pages.every(({ total, rows }) => total === undefined || total === rows);
  return isOfPages ? [] : [...new Set(pages.flatMap(({ total }) => total ?? []))];
}

/** What shows that there are more rows. */
function describeMissing({ pages, rows, stopped, startsAt }: Reading, total?: number): string | undefined {
  const [last, before] = [pages.at(-1), pages.at(-2)];
  const limit = pages.find((page) => page.limit?.isMore === true)?.limit;
  const known = stopped ?? last?.unreachable ?? limit?.text;
  if (known !== undefined || startsAt !== undefined) return known;
  if (total !== undefined && rows < total)
    return `the API reports ${plural(total, "row")}, and ${rows} were read`;
  const pagesWithRows = Math.max(1, pages.length - (last?.rows === 0 ? 1 : 0));
  const pageCount = last?.pageCount ?? before?.pageCount ?? 0;
  return rows !== total && pagesWithRows < pageCount
    ? `the API reports ${plural(pageCount, "page")}, and ${pagesWithRows} were read`
    : undefined;
}

/** What makes any evidence of the end doubtful. */
function describeDoubt(
  { pages, rows, repeated, changed = 0, doubt, startsAt }: Reading,
  total?: number,
): string | undefined {
  const totals = findTotals(pages);
  const limit = pages.find((page) => page.limit !== undefined)?.limit;
  if (doubt !== undefined) return doubt;
  if (repeated > 0)
    return `${plural(repeated, "row")} appeared again on another page: the list changed while it was read, so a row may be missing`;
  if (changed > 0)
    return `${plural(changed, "row")} have the id of a row of another page and other content: they may be different things, or the list changed while it was read`;
  if (totals.length > 1 || (total !== undefined && rows > total && limit === undefined))
    return `the API reports ${totals.join(", then ")} rows, and ${rows} were read`;
  if (limit !== undefined) return limit.text;
  if (pages.at(-1)?.isStuck === true) return "the next page that the API gives is the same page again";
  if (startsAt !== undefined)
    return `the first request began at \`${startsAt}\`: the rows before it were not read`;
  return undefined;
}
