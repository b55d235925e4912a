/** Follows `next` inside one call and makes one document of the pages: same policy, quota and credential, page by page. */

import type { ResponseBody } from "../body/response-body.js";
import { ApiSourceError, type CallError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import type { NextCall, PagesRead } from "./answer.js";
import type { CallRequest } from "./call-request.js";
import { countRows, joinPages } from "./join-pages.js";

/** One answer of the API, read and judged. */
export interface Page {
  readonly status: number;
  readonly body: ResponseBody;
  readonly error?: CallError;
  /** The input for the page after it; absent on the last one. */
  readonly next?: NextCall;
  /** The member names that lead to its rows; none where the body itself is the list. */
  readonly rows?: readonly string[];
  /** How many rows there are in all, where the API says so. */
  readonly total?: number;
  readonly notes: readonly string[];
}

export interface PagesResult {
  readonly body: ResponseBody;
  readonly pages: PagesRead;
  /** Where to go on from; absent when the last page was read. */
  readonly next?: NextCall;
  readonly notes: readonly string[];
}

export interface ReadPagesInput {
  readonly first: Page;
  /** How many pages the call asked for. */
  readonly asked: number;
  readonly maxPages: number;
  /** The most that all pages may take together, in bytes. */
  readonly maxBytes: number;
  /** Sends the request of one page, through every step of a call. */
  readonly readPage: (request: CallRequest) => Promise<Page>;
  /** When the pages must be read, in words; undefined while there is time. */
  readonly isOver: () => string | undefined;
  readonly onProgress: (progress: PageProgress) => void;
}

/** What a run's stream is told after each page. */
export interface PageProgress {
  readonly page: number;
  readonly rows: number;
  readonly total?: number;
}

/** Reads the pages after the first. Rejects only when the caller cancels: what was read is never lost. */
export async function readPages(input: ReadPagesInput): Promise<PagesResult> {
  const { first, asked, maxPages, maxBytes } = input;
  const pages: Page[] = [first];
  const path = first.rows ?? [];
  const seen = new Set<string>();
  let bytes = first.body.bytes;
  let next = first.next;
  let why: string | undefined;
  let rows = 0;
  const add = (page: Page): void => {
    rows += countRows(page.body.document, path);
    const total = page.total ?? first.total;
    input.onProgress({ page: pages.length, rows, ...(total === undefined ? {} : { total }) });
  };
  add(first);
  while (next !== undefined && why === undefined) {
    why = findEnd({ read: pages.length, asked, maxPages, bytes, maxBytes, isOver: input.isOver });
    const key = writeJson(JSON.parse(JSON.stringify(next)));
    if (why === undefined && seen.has(key)) why = "the API's next page is one that was read already";
    if (why !== undefined) break;
    seen.add(key);
    const { page, failure } = await tryPage(input, next);
    if (page === undefined) {
      why = failure;
      break;
    }
    pages.push(page);
    bytes += page.body.bytes;
    next = page.next;
    add(page);
  }
  return finish({ pages, path, next, why, bytes });
}

interface Bounds {
  readonly read: number;
  readonly asked: number;
  readonly maxPages: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly isOver: () => string | undefined;
}

function findEnd({ read, asked, maxPages, bytes, maxBytes, isOver }: Bounds): string | undefined {
  if (read >= asked) return `${asked} pages were asked for`;
  if (read >= maxPages) return `limits.maxPages of the source is ${maxPages}`;
  if (bytes >= maxBytes)
    return `the pages read so far reach limits.maxBytes of the source (${maxBytes} bytes)`;
  return isOver();
}

async function tryPage(
  { readPage }: ReadPagesInput,
  next: NextCall,
): Promise<{ page?: Page; failure?: string }> {
  try {
    const page = await readPage(next);
    if (page.error === undefined) return { page };
    return { failure: `the next page failed: ${page.status}: ${page.error.message}` };
  } catch (error) {
    if (error instanceof ApiSourceError && error.category !== "cancelled")
      return { failure: `the next page failed: ${error.message}` };
    throw error;
  }
}

interface Finished {
  readonly pages: readonly Page[];
  readonly path: readonly string[];
  readonly next: NextCall | undefined;
  readonly why: string | undefined;
  readonly bytes: number;
}

function finish({ pages, path, next, why, bytes }: Finished): PagesResult {
  const first = pages[0];
  if (first === undefined) throw new TypeError("There is no first page.");
  const documents = pages.map(({ body }): JsonValue => body.document ?? null);
  const { document, rows, repeated } = joinPages(documents, path);
  const complete = next === undefined;
  const total = pages.at(-1)?.total ?? first.total;
  const differs = complete && total !== undefined && total !== rows;
  const single = pages.length === 1;
  return {
    body: single
      ? first.body
      : {
          ...first.body,
          kind: "json",
          document,
          bytes,
          get text() {
            return writeJson(document);
          },
        },
    pages: {
      read: pages.length,
      rows,
      complete,
      ...(repeated === 0 ? {} : { repeated }),
      ...(complete || why === undefined ? {} : { why }),
    },
    ...(next === undefined ? {} : { next }),
    notes: [
      ...new Set(pages.flatMap((page) => page.notes)),
      ...(differs ? [`The API says that there are ${total} in all; the pages held ${rows}.`] : []),
    ],
  };
}
