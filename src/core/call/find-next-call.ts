/** Step 8 of a call: the ways to the next page as inputs for the same tool, what the page shows about its list, and why a way failed. */

import type { NextCall, NextWay } from "../answer/answer.js";
import { clipText } from "../base/text.js";
import { type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import { findNextPage } from "../paging/find-next-page.js";
import { hasMember } from "../paging/find-rows.js";
import type { PageShown } from "../paging/judge-complete.js";
import type { AppliedRule, Candidate, Paging, RowsBefore } from "../paging/paging.js";
import { type ApiSource, listPagingRules } from "../record/api-source.js";
import { isPathAllowed } from "../record/path-rules.js";
import { listHeaders } from "../request/check-headers.js";
import { findReadsAdvice, mayWrite } from "./build-request.js";
import { readByRule } from "./call-request.js";
import { readSentBody, writeExact } from "./continue-call.js";
import type { Page, RunningCall } from "./running-call.js";

/**
 * Finds what a page adds to the answer: the ways to the page after it, best first, and `next`, which is a fact and repeats no write.
 *
 * @param before - Given while pages are read.
 */
export async function findNextCall(
  call: RunningCall,
  answered: Page,
  before?: RowsBefore,
): Promise<Partial<Page>> {
  const { request, built } = answered;
  const paging = await findPaging(call, answered, before);
  const { shown } = paging;
  const ways = paging.candidates.map(({ next, ...way }) => ({
    ...way,
    call: toCall(next, request),
  }));
  const isWrite = mayWrite(built, request);
  const [way] = ways;
  const isNoted = before === undefined && request.pages === undefined && built.method !== "DELETE";
  return {
    next: isWrite || way?.guessOf !== undefined ? undefined : way?.call,
    rows: paging.rows,
    total: shown.total,
    ways,
    mayWrite: isWrite,
    paging,
    notes: isNoted ? listNotes(answered, paging, way, isWrite) : [],
  };
}

async function findPaging(
  call: RunningCall,
  { request, built, exchange, body }: Page,
  before: RowsBefore | undefined,
): Promise<Paging> {
  const { prepared, services, source, deadline } = call;
  const { method, url, query } = built;
  const document = source.api.openapi === undefined ? undefined : services.slots.document;
  const described =
    document && (await deadline.race(document.listParameters(source, method, url.path)));
  return findNextPage({
    request: { method, path: url.path, query, ...readSentBody(request.body) },
    url: built.wire.url,
    baseUrl: prepared.resolved.baseUrl,
    headers: exchange.headers,
    reservedQueryNames: built.reservedQueryNames,
    document: body.document,
    isRead: built.isRead,
    rule: await readRule(call, url.path, body, exchange.headers),
    described,
    before,
  });
}

/** The notes of a single answer about its next page. */
function listNotes(
  { built, request }: Page,
  { shown }: Paging,
  way: NextWay | undefined,
  isWrite: boolean,
): string[] {
  const isGuess = way?.guessOf !== undefined;
  if (way !== undefined && isWrite) {
    const reads = findReadsAdvice(built, request);
    const advice = reads === undefined ? "" : ` (${reads})`;
    const seen = isGuess ? describeGuess(way, shown) : `There is a next page, by ${nameWay(way)}`;
    return [
      `${seen}. This ${built.method} may change something, so it is not offered as \`next\`${advice}.`,
    ];
  }
  if (isGuess) {
    return [`${describeGuess(way, shown)}: \`pages\` ${nameRemedy(way, shown)}.`];
  }
  const { unreachable = shown.doubt, isStuck } = shown;
  if (unreachable !== undefined)
    return [`${unreachable.charAt(0).toUpperCase()}${unreachable.slice(1)}.`];
  if (isStuck === true)
    return [
      "The next page that the API gives is this page again: it is the last one, or the API ignores what was sent.",
    ];
  return [];
}

/** A next page by a guess: whether there are more rows is stated or not, and what is not stated. */
function describeGuess(way: NextWay, shown: PageShown): string {
  const rows = reportsMore(way, shown) ? "There are more rows" : "There may be more rows";
  return `${rows}; ${describeUntold(way)}`;
}

function nameRemedy(way: NextWay, shown: PageShown): string {
  if (way.insteadOf !== undefined) return "looks for that page at the base URL";
  return reportsMore(way, shown) ? "finds and checks it" : "finds out";
}

/** Whether an answer states that there are more rows: by a cursor, a link, a flag or a count. A full page, and a sign, state nothing. */
export function reportsMore({ kind }: NextWay, shown: PageShown): boolean {
  const { rows, hasMore, total = 0, pageCount = 0 } = shown;
  return kind !== "number" || hasMore === true || total > rows || pageCount > 1;
}

/** The fact that the API does not give, for which a guess stands. */
export function describeUntold({ insteadOf }: NextWay): string {
  return insteadOf ?? "the API does not name the parameter of the next page";
}

/** The input keeps what the call asked beside the page: `select`, headers. */
function toCall(next: Candidate["next"], { select, headers, pages }: Page["request"]): NextCall {
  const { headers: pageHeaders, body, ...rest } = next;
  const exact = body === undefined ? undefined : writeExact(body);
  return { ...rest, body: exact, headers: replaceHeaders(headers, pageHeaders), select, pages };
}

/** The headers of the call, in any form that a call may give them, with those of the next page in place of the same names. */
function replaceHeaders(
  headers: unknown,
  pageHeaders: Readonly<Record<string, string>> | undefined,
): unknown {
  if (pageHeaders === undefined) return headers;
  const replaced = new Set(Object.keys(pageHeaders).map((name) => name.toLowerCase()));
  const others = listHeaders(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...pageHeaders };
}

/** The first rule whose `paths` match, with what its expressions find. */
async function readRule(
  { source: { api } }: RunningCall,
  path: string,
  body: Page["body"],
  headers: ResponseHeaders,
): Promise<AppliedRule | "none" | undefined> {
  if (api.paging === "none") return "none";
  const rule = listPagingRules(api.paging).find(({ paths: allow }) =>
    isPathAllowed(path, { allow }),
  );
  if (rule === undefined) return undefined;
  if (rule.next?.startsWith("header:") === true) {
    const next = readHeader(headers, rule.next.slice("header:".length).toLowerCase());
    return { rule, next, total: await readByRule(rule.total, body) };
  }
  if (body.document === undefined) return { rule };
  const hasNext = rule.next !== undefined && hasMember(body.document, rule.next);
  const [next, total] = [await readByRule(rule.next, body), await readByRule(rule.total, body)];
  return { rule, next, hasNext, total };
}

/**
 * How many pages a call gets that gave no number of them, where all are wanted: all, for a GET that leaves the page open. One that
 * names a page (`?page=2`) gets that one.
 */
export function findAllPages({ api }: ApiSource, { built, ways = [] }: Page): number | undefined {
  const [way] = ways;
  if (built.method !== "GET" || way === undefined) return undefined;
  const moved = new URLSearchParams(way.call.path.split("?")[1]);
  const namesPage = built.query.some(
    ([name, value]) => moved.has(name) && !moved.getAll(name).includes(value),
  );
  return namesPage ? undefined : api.limits.maxPages;
}

/** The way as a reader knows it: `?cursor=abc`, `cursor` in the body, or the link. */
export function nameWay({ parameter, value: sent = "", call, kind }: NextWay): string {
  if (parameter === undefined)
    return kind === "link" ? `the API's link \`${clipText(call.path, 200)}\`` : "the next page";
  if (parameter.startsWith("header:")) return `the header \`${parameter.slice("header:".length)}\``;
  const value = [...new URLSearchParams(call.path.split("?")[1] ?? "")].find(
    ([name]) => name === parameter || name.endsWith(`[${parameter}]`),
  );
  if (value !== undefined) return `\`?${value[0]}=${value[1].slice(0, 40)}\``;
  return call.body === undefined
    ? `\`${parameter}\``
    : `\`${parameter}\` = ${clipText(sent, 200)} in the body`;
}
