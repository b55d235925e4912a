/** Step 8 of a call with `pages`: the pages after the first, and one document of all that were read. */

import type { NextCall, NextWay, PagesRead } from "../answer/answer.js";
import { writeJson } from "../base/write-json.js";
import type { ResponseBody } from "../body/response-body.js";
import { judgeComplete } from "../paging/judge-complete.js";
import { rowsAt } from "../paging/read-envelope.js";
import { RowsRead } from "../paging/rows-read.js";
import type { ReadBefore } from "./find-next-call.js";
import { joinPages } from "./join-pages.js";
import {
  describeError,
  describePageFailure,
  describeRepeat,
  type Failure,
  findMissingList,
} from "./page-failure.js";
import type { Page, RunningCall } from "./running-call.js";

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
export type ReadPage = (input: NextCall, before: ReadBefore) => Promise<Page>;

/** Filters may leave a page without rows; a cursor that never ends gives no others. */
const maxEmptyPages = 3;

/** What reading has found so far. */
interface Progress {
  readonly pages: Page[];
  lists: RowsRead;
  path: readonly string[];
  bytes: number;
  repeated: number;
  emptyPages: number;
  /** Why reading ended before the last page. */
  stopped?: string;
  /** The way that was not followed. */
  next?: NextCall | undefined;
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
  const { ways = [], mayWrite = true } = first;
  // How many rows a write returns is not a question of pages.
  if (mayWrite && ways.length === 0) return { body: first.body, notes: first.notes, next: first.next };
  const lists = new RowsRead();
  const path = first.rows ?? [];
  lists.compare(listRows(first, path));
  const progress: Progress = { pages: [first], lists, path, bytes: 0, repeated: 0, emptyPages: 0 };
  const sent = new Set<string>();
  for (;;) {
    const page = progress.pages.at(-1) ?? first;
    progress.bytes += page.body.bytes;
    reportProgress(call, progress);
    if (page.body.partial !== undefined) progress.stopped = "the body of a page is incomplete";
    const way = page.ways?.[0];
    if (way === undefined || progress.stopped !== undefined) break;
    progress.next = way.call;
    const why = findEnd(call, progress, asked, sent.has(JSON.stringify(way.call)));
    if (why !== undefined) progress.stopped = why;
    else await follow(call, progress, page.ways ?? [], readPage);
    if (progress.stopped !== undefined) break;
    sent.add(JSON.stringify(way.call));
    progress.next = undefined;
  }
  return joinRead(call, progress);
}

function listRows({ body }: Page, path: readonly string[]): ReturnType<typeof rowsAt> {
  return rowsAt(body.document ?? null, path);
}

function countRead({ pages, path, repeated }: Progress): number {
  return pages.reduce((sum, page) => sum + listRows(page, path).length, 0) - repeated;
}

function reportProgress({ source, context }: RunningCall, progress: Progress): void {
  const total = progress.pages.at(-1)?.total ?? progress.pages[0]?.total;
  const rows = countRead(progress);
  context.onProgress?.({ source: source.slug, page: progress.pages.length, rows, total });
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
    [bytes >= maxBytes, `the pages read so far reach limits.maxBytes of the source (${maxBytes} bytes)`],
    [deadline.remainingMs() === 0, `limits.pagesTimeoutMs of the source is ${pagesTimeoutMs}`],
    [wasSent, "the API's next page was read already"],
  ];
  return ends.find(([isOver]) => isOver)?.[1];
}

/** Reads the next page by the first way and, where that was a guess that brings nothing new, once by the second. */
async function follow(
  { services }: RunningCall,
  progress: Progress,
  [way, second]: readonly NextWay[],
  readPage: ReadPage,
): Promise<void> {
  const { pages } = progress;
  const { place = "" } = pages[0] ?? {};
  if (way === undefined) return;
  const why = await tryWay(progress, way, readPage);
  if (why === undefined) {
    if (way.parameter !== undefined && way.isGuess) services.pageMemory.verify(place, way.parameter);
    return;
  }
  const mayTry = way.isGuess && way.call.method === "GET" && why.isOfPage;
  if (mayTry && second !== undefined && services.pageMemory.takeSecondTry(place)) {
    if ((await tryWay(progress, second, readPage)) === undefined) {
      if (second.parameter !== undefined) services.pageMemory.verify(place, second.parameter);
      return;
    }
  }
  progress.stopped = why.text;
  if (!why.isRetryable) progress.next = undefined;
}

/** Adds the page to those that were read. @returns why it can't be added */
async function tryWay(progress: Progress, way: NextWay, readPage: ReadPage): Promise<Failure | undefined> {
  const { pages, path } = progress;
  const largest = Math.max(...pages.map((page) => listRows(page, path).length));
  const before = { rows: countRead(progress), largest, rowsPath: path, by: way.kind };
  const page = await readPage(way.call, before).catch(describePageFailure);
  if (typeof page === "string") return { text: page, isOfPage: false, isRetryable: true };
  if (page.error !== undefined) return describeError(page, way);
  const noList = findMissingList(pages[0], page, path);
  if (noList !== undefined) return { text: noList, isOfPage: true, isRetryable: true };
  const rows = listRows(page, path);
  const compared = progress.lists.compare(rows);
  if (compared.isRepeat && !chooseOtherRows(progress, page))
    return { text: describeRepeat(way, pages.length), isOfPage: true, isRetryable: false };
  if (!compared.isRepeat) progress.repeated += compared.repeated;
  pages.push(page);
  progress.emptyPages = rows.length === 0 ? progress.emptyPages + 1 : 0;
  if (progress.emptyPages < maxEmptyPages || page.ways?.length === 0) return undefined;
  const text = `${maxEmptyPages} pages one after the other had no rows, and the API still names a next one`;
  return { text, isOfPage: false, isRetryable: true };
}

/** The list that changes from page to page, where the one that was taken for the rows does not. */
function chooseOtherRows(progress: Progress, page: Page): boolean {
  const [first] = progress.pages;
  if (first === undefined || progress.pages.length > 1) return false;
  for (const path of first.paging?.otherPaths ?? []) {
    const lists = new RowsRead();
    const [own, next] = [listRows(first, path), listRows(page, path)];
    if (own.length === 0 || next.length === 0) continue;
    lists.compare(own);
    if (lists.compare(next).repeated > 0) continue;
    Object.assign(progress, { lists, path });
    return true;
  }
  return false;
}

function joinRead({ source }: RunningCall, progress: Progress): JoinedPages {
  const { pages: all, path, stopped, next, bytes } = progress;
  const [first] = all;
  if (first === undefined) throw new Error("No page was read.");
  const documents = all.map(({ body }) => body.document ?? null);
  const { document, rows, repeated } = joinPages(documents, path);
  const shown = all.flatMap((page, at) => {
    const { paging } = page;
    return paging === undefined
      ? []
      : [{ ...paging.shown, rows: listRows(page, path).length, next: all[at]?.ways?.[0]?.kind }];
  });
  const { complete, why } = judgeComplete({
    ...{ pages: shown, rows, repeated: Math.max(repeated, progress.repeated) },
    ...{ stopped, startsAt: first.paging?.startsAt },
    isUnpaged: source.api.paging === "none",
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
    pages: {
      ...{ read: all.length, rows, complete },
      ...{ repeated: repeated || undefined, why },
    },
    next,
    notes: [...new Set(all.flatMap((page) => page.notes))],
  };
}
