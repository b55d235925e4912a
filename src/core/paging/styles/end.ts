/** The last page of a list: a flag, a link that is null, the number of pages, or links to other pages alone show it. */

import { findStatedCursor, isEndCursor } from "../find-stated-cursor.js";
import { type AnsweredPage, type Found, lastPage } from "../paging.js";
import { findLaterPage, hasNullLink, linksBack } from "../read-links.js";
import { findUnreachable } from "./link.js";

export function findFlaggedEnd({ envelope }: AnsweredPage): Found | undefined {
  return envelope.more === false ? lastPage : undefined;
}

/** CKAN links to a next page on each page, also on one behind the last row. */
export function findCountedEnd({
  envelope,
  rowCount,
  total,
  before,
  numbers,
}: AnsweredPage): Found | undefined {
  const isBehind = envelope.rows !== undefined && rowCount === 0 && total !== undefined;
  const read = before?.rows ?? numbers.position?.seen ?? 0;
  // A total of 0 behind rows counts those of the page.
  const isOfList = total !== 0 || read === 0;
  return isBehind && isOfList && read >= total ? lastPage : undefined;
}

/** A cursor beside the link that is null may lead on. */
export function findNullLink(page: AnsweredPage): Found | undefined {
  if (!hasNullLink(page) || findLaterPage(page) !== undefined) return undefined;
  const cursor = findStatedCursor(page);
  return cursor === undefined || isEndCursor(cursor, page) ? lastPage : undefined;
}

export function findLastNumber({ numbers }: AnsweredPage): Found | undefined {
  return numbers.position?.isLastPage === true ? lastPage : undefined;
}

export function findLostLink(page: AnsweredPage): Found | undefined {
  // A record of its own may link to its neighbour at another place.
  if (page.envelope.rows === undefined) return undefined;
  const unreachable = findUnreachable(page);
  return unreachable === undefined ? undefined : { next: [], evidence: { unreachable } };
}

export function findBackLink(page: AnsweredPage): Found | undefined {
  return linksBack(page) ? lastPage : undefined;
}
