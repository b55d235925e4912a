/** Whether the pages that were read are all there are, by evidence. */

import { plural } from "../base/text.js";

/** How a page leads to the one after it. */
export type NextKind = "link" | "cursor" | "number";

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
}

export interface Reading {
  /** At least one, in the order in which they were read. */
  readonly pages: readonly PageShown[];
  /** How many different rows. */
  readonly rows: number;
  /** How many rows came again on another page. */
  readonly repeated: number;
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
 * | the last page reports a next page that can't be requested | false |
 * | the API reports more rows or more pages than were read | false |
 * | rows appeared again on another page: the list changed while it was read | null |
 * | the API reports fewer rows than were read, or another total on each page | null |
 * | the next page that the API gives is the page itself | null |
 * | the first request began after the beginning of the list | null |
 * | the record has `paging: "none"` | true |
 * | the API states that this is the last page: a paging member that is null, empty or false, `Content-Range` at its end | true |
 * | the rows read equal the total that the API reports | true |
 * | the last page came without a body, as a 204 does | null |
 * | the last page has no link or cursor, and the page before it had one | true |
 * | in a numbered sequence, the last page is empty, or has fewer rows than an earlier page or than the size that the answer, and not the request, states | true |
 * | anything else; a page shorter than the size that was requested proves nothing | null |
 */
export function judgeComplete(reading: Reading): Completeness {
  const { pages, rows, repeated, stopped, startsAt, isUnpaged = false } = reading;
  const last = pages.at(-1);
  const before = pages.at(-2);
  const totals = new Set(pages.flatMap(({ total }) => total ?? []));
  const total = last?.total ?? [...totals].at(-1);
  const unknown = (why: string): Completeness => ({ complete: null, why });
  if (stopped !== undefined) return { complete: false, why: stopped };
  if (last?.unreachable !== undefined) return { complete: false, why: last.unreachable };
  if (startsAt === undefined && total !== undefined && rows < total)
    return { complete: false, why: `the API reports ${plural(total, "row")}, and ${rows} were read` };
  const pagesWithRows = Math.max(1, pages.length - (last?.rows === 0 ? 1 : 0));
  const pageCount = last?.pageCount ?? before?.pageCount ?? 0;
  if (startsAt === undefined && rows !== total && pagesWithRows < pageCount)
    return {
      complete: false,
      why: `the API reports ${plural(pageCount, "page")}, and ${pagesWithRows} were read`,
    };
  if (repeated > 0)
    return unknown(
      `${plural(repeated, "row")} appeared again on another page: the list changed while it was read, so a row may be missing`,
    );
  if (totals.size > 1 || (total !== undefined && rows > total))
    return unknown(`the API reports ${[...totals].join(", then ")} rows, and ${rows} were read`);
  if (last?.isStuck === true) return unknown("the next page that the API gives is the same page again");
  if (startsAt !== undefined)
    return unknown(`the first request began at \`${startsAt}\`: the rows before it were not read`);
  if (isUnpaged || last?.isEnd === true || rows === total) return { complete: true };
  if (last?.hasBody === false)
    return unknown("the last page came without a body, which does not show whether there are more rows");
  if (last?.next === undefined && (before?.next === "link" || before?.next === "cursor"))
    return { complete: true };
  const most = Math.max(...pages.slice(0, -1).map((page) => page.rows), last?.size ?? 0);
  if (last?.isNumbered === true && (last.rows === 0 || last.rows < most)) return { complete: true };
  return unknown("nothing in the answer shows whether there are more rows");
}
