/** Finds the next page of an answer as a complete input for the same tool, and what the answer shows about pages. */

import { maxGuesses } from "./change-parameters.js";
import { findGraphqlPage, isGraphql } from "./find-graphql-page.js";
import { findNextCursor } from "./find-next-cursor.js";
import { findBodyLink, findLink } from "./find-next-link.js";
import { findNextNumber, type Numbers, readNumbers } from "./find-next-number.js";
import { findRuledPage, readRowsPath } from "./find-ruled-page.js";
import { findLimit, findMoreMember } from "./find-signs.js";
import { findTotal, isRangeEnd } from "./find-total.js";
import { isSameRequest, Parameters } from "./paged-request.js";
import type { AnsweredPage, FindNextPageInput, Paging, WayFound } from "./paging.js";
import { type Envelope, findRowsAt, parseCount, readEnvelope, rowsAt } from "./read-envelope.js";

export type { NextPage } from "./paged-request.js";
export type { Candidate, FindNextPageInput, Paging } from "./paging.js";

/**
 * Looks in this order, and the first that finds something decides: the record's rule; a link, in the header (RFC 8288) or in the body; a
 * cursor; numbers. Only for GET, and for a request with a body whose answer is a list. Never a link that leaves the base URL, and never
 * the same request again.
 */
export function findNextPage(input: FindNextPageInput): Paging {
  const { request, headers, rule, described = [] } = input;
  const envelope = readPage(input);
  const { rows } = envelope;
  const rowCount = rows?.items.length ?? 0;
  const where = {
    rows: rows?.path,
    otherList: input.rowsPath === undefined ? envelope.otherList : undefined,
  };
  const sent = new Parameters(request);
  const answered: AnsweredPage = { ...input, described, sent, envelope, rowCount };
  const isSearch = request.method === "POST" && (rows !== undefined || isGraphql(request));
  const isPageable = request.method === "GET" || input.isRead === true || isSearch;
  if (!isPageable || rule === "none") {
    const unreachable = isPageable ? findContradiction(answered) : undefined;
    const shown = { rows: rowCount, isEnd: false, isNumbered: false, unreachable };
    return { ...where, candidates: [], shown };
  }
  const numbers = readNumbers(answered);
  const isSized = numbers.isNumbered || numbers.sentSize !== undefined;
  const isPaged = isSized || envelope.more !== undefined || hasPagingMember(envelope);
  const stated = parseCount(rule?.total) ?? findTotal(answered, isPaged);
  // A full page, and a total that is no larger: some APIs count the page.
  const isFull = rowCount === numbers.sentSize || rowCount === numbers.size;
  const isOfPage = stated === rowCount && isFull && rule?.total === undefined;
  const total = isOfPage ? undefined : stated;
  const found = rule === undefined ? findWay(answered, numbers, total) : findRuledPage(rule, answered, total);
  const candidates = found.candidates.filter(({ next }) => !isSameRequest(next, request));
  const [first] = candidates;
  // The numbers of an answer are not about the pages of a rule.
  const { isNumbered, size, position }: Partial<Numbers> =
    rule === undefined ? numbers : { isNumbered: rule.rule.next === undefined };
  const isEnd = first === undefined && (found.isEnd === true || isRangeEnd(headers) === true);
  const isStuck = found.candidates.length > 0 && first === undefined;
  const mayBeOpen = first === undefined ? found.isEnd !== true && !isStuck : first.isGuess;
  const more = mayBeOpen ? findMoreMember(answered) : undefined;
  return {
    ...where,
    next: first?.next,
    candidates,
    isOpen: more !== undefined,
    hasMore: envelope.more === true,
    startsAt: found.startsAt ?? sent.findStart(first?.next) ?? findPrevious(envelope),
    shown: {
      rows: rowCount,
      hasBody: input.document !== undefined,
      isEnd: isEnd && envelope.more !== true,
      next: first?.kind,
      total,
      limit: findLimit(envelope),
      // Without a list, nothing is counted.
      isNumbered: isNumbered === true && rows !== undefined,
      size: size === numbers.sentSize ? undefined : size || undefined,
      isShort: rowCount < (numbers.sentSize ?? 0),
      pageCount: position?.pageCount,
      isStuck,
      unreachable: first === undefined ? (found.unreachable ?? more) : undefined,
    },
  };
}

/** The document with the list of its rows: where the pages before had it, where the rule names it, else where it is found. */
function readPage({ document, request, rule, rowsPath }: FindNextPageInput): Envelope {
  const found = readEnvelope(document, request.path);
  const named = rule === "none" ? undefined : rule?.rule.rows;
  const ruled = named === undefined ? undefined : readRowsPath(named);
  // A rule whose rows are not in the answer does not apply to it.
  const isFitting = ruled !== undefined && findRowsAt(document ?? null, ruled) !== undefined;
  const path = rowsPath ?? (isFitting ? ruled : undefined);
  if (path === undefined) return found;
  return { ...found, rows: { path, items: rowsAt(document ?? null, path) }, otherList: undefined };
}

function hasPagingMember({ members }: Envelope): boolean {
  return [...members.values()].some(
    ({ name, isOfPaging }) =>
      isOfPaging && /^next|cursor$|^(?:offset|limit|page|perpage|pagesize|first|last|self)$/.test(name),
  );
}

/** What an answer shows against a record with `paging: "none"`. */
function findContradiction(answered: AnsweredPage): string | undefined {
  const isOpen = answered.envelope.more === true || findLink(answered).candidates.length > 0;
  return isOpen ? '`api.paging` is "none", and the answer reports that there is more' : undefined;
}

/** The flag by which an answer reports rows before its first one. */
function findPrevious({ members }: Envelope): string | undefined {
  const flag = [...members.values()].find(
    ({ name, value }) => /^has(?:previous|prev)(?:page)?$/.test(name) && String(value) === "true",
  );
  return flag && `${flag.key}: true`;
}

function findWay(answered: AnsweredPage, numbers: Numbers, total: number | undefined): WayFound {
  const { envelope, request, before } = answered;
  const link = findLink(answered);
  const isSure = link.candidates.some(({ isGuess }) => !isGuess);
  if (isSure || (link.unreachable !== undefined && link.candidates.length > 0)) return link;
  if (isGraphql(request)) return findGraphqlPage(answered);
  if (envelope.more === false) return { candidates: [], isEnd: true };
  const cursor = findNextCursor(answered);
  if (link.candidates.length > 0 || link.unreachable !== undefined) return addWays(link, cursor);
  // A book has pages, and an order a total: those are not lists.
  const hasNoRows = envelope.rows === undefined || envelope.isRecord;
  if (cursor !== undefined || hasNoRows || findBodyLink(answered).isEnd) return cursor ?? link;
  const number = findNextNumber(numbers, answered, total);
  // A list that links its pages, or gives cursors, ends where it gives none; the numbers in its links are its own.
  const isLinked = before?.by === "link" || before?.by === "cursor";
  if (number.candidates.length > 0 && !isLinked) return number;
  return link.isEnd === true ? link : { candidates: [], isEnd: number.isEnd === true };
}

/** A link that is a guess, and the cursor beside it. */
function addWays(link: WayFound, cursor: WayFound = { candidates: [] }): WayFound {
  const candidates = [...link.candidates, ...cursor.candidates].slice(0, maxGuesses);
  return candidates.length > 0 ? { candidates } : link;
}
