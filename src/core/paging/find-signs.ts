/** Reads what an answer states besides the way to the next page: that there is more, that its search is not whole, how many rows there are. */

import { isJsonNumber, isJsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import { isBlank, isTrue, normalizeKey } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import { findStatedCursor } from "./find-stated-cursor.js";
import type { Limit } from "./judge-complete.js";
import type { Answered, Numbers } from "./paging.js";
import { pageOrTotalNames, totalHeaders, totalNames } from "./paging-names.js";
import { type Envelope, findCount, parseCount, readCount } from "./read-envelope.js";
import { findLaterPage, hasNullLink } from "./read-links.js";

/** Names of members and headers that state that there is more, under which nothing is requested: the rule itself, and no sign before a table. */
const signOfMore =
  /more|^next(?!run|billing|due|step|action)|(?<!before|prev|previous|start)cursor$|continuation|^position$/;
const signOfTotal = /(?:total|hits|count)(?:count|s)?$/;
/** Words of headers that count requests, or the hits of a cache (`X-Cache-Hits`), and no rows. */
const otherCount = /rate|limit|quota|retry|remaining|attempt|cache/;
/** Elsewhere a `next` is the next step (`"billing"`), and a time the next run. */
const plainWord = /^[A-Za-z]*$/;
const startOfDate = /^\d{4}-\d\d/;

/**
 * A member or a header outside of the rows that looks as if there were more, quoted. Nothing is requested by it, so that it makes nothing
 * false: a list with it is only not known to be whole.
 */
export function findSign(page: Answered): string | undefined {
  const { envelope, headers } = page;
  if (!envelope.isOwnList) return undefined;
  const member = [...envelope.members.values()].find(
    ({ name, value, isOfPaging, isOfRecord }) =>
      isOfPaging && !isOfRecord && signOfMore.test(name) && isSign(name, value),
  );
  if (member !== undefined) return `the answer has \`${member.key}\`: ${quoteSign(member.value)}`;
  const named = Object.entries(headers).find(([name, value]) => {
    const plain = toPlainName(name);
    return signOfMore.test(plain) && typeof value === "string" && isSign(plain, value);
  });
  const header = named ?? findHeaderTotal(page);
  if (header !== undefined) return `the answer has the header \`${header[0]}\`: ${header[1]}`;
  const last = findLaterPage(page);
  return last && `the API's link to the last page has \`${clipText(last, 60)}\``;
}

/** A header that is named like a total, under a name of this API's own, and counts more rows than were read. */
export function findHeaderTotal({ headers, before, rowCount }: Answered): HeaderEntry | undefined {
  const read = (before?.rows ?? 0) + rowCount;
  return Object.entries(headers).find(([name, value]) => {
    const count = typeof value === "string" ? parseCount(value) : undefined;
    return signOfTotal.test(toPlainName(name)) && count !== undefined && count > read;
  });
}

type HeaderEntry = readonly [name: string, value: ResponseHeaders[string]];

/** Nothing for a header that counts something else than rows. */
function toPlainName(header: string): string {
  const plain = normalizeKey(header).replace(/^x/, "");
  return otherCount.test(plain) ? "" : plain;
}

function isSign(name: string, value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value) || isBlank(value)) return false;
  if (/more/.test(name)) return isTrue(value) || Number(value) > 0;
  if (typeof value === "boolean" || /^(?:false|0|-1|null|none)$/i.test(String(value))) return false;
  return !(startOfDate.test(String(value)) || (name === "next" && plainWord.test(String(value))));
}

function quoteSign(value: JsonValue): string {
  return clipText(typeof value === "string" ? `"${value}"` : writeJson(value), 60);
}

/** The member by which a search states that it did not find all. */
export function findLimit({ members }: Envelope): Limit | undefined {
  for (const { name, at, key, value } of members.values()) {
    if (/^(?:incompleteresults|timedout|terminatedearly)$/.test(name) && isTrue(value))
      return { text: `\`${key}\` is true: the API did not search everything`, isMore: true };
    if (/shards\.failed$/.test(at) && isJsonNumber(value) && !isBlank(value))
      return {
        text: `\`_shards.failed\` is ${value}: a part of the data was not searched`,
        isMore: true,
      };
    if (/total\.relation$/.test(at) && value === "gte")
      return {
        text: 'the total of the answer is a lower bound (`relation` is "gte")',
        isMore: false,
      };
  }
  return undefined;
}

/** The total of `Content-Range: items 0-24/3573` (RFC 9110, section 14.4); of bytes it counts no rows. */
const rangeTotal = /^(?!\s*bytes)[^/]*\/(\d{1,15})\s*$/i;

/** How many rows the list has in all. @param ruled - By the record's rule. */
export function findListTotal(
  answered: Answered,
  numbers: Numbers,
  ruled: JsonValue | undefined,
): number | undefined {
  const { rowCount } = answered;
  const { sentSize, size } = numbers;
  const own = parseCount(ruled);
  if (own !== undefined) return own;
  const total = findTotal(answered, numbers);
  // A full page, and a total that is no larger: some APIs count the page.
  const isFull = rowCount === sentSize || rowCount === size;
  const countsPage = total === rowCount && isFull;
  return countsPage || countsRead(answered, total) ? undefined : total;
}

/** Whether a total grows with each page, as the rows that were read do: it counts those. */
function countsRead({ before, rowCount }: Answered, total: number | undefined): boolean {
  return before !== undefined && total === before.rows + rowCount && total !== before.total;
}

/** Undefined where a number only looks like a total: a cart's `total_items`, the votes of a poll, the sum above buckets. */
function findTotal(answered: Answered, { position, sentSize }: Numbers): number | undefined {
  const { envelope, headers, request, rowCount } = answered;
  const counts = totalHeaders.map((name) => readCount(headers, name));
  const inHeader =
    counts.find((count) => count !== undefined) ??
    parseCount(rangeTotal.exec(readHeader(headers, "content-range") ?? "")?.[1]);
  if (inHeader !== undefined) return inHeader;
  const { rows, isOwnList } = envelope;
  if (rows === undefined || !isOwnList) return undefined;
  const found = findCount(envelope, totalNames);
  const { count } = found ?? findCount(envelope, pageOrTotalNames) ?? {};
  // A `count` that equals the rows of the page counts those.
  if (count === undefined || count < rowCount || (found === undefined && count === rowCount))
    return undefined;
  const isPaged =
    position !== undefined ||
    sentSize !== undefined ||
    envelope.more !== undefined ||
    hasNextMember(answered);
  const name = rows.path.at(-1) ?? "";
  // A list called like the last segment of the path is the one that was requested.
  const requested = request.path.replace(/\.\w{1,5}$/, "");
  const isRequested = [name, findPlural(rows.path)].some((each) => requested.endsWith(`/${each}`));
  const isFitting = isPaged || isRequested || listNames.test(name) || count === rowCount;
  return isFitting ? count : undefined;
}

/** Finds the name of a list in XML: `<items count="600"><item>…`. The object of a cart has another name than its items. */
function findPlural(path: readonly string[]): string {
  const [around = "", name = ""] = path.slice(-2);
  return path.length > 1 && around.startsWith(name.slice(0, -1)) ? around : name;
}

/** Whether a link or a cursor to the next page is there, also an empty one, which states the end. */
function hasNextMember(answered: Answered): boolean {
  return hasNullLink(answered) || findStatedCursor(answered) !== undefined;
}

/** Lists that nothing but a list has. `items` may be those of a cart. */
const listNames = /^(?:data|results?|records|rows|hits|value|entries|elements|docs)$/i;
