/** Step 8 of a call: the next page as a complete input for the same tool. */

import type { JsonValue } from "../json/exact-number.js";
import { findNextPage } from "../paging/find-next-page.js";
import { isSearch, type PagedRequest } from "../paging/paged-request.js";
import type { ApiSource } from "../source/api-source.js";
import type { NextCall } from "./answer.js";
import type { Page, RunningCall } from "./running-call.js";

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
    next: {
      ...next,
      ...(headers === undefined ? {} : { headers }),
      ...(select === undefined ? {} : { select }),
      ...(pages === undefined ? {} : { pages }),
    },
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
