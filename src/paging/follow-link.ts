/** The next page by a link of the answer, as far as it can be requested. */

import { maxUrlLength } from "../policy/resolve-url.js";
import { findBodyLink, findHeaderLink, resolveLink } from "./find-next-link.js";
import type { NumberFound } from "./find-next-number.js";
import type { NextPage, PagedRequest } from "./paged-request.js";
import type { Candidate, FindNextPageInput } from "./paging.js";
import type { Envelope } from "./read-envelope.js";

/** What one way of paging finds. */
export interface WayFound {
  readonly candidates: readonly Candidate[];
  readonly isEnd?: boolean;
  readonly unreachable?: string;
  readonly number?: NumberFound;
  readonly startsAt?: string | undefined;
}

/** A longer link or cursor would fill the answer, and no request could hold it. */
export const maxLength: number = maxUrlLength;

export function findLink(input: FindNextPageInput, envelope: Envelope): WayFound {
  const isGet = input.request.method === "GET";
  const header = isGet ? findHeaderLink(input.headers) : { isEnd: false };
  const body = envelope.more === false ? { isEnd: false } : findBodyLink(envelope);
  const found = [header.link, body.link]
    .filter((link) => link !== undefined)
    .map((link) => followLink(link, input, envelope));
  return (
    found.find(({ candidates }) => candidates.length > 0) ??
    found[0] ?? { candidates: [], isEnd: header.isEnd || body.isEnd }
  );
}

export function followLink(link: string, input: FindNextPageInput, { more }: Envelope): WayFound {
  if (link.length > maxLength) return { candidates: [], unreachable: describeTooLong("link", link.length) };
  const path = resolveLink(link, { ...input, path: input.request.path });
  if (path === undefined) {
    const unreachable = "the API's link to the next page leads outside of the base URL";
    return more === false ? { candidates: [] } : { candidates: [], unreachable };
  }
  return { candidates: [{ next: toNextPage(path, input.request), kind: "link", isGuess: false }] };
}

/** A link to the very path of a POST search continues that search; any other link is to be fetched. */
function toNextPage(path: string, request: PagedRequest): NextPage {
  const continues = request.method === "POST" && path.split("?")[0] === request.path;
  if (!continues) return { method: "GET", path };
  return { method: "POST", path, ...(request.body === undefined ? {} : { body: request.body }) };
}

export function describeTooLong(what: "link" | "cursor", length: number): string {
  return `there is a next page, but its ${what} is too long to be sent (${length} characters)`;
}
