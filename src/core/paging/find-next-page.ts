/** Finds the next page of an answer as a complete input for the same tool, and what the answer shows about pages. */

import { isTrue } from "../base/shape.js";
import { findRowsAt, readRowsPath, rowsAt } from "./find-rows.js";
import { findLimit, findListTotal, findSign } from "./find-signs.js";
import type { PageShown } from "./judge-complete.js";
import { isSameRequest, Parameters } from "./paged-request.js";
import type { AnsweredPage, Candidate, Evidence, FindNextPageInput, Paging } from "./paging.js";
import { type Envelope, readEnvelope } from "./read-envelope.js";
import { listNextLinks } from "./read-links.js";
import { readNumbers } from "./read-numbers.js";
import { findWay } from "./styles/styles.js";
import { describeOwnWay } from "./told-names.js";

/** Never a link that leaves the base URL, and never the same request again. */
export function findNextPage(input: FindNextPageInput): Paging {
  const page = readAnswered(input);
  const way = mayHavePages(page) ? findWay(page) : undefined;
  const { next: found, evidence } = way ?? { next: [], evidence: {} };
  const candidates = found.filter(({ next }) => !isSameRequest(next, page.request));
  const isStuck = found.length > 0 && candidates.length === 0;
  const { envelope, before } = page;
  return {
    candidates,
    rows: envelope.rows?.path,
    isOwnList: envelope.isOwnList,
    dictionary: envelope.dictionary?.path,
    lists: envelope.lists,
    otherList: before === undefined ? envelope.otherList : undefined,
    shown: { isStuck, ...describePage(page, candidates[0], evidence) },
  };
}

/** The answer to a request with a body is a page of a list only where it has rows; that of a DELETE never is. */
function mayHavePages({ request, isRead, envelope }: AnsweredPage): boolean {
  if (request.method === "GET" || isRead === true) return true;
  return request.method !== "DELETE" && envelope.rows !== undefined;
}

function readAnswered(input: FindNextPageInput): AnsweredPage {
  const { request, described = [], rule } = input;
  const envelope = readPage(input);
  const rowCount = envelope.rows?.items.length ?? 0;
  const answered = { sent: new Parameters(request), envelope, rowCount, ...input, described };
  const numbers = readNumbers(answered);
  const ruled = rule === "none" ? undefined : rule?.total;
  const total = findListTotal(answered, numbers, ruled);
  return { numbers, total, links: listNextLinks(answered), ...answered };
}

/** The evidence of a page. The numbers of an answer are not about the pages of a rule. */
function describePage(
  page: AnsweredPage,
  way: Candidate | undefined,
  evidence: Evidence,
): PageShown {
  const { numbers, envelope, sent, rule, total } = page;
  const { size, sentSize, sentSizeName, position } = numbers;
  const applied = rule === "none" ? undefined : rule?.rule;
  const isRuled = applied !== undefined;
  const isNumbered = isRuled ? applied.next === undefined : position !== undefined;
  const isOwnSize = size !== undefined && size !== 0 && size !== sentSize;
  const isLed = way !== undefined;
  const isUntold = isLed ? way.guessOf !== undefined : envelope.more === true;
  return {
    rows: page.rowCount,
    hasBody: page.document !== undefined,
    next: way?.kind,
    isEnd: !isLed && evidence.isEnd === true,
    hasMore: envelope.more === true,
    unreachable: isLed ? undefined : evidence.unreachable,
    ownWay: isUntold ? describeOwnWay(page) : undefined,
    startsAt: evidence.startsAt ?? sent.findStart(way?.next) ?? findPrevious(envelope),
    limit: findLimit(envelope),
    doubt: evidence.doubt,
    sign: findSign(page),
    // Nothing is counted where there is no list.
    isNumbered: isNumbered && envelope.rows !== undefined && rule !== "none",
    size: !isRuled && isOwnSize ? size : undefined,
    sentSize,
    sentSizeName,
    total: rule === "none" ? undefined : total,
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
