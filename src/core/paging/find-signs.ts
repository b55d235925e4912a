/** What an answer states besides the way to the next page: that there is more, that its search is not whole, how many rows there are. */

import { isJsonContainer, isJsonNumber, type JsonValue } from "../base/exact-number.js";
import { isBlank, isTrue } from "../base/shape.js";
import { readHeader } from "../http/limits/rate-limit.js";
import { findLink } from "./find-next-link.js";
import type { Limit } from "./judge-complete.js";
import { type AnsweredPage, readNoFurther } from "./paging.js";
import { pageOrTotalNames, totalHeaders, totalNames } from "./paging-names.js";
import { type Envelope, findCount, parseCount, readCount } from "./read-envelope.js";

const moreNames =
  /^next(?:page|cursor|token|link|url|uri|href|marker|offset|start|key|records?|results?|continuation|bookmark|batch|set|id|index|range|number|skip)*$|^(?:page|start|starting|cursor|search)?after$|aftercursor$|^x?(?:ms)?continuation(?:token)?$|^has\w*more|more\w*available/;
/** Elsewhere a `next` is the next step (`"billing"`), and a time the next run. */
const plainWord = /^[A-Za-z]*$|^\d{4}-\d\d/;

/** Why there is a next page, although nothing shows how it is requested; undefined where no member or header is named for more. */
export function findMoreMember(answered: AnsweredPage): string | undefined {
  const { envelope, headers } = answered;
  if (hasOtherWay(answered)) return describe("that there is more");
  // A single record may have a next one.
  if (envelope.rows === undefined) return undefined;
  const members = [...envelope.members.values()]
    .filter(({ isOfPaging, isOfRecord }) => isOfPaging && !isOfRecord)
    .map(({ key, name, value }) => [key, name, value] as const);
  const named = Object.entries(headers).map(
    ([key, value]) =>
      [key, key.replace(/^x-|-/g, ""), typeof value === "string" ? value : ""] as const,
  );
  const found = [...members, ...named].find(
    ([, name, value]) => moreNames.test(name) && isStated(name, value),
  );
  return found && describe(`that there is more (\`${found[0]}\`)`);
}

/** A flag, or a link, which the record's rule does not follow. */
export function hasOtherWay(answered: AnsweredPage): boolean {
  return answered.envelope.more === true || findLink(answered).candidates.length > 0;
}

function describe(what: string): string {
  return `the API reports ${what}, and nothing in the answer shows how it is requested; ${readNoFurther}`;
}

function isStated(name: string, value: JsonValue): boolean {
  const isFlag = /more/.test(name);
  if (isFlag) return isTrue(value);
  if (isJsonContainer(value)) return Array.isArray(value) && value.length > 0;
  if (
    isBlank(value) ||
    typeof value === "boolean" ||
    /^(?:false|0|null|none)$/i.test(String(value))
  )
    return false;
  return !(name === "next" && plainWord.test(String(value)));
}

const rateName = /rate|limit|quota|retry|remaining/;
/** Names of members that state that there is more, under which nothing is requested. */
const signOfMore = /more|^next(?!run|billing|due|step|action)|cursor$|continuation|^position$/;
const signOfTotal = /(?:total|hits|count)(?:count|s)?$/;

/**
 * A member or a header outside of the rows that looks as if there were more, quoted. Nothing is requested by it, so that it makes nothing
 * false: a list with it is only not known to be whole.
 */
export function findSign({ envelope, headers, rowCount }: AnsweredPage): string | undefined {
  if (!envelope.isOwnList) return undefined;
  const member = [...envelope.members.values()].find(
    ({ name, value, isOfPaging, isOfRecord }) =>
      isOfPaging && !isOfRecord && signOfMore.test(name) && isSign(value),
  );
  if (member !== undefined) return `the answer has \`${member.key}\`: ${quoteSign(member.value)}`;
  const header = Object.entries(headers).find(([name, value]) => {
    const count = parseCount(typeof value === "string" ? value : undefined) ?? 0;
    return signOfTotal.test(name.replaceAll("-", "")) && !rateName.test(name) && count > rowCount;
  });
  return header && `the answer has the header \`${header[0]}\`: ${String(header[1])}`;
}

function isSign(value: JsonValue): boolean {
  if (isJsonContainer(value) || isBlank(value) || plainWord.test(String(value)))
    return value === true;
  return !/^(?:false|0|-1|null|none)$/i.test(String(value));
}

function quoteSign(value: JsonValue): string {
  return typeof value === "string" ? `"${value.slice(0, 60)}"` : String(value);
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
  const name = rows.path.at(-1) ?? "";
  // A list called like the last segment of the path is the one that was requested.
  const isRequested = request.path.replace(/\.\w{1,5}$/, "").endsWith(`/${name}`);
  const isFitting = isPaged || isRequested || listNames.test(name) || count === rowCount;
  return isFitting ? count : undefined;
}

/** Lists that nothing but a list has. `items` may be those of a cart. */
const listNames = /^(?:data|results?|records|rows|hits|value|entries|elements|docs)$/i;
