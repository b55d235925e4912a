/** Finds the next page of an answer as a complete input for the same tool, and what the answer shows about pages. */

import { isJsonNumber, type JsonValue } from "../base/exact-number.js";
import { isBlank, isTrue, toText } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { findGraphqlPage, findNextCursor, isGraphql } from "./find-next-cursor.js";
import { findBodyLink, findLink, followLink, isUrlLike } from "./find-next-link.js";
import { findNextNumber, type Numbers, readNumbers } from "./find-next-number.js";
import { findRowsAt, rowsAt } from "./find-rows.js";
import { findLimit, findMoreMember, findSign, findTotal, hasOtherWay } from "./find-signs.js";
import type { NextKind } from "./judge-complete.js";
import { isSameRequest, Parameters } from "./paged-request.js";
import {
  type AnsweredPage,
  type AppliedRule,
  changeParameters,
  type FindNextPageInput,
  type Paging,
  type WayFound,
} from "./paging.js";
import { sentSizeNames } from "./paging-names.js";
import { type Envelope, parseCount, readEnvelope } from "./read-envelope.js";

/**
 * Looks in this order, and the first that finds something decides: the record's rule; a link, in the header (RFC 8288) or in the body; a
 * cursor; numbers. Only for GET, and for a request with a body whose answer is a list. Never a link that leaves the base URL, and never
 * the same request again.
 */
export function findNextPage(input: FindNextPageInput): Paging {
  const { request, rule, described = [] } = input;
  const envelope = readPage(input);
  const { rows } = envelope;
  const rowCount = rows?.items.length ?? 0;
  const where = {
    rows: rows?.path,
    isOwnList: envelope.isOwnList,
    dictionary: envelope.dictionary?.path,
    lists: envelope.lists,
    otherList: input.before === undefined ? envelope.otherList : undefined,
  };
  const sent = new Parameters(request);
  const answered: AnsweredPage = { ...input, described, sent, envelope, rowCount };
  const isSearch = request.method === "POST" && rows !== undefined;
  const isPageable = request.method === "GET" || input.isRead === true || isSearch;
  if (!isPageable || rule === "none") {
    const unreachable = isPageable && hasOtherWay(answered) ? findMoreMember(answered) : undefined;
    const sentSize = sent.findCount(sentSizeNames)?.count;
    const shown = { rows: rowCount, isEnd: false, isNumbered: false, unreachable, sentSize };
    return { ...where, candidates: [], shown };
  }
  const numbers = readNumbers(answered);
  const isSized = numbers.position !== undefined || numbers.sentSize !== undefined;
  const isPaged = isSized || envelope.more !== undefined;
  const stated = parseCount(rule?.total) ?? findTotal(answered, isPaged);
  // A full page, and a total that is no larger: some APIs count the page.
  const isFull = rowCount === numbers.sentSize || rowCount === numbers.size;
  const isOfPage = stated === rowCount && isFull && rule?.total === undefined;
  const total = isOfPage ? undefined : stated;
  const found =
    rule === undefined ? findWay(answered, numbers, total) : findRuledPage(rule, answered, total);
  const candidates = found.candidates.filter(({ next }) => !isSameRequest(next, request));
  const [first] = candidates;
  // The numbers of an answer are not about the pages of a rule.
  const { size, position }: Partial<Numbers> = rule === undefined ? numbers : {};
  const isNumbered = rule === undefined ? position !== undefined : rule.rule.next === undefined;
  const isEnd = first === undefined && found.isEnd === true;
  const isStuck = found.candidates.length > 0 && first === undefined;
  const mayBeOpen =
    first === undefined ? found.isEnd !== true && !isStuck : first.guessOf !== undefined;
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
      sign:
        first === undefined && rule === undefined && envelope.more !== false
          ? findSign(answered)
          : undefined,
      // Without a list, nothing is counted.
      isNumbered: isNumbered && rows !== undefined,
      size: size === numbers.sentSize ? undefined : size || undefined,
      sentSize: numbers.sentSize,
      pageCount: position?.pageCount,
      isStuck,
      unreachable: first === undefined ? (found.unreachable ?? more) : undefined,
    },
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

/** The member names of a rule's `rows`; none for `@`, the document itself. */
function readRowsPath(rows: string): readonly string[] {
  if (rows === "@") return [];
  return [...rows.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
}

const memberPath = /^(?:\w+|"[^"\\]+")(?:\.(?:\w+|"[^"\\]+"))*$/;

/**
 * Whether a document has the member that an expression names. False for any other expression: its null does not show whether it fits the
 * answer.
 */
export function hasMember(document: JsonValue, expression: string): boolean {
  return (
    memberPath.test(expression) && findRowsAt(document, readRowsPath(expression)) !== undefined
  );
}

/** Whether the count of rows shows that a page of a rule with numbers is the last one. */
function isCountedEnd(
  { rule: { page, offset, first = 1 } }: AppliedRule,
  { sent, rowCount, before }: AnsweredPage,
  total: number | undefined,
): boolean {
  const sentSize = sent.findCount(sentSizeNames)?.count;
  const start = parseCount(sent.read(page ?? offset ?? ""));
  const index = Math.max(0, (start ?? first) - first);
  const ofPage = index === 0 ? 0 : sentSize === undefined ? undefined : index * sentSize;
  const skipped = before?.rows ?? (page === undefined ? (start ?? 0) : ofPage);
  if (rowCount === 0) return true;
  if (total !== undefined) return skipped !== undefined && skipped + rowCount >= total;
  return rowCount < Math.max(before?.largest ?? 0, sentSize ?? 0);
}

/** @param total - How many rows the API reports. */
function findRuledPage(
  applied: AppliedRule,
  answered: AnsweredPage,
  total: number | undefined,
): WayFound {
  const { rule, next, hasNext = false } = applied;
  const { page, offset, send, first = 1 } = rule;
  const { sent, rowCount } = answered;
  const place = page ?? offset ?? send ?? "";
  const start = sent.read(place);
  // No row comes before the number 0, whatever is counted.
  const isFirst = isBlank(start) || (parseCount(start) ?? 1) <= (page === undefined ? 0 : first);
  const startsAt = isFirst
    ? undefined
    : `${place.replace(/^\w+:/, "")}=${clipText(toText(start) ?? "{…}", 40)}`;
  const goOn = (kind: NextKind, value: JsonValue): WayFound => ({
    startsAt,
    ...changeParameters([{ set: { [place]: value }, isAlone: rule.alone }], kind, sent),
  });
  if (page !== undefined || offset !== undefined) {
    if (answered.envelope.more === false) return { candidates: [], startsAt, isEnd: true };
    if (isCountedEnd(applied, answered, total)) return { candidates: [], startsAt };
    return goOn(
      "number",
      page === undefined ? (parseCount(start) ?? 0) + rowCount : (parseCount(start) ?? first) + 1,
    );
  }
  // A member that the answer lacks may be one that this API never has; `has_more && last_id` that finds false states the end.
  if (isBlank(next)) return { candidates: [], startsAt, isEnd: hasNext || next === false };
  const value: JsonValue = isJsonNumber(next) ? String(next) : (next ?? "");
  if (send !== undefined) return goOn("cursor", value);
  if (typeof value === "string" && isUrlLike(value))
    return { ...followLink(value, answered), startsAt };
  const unreachable =
    "`paging.next` of the record is not a URL or a path, and `paging.send` does not name where it is sent";
  return { candidates: [], startsAt, unreachable };
}
