/** Finds the next page of an answer as a complete input for the same tool, or nothing; never a guess that would loop. */

import { isJsonNumber, type JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject } from "../json/shape.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import { findNextByLastRow } from "./find-next-by-last-row.js";
import { findNextCursor } from "./find-next-cursor.js";
import { findNextInGraphql } from "./find-next-in-graphql.js";
import { findBodyLink, findHeaderLink } from "./find-next-link.js";
import { findNextNumber } from "./find-next-number.js";
import { isSameRequest } from "./is-same-request.js";
import { createPagePlace, type NextPage, type PagedRequest, type PagePlace } from "./page-place.js";
import { type PagingFacts, readPagingFacts } from "./paging-facts.js";
import { toPathBelowBase } from "./to-path-below-base.js";

export type { NextPage } from "./page-place.js";

export interface FindNextPageInput {
  readonly request: PagedRequest;
  /** The absolute URL that was sent, without the credential. */
  readonly url: string;
  readonly baseUrl: string;
  readonly headers: ResponseHeaders;
  readonly document?: JsonValue | undefined;
  /** Query names of the credential and the constants: dropped from any URL. */
  readonly reservedQueryNames: readonly string[];
  /** How many rows the page has, where the caller knows; else counted in the document. */
  readonly resultCount?: number | undefined;
}

/**
 * Looks in this order, and the first that speaks decides: the `Link` header (RFC 8288), a URL in the body, a GraphQL connection, a cursor or
 * token, the last row's id, then numbers. Only for GET, and for a POST whose answer is a list (a search). Undefined on the last page, for
 * a link that leaves the base URL, and for one that would send the same request again.
 */
export function findNextPage(input: FindNextPageInput): NextPage | undefined {
  const { request } = input;
  if (request.method !== "GET" && request.method !== "POST") return undefined;
  return findAmong(input, readPagingFacts(input.document));
}

function findAmong(input: FindNextPageInput, facts: PagingFacts): NextPage | undefined {
  const { request, document } = input;
  const place = createPagePlace(request);
  const next =
    request.method === "GET" || facts.rows !== undefined
      ? (findLink(input, facts) ?? findInBody(input, facts, place))
      : findNextInGraphql(document, place);
  return next === undefined || isSameRequest(next, request) ? undefined : next;
}

function findLink(input: FindNextPageInput, facts: PagingFacts): NextPage | undefined {
  const { request } = input;
  const header = request.method === "GET" ? findHeaderLink(input.headers) : undefined;
  const fromHeader = header === undefined ? undefined : toNextPage(header, input);
  if (fromHeader !== undefined) return fromHeader;
  const { link } = findBodyLink(facts);
  return link === undefined || facts.more === false ? undefined : toNextPage(link, input);
}

/** A link to the very path of a POST search continues that search; any other link is to be fetched. */
function toNextPage(
  link: string,
  { request, url, baseUrl, reservedQueryNames }: FindNextPageInput,
): NextPage | undefined {
  const path = toPathBelowBase(link, { url, baseUrl, path: request.path, reservedQueryNames });
  if (path === undefined) return undefined;
  const continues = request.method === "POST" && path.split("?")[0] === request.path;
  if (!continues) return { method: "GET", path };
  return { method: "POST", path, ...(request.body === undefined ? {} : { body: request.body }) };
}

function findInBody(input: FindNextPageInput, facts: PagingFacts, place: PagePlace): NextPage | undefined {
  if (facts.more === false) return undefined;
  const inGraphql = findNextInGraphql(input.document, place);
  if (inGraphql !== undefined) return inGraphql;
  const continued = findContinue(input.document, place);
  if (continued !== undefined) return continued;
  const cursor = findNextCursor(facts, place);
  if (cursor.next !== undefined)
    return isEmptyPage(input, facts) && facts.more !== true ? undefined : cursor.next;
  if (cursor.isEnd || findBodyLink(facts).isEnd) return undefined;
  const rowCount = input.resultCount ?? facts.rows?.length;
  const byLastRow = findNextByLastRow(facts, place);
  // A book has pages too, and an order a total: those are no lists.
  if (byLastRow !== undefined || rowCount === undefined || facts.members.has("id")) return byLastRow;
  return findNextNumber({ facts, place, headers: input.headers, rowCount });
}

/** MediaWiki: every member of `continue` is a parameter of the next request. */
function findContinue(root: JsonValue | undefined, place: PagePlace): NextPage | undefined {
  const members: JsonObject | undefined =
    isObject(root) && isObject(root["continue"]) ? root["continue"] : undefined;
  if (members === undefined) return undefined;
  const all = Object.entries(members);
  const isPlain =
    all.length > 0 &&
    all.length < 10 &&
    all.every(([, value]) => typeof value === "string" || isJsonNumber(value));
  return isPlain ? place.change(members) : undefined;
}

/** CouchDB hands out a bookmark even behind the last row; following it for ever brings nothing. */
function isEmptyPage({ resultCount }: FindNextPageInput, { rows }: PagingFacts): boolean {
  return (resultCount ?? rows?.length) === 0;
}
