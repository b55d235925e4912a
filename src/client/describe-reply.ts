/** What a reply says beside its document: the headers that the next call needs, of a fixed list, and what is known of limits. */

import {
  isLimited,
  presentRateLimit,
  type ResponseHeaders,
  shouldShowRateLimit,
} from "../limits/rate-limit.js";
import { resolveLink } from "../paging/find-next-link.js";
import type { Answer } from "./answer.js";
import type { Page, RunningCall } from "./running-call.js";

/** What an answer may show, in this order: validators, places, waits, and what is going away (RFC 9110, 9111, 9745, 8594). */
const shownHeaders = [
  "etag",
  "last-modified",
  "location",
  "content-location",
  "retry-after",
  "content-disposition",
  "deprecation",
  "sunset",
  "warning",
] as const;

const totalHeaders = ["x-total-count", "x-wp-total", "x-total"] as const;
/** Longer values are not meant to be sent again. */
const maxValueCharacters = 500;

/** The parts of the answer that the first response alone decides. */
export function describeReply(
  { prepared }: RunningCall,
  { reply, built, status, total }: Page,
  error: Answer["error"],
): Answer {
  const { exchange, body, rateLimit, waited } = reply;
  const limited = isLimited(status, rateLimit) || error?.category === "rate_limited";
  const { reservedQueryNames, url, wire } = built;
  const { baseUrl } = prepared.resolved;
  const below = { url: wire.url, baseUrl, path: url.path, reservedQueryNames };
  return {
    status,
    error,
    contentType: body.kind === "json" || body.kind === "empty" ? undefined : body.contentType,
    headers: listShownHeaders(exchange.headers, (link) => resolveLink(link, below)),
    rateLimit:
      rateLimit !== undefined && shouldShowRateLimit(rateLimit, { limited })
        ? presentRateLimit(rateLimit)
        : undefined,
    total,
    partial: body.partial,
    waited,
  };
}

/** @param toPath - A link as the path below the base URL; undefined for one that leads elsewhere. */
function listShownHeaders(
  headers: ResponseHeaders,
  toPath: (link: string) => string | undefined,
): Record<string, string> | undefined {
  const shown: Record<string, string> = {};
  for (const name of shownHeaders) {
    const value = firstOf(headers[name]);
    if (value === undefined || value === "" || value.length > maxValueCharacters) continue;
    if (name === "location" || name === "content-location") shown[name] = toPath(value) ?? value;
    else if (name !== "content-disposition") shown[name] = value;
    else {
      const fileName = readFileName(value);
      if (fileName !== undefined) shown[name] = fileName;
    }
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** How many rows there are in all, by a header that says so; `Content-Range` as in `items 0-24/900` (RFC 9110, 14.4). */
export function readTotal(headers: ResponseHeaders): number | undefined {
  const count = totalHeaders.map((name) => firstOf(headers[name])).find((value) => value !== undefined);
  const range = firstOf(headers["content-range"]);
  const digits =
    count ?? (range !== undefined && !/^\s*bytes/i.test(range) ? range.split("/")[1] : undefined);
  return digits !== undefined && /^\s*\d{1,15}\s*$/.test(digits) ? Number(digits) : undefined;
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

/** RFC 6266: `filename*` before `filename`. */
function readFileName(value: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(value)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      return extended;
    }
  }
  const quoted = /;\s*filename\s*=\s*"([^"]*)"/i.exec(value)?.[1];
  return quoted ?? /;\s*filename\s*=\s*([^;\s"]+)/i.exec(value)?.[1];
}
