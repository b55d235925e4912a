/** A list that counts its pages or its rows, under a name that is told: by the request, a link or the API's document. */

import { type AnsweredPage, changeParameters, type Found, type Position } from "../paging.js";
import { offsetParameters, pageParameters } from "../paging-names.js";
import { listTold, type ToldName } from "../told-names.js";

export function findNumber(page: AnsweredPage): Found | undefined {
  const position = findOpenPosition(page);
  const place = position && findPositionPlace(position, page);
  if (position === undefined || place === undefined) return undefined;
  const changes = listValues(position).map((value) => ({ set: { [place]: value } }));
  return changeParameters(changes, "number", page.sent);
}

/** An API that counts from 1 answers page 0 with its first page, so that page 1 is that page again. */
export function listValues({ isSent, kind, value }: Position): number[] {
  return isSent && kind === "page" && value === 1 ? [1, 2] : [value];
}

/** A name that the request alone has may be made up: the answer, a link or the document must show that the API reads it. */
function findPositionPlace(
  { isSent, isEchoed, names, kind }: Position,
  page: AnsweredPage,
): string | undefined {
  const [name] = names;
  if (!isSent) return findTold(kind === "page" ? pageParameters : offsetParameters, page)?.place;
  return isEchoed || listTold(page).some((told) => told.name === name) ? name : undefined;
}

/** The one parameter of the API's description, or of a URL in the answer, that is for this. */
export function findTold(wanted: readonly string[], page: AnsweredPage): ToldName | undefined {
  const fitting = listTold(page).filter(({ folded }) =>
    folded.some((each) => wanted.includes(each)),
  );
  const [first] = fitting;
  return fitting.every(({ name }) => name === first?.name) ? first : undefined;
}

/**
 * Whether numbers may lead on. A book has pages, and an order a total: those are not lists. A list that links its pages, or gives
 * cursors, ends where it gives none; the numbers in its links are its own.
 */
export function isCounted({ envelope, before }: AnsweredPage): boolean {
  const isLinked = before?.by === "link" || before?.by === "cursor";
  return envelope.rows !== undefined && !envelope.isRecord && !isLinked;
}

/** Where the next page is, as long as the numbers show that there may be one. */
export function findOpenPosition(page: AnsweredPage): Position | undefined {
  const { numbers, rowCount } = page;
  const { position } = numbers;
  if (position === undefined || !isCounted(page)) return undefined;
  if (position.isGiven === true) return position;
  if (rowCount === 0 || position.isLastPage === true) return undefined;
  return isOpen(position, page) ? position : undefined;
}

/**
 * Until the total or the number of pages is reached; else of one answer a full page suggests another one, and while pages are read one
 * that is not shorter than those before it and than the size that is reported.
 */
function isOpen(position: Position, page: AnsweredPage): boolean {
  const { numbers, envelope, rowCount, before, total } = page;
  if (position.isOpen === true && before === undefined) return true;
  if (envelope.more === true || (before === undefined && position.isLastPage === false))
    return true;
  const seen = before === undefined ? position.seen : before.rows + rowCount;
  if (total !== undefined && seen !== undefined && seen <= total) return seen < total;
  const asked = (position.isSent ? numbers.sentSize : undefined) ?? Number.POSITIVE_INFINITY;
  const full =
    before === undefined ? (numbers.size ?? asked) : Math.max(before.largest, numbers.size ?? 0);
  return rowCount >= full;
}
