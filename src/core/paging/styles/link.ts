/** A list whose answers link to the page after them: in a `Link` header (RFC 8288), or by a URL or a path in the body. */

import { normalizeKey } from "../../base/shape.js";
import { clipText, quoteText } from "../../base/text.js";
import type { NextPage } from "../paged-request.js";
import { type AnsweredPage, type Candidate, type Found, maxLength, tooLong } from "../paging.js";
import { offsetParameters, pageParameters, sentSizeNames } from "../paging-names.js";
import { countHeaderNext } from "../read-links.js";
import { resolvePageLink } from "../resolve-link.js";

/** A link to another host does not count: its path below the base URL would be a guess. */
export function findLink(page: AnsweredPage): Found | undefined {
  const ways = page.links.flatMap((link) => followLink(link, page).way ?? []);
  const way = ways.find(({ guessOf }) => guessOf === undefined);
  if (way === undefined) return undefined;
  const count = countHeaderNext(page);
  const several =
    count > 1 ? `the API links to ${count} next pages, and the first was read` : undefined;
  return { next: [way], evidence: { doubt: several ?? describeLeftOut(way, page) } };
}

const countedNames: ReadonlySet<string> = new Set([...pageParameters, ...offsetParameters]);
const placeNames: ReadonlySet<string> = new Set([...countedNames, ...sentSizeNames]);

/**
 * A link to a page by its number leads to another list where it leaves out a filter of the request. Another path, and a parameter that the
 * request has not, may stand for the filter, as a cursor does.
 */
function describeLeftOut({ next }: Candidate, { request }: AnsweredPage): string | undefined {
  const [path, search] = next.path.split("?");
  const linked = [...new URLSearchParams(search).keys()];
  const isCounted = linked.some((name) => countedNames.has(normalizeKey(name)));
  if (path !== request.path || !isCounted) return undefined;
  const isFilter = (name: string): boolean => !placeNames.has(normalizeKey(name));
  const sent = request.query.flatMap(([name, value]) => (value === "" ? [] : [name]));
  const isOwn = linked.some((name) => isFilter(name) && !sent.includes(name));
  const lost = sent.filter((name) => isFilter(name) && !linked.includes(name));
  if (isOwn || lost.length === 0) return undefined;
  const names = clipText([...new Set(lost)].join(", "), 100);
  return `the API's link to the next page leaves out \`${names}\` of the request: its rows may be of another list`;
}

/** The page that a link leads to. */
export interface FollowedLink {
  /** Absent where it does not lead to a page of this API. */
  readonly way?: Candidate;
  /** Why the page that it leads to can't be requested. */
  readonly unreachable?: string;
}

export function followLink(link: string, page: AnsweredPage): FollowedLink {
  if (link.length > maxLength) return { unreachable: tooLong };
  const { request } = page;
  const { path, otherHost, hidden } = resolvePageLink(link, { ...page, path: request.path }) ?? {};
  if (path === undefined || (otherHost !== undefined && request.method !== "GET"))
    return { unreachable: describeLost(link) };
  if (hidden !== undefined)
    return {
      unreachable: `the API's link to the next page has a secret in \`${hidden}\`: it can't be sent`,
    };
  const next = toNextPage(path, page);
  if (otherHost === undefined) return { way: { next, kind: "link" } };
  const guessOf = `a link to ${otherHost}`;
  return { way: { next, kind: "link", guessOf, insteadOf: describeLost(link) } };
}

/** Why the page that the API links to can't be requested: that there is a next page is a fact all the same. */
export function findUnreachable(page: AnsweredPage): string | undefined {
  const lost = page.links.map((link) => followLink(link, page).unreachable);
  return lost.find((why) => why !== undefined);
}

function describeLost(link: string): string {
  return `the API's link to the next page leads outside of the base URL: ${quoteText(link, 200)}`;
}

/** A link changes the address of a GET alone. One to the very path of a POST search continues that search; any other is to be fetched. */
function toNextPage(
  path: string,
  { request: { method, path: sentPath, body } }: AnsweredPage,
): NextPage {
  const isSearch = method === "POST" && path.split("?")[0] === sentPath;
  return method === "GET" || isSearch ? { method, path, body } : { method: "GET", path };
}
