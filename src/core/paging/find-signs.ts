/** What an answer states besides the way to the next page: that there is more, or that its search is not whole. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { isBlank } from "../base/shape.js";
import type { Limit } from "./judge-complete.js";
import { type AnsweredPage, readNoFurther } from "./paging.js";
import type { Envelope } from "./read-envelope.js";

const moreNames =
  /^next(?:page|cursor|token|link|url|uri|href|marker|offset|start|key|records?|results?|continuation|bookmark|batch|set|id|index|range|number|skip)*$|^(?:page|start|starting|cursor|search)?after$|aftercursor$|^x?(?:ms)?continuation(?:token)?$|^has\w*more|more\w*available/;
/** Elsewhere a `next` is the next step (`"billing"`), and a time the next run. */
const plainWord = /^[A-Za-z]*$|^\d{4}-\d\d/;

/** Why there is a next page, although nothing shows how it is requested; undefined where no member or header is named for more. */
export function findMoreMember({ envelope, headers }: AnsweredPage): string | undefined {
  if (envelope.more === true) return describe("that there is more");
  // A single record may have a next one.
  if (envelope.rows === undefined) return undefined;
  const members = [...envelope.members.values()]
    .filter(({ isOfPaging, isOfRecord }) => isOfPaging && !isOfRecord)
    .map(({ key, name, value }) => [key, name, value] as const);
  const named = Object.entries(headers).map(
    ([key, value]) => [key, key.replace(/^x-|-/g, ""), typeof value === "string" ? value : ""] as const,
  );
  const found = [...members, ...named].find(
    ([, name, value]) => moreNames.test(name) && isStated(name, value),
  );
  return found && describe(`that there is more (\`${found[0]}\`)`);
}

function describe(what: string): string {
  return `the API reports ${what}, and nothing in the answer shows how it is requested; ${readNoFurther}`;
}

function isStated(name: string, value: JsonValue): boolean {
  const isFlag = /more/.test(name);
  if (isBlank(value) || isJsonObject(value) || /^(?:false|0|null|none)$/i.test(String(value))) return false;
  return isFlag
    ? String(value) === "true"
    : typeof value !== "boolean" && !(name === "next" && plainWord.test(String(value)));
}

/** The member by which a search states that it did not find all. */
export function findLimit({ members }: Envelope): Limit | undefined {
  for (const { name, at, key, value } of members.values()) {
    const isTrue = String(value) === "true";
    if (/^(?:incompleteresults|timedout|terminatedearly)$/.test(name) && isTrue)
      return { text: `\`${key}\` is true: the API did not search everything`, isMore: true };
    if (/shards\.failed$/.test(at) && !isBlank(value))
      return { text: `\`_shards.failed\` is ${value}: a part of the data was not searched`, isMore: true };
    if (/total\.relation$/.test(at) && value === "gte")
      return { text: 'the total of the answer is a lower bound (`relation` is "gte")', isMore: false };
  }
  return undefined;
}
