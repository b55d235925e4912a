/** Step 8 of a call: the ways to the next page as inputs for the same tool, and what the page shows about its list. */

import type { NextCall, NextWay } from "../answer/answer.js";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import { type Candidate, findNextPage, hasMember } from "../paging/find-next-page.js";
import type { PagedRequest } from "../paging/paged-request.js";
import { type AppliedRule, type RowsBefore, readNoFurther } from "../paging/paging.js";
import type { LearnedNames } from "../paging/rows-read.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource } from "../record/api-source.js";
import { listPagingRules } from "../record/paging-rule.js";
import { isPathAllowed } from "../request/check-path-rules.js";
import { couldBeRead, mayWrite, parseSentBody } from "./build-request.js";
import { nameWay } from "./page-failure.js";
import type { Page, Place, RunningCall } from "./running-call.js";

/** What was read before a page, while pages are read. */
export interface ReadBefore extends RowsBefore {
  readonly rowsPath: readonly string[];
}

/** @param before - Given while pages are read. @returns what the page adds to the answer */
export async function findNextCall(
  call: RunningCall,
  answered: Page,
  before?: ReadBefore,
): Promise<Partial<Page>> {
  const { prepared, services, source } = call;
  const { request, built, exchange, body } = answered;
  const { baseUrl } = prepared.resolved;
  const paged: PagedRequest = {
    method: built.method,
    path: built.url.path,
    query: built.query,
    ...parseSentBody(request.body),
  };
  const paging = findNextPage({
    request: paged,
    url: built.wire.url,
    baseUrl,
    headers: exchange.headers,
    reservedQueryNames: built.reservedQueryNames,
    document: body.document,
    isRead: built.isRead,
    rule: await readRule(call, built.url.path, body),
    described: await describeParameters(call, built),
    ...(before === undefined ? {} : { rowsPath: before.rowsPath, before }),
  });
  const from = `${source.slug} ${baseUrl}`;
  const place = { source: from, path: `${from} ${built.method} ${built.url.path}` };
  const { names } = services;
  const all = paging.candidates.map(({ next, ...way }) => ({ ...way, call: toCall(next, request) }));
  const { ways, isExhausted } = sortWays(all, place, names);
  const { shown } = paging;
  const isListed = shown.next === "link" || shown.next === "cursor";
  if (before === undefined && isListed && built.method === "GET") names.notePaged(place.path);
  const unreachable = isExhausted
    ? `no usual way to the next page worked here; ${readNoFurther}`
    : shown.unreachable;
  const isNoted = before === undefined && request.pages === undefined && built.method !== "DELETE";
  const writes = mayWrite(built, request);
  return {
    ...{ next: ways[0]?.call, rows: paging.rows, total: shown.total, ways, place, mayWrite: writes },
    paging: { ...paging, shown: { ...shown, unreachable } },
    couldBeRead: writes && couldBeRead(built, request),
    notes: isNoted ? listNotes(ways[0], unreachable, shown.isStuck === true) : [],
  };
}

/** A name that worked is not a guess any more. Where all failed a short while ago, they are not tried again. */
function sortWays(
  all: readonly NextWay[],
  { source, path }: Place,
  names: LearnedNames,
): { readonly ways: readonly NextWay[]; readonly isExhausted: boolean } {
  const known = all.find(
    ({ isGuess, stated, parameter }) =>
      isGuess && stated !== undefined && names.find(source, stated) === (parameter ?? "link"),
  );
  if (known !== undefined) return { ways: [{ ...known, isGuess: false }], isExhausted: false };
  const ways = all.filter(
    ({ isGuess, stated }) => !isGuess || stated === undefined || !names.hasFailed(path, stated),
  );
  return { ways, isExhausted: ways.length === 0 && all.length > 0 };
}

/** What a single answer reports about its next page besides `next`. */
function listNotes(way: NextWay | undefined, unreachable: string | undefined, isStuck: boolean): string[] {
  if (way?.isGuess === true)
    return [
      `\`next\` is a guess: the API does not name the parameter, and ${nameWay(way)} is usual. \`pages\` tries others.`,
    ];
  if (unreachable !== undefined) return [writeSentence(unreachable)];
  if (isStuck)
    return [
      "The next page that the API gives is this page again: it is the last one, or the API ignores what was sent.",
    ];
  return [];
}

function writeSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What the call asked beside the page (`select`, headers) stays in the input. */
function toCall(next: Candidate["next"], { select, headers, pages }: Page["request"]): NextCall {
  const own = isJsonObject(headers as JsonValue) ? (headers as object) : {};
  const all = next.headers === undefined ? headers : { ...own, ...next.headers };
  const { headers: _headers, body, ...rest } = next;
  return {
    ...rest,
    ...{ body: body === undefined ? body : writeExact(body), headers: all, select, pages },
  };
}

/** A body with a number that JavaScript would change is given as text, which is sent as it is. */
function writeExact(body: JsonValue): JsonValue {
  const text = writeJson(body);
  return text === JSON.stringify(body) ? body : text;
}

/** The first rule whose `paths` match, with what its expressions find. */
async function readRule(
  { source: { api } }: RunningCall,
  path: string,
  { document, kind }: Page["body"],
): Promise<AppliedRule | "none" | undefined> {
  if (api.paging === "none") return "none";
  const rule = listPagingRules(api.paging).find(
    ({ paths }) => paths === undefined || isPathAllowed(path, paths),
  );
  if (rule === undefined) return undefined;
  if (document === undefined) return { rule };
  const engine = await loadQueryEngine();
  const find = (expression: string | undefined): JsonValue | undefined => {
    if (expression === undefined) return undefined;
    try {
      return engine.run(document, expression, { kind }).value;
    } catch {
      // An expression that does not fit this answer finds nothing in it.
      return undefined;
    }
  };
  const hasNext = rule.next !== undefined && hasMember(document, rule.next);
  return { rule, next: find(rule.next), hasNext, total: find(rule.total) };
}

/** The names of the operation's query parameters, where the source has an OpenAPI document. */
async function describeParameters(
  { source, services, deadline }: RunningCall,
  { method, url }: Page["built"],
): Promise<readonly string[]> {
  if (source.api.openapi === undefined) return [];
  const { document } = services.slots;
  return document === undefined ? [] : deadline.race(document.listParameters(source, method, url.path));
}

/**
 * How many pages a call gets that gave no number of them, where all are wanted: all, for a GET that leaves the page open. One that
 * names a page (`?page=2`) gets that one.
 */
export function findAllPages({ api }: ApiSource, { built, next }: Page): number | undefined {
  if (built.method !== "GET" || next === undefined) return undefined;
  const moved = new URLSearchParams(next.path.split("?")[1]);
  const namesPage = built.query.some(
    ([name, value]) => moved.has(name) && !moved.getAll(name).includes(value),
  );
  return namesPage ? undefined : api.limits.maxPages;
}
