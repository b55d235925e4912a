/** Step 8 of a call: the next page as an input for the same tool, and one document of all that were followed. */

import type { ResponseBody } from "../body/response-body.js";
import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import { findNextPage } from "../paging/find-next-page.js";
import { isSearch, type PagedRequest } from "../paging/paged-request.js";
import type { ApiSource, SourceLimits } from "../source/api-source.js";
import type { NextCall, PagesRead } from "./answer.js";
import type { CallRequest } from "./call-request.js";
import { dropUndefined } from "./drop-undefined.js";
import { countRows, joinPages } from "./join-pages.js";
import type { Page, RunningCall } from "./running-call.js";

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

export interface NextFound extends Pick<Page, "next" | "rows" | "mayWrite"> {
  /** That there is more, where no way to it is known. */
  readonly note?: string;
}

/** Looks for the page after a reply; what the call asked beside the page (`select`, headers) stays in the input. */
export function findNextCall(
  { prepared }: RunningCall,
  { request, built, reply, body: { document } }: Pick<Page, "request" | "built" | "reply" | "body">,
): NextFound {
  const paged: PagedRequest = {
    method: built.method,
    path: built.url.path,
    query: built.query,
    ...parseSentBody(request.body),
  };
  const { next, ...rest } = findNextPage({
    request: paged,
    url: built.wire.url,
    baseUrl: prepared.resolved.baseUrl,
    headers: reply.exchange.headers,
    reservedQueryNames: built.reservedQueryNames,
    document,
  });
  const found = { ...rest, mayWrite: built.method === "POST" && !isSearch(paged) };
  if (next === undefined) return found;
  const { select, headers, pages } = request;
  return {
    ...found,
    next: { ...next, ...dropUndefined({ headers, select, pages }) },
  };
}

/**
 * How many pages a call gets that asked for no number of them, where all are wanted: all, for a GET that leaves the page open. One that
 * names a page (`?page=2`) gets that one.
 */
export function findAllPages(
  { api }: ApiSource,
  { built, next }: { readonly built: Page["built"]; readonly next?: NextCall | undefined },
): number | undefined {
  if (built.method !== "GET" || next === undefined) return undefined;
  const moved = new URLSearchParams(next.path.split("?")[1]);
  const namesPage = built.query.some(
    ([name, value]) => moved.has(name) && !moved.getAll(name).includes(value),
  );
  return namesPage ? undefined : api.limits.maxPages;
}

/** The body as a value: a cursor that goes into it needs its other members. */
function parseSentBody(body: unknown): { body?: JsonValue } {
  if (body === undefined) return {};
  try {
    return { body: JSON.parse(typeof body === "string" ? body : JSON.stringify(body)) };
  } catch {
    return {};
  }
}
