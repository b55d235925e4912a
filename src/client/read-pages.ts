/** Step 8 of a call: the next page as an input for the same tool, and one document of all that were followed. */

import type { ResponseBody } from "../body/response-body.js";
import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import { findNextPage } from "../paging/find-next-page.js";
import { isSearch, type PagedRequest } from "../paging/paged-request.js";
import type { ApiSource } from "../source/api-source.js";
import type { NextCall, PagesRead } from "./answer.js";
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

const mayWrite =
  "this POST may write, and each further page would be another one; where it only reads, send `next` yourself";

/**
 * Reads the pages after the first. Rejects only when the caller cancels: what was read is never lost.
 *
 * @param asked - How many pages in all.
 * @param readPage - Sends the request of one page, through every step of a call.
 */
export async function readPages(
  { source, context, deadline }: RunningCall,
  first: Page,
  asked: number,
  readPage: (input: NextCall) => Promise<Page>,
): Promise<JoinedPages> {
  const { maxPages, maxBytes, pagesTimeoutMs } = source.api.limits;
  const path = first.rows ?? [];
  const others: Page[] = [];
  const sent = new Set<string>();
  let rows = 0;
  let bytes = 0;
  let why: string | undefined;
  while (why === undefined) {
    const page = others.at(-1) ?? first;
    const read = others.length + 1;
    bytes += page.body.bytes;
    rows += countRows(page.body.document, path);
    const { next, total = first.total } = page;
    context.onProgress?.(dropUndefined({ source: source.slug, page: read, rows, total }));
    if (next === undefined) break;
    const key = JSON.stringify(next);
    const ends: readonly (readonly [isOver: boolean, why: string])[] = [
      [read >= asked, `${asked} pages were asked for`],
      [read >= maxPages, `limits.maxPages of the source is ${maxPages}`],
      [bytes >= maxBytes, `the pages read so far reach limits.maxBytes of the source (${maxBytes} bytes)`],
      [first.mayWrite === true, mayWrite],
      [deadline.remainingMs() === 0, `limits.pagesTimeoutMs of the source is ${pagesTimeoutMs}`],
      [sent.has(key), "the API's next page is one that was read already"],
    ];
    why = ends.find(([isOver]) => isOver)?.[1];
    if (why !== undefined) break;
    sent.add(key);
    const further = await readPage(next).catch(describePageFailure);
    if (typeof further === "string") why = further;
    else if (further.error !== undefined)
      why = `the next page failed: ${further.status}: ${further.error.message}`;
    else others.push(further);
  }
  return joinRead(first, others, bytes, why);
}

function describePageFailure(error: unknown): string {
  if (error instanceof ApiSourceError && error.category !== "cancelled")
    return `the next page failed: ${error.message}`;
  throw error;
}

function joinRead(first: Page, others: readonly Page[], bytes: number, why: string | undefined): JoinedPages {
  const all = [first, ...others];
  const { next, total = first.total } = others.at(-1) ?? first;
  const documents = all.map(({ body }) => body.document ?? null);
  const { document, rows, repeated } = joinPages(documents, first.rows ?? []);
  const complete = next === undefined;
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
    body: others.length === 0 ? first.body : joined,
    pages: {
      ...{ read: all.length, rows, complete },
      ...dropUndefined({ repeated: repeated || undefined, why: complete ? undefined : why }),
    },
    next,
    notes: [
      ...new Set(all.flatMap((page) => page.notes)),
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
