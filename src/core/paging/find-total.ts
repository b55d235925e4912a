/** How many rows a list has in all, where the API reports it: by a header, or by a member beside the list that fits the paging. */

import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { AnsweredPage } from "./paging.js";
import { pageOrTotalNames, totalHeaders, totalNames } from "./paging-names.js";
import { findCount, parseCount, readCount } from "./read-envelope.js";

/** `Content-Range: items 0-24/3573` (RFC 9110, section 14.4); of bytes it counts no rows. */
function readRange(headers: ResponseHeaders): readonly (string | undefined)[] {
  const range = [headers["content-range"] ?? ""].flat()[0] ?? "";
  return /^(?!\s*bytes)[^/]*?(?:\d-(\d{1,15}))?\/(\d{1,15})\s*$/i.exec(range) ?? [];
}

/** Whether `Content-Range` ends with the last row. Undefined without one that counts rows. */
export function isRangeEnd(headers: ResponseHeaders): boolean | undefined {
  const [, last, total] = readRange(headers);
  return last === undefined ? undefined : Number(last) + 1 === Number(total);
}

/**
 * Undefined where a number only looks like a total: a cart's `total_items`, the votes of a poll, the sum above buckets.
 *
 * @param isPaged - Whether request or answer show that this list has pages.
 */
export function findTotal(
  { envelope, headers, request, rowCount }: AnsweredPage,
  isPaged: boolean,
): number | undefined {
  const counts = totalHeaders.map((name) => readCount(headers, name));
  const inHeader = counts.find((count) => count !== undefined) ?? parseCount(readRange(headers)[2]);
  if (inHeader !== undefined) return inHeader;
  const { rows, isRecord } = envelope;
  if (rows === undefined || isRecord) return undefined;
  const found = findCount(envelope, totalNames);
  const { count } = found ?? findCount(envelope, pageOrTotalNames) ?? {};
  // A `count` that equals the rows of the page counts those.
  if (count === undefined || count < rowCount || (found === undefined && count === rowCount))
    return undefined;
  const name = rows.path.at(-1) ?? "";
  // A list called like the last segment of the path is the one that was requested.
  const isRequested = request.path.replace(/\.\w{1,5}$/, "").endsWith(`/${name}`);
  const isFitting = isPaged || isRequested || listNames.test(name) || count === rowCount;
  return isFitting ? count : undefined;
}

/** Lists that nothing but a list has. `items` may be those of a cart. */
const listNames = /^(?:data|results?|records|rows|hits|value|entries|elements|docs)$/i;
