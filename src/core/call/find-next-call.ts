/** Step 8 of a call: the ways to the next page as inputs for the same tool, what the page shows about its list, and why a way failed. */

import type { NextCall, NextWay } from "../answer/answer.js";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import { findNextPage, hasMember } from "../paging/find-next-page.js";
import {
  type AppliedRule,
  type Candidate,
  type RowsBefore,
  readNoFurther,
} from "../paging/paging.js";
import type { LearnedNames } from "../paging/rows-read.js";
import { type ApiSource, listPagingRules } from "../record/api-source.js";
import { isPathAllowed } from "../request/check-path-rules.js";
import { mayWrite, parseSentBody } from "./build-request.js";
import { readByRule } from "./call-request.js";
import type { Page, Place, RunningCall } from "./running-call.js";

/** @param before - Given while pages are read. @returns what the page adds to the answer */
export async function findNextCall(
  call: RunningCall,
  answered: Page,
  before?: RowsBefore,
): Promise<Partial<Page>> {
  const { prepared, services, source, deadline } = call;
  const { request, built, exchange, body } = answered;
  const { baseUrl } = prepared.resolved;
  const { document } = source.api.openapi === undefined ? {} : services.slots;
  const operation =
    document && (await deadline.race(document.findOperation(source, built.method, built.url.path)));
  const { method, url, query } = built;
  const paging = findNextPage({
    request: { method, path: url.path, query, ...parseSentBody(request.body) },
    url: built.wire.url,
    baseUrl,
    headers: exchange.headers,
    reservedQueryNames: built.reservedQueryNames,
    document: body.document,
    isRead: built.isRead,
    rule: await readRule(call, built.url.path, body),
    described: operation?.query,
    before,
  });
  const from = `${source.slug} ${baseUrl}`;
  const place = { source: from, path: `${from} ${built.method} ${built.url.path}` };
  const { names } = services;
  const all = paging.candidates.map(({ next, ...way }) => ({
    ...way,
    call: toCall(next, request),
  }));
  const { ways, isExhausted } = sortWays(all, place, names);
  const { shown } = paging;
  const isListed = shown.next === "link" || shown.next === "cursor";
  if (before === undefined && isListed && built.method === "GET") names.notePaged(place.path);
  const unreachable = isExhausted
    ? `no usual way to the next page worked here; ${readNoFurther}`
    : shown.unreachable;
  const isNoted = before === undefined && request.pages === undefined && built.method !== "DELETE";
  return {
    ...{
      next: ways[0]?.call,
      rows: paging.rows,
      total: shown.total,
      ways,
      place,
      mayWrite: mayWrite(built, request),
    },
    paging: { ...paging, shown: { ...shown, unreachable } },
    notes: isNoted ? listNotes(ways[0], unreachable, shown.isStuck === true) : [],
  };
}

/** A name that worked is not a guess any more. Where all failed a short while ago, they are not tried again. */
function sortWays(all: readonly NextWay[], { source, path }: Place, names: LearnedNames) {
  const known = all.find(
    ({ guessOf, parameter = "link" }) =>
      guessOf !== undefined && names.find(source, guessOf) === parameter,
  );
  if (known !== undefined) return { ways: [{ ...known, guessOf: undefined }], isExhausted: false };
  const ways = all.filter(
    ({ guessOf }) => guessOf === undefined || !names.hasFailed(path, guessOf),
  );
  return { ways, isExhausted: ways.length === 0 && all.length > 0 };
}

/** What a single answer reports about its next page besides `next`. */
function listNotes(
  way: NextWay | undefined,
  unreachable: string | undefined,
  isStuck: boolean,
): string[] {
  if (way?.guessOf !== undefined)
    return [
      `\`next\` is a guess: the API does not name the parameter, and ${nameWay(way)} is usual. \`pages\` tries others.`,
    ];
  if (unreachable !== undefined)
    return [`${unreachable.charAt(0).toUpperCase()}${unreachable.slice(1)}.`];
  if (isStuck)
    return [
      "The next page that the API gives is this page again: it is the last one, or the API ignores what was sent.",
    ];
  return [];
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
  body: Page["body"],
): Promise<AppliedRule | "none" | undefined> {
  if (api.paging === "none") return "none";
  const rule = listPagingRules(api.paging).find(({ paths: allow }) =>
    isPathAllowed(path, { allow }),
  );
  if (rule === undefined || body.document === undefined) return rule && { rule };
  const hasNext = rule.next !== undefined && hasMember(body.document, rule.next);
  const [next, total] = [await readByRule(rule.next, body), await readByRule(rule.total, body)];
  return { rule, next, hasNext, total };
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

/** What was sent: `?cursor=abc`, `cursor` in the body, or the link. */
export function nameWay({ parameter, call, kind }: NextWay): string {
  if (parameter === undefined) return kind === "link" ? "the API's link" : "the next page";
  if (parameter.startsWith("header:")) return `the header \`${parameter.slice("header:".length)}\``;
  const value = [...new URLSearchParams(call.path.split("?")[1] ?? "")].find(
    ([name]) => name === parameter || name.endsWith(`[${parameter}]`),
  );
  if (value !== undefined) return `\`?${value[0]}=${value[1].slice(0, 40)}\``;
  return call.body === undefined ? `\`${parameter}\`` : `\`${parameter}\` in the body`;
}
