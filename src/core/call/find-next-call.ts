/** Step 8 of a call: the ways to the next page as inputs for the same tool, and what the page shows about its list. */

import type { NextCall, NextWay } from "../answer/answer.js";
import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { writeJson } from "../base/write-json.js";
import { type Candidate, findNextPage } from "../paging/find-next-page.js";
import { hasMember } from "../paging/find-ruled-page.js";
import type { PagedRequest } from "../paging/paged-request.js";
import type { AppliedRule, DescribedParameter, RowsBefore } from "../paging/paging.js";
import { rowsAt } from "../paging/read-envelope.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { ApiSource } from "../record/api-source.js";
import { listPagingRules } from "../record/paging-rule.js";
import { isPathAllowed } from "../request/check-path-rules.js";
import { mayWrite, parseSentBody } from "./build-request.js";
import type { Page, RunningCall } from "./running-call.js";

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
  const parameters = paging.candidates.map(({ parameter = "" }) => parameter);
  const place = `${source.slug} ${baseUrl} ${built.method} ${built.url.path} ${parameters.join()}`;
  const verified = services.pageMemory.findVerified(place);
  const isVerified = ({ parameter }: Candidate): boolean => parameter !== undefined && parameter === verified;
  const ways = [...paging.candidates]
    .sort((one, other) => Number(isVerified(other)) - Number(isVerified(one)))
    .map(({ next, ...candidate }) => ({
      ...candidate,
      isGuess: candidate.isGuess && !isVerified({ next, ...candidate }),
      call: toCall(next, request),
    }));
  const rows = paging.rows === undefined ? [] : rowsAt(body.document ?? null, paging.rows);
  const notes = before === undefined ? checkGuess(call, answered, rows, ways[0]) : [];
  const { unreachable } = paging.shown;
  const isNoted = unreachable !== undefined && before === undefined && built.method !== "DELETE";
  const note = isNoted && request.pages === undefined ? [writeSentence(unreachable)] : [];
  return {
    ...{ next: ways[0]?.call, rows: paging.rows, total: paging.shown.total },
    ...{ ways, paging, mayWrite: mayWrite(built, request), place, notes: [...notes, ...note] },
  };
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

/** Outside of `pages`, a guess that the model followed is verified when it comes back, and a new one is remembered. */
function checkGuess(
  { services }: RunningCall,
  { built, request }: Page,
  rows: readonly JsonValue[],
  way: NextWay | undefined,
): string[] {
  const query = [...built.query.map(([name, value]) => `${name}=${value}`)].sort();
  const { body } = parseSentBody(request.body);
  const own: JsonValue = [built.method, built.wire.url.split("?")[0] ?? "", query, body ?? null];
  if (way?.isGuess === true && rows.length > 0) {
    const [path = "", search = ""] = way.call.path.split("?");
    const url = (built.wire.url.split("?")[0] ?? "").slice(0, -built.url.path.length) + path;
    const names = [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`).sort();
    services.pageMemory.noteGuess(
      [way.call.method, url, names, parseSentBody(way.call.body).body ?? null],
      rows,
    );
  }
  if (!services.pageMemory.isSameAgain(own, rows)) return [];
  return [
    "This page repeats the rows of the page before: the API ignores the parameter that was guessed for the next page. Set `api.paging` of the source.",
  ];
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

/** The query parameters of the operation, where the source has an OpenAPI document. */
async function describeParameters(
  { source, services, deadline }: RunningCall,
  { method, url }: Page["built"],
): Promise<readonly DescribedParameter[]> {
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
