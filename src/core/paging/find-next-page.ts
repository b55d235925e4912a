/** Finds the next page of an answer as a complete input for the same tool, and what the answer shows about pages. */

import { isJsonObject } from "../base/exact-number.js";
import { isBlank } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { changeParameters } from "./change-parameters.js";
import { findNextCursor } from "./find-next-cursor.js";
import { findBodyLink, findLink } from "./find-next-link.js";
import { findNextNumber, type Numbers, readNumbers } from "./find-next-number.js";
import { findRuledPage, readRowsPath } from "./find-ruled-page.js";
import { findTotal, isRangeEnd } from "./find-total.js";
import { isSameRequest, type PagedRequest, Parameters } from "./paged-request.js";
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
  const { rows, lists } = envelope;
  const rowCount = rows?.items.length ?? 0;
  const place = rows?.path.join("\n");
  const otherPaths = lists.map(({ path }) => path).filter((other) => other.join("\n") !== place);
  const where = { rows: rows?.path, otherPaths };
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
  const isPaged = numbers.isNumbered || envelope.more !== undefined || hasPagingMember(envelope);
  const total = parseCount(rule?.total) ?? findTotal(answered, isPaged);
  const found = rule === undefined ? findWay(answered, numbers, total) : findRuledPage(rule, answered, total);
  const candidates = found.candidates.filter(({ next }) => !isSameRequest(next, request));
  const [first] = candidates;
  // The numbers of an answer are not about the pages of a rule.
  const { isNumbered, size, position }: Partial<Numbers> =
    rule === undefined ? numbers : { isNumbered: rule.rule.next === undefined };
  const isEnd = first === undefined && (found.isEnd === true || isRangeEnd(headers) === true);
  const isUnreachable = first === undefined && envelope.more === true && found.isEnd !== true;
  return {
    ...where,
    next: first?.next,
    candidates,
    startsAt: found.startsAt ?? sent.findStart(first?.next) ?? findPrevious(envelope),
    shown: {
      rows: rowCount,
      hasBody: input.document !== undefined,
      isEnd: isEnd && envelope.more !== true,
      next: first?.kind,
      total,
      // Without a list, nothing is counted.
      isNumbered: isNumbered === true && rows !== undefined,
      size: size === numbers.sentSize ? undefined : size || undefined,
      pageCount: position?.pageCount,
      isStuck: found.candidates.length > 0 && first === undefined,
      unreachable:
        first === undefined ? (found.unreachable ?? (isUnreachable ? noWay : undefined)) : undefined,
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
  return path === undefined ? found : { ...found, rows: { path, items: rowsAt(document ?? null, path) } };
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

const noWay =
  "the API reports that there is more, and nothing in the answer shows how it is requested; set `api.paging`";

function findWay(answered: AnsweredPage, numbers: Numbers, total: number | undefined): WayFound {
  const { envelope, request, before } = answered;
  const link = findLink(answered);
  if (link.candidates.length > 0 || link.unreachable !== undefined) return link;
  if (isGraphql(request)) return findGraphqlPage(answered);
  if (envelope.more === false) return { candidates: [], isEnd: true };
  const cursor = findNextCursor(answered);
  // A book has pages, and an order a total: those are not lists.
  if (
    cursor !== undefined ||
    envelope.rows === undefined ||
    envelope.isRecord ||
    findBodyLink(envelope).isEnd
  )
    return cursor ?? link;
  const number = findNextNumber(numbers, answered, total);
  // A list that links its pages, or gives cursors, ends where it gives none; the numbers in its links are its own.
  const isLinked = before?.by === "link" || before?.by === "cursor";
  if (number.candidates.length > 0 && !isLinked) return number;
  if (link.isEnd === true) return link;
  const unreachable = numbers.isNumbered ? undefined : describeRest(answered, total);
  return { candidates: [], isEnd: number.isEnd === true, unreachable };
}

/** Why the rows that a total counts can't be requested. */
function describeRest(
  { sent, request, before, rowCount }: AnsweredPage,
  total: number | undefined,
): string | undefined {
  const isFiltered = sent.findLike(/^(?:ids?|(?:start|end)?keys?)$/) !== undefined;
  const isAll = total === undefined || total <= (before?.rows ?? 0) + rowCount;
  if (isAll || rowCount === 0 || isFiltered || request.method !== "GET") return undefined;
  return `the API reports ${total} rows in all, this answer has ${rowCount}, and nothing in it shows how the others are requested; set \`api.paging\``;
}

const maxQueryLength = 20_000;

/** A GraphQL connection (Relay): `pageInfo { hasNextPage endCursor }`. It finds nothing where the answer has no connection outside of its rows. */
function findGraphqlPage({ envelope: { members }, sent }: AnsweredPage): WayFound {
  const { body } = sent;
  const query = String(body?.["query"] ?? "").slice(0, maxQueryLength);
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const infos = [...members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  const [, name, literal]: readonly (string | undefined)[] =
    /\b(?:after|cursor)\s{0,20}:\s{0,20}(?:\$(\w{1,60})|"([^"]{1,500})")/.exec(query) ?? [];
  const start = literal ?? (name === undefined ? undefined : variables[name]);
  const startsAt = isBlank(start) ? undefined : `after=${clipText(String(start), 40)}`;
  const open = infos.filter((info) => info["hasNextPage"] === true);
  if (open.length === 0) {
    const isEnd = infos.every((info) => info["hasNextPage"] === false || info["endCursor"] === null);
    return { startsAt, candidates: [], isEnd: infos.length > 0 && isEnd };
  }
  const why = (unreachable: string): WayFound => ({ candidates: [], unreachable });
  if (open.length > 1)
    return why(`${open.length} connections of the query have more rows: query each of them alone`);
  const cursor = open[0]?.["endCursor"];
  if (typeof cursor !== "string" || cursor === "")
    return why("`hasNextPage` is true, and the query does not select `endCursor`: add it to `pageInfo`");
  if (name === undefined)
    return why(
      "`hasNextPage` is true: add `$after` to the query (`after: $after`) and pass it in `variables`",
    );
  const change = { set: { variables: { ...variables, [name]: cursor } }, isNamed: true };
  return { startsAt, ...changeParameters([change], "cursor", sent) };
}
