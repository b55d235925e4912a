/** Follows `next` inside one call and makes one document of the pages: same policy, quota and credential, page by page. */

import type { ResponseBody } from "../body/response-body.js";
import { ApiSourceError } from "../errors.js";
import { writeJson } from "../json/write-json.js";
import type { SourceLimits } from "../source/api-source.js";
import type { NextCall, PagesRead } from "./answer.js";
import type { CallRequest } from "./call-request.js";
import { countRows, joinPages } from "./join-pages.js";
import type { Page } from "./running-call.js";

/** What the pages give together. */
export interface JoinedPages {
  readonly body: ResponseBody;
  /** Absent where no more than one page was asked for. */
  readonly pages?: PagesRead;
  /** Where to go on from; undefined when the last page was read. */
  readonly next: NextCall | undefined;
  readonly notes: readonly string[];
}

export interface ReadPagesOptions {
  /** How many pages the call asked for. */
  readonly asked: number;
  readonly limits: Pick<SourceLimits, "maxPages" | "maxBytes">;
  /** Sends the request of one page, through every step of a call. */
  readonly readPage: (request: CallRequest) => Promise<Page>;
  /** Why no further page may be read, in words; undefined while there is time. */
  readonly isOver: () => string | undefined;
  /** Told after each page. */
  readonly onProgress: (progress: { page: number; rows: number; total?: number }) => void;
}

/** Reads the pages after the first. Rejects only when the caller cancels: what was read is never lost. */
export async function readPages(first: Page, options: ReadPagesOptions): Promise<JoinedPages> {
  const { asked, limits, readPage, isOver, onProgress } = options;
  const { maxPages, maxBytes } = limits;
  const pages: Page[] = [];
  const path = first.rows ?? [];
  const seen = new Set<string>();
  let page: Page = first;
  let bytes = 0;
  let rows = 0;
  let why: string | undefined;
  while (why === undefined) {
    pages.push(page);
    bytes += page.body.bytes;
    rows += countRows(page.body.document, path);
    const total = page.total ?? first.total;
    onProgress({ page: pages.length, rows, ...(total === undefined ? {} : { total }) });
    const { next } = page;
    if (next === undefined) break;
    const key = JSON.stringify(next);
    if (pages.length >= asked) why = `${asked} pages were asked for`;
    else if (pages.length >= maxPages) why = `limits.maxPages of the source is ${maxPages}`;
    else if (bytes >= maxBytes)
      why = `the pages read so far reach limits.maxBytes of the source (${maxBytes} bytes)`;
    else why = isOver() ?? (seen.has(key) ? "the API's next page is one that was read already" : undefined);
    if (why !== undefined) break;
    seen.add(key);
    const read = await readPage(next).catch(describePageFailure);
    if (typeof read === "string") why = read;
    else if (read.error !== undefined) why = `the next page failed: ${read.status}: ${read.error.message}`;
    else page = read;
  }
  return joinRead(pages, { first, path, bytes, next: page.next, why });
}

function describePageFailure(error: unknown): string {
  if (error instanceof ApiSourceError && error.category !== "cancelled")
    return `the next page failed: ${error.message}`;
  throw error;
}

interface ReadSoFar {
  readonly first: Page;
  readonly path: readonly string[];
  readonly bytes: number;
  readonly next: NextCall | undefined;
  readonly why: string | undefined;
}

function joinRead(pages: readonly Page[], { first, path, bytes, next, why }: ReadSoFar): JoinedPages {
  const documents = pages.map(({ body }) => body.document ?? null);
  const { document, rows, repeated } = joinPages(documents, path);
  const complete = next === undefined;
  const total = pages.at(-1)?.total ?? first.total;
  const differs = complete && total !== undefined && total !== rows;
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
    body: pages.length === 1 ? first.body : joined,
    pages: {
      read: pages.length,
      rows,
      complete,
      ...(repeated === 0 ? {} : { repeated }),
      ...(complete || why === undefined ? {} : { why }),
    },
    next,
    notes: [
      ...new Set(pages.flatMap((page) => page.notes)),
      ...(differs ? [`The API says that there are ${total} in all; the pages held ${rows}.`] : []),
    ],
  };
}
