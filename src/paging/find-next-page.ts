/** Finds the next page of an answer as a complete input for the same tool, and what the answer shows about pages. */

import { isJsonObject } from "../json/exact-number.js";
import { type AppliedRule, applyRule, findRuledStart, readRowsPath } from "./apply-rule.js";
import { findGraphqlPage } from "./find-graphql-page.js";
import { type Change, type DescribedParameter, findNextCursor } from "./find-next-cursor.js";
import { findBodyLink, listUrlNames } from "./find-next-link.js";
import { findNextNumber, type NumberFound } from "./find-next-number.js";
import { findTotal, isRangeEnd } from "./find-total.js";
import { describeTooLong, findLink, followLink, maxLength, type WayFound } from "./follow-link.js";
import type { NextKind } from "./judge-complete.js";
import { isSameRequest, type PagedRequest, Parameters } from "./paged-request.js";
import type { Candidate, FindNextPageInput, Paging } from "./paging.js";
import { type Envelope, findRowsAt, parseCount, readEnvelope, rowsAt } from "./read-envelope.js";

export type { NextPage } from "./paged-request.js";
export type { Candidate, FindNextPageInput, Paging } from "./paging.js";

/**
 * Looks in this order, and the first that finds something decides: the record's rule; a link, in the header (RFC 8288) or in the body; a
 * cursor; numbers. Only for GET, and for a request with a body whose answer is a list. Never a link that leaves the base URL, and never
 * the same request again.
 */
export function findNextPage(input: FindNextPageInput): Paging {
  const { request, document, headers, rule } = input;
  const found = readEnvelope(document, request.path);
  const ruled = isRule(rule) && rule.rule.rows !== undefined ? readRowsPath(rule.rule.rows) : undefined;
  // A rule whose rows are not in the answer does not apply to it.
  const isFitting = ruled !== undefined && findRowsAt(document ?? null, ruled) !== undefined;
  const path = input.rowsPath ?? (isFitting ? ruled : undefined);
  const envelope =
    path === undefined ? found : { ...found, rows: { path, items: rowsAt(document ?? null, path) } };
  const { rows } = envelope;
  const place = rows?.path.join("\n");
  const where = {
    ...(rows === undefined ? {} : { rows: rows.path }),
    otherPaths: found.lists.map((list) => list.path).filter((other) => other.join("\n") !== place),
  };
  const rowCount = rows?.items.length ?? 0;
  const { method } = request;
  const isSearch = method === "POST" && (rows !== undefined || isGraphql(request));
  const isPageable = method === "GET" || input.isRead === true || isSearch;
  if (!isPageable || rule === "none") {
    const unreachable = isPageable ? findContradiction(input, envelope) : undefined;
    return {
      ...where,
      candidates: [],
      shown: { rows: rowCount, isEnd: false, isNumbered: false, unreachable },
    };
  }
  const sent = new Parameters(request);
  const described = input.described ?? [];
  const numbers = findNextNumber({ envelope, sent, headers, total: undefined, described });
  const isPaged = numbers.isNumbered || envelope.more !== undefined || hasPagingMember(envelope);
  const given = isRule(rule) ? parseCount(rule.total) : undefined;
  const total = given ?? findTotal(envelope, headers, { isPaged, requestPath: request.path });
  const finding = findWay(input, { envelope, sent, total, described });
  const { isNumbered, size, pageCount } = finding.number ?? numbers;
  const candidates = finding.candidates.filter(({ next }) => !isSameRequest(next, request));
  const isStuck = finding.candidates.length > 0 && candidates.length === 0;
  const unreachable =
    candidates.length > 0 ? undefined : (finding.unreachable ?? findUnreachable(envelope, finding));
  const isEnd = finding.isEnd === true || isRangeEnd(headers) === true;
  const [first] = candidates;
  const startsAt =
    (isRule(rule) ? findRuledStart(rule.rule, sent) : undefined) ??
    sent.findStart() ??
    finding.startsAt ??
    sent.findMoved(first?.next) ??
    findPrevious(envelope);
  return {
    ...where,
    ...(first === undefined ? {} : { next: first.next }),
    candidates,
    shown: {
      ...{ rows: rowCount, isEnd: isEnd && envelope.more !== true && first === undefined },
      // Where there is no list, nothing is counted.
      ...{ isNumbered: isNumbered && rows !== undefined, size, pageCount, total },
      ...{ isStuck, next: first?.kind, unreachable },
    },
    ...(startsAt === undefined ? {} : { startsAt }),
  };
}

interface Looked {
  readonly envelope: Envelope;
  readonly sent: Parameters;
  readonly total: number | undefined;
  readonly described: readonly DescribedParameter[];
}

function isRule(rule: FindNextPageInput["rule"]): rule is AppliedRule {
  return rule !== undefined && rule !== "none";
}

function hasPagingMember({ members }: Envelope): boolean {
  return [...members.values()].some(
    ({ name, isOfPaging }) =>
      isOfPaging && /^next|cursor$|^(?:offset|limit|page|perpage|pagesize|first|last|self)$/.test(name),
  );
}

/** A query language has braces; a search's `query` has words. */
function isGraphql({ body }: PagedRequest): boolean {
  return isJsonObject(body) && typeof body["query"] === "string" && body["query"].includes("{");
}

/** What an answer shows against a record with `paging: "none"`. */
function findContradiction(input: FindNextPageInput, envelope: Envelope): string | undefined {
  const isOpen = envelope.more === true || findLink(input, envelope).candidates.length > 0;
  return isOpen ? '`api.paging` is "none", and the answer reports that there is more' : undefined;
}

/** The flag by which an answer reports rows before its first one. */
function findPrevious({ members }: Envelope): string | undefined {
  const flag = [...members.values()].find(
    ({ name, value }) => /^has(?:previous|prev)(?:page)?$/.test(name) && String(value) === "true",
  );
  return flag && `${flag.key}: true`;
}

function findUnreachable({ more }: Envelope, { isEnd = false }: WayFound): string | undefined {
  return more === true && !isEnd
    ? "the API reports that there is more, and nothing in the answer shows how it is requested; set `api.paging`"
    : undefined;
}

function findWay(input: FindNextPageInput, looked: Looked): WayFound {
  if (isRule(input.rule)) return findByRule(input, input.rule, looked);
  const { envelope } = looked;
  const link = findLink(input, envelope);
  if (link.candidates.length > 0 || link.unreachable !== undefined) return link;
  if (isGraphql(input.request)) return findInGraphql(looked);
  if (envelope.more === false) return { candidates: [], isEnd: true };
  const changed = findChange(input, looked);
  return link.isEnd === true && changed.candidates.length === 0 ? { candidates: [], isEnd: true } : changed;
}

function findByRule(input: FindNextPageInput, rule: AppliedRule, looked: Looked): WayFound {
  const { envelope, sent, total } = looked;
  const rowCount = envelope.rows?.items.length ?? 0;
  const { next, link, kind, isEnd, why } = applyRule(rule, sent, rowCount);
  const number: NumberFound = { changes: [], isEnd: false, isNumbered: kind === "number" };
  // An empty page, and a last row that is not there, are not the end where the answer names a next page.
  const isOpen = !isEnd && (kind === "cursor" || rowCount === 0) && hasOtherNext(input, looked);
  if (why !== undefined) return { candidates: [], unreachable: why };
  if (link !== undefined) return followLink(link, input, envelope);
  if (next === undefined && isOpen)
    return {
      candidates: [],
      number,
      unreachable: "`api.paging` finds no next page, and the answer names one",
    };
  const { before } = input;
  const isShort = kind === "number" && before !== undefined && rowCount < before.largest;
  const isAll = kind === "number" && before !== undefined && before.rows + rowCount === total;
  if (next === undefined || isShort || isAll) return { candidates: [], isEnd, number };
  const parameter = (rule.rule.send ?? rule.rule.page ?? rule.rule.offset ?? "").replace(/^\w+:/, "");
  return checkLength({ candidates: [{ next, kind, isGuess: false, parameter }], number }, rule.next ?? null);
}

function hasOtherNext(input: FindNextPageInput, { envelope, sent, described }: Looked): boolean {
  const cursor = findNextCursor(envelope, { sent, described, listUrlNames: () => [] });
  return findLink(input, envelope).candidates.length > 0 || (cursor?.changes.length ?? 0) > 0;
}

function findInGraphql({ envelope, sent }: Looked): WayFound {
  const { variables, isEnd = false, why, startsAt } = findGraphqlPage(envelope, sent) ?? {};
  if (why !== undefined) return { candidates: [], unreachable: why };
  if (variables === undefined) return { candidates: [], isEnd, startsAt };
  const next = sent.change({ variables });
  const candidate: Candidate = { next, kind: "cursor", isGuess: false, parameter: "variables" };
  const found: WayFound = { candidates: [candidate], startsAt };
  return checkLength(found, variables);
}

function findChange(input: FindNextPageInput, { envelope, sent, total, described }: Looked): WayFound {
  const { headers, request, before } = input;
  const listNames = (): string[] =>
    listUrlNames(envelope, headers).filter((name) => !input.reservedQueryNames.includes(name));
  const cursor = findNextCursor(envelope, { sent, described, listUrlNames: listNames });
  const toCandidate =
    (kind: NextKind) =>
    (change: Change): Candidate => ({
      // An integer beyond 2^53 as its digits.
      next: sent.change(JSON.parse(JSON.stringify(change.set))),
      kind,
      isGuess: !change.isNamed,
      parameter: Object.keys(change.set)[0] ?? "",
    });
  if (cursor !== undefined && cursor.changes.length > 0)
    return checkLength({ candidates: cursor.changes.map(toCandidate("cursor")) }, cursor.changes[0]);
  // A book has pages, and an order a total: those are not lists.
  if (envelope.rows === undefined || envelope.isRecord || findBodyLink(envelope).isEnd)
    return { candidates: [], isEnd: cursor !== undefined, startsAt: cursor?.startsAt };
  if (cursor !== undefined) return { candidates: [], isEnd: true, startsAt: cursor.startsAt };
  const number = findNextNumber({ envelope, sent, headers, total, described, before });
  // A list that links its pages, or gives cursors, ends where it gives none; the numbers in its links are its own.
  const isLinked = before?.by === "link" || before?.by === "cursor";
  const candidates = isLinked ? [] : number.changes.map(toCandidate("number"));
  const isFiltered = sent.has(/^(?:ids?|(?:start|end)?keys?)$/);
  const count = envelope.rows.items.length;
  const seen = (before?.rows ?? 0) + count;
  const hasMore = total !== undefined && total > seen && count > 0 && !number.isNumbered && !isFiltered;
  const unreachable = hasMore && request.method === "GET" ? describeRest(total, count) : undefined;
  return { candidates, isEnd: number.isEnd, number, ...(unreachable === undefined ? {} : { unreachable }) };
}

function describeRest(total: number, count: number): string {
  return `the API reports ${total} rows in all, this answer has ${count}, and nothing in it shows how the others are requested; set \`api.paging\``;
}

/** @param value - The cursor. */
function checkLength(finding: WayFound, value: unknown): WayFound {
  const { length } = JSON.stringify(value);
  return length <= maxLength ? finding : { candidates: [], unreachable: describeTooLong("cursor", length) };
}
