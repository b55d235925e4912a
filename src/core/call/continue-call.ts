/** Knows how a request is continued: each request that goes on from a call is a copy of it with another address. */

import type { NextCall } from "../answer/answer.js";
import { type JsonValue, writeJson } from "../base/exact-number.js";
import { resolveLink } from "../paging/resolve-link.js";
import { listHeaders } from "../request/check-headers.js";
import { isMethodName } from "../request/check-parameters.js";
import { parseSentBody } from "./build-request.js";
import type { Page } from "./running-call.js";

/** A link of a response as the path of a call; undefined for one that leads elsewhere. */
export function toOwnPath({ call, built }: Page, link: string): string | undefined {
  const { wire, url, reservedQueryNames } = built;
  const { baseUrl } = call.prepared.resolved;
  return resolveLink(link, { url: wire.url, baseUrl, path: url.path, reservedQueryNames });
}

/** The GET of a path that an answer leads to: the request itself again where it is a GET of that path, else one with its headers. */
export function continueAt(page: Page, path: string): NextCall {
  const { built, request } = page;
  const { select, headers } = request;
  const isRepeated = built.method === "GET" && toOwnPath(page, built.wire.url) === path;
  if (!isRepeated) return { method: "GET", path, select, headers: copyHeaders(page) };
  const { body } = readSentBody(request.body);
  const exact = body === undefined ? undefined : writeExact(body);
  return { method: "GET", path, select, headers, body: exact };
}

/**
 * Headers about one request alone: its body, the state of its own resource (RFC 9110, section 13.1), how it is carried out (RFC 7240), and
 * that it is carried out once. One that may name its method is another: a GET must not repeat the write by it.
 */
const headerOfOneRequest = /^(?:content-.*|if-.*|range|prefer|(?:x-)?idempotency-key)$/i;

function copyHeaders({ call, request }: Page): unknown {
  if (request.headers === undefined) return undefined;
  const keyName = call.source.api.idempotencyHeader?.toLowerCase();
  const isOfOneRequest = (name: string): boolean =>
    headerOfOneRequest.test(name) || name.toLowerCase() === keyName || isMethodName(name);
  const copied = listHeaders(request.headers).filter(([name]) => !isOfOneRequest(name));
  return copied.length === 0 ? undefined : Object.fromEntries(copied);
}

/** A body that is no JSON text stays whole beside what is changed in the query: without it, the next page would be one of another list. */
export function readSentBody(body: unknown): { readonly body?: JsonValue } {
  const isOtherText = typeof body === "string" && body !== "";
  return { ...(isOtherText && { body }), ...parseSentBody(body) };
}

/** A body with a number that JavaScript would change is given as text, which is sent as it is. */
export function writeExact(body: JsonValue): JsonValue {
  const text = writeJson(body);
  return text === JSON.stringify(body) ? body : text;
}
