/** Step 8 of a call with `pages`: the pages after the first, and one document of all that were read. */

import type { NextCall, NextWay, PagesRead } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import type { ResponseBody } from "../body/response-body.js";
import { isNearlySpent } from "../http/limits/rate-limit.js";
import { judgeComplete } from "../paging/judge-complete.js";
import { type RowsBefore, readNoFurther } from "../paging/paging.js";
import { findRowsAt, rowsAt } from "../paging/read-envelope.js";
import { RowsRead } from "../paging/rows-read.js";
import { readsAdvice } from "../request/is-read.js";
import { couldBeRead } from "./build-request.js";
import { nameWay } from "./find-next-call.js";
import { joinPages } from "./join-pages.js";
import type { Page, RunningCall } from "./running-call.js";
import { showProgress } from "./show-progress.js";

/** What the pages give together. */
export interface JoinedPages {
  readonly body: ResponseBody;
  /** Absent where no more than one page was requested. */
  readonly pages?: PagesRead;
  /** Where to go on from; undefined when the last page was read. */
  readonly next: NextCall | undefined;
  readonly notes: readonly string[];
}

/** Sends the request of one page, through every step of a call. */
export type ReadPage = (input: NextCall, before: RowsBefore) => Promise<Page>;

/** What reading has found so far. */
interface Progress {
  readonly first: Page;
  readonly pages: Page[];
  readonly path: readonly string[];
  readonly read: RowsRead;
  /** The rows of all pages, each once. */
  readonly rows: JsonValue[];
  bytes: number;
  repeated: number;
  changed: number;
  /** Why reading ended before the last page. */
  stopped?: string;
  /** Why the pages do not show that the list is whole. */
  doubt?: string;
  /** The way that was not followed. */
  next?: NextCall;
}

/**
 * Reads the pages after the first. Rejects only when the caller cancels: what was read is never lost.
 *
 * @param asked - How many pages in all.
 */
export async function readPages(
  call: RunningCall,
  first: Page,
  asked: number,
  readPage: ReadPage,
): Promise<JoinedPages> {
  const { source } = call;
  const { ways = [], rows: path = [], paging } = first;
  const isWrite = first.mayWrite !== false;
  // How many rows a write returns is not a question of pages.
  if (isWrite && ways.length === 0 && paging?.rows === undefined)
    return { body: first.body, notes: first.notes, next: first.next };
  const read = {
    read: new RowsRead(),
    rows: [...listRows(first, path)],
    bytes: 0,
    repeated: 0,
    changed: 0,
  };
  const progress: Progress = { first, pages: [first], path, ...read };
  if (isWrite) return joinRead(call, { ...progress, ...describeWrite(first), next: first.next });
  if (paging?.otherList !== undefined) {
    const doubt = `the answer has two lists, \`${path.join(".")}\` and \`${paging.otherList.join(".")}\`: their pages are not joined`;
    return joinRead(call, { ...progress, doubt, next: first.next });
  }
  if (ways.length > 0) progress.read.compare(progress.rows);
  const sent = new Set<string>();
  for (;;) {
    const page = progress.pages.at(-1) ?? first;
    progress.bytes += page.body.bytes;
    const total = page.total ?? first.total;
    showProgress(call, {
      source: source.slug,
      page: progress.pages.length,
      rows: progress.rows.length,
      total,
    });
    if (page.body.partial !== undefined) progress.stopped = "the body of a page is incomplete";
    const way = page.ways?.[0];
    if (way === undefined || progress.stopped !== undefined) break;
    progress.next = way.call;
    const why = findEnd(call, progress, asked, sent.has(JSON.stringify(way.call)));
    if (why !== undefined) progress.stopped = why;
    else await follow(call, progress, page, readPage);
    if (progress.stopped !== undefined || progress.pages.at(-1) === page) break;
    sent.add(JSON.stringify(way.call));
    progress.next = undefined;
  }
  return joinRead(call, progress);
}

/** A request that may change something is sent once. */
function describeWrite({ built, request, ways = [] }: Page): Pick<Progress, "stopped" | "doubt"> {
  const advice = couldBeRead(built, request) ? `; ${readsAdvice}` : "";
  const text = `this ${built.method} may change something, so it was sent once and no further page was read${advice}`;
  return ways.length > 0 ? { stopped: text } : { doubt: text };
}

function listRows({ body }: Page, path: readonly string[]): ReturnType<typeof rowsAt> {
  return rowsAt(body.document ?? null, path);
}

/** Why no further page is requested. */
function findEnd(
  { source, deadline }: RunningCall,
  { pages, bytes }: Progress,
  asked: number,
  wasSent: boolean,
): string | undefined {
  const { maxPages, maxBytes, pagesTimeoutMs } = source.api.limits;
  const ends: readonly (readonly [isOver: boolean, why: string])[] = [
    [pages.length >= asked, `${asked} pages were requested`],
    [pages.length >= maxPages, `limits.maxPages of the source is ${maxPages}`],
    [
      bytes >= maxBytes,
      `the pages read so far reach limits.maxBytes of the source (${maxBytes} bytes)`,
    ],
    [deadline.remainingMs() === 0, `limits.pagesTimeoutMs of the source is ${pagesTimeoutMs}`],
    [wasSent, "the API's next page was read already"],
  ];
  return ends.find(([isOver]) => isOver)?.[1];
}

/** Why a way did not lead to the next page. */
interface Failure {
  readonly way: NextWay;
  readonly text: string;
  /**
   * `wrong`: the name is, so another one is tried; `unproven`: an empty page, which shows nothing. The others are reported as they came: after
   * `broken` the same request may succeed later, after `ended` it can't.
   */
  readonly kind: "wrong" | "unproven" | "broken" | "ended";
}

/** Reads the next page by the first way that leads to it. What worked is remembered, and that nothing did. */
async function follow(
  { services: { names } }: RunningCall,
  progress: Progress,
  { ways = [], rateLimit, place, paging }: Page,
  readPage: ReadPage,
): Promise<void> {
  const isQuotaLow = isNearlySpent(rateLimit);
  const failures: Failure[] = [];
  for (const way of ways) {
    const { guessOf, parameter = "link" } = way;
    if (guessOf !== undefined && isQuotaLow) {
      progress.stopped = `the API does not name the parameter of its next page, and too little of its quota is left to try ${nameWay(way)}`;
      return;
    }
    const failure = await tryWay(progress, way, readPage);
    if (failure === undefined) {
      if (guessOf !== undefined && place !== undefined)
        names.learn(place.source, guessOf, parameter);
      progress.doubt ??= way.doubt;
      return;
    }
    failures.push({ way, ...failure });
    if (isFinal(failure)) break;
  }
  describeFailures(progress, failures, paging);
  if (failures.some(({ kind }) => kind !== "wrong")) return;
  for (const { guessOf } of failures.map(({ way }) => way))
    if (guessOf !== undefined && place !== undefined) names.fail(place.path, guessOf);
}

function isFinal({ kind }: Pick<Failure, "kind">): boolean {
  return kind === "broken" || kind === "ended";
}

function describeFailures(
  progress: Progress,
  failures: readonly Failure[],
  { isOpen = false, hasMore = false }: Pick<NonNullable<Page["paging"]>, "isOpen" | "hasMore"> = {},
): void {
  const [first] = failures;
  const final = failures.find(isFinal);
  if (final?.kind !== "broken") delete progress.next;
  if (first === undefined) return;
  const ways = failures.map(({ way }) => way);
  const noWay = `the API does not name the parameter of its next page, and the usual ways failed (${ways.map(nameWay).join(", ")}): ${first.text}; ${readNoFurther}`;
  const text =
    final?.text ?? (ways.some(({ guessOf }) => guessOf !== undefined) ? noWay : first.text);
  // An empty page does not contradict an answer that has all rows; that there are more does.
  const isUnproven = final === undefined && failures.some(({ kind }) => kind === "unproven");
  const isAll = progress.rows.length === progress.pages.at(-1)?.total;
  if (isUnproven && isAll && !hasMore) return;
  if (isUnproven && !isOpen) progress.doubt = text;
  else progress.stopped = text;
}

/** Adds the page to those that were read. @returns why it can't be added */
async function tryWay(
  progress: Progress,
  way: NextWay,
  readPage: ReadPage,
): Promise<Omit<Failure, "way"> | undefined> {
  const { first, pages, path } = progress;
  const largest = Math.max(...pages.map((page) => listRows(page, path).length));
  const before = { rows: progress.rows.length, largest, rowsPath: path, by: way.kind };
  const page = await readPage(way.call, before).catch((error: unknown) => {
    if (error instanceof ApiSourceError && error.category !== "cancelled") return error.message;
    throw error;
  });
  if (typeof page === "string") return { text: `the next page failed: ${page}`, kind: "broken" };
  if (page.error !== undefined) return describeError(page, way);
  const noList = findMissingList(first, page, path);
  if (noList !== undefined) return { text: noList, kind: "broken" };
  const rows = listRows(page, path);
  const empty = `${nameWay(way)} returned no rows, which does not show that the name is right`;
  const isGuess = way.guessOf !== undefined;
  if (isGuess && rows.length === 0) return { text: empty, kind: "unproven" };
  const compared = progress.read.compare(rows, isGuess);
  if (compared.isRejected)
    return { text: `${nameWay(way)} returned rows that were read before`, kind: "wrong" };
  progress.repeated += compared.repeated;
  progress.changed += compared.changed;
  for (const row of compared.fresh) progress.rows.push(row);
  pages.push(page);
  return undefined;
}

const wrongStatuses: ReadonlySet<number> = new Set([400, 404, 422]);
const wrongCategories: ReadonlySet<string> = new Set(["bad_request", "validation"]);

function describeError(
  { exchange: { status }, error }: Page,
  { kind, guessOf }: NextWay,
): Omit<Failure, "way"> {
  const text = `the next page failed: ${status}: ${error?.message}`;
  const isWrong =
    wrongStatuses.has(status) || (status < 300 && wrongCategories.has(error?.category ?? ""));
  if (guessOf !== undefined) return { text, kind: isWrong ? "wrong" : "broken" };
  const isExpired = status === 410 || (status === 400 && kind === "cursor");
  if (!isExpired) return { text, kind: "broken" };
  return {
    text: `${text}; the cursor may have expired: start again from the first page`,
    kind: "ended",
  };
}

/**
 * Why a page that an API answers without a list shows nothing about the rows: it may report a failure with status 200. Some APIs leave
 * out an empty list; nothing new is beside it then.
 */
function findMissingList(
  first: Page,
  { body, exchange }: Page,
  path: readonly string[],
): string | undefined {
  const [known, document] = [first.body.document, body.document ?? null];
  if (body.bytes === 0 || first.rows === undefined) return undefined;
  const where = path.length === 0 ? "" : ` at \`${path.join(".")}\``;
  const why = `the next page has no list of rows${where}`;
  // One line of NDJSON is a value and no list.
  const isLines = /nd-?json|json-?l/.test(String(exchange.headers["content-type"]));
  if (path.length === 0) return Array.isArray(document) || isLines ? undefined : why;
  if (findRowsAt(document, path) !== undefined) return undefined;
  const isSubset =
    isJsonObject(document) &&
    isJsonObject(known) &&
    Object.keys(document).every((name) => Object.hasOwn(known, name));
  return isSubset ? undefined : why;
}

function joinRead({ source, services }: RunningCall, progress: Progress): JoinedPages {
  const { first, pages: all, path, rows, stopped, doubt, next, bytes } = progress;
  const counts = all.map((page) => listRows(page, path).length);
  const document = joinPages(
    all.map(({ body }) => body.document ?? null),
    path,
    rows,
  );
  const shown = all.flatMap(({ paging, ways }, at) =>
    paging === undefined ? [] : [{ ...paging.shown, rows: counts[at] ?? 0, next: ways?.[0]?.kind }],
  );
  const { repeated, changed } = progress;
  const { complete, why } = judgeComplete({
    ...{ pages: shown, rows: rows.length, repeated, changed },
    ...{ stopped, doubt, startsAt: first.paging?.startsAt },
    isUnpaged: source.api.paging === "none",
    isPagedElsewhere: first.place !== undefined && services.names.isPaged(first.place.path),
  });
  const joined: ResponseBody = {
    ...first.body,
    kind: "json",
    document,
    bytes,
    get text() {
      return writeJson(document);
    },
  };
  return {
    body: all.length === 1 ? first.body : joined,
    pages: { read: all.length, rows: rows.length, complete, repeated: repeated || undefined, why },
    next,
    notes: [...new Set(all.flatMap((page) => page.notes))],
  };
}
