/** Finds the next page of an answer as a complete input for the same tool, and what the answer shows about pages. */

import type { JsonValue } from "../base/exact-number.js";
import { isTrue } from "../base/shape.js";
import { findGraphqlPage, findNextCursor, isGraphql } from "./find-next-cursor.js";
import { findBodyLink, findLink } from "./find-next-link.js";
import { findNextNumber, type Numbers, readNumbers } from "./find-next-number.js";
import { findRowsAt, rowsAt } from "./find-rows.js";
import { findRuledPage, readRowsPath } from "./find-ruled-page.js";
import { findLimit, findMoreMember, findSign, findTotal, hasOtherWay } from "./find-signs.js";
import type { PageShown } from "./judge-complete.js";
import { isSameRequest, Parameters } from "./paged-request.js";
import type { AnsweredPage, AppliedRule, FindNextPageInput, Paging, WayFound } from "./paging.js";
import { sentSizeNames } from "./paging-names.js";
import { type Envelope, parseCount, readEnvelope } from "./read-envelope.js";

/**
 * Looks in this order, and the first that finds something decides: the record's rule; a link, in the header (RFC 8288) or in the body; a
 * cursor; numbers. Only for GET, and for a request with a body whose answer is a list. Never a link that leaves the base URL, and never
 * the same request again.
 */
export function findNextPage(input: FindNextPageInput): Paging {
  const answered = readAnswered(input);
  const { request, rule, envelope } = answered;
  const isSearch = request.method === "POST" && envelope.rows !== undefined;
  const isPageable = request.method === "GET" || input.isRead === true || isSearch;
  if (!isPageable || rule === "none") return describeUnpaged(answered, isPageable);
  const numbers = readNumbers(answered);
  const total = findListTotal(answered, numbers, rule?.total);
  const found =
    rule === undefined ? findWay(answered, numbers, total) : findRuledPage(rule, answered, total);
  const candidates = found.candidates.filter(({ next }) => !isSameRequest(next, request));
  const [first] = candidates;
  const isStuck = found.candidates.length > 0 && first === undefined;
  const mayBeOpen =
    first === undefined ? found.isEnd !== true && !isStuck : first.guessOf !== undefined;
  const more = mayBeOpen ? findMoreMember(answered) : undefined;
  return {
    ...describePlace(answered),
    next: first?.next,
    candidates,
    isOpen: more !== undefined,
    hasMore: envelope.more === true,
    startsAt: found.startsAt ?? answered.sent.findStart(first?.next) ?? findPrevious(envelope),
    shown: {
      ...listEvidence(answered, numbers, rule),
      isEnd: first === undefined && found.isEnd === true && envelope.more !== true,
      next: first?.kind,
      total,
      isStuck,
      unreachable: first === undefined ? (found.unreachable ?? more) : undefined,
    },
  };
}

function readAnswered(input: FindNextPageInput): AnsweredPage {
  const { request, described = [] } = input;
  const envelope = readPage(input);
  const rowCount = envelope.rows?.items.length ?? 0;
  return { ...input, described, sent: new Parameters(request), envelope, rowCount };
}

type Place = Pick<Paging, "rows" | "isOwnList" | "dictionary" | "lists" | "otherList">;

/** Where the rows are, and other lists that may be meant. */
function describePlace({ envelope, before }: AnsweredPage): Place {
  return {
    rows: envelope.rows?.path,
    isOwnList: envelope.isOwnList,
    dictionary: envelope.dictionary?.path,
    lists: envelope.lists,
    otherList: before === undefined ? envelope.otherList : undefined,
  };
}

/** What an answer shows after which no page is requested. */
function describeUnpaged(answered: AnsweredPage, isPageable: boolean): Paging {
  const unreachable = isPageable && hasOtherWay(answered) ? findMoreMember(answered) : undefined;
  const sentSize = answered.sent.findCount(sentSizeNames)?.count;
  const shown = {
    rows: answered.rowCount,
    isEnd: false,
    isNumbered: false,
    unreachable,
    sentSize,
  };
  return { ...describePlace(answered), candidates: [], shown };
}

/** @param ruled - By the record's rule. */
function findListTotal(
  answered: AnsweredPage,
  { position, sentSize, size }: Numbers,
  ruled: JsonValue | undefined,
): number | undefined {
  const { rowCount, envelope } = answered;
  const isPaged = position !== undefined || sentSize !== undefined || envelope.more !== undefined;
  const stated = parseCount(ruled) ?? findTotal(answered, isPaged);
  // A full page, and a total that is no larger: some APIs count the page.
  const isFull = rowCount === sentSize || rowCount === size;
  return stated === rowCount && isFull && ruled === undefined ? undefined : stated;
}

type Evidence = Pick<
  PageShown,
  "rows" | "hasBody" | "limit" | "sign" | "isNumbered" | "size" | "sentSize" | "pageCount"
>;

/** What a page shows besides the way to the next one. The numbers of an answer are not about the pages of a rule. */
function listEvidence(
  answered: AnsweredPage,
  { size, sentSize, position }: Numbers,
  rule: AppliedRule | undefined,
): Evidence {
  const { envelope, document, rowCount } = answered;
  const isRuled = rule !== undefined;
  const isNumbered = isRuled ? rule.rule.next === undefined : position !== undefined;
  const isOwnSize = size !== undefined && size !== 0 && size !== sentSize;
  return {
    rows: rowCount,
    hasBody: document !== undefined,
    limit: findLimit(envelope),
    sign: isRuled || envelope.more === false ? undefined : findSign(answered),
    // Without a list, nothing is counted.
    isNumbered: isNumbered && envelope.rows !== undefined,
    size: !isRuled && isOwnSize ? size : undefined,
    sentSize,
    pageCount: isRuled ? undefined : position?.pageCount,
  };
}

/** The document with the list of its rows: where the pages before had it, where the rule names it, else where it is found. */
function readPage({ document, request, rule, before }: FindNextPageInput): Envelope {
  const found = readEnvelope(document, request.path);
  const named = rule === "none" ? undefined : rule?.rule.rows;
  const ruled = named === undefined ? undefined : readRowsPath(named);
  // A rule whose rows are not in the answer does not apply to it.
  const isFitting = ruled !== undefined && findRowsAt(document ?? null, ruled) !== undefined;
  const path = before?.rowsPath ?? (isFitting ? ruled : undefined);
  if (path === undefined) return found;
  const rows = { path, items: rowsAt(document ?? null, path) };
  return { ...found, rows, isOwnList: true, otherList: undefined };
}

/** The flag by which an answer reports rows before its first one. */
function findPrevious({ members }: Envelope): string | undefined {
  const flag = [...members.values()].find(
    ({ name, value }) => /^has(?:previous|prev)(?:page)?$/.test(name) && isTrue(value),
  );
  return flag && `${flag.key}: true`;
}

function findWay(answered: AnsweredPage, numbers: Numbers, total: number | undefined): WayFound {
  const { envelope, request, before } = answered;
  const link = findLink(answered);
  if (link.candidates.length > 0) return link;
  if (isGraphql(request)) return findGraphqlPage(answered);
  if (envelope.more === false) return { candidates: [], isEnd: true };
  const cursor = findNextCursor(answered);
  if (link.unreachable !== undefined && !cursor?.candidates.length) return link;
  // A book has pages, and an order a total: those are not lists.
  const hasNoRows = envelope.rows === undefined || envelope.isRecord;
  if (cursor !== undefined || hasNoRows || findBodyLink(answered).isEnd) return cursor ?? link;
  const number = findNextNumber(numbers, answered, total);
  // A list that links its pages, or gives cursors, ends where it gives none; the numbers in its links are its own.
  const isLinked = before?.by === "link" || before?.by === "cursor";
  if (number.candidates.length > 0 && !isLinked) return number;
  return link.isEnd === true ? link : { candidates: [], isEnd: number.isEnd === true };
}
