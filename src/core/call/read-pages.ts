/** Step 8 of a call with `pages`: the pages after the first, and one document of all that were read. */

import type { NextCall, PagesRead } from "../answer/answer.js";
import { isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import type { ResponseBody } from "../body/response-body.js";
import { rowsAt } from "../paging/find-rows.js";
import { type Completeness, judgeComplete, type PageShown } from "../paging/judge-complete.js";
import { RowsRead } from "../paging/rows-read.js";
import { findReadsAdvice } from "./build-request.js";
import { followPage, isUnverified, listRows, type Progress, type ReadPage } from "./follow-page.js";
import { joinPages } from "./join-pages.js";
import type { Page, RunningCall } from "./running-call.js";
import { showProgress } from "./show-progress.js";

/** The pages as one answer. */
export interface JoinedPages {
  readonly body: ResponseBody;
  /** Absent where no more than one page was requested. */
  readonly pages?: PagesRead;
  /** Where to go on from; undefined when the last page was read. */
  readonly next: NextCall | undefined;
  readonly notes: readonly string[];
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
  const { ways = [], rows: path = [], paging } = first;
  const isWrite = first.mayWrite !== false;
  // How many rows a write returns is not a question of pages.
  if (isWrite && ways.length === 0 && paging?.rows === undefined)
    return { body: first.body, notes: first.notes, next: first.next };
  const progress = startReading(first, path);
  if (isWrite) return joinRead(call, { ...progress, ...describeWrite(first) });
  if (first.error !== undefined) {
    const stopped = `the page was answered with an error beside its rows: ${first.error.message}`;
    return joinRead(call, { ...progress, stopped, next: first.next });
  }
  if (paging?.dictionary !== undefined) {
    const doubt = "the rows are the members of an object: pages of them are not joined";
    return joinRead(call, { ...progress, ...(ways.length > 0 ? { doubt } : {}), next: first.next });
  }
  if (paging?.otherList !== undefined) {
    const doubt = `the answer has two lists, \`${path.join(".")}\` and \`${paging.otherList.join(".")}\`: their pages are not joined`;
    return joinRead(call, { ...progress, doubt, next: first.next });
  }
  await readFollowing(call, progress, asked, readPage);
  return joinRead(call, progress);
}

function startReading(first: Page, path: readonly string[]): Progress {
  const { dictionary } = first.paging ?? {};
  const rows =
    dictionary === undefined ? listRows(first, path) : listValues(first.body.document, dictionary);
  // Rows of a list without a next page are not compared.
  const isOnly = first.ways === undefined || first.ways.length === 0;
  return {
    first,
    pages: [first],
    path,
    read: new RowsRead(isOnly ? [] : rows),
    rows: [...rows],
    sent: new Set(),
    verified: new Set(),
    bytes: 0,
    repeated: 0,
    changed: 0,
    equal: 0,
  };
}

/** The members of an object of records. */
function listValues(document: JsonValue | undefined, path: readonly string[]): JsonValue[] {
  const [object] = rowsAt(document ?? null, path);
  return isJsonObject(object) ? Object.values(object) : [];
}

async function readFollowing(
  call: RunningCall,
  progress: Progress,
  asked: number,
  readPage: ReadPage,
): Promise<void> {
  for (;;) {
    const page = progress.pages.at(-1) ?? progress.first;
    progress.bytes += page.body.bytes;
    reportProgress(call, progress, page);
    if (page.body.partial !== undefined) progress.stopped = "the body of a page is incomplete";
    const way = page.ways?.[0];
    if (way === undefined || progress.stopped !== undefined) return;
    const sent = JSON.stringify(way.call);
    const wasSent = progress.sent.has(sent);
    // A model that follows a circle would read the same rows again.
    progress.next = wasSent || isUnverified(progress, way) ? undefined : way.call;
    progress.stopped = findEnd(call, progress, asked, wasSent);
    if (progress.stopped !== undefined) return;
    await followPage(progress, page, readPage);
    if (progress.stopped !== undefined || progress.pages.at(-1) === page) return;
    progress.sent.add(sent);
    progress.next = undefined;
  }
}

function reportProgress(call: RunningCall, progress: Progress, page: Page): void {
  showProgress(call, {
    source: call.source.slug,
    page: progress.pages.length,
    rows: progress.rows.length,
    total: page.total ?? progress.first.total,
  });
}

/** A request that may change something is sent once. */
function describeWrite({ built, request, ways = [] }: Page): Pick<Progress, "stopped" | "doubt"> {
  const reads = findReadsAdvice(built, request);
  const advice = reads === undefined ? "" : `; ${reads}`;
  const text = `this ${built.method} may change something, so it was sent once and no further page was read${advice}`;
  return ways.length > 0 ? { stopped: text } : { doubt: text };
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

function joinRead(call: RunningCall, progress: Progress): JoinedPages {
  const { first, pages, rows, repeated, next } = progress;
  const { complete, why } = judgeRead(call, progress);
  const read = pages.length;
  return {
    body: read === 1 ? first.body : joinBodies(progress),
    pages: { read, rows: rows.length, complete, repeated: repeated || undefined, why },
    next,
    notes: [...new Set(pages.flatMap((page) => page.notes))],
  };
}

function judgeRead({ source }: RunningCall, progress: Progress): Completeness {
  const { pages, path, rows, stopped, repeated, changed, equal } = progress;
  const doubt = progress.doubt ?? pages.find(({ body }) => body.doubt !== undefined)?.body.doubt;
  const shown = pages.flatMap((page): PageShown[] => {
    const { paging, ways } = page;
    if (paging === undefined) return [];
    const count = paging.dictionary === undefined ? listRows(page, path).length : rows.length;
    return [{ ...paging.shown, rows: count, next: ways?.[0]?.kind }];
  });
  return judgeComplete({
    pages: shown,
    rows: rows.length,
    repeated,
    changed,
    equal,
    stopped,
    doubt,
    isUnpaged: source.api.paging === "none",
  });
}

function joinBodies({ first, pages, path, rows, bytes }: Progress): ResponseBody {
  const documents = pages.map(({ body }) => body.document ?? null);
  const document = joinPages(documents, path, rows);
  let text: string | undefined;
  return {
    ...first.body,
    kind: "json",
    document,
    bytes,
    get text() {
      text ??= writeJson(document);
      return text;
    },
  };
}
