/** Finds the next page of an answer as a complete input for the same tool, or says why there is none; never a guess that would loop. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import { maxUrlLength } from "../policy/resolve-url.js";
import { findGraphqlCursor, findNextCursor } from "./find-next-cursor.js";
import { findBodyLink, findHeaderLink, resolveLink } from "./find-next-link.js";
import { findNextNumber } from "./find-next-number.js";
import { isSameRequest, type NextPage, type PagedRequest, Parameters } from "./paged-request.js";
import { type Envelope, readEnvelope } from "./read-envelope.js";

export type { NextPage } from "./paged-request.js";

export interface FindNextPageInput {
  readonly request: PagedRequest;
  /** The absolute URL that was sent, without the credential. */
  readonly url: string;
  readonly baseUrl: string;
  readonly headers: ResponseHeaders;
  readonly document?: JsonValue | undefined;
  /** Query names of the credential and the constants: dropped from any URL. */
  readonly reservedQueryNames: readonly string[];
}

export interface Paging {
  /** Absent on the last page, and where nothing tells how to get the next one. */
  readonly next?: NextPage;
  /** What a reader should know where there is more and no `next`, in one sentence. */
  readonly note?: string;
  /** Where in the document the list of rows stands, as keys from its root; none when the document is the list. */
  readonly rows?: readonly string[];
}

/** A longer link, or cursor, is none: it would fill the answer, and no request could hold it. */
const maxLength = maxUrlLength;

/**
 * Looks in this order, and the first that speaks decides: the `Link` header (RFC 8288), a URL in the body, a GraphQL connection, a cursor
 * or token, the last row's id, then numbers. Only for GET, and for a POST whose answer is a list (a search). No `next` on the last page, for a
 * link that leaves the base URL, and for one that would send the same request again.
 */
export function findNextPage(input: FindNextPageInput): Paging {
  const { request, document } = input;
  if (request.method !== "GET" && request.method !== "POST") return {};
  const envelope = readEnvelope(document, request.path);
  const rows = envelope.rows === undefined ? {} : { rows: envelope.rows.path };
  if (request.method === "POST" && envelope.rows === undefined && !isGraphql(request)) return rows;
  const { next, note } = findLink(input, envelope) ?? findChange(input, envelope);
  const isUsable = next !== undefined && !isSameRequest(next, request);
  return { ...(isUsable ? { next } : {}), ...(note === undefined ? {} : { note }), ...rows };
}

type Finding = Pick<Paging, "next" | "note">;

/** A query language has braces; a search's `query` has words. */
function isGraphql({ body }: PagedRequest): boolean {
  return isJsonObject(body) && typeof body["query"] === "string" && body["query"].includes("{");
}

function findLink(input: FindNextPageInput, envelope: Envelope): Finding | undefined {
  const header = input.request.method === "GET" ? findHeaderLink(input.headers) : undefined;
  const links = [header, envelope.more === false ? undefined : findBodyLink(envelope).link];
  for (const link of links) {
    if (link === undefined) continue;
    if (link.length > maxLength) return describeTooLong("link", link.length);
    const path = resolveLink(link, { ...input, path: input.request.path });
    if (path !== undefined) return { next: toNextPage(path, input.request) };
  }
  return undefined;
}

/** A link to the very path of a POST search continues that search; any other link is to be fetched. */
function toNextPage(path: string, request: PagedRequest): NextPage {
  const continues = request.method === "POST" && path.split("?")[0] === request.path;
  if (!continues) return { method: "GET", path };
  return { method: "POST", path, ...(request.body === undefined ? {} : { body: request.body }) };
}

function findChange({ request, headers, document }: FindNextPageInput, envelope: Envelope): Finding {
  const sent = new Parameters(request);
  const set = (changes: Readonly<Record<string, JsonValue>>): Finding => {
    // An integer beyond 2^53 as its digits.
    const plain = JSON.stringify(changes);
    if (plain.length > maxLength) return describeTooLong("cursor", plain.length);
    return { next: sent.change(JSON.parse(plain)) };
  };
  const inGraphql = findGraphqlCursor(envelope, sent);
  if (inGraphql !== undefined) {
    const { variables, cursor } = inGraphql;
    const { note } = set({ cursor });
    return note === undefined ? { next: sent.change({ variables }) } : { note };
  }
  if (isGraphql(request) || envelope.more === false) return {};
  const continued = findContinue(document);
  if (continued !== undefined) return set(continued);
  const cursor = findNextCursor(envelope, sent);
  const { rows, more } = envelope;
  // CouchDB hands out a bookmark even behind the last row; following it for ever brings nothing.
  if (cursor?.set !== undefined) return rows?.items.length === 0 && more !== true ? {} : set(cursor.set);
  // A book has pages too, and an order a total: those are no lists.
  if (cursor !== undefined || findBodyLink(envelope).isEnd || rows === undefined || envelope.isRecord)
    return {};
  const rowCount = rows.items.length;
  const number = findNextNumber({ envelope, sent, headers, rowCount });
  if (number.set !== undefined) return set(number.set);
  const total = number.unreachableTotal;
  if (total === undefined && more !== true) return {};
  const said = total === undefined ? "that there is more" : `${total} in all`;
  return {
    note: `The API says ${said}, and this answer has ${rowCount}; nothing in it tells how to get the others. Its documentation may name a parameter (page, offset, cursor).`,
  };
}

/** MediaWiki: every member of `continue` is a parameter of the next request. */
function findContinue(document: JsonValue | undefined): JsonObject | undefined {
  const members = isJsonObject(document) ? document["continue"] : undefined;
  if (!isJsonObject(members)) return undefined;
  const values = Object.values(members);
  const isPlain = values.every((value) => typeof value === "string" || isJsonNumber(value));
  return values.length > 0 && values.length < 10 && isPlain ? members : undefined;
}

function describeTooLong(what: "link" | "cursor", length: number): Finding {
  return {
    note: `There is a next page, but its ${what} is too long to be sent (${length} characters), so \`next\` is left out.`,
  };
}
