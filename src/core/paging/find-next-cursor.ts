/** Finds a cursor for the next page in a body, and the parameters that it may be sent as. */

import { isJsonNumber, isJsonObject, type JsonValue } from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import { type Change, changeParameters } from "./change-parameters.js";
import { listUrlNames } from "./find-next-link.js";
import { cursorParameter } from "./paged-request.js";
import type { AnsweredPage, DescribedParameter, WayFound } from "./paging.js";
import type { Member } from "./read-envelope.js";
import { isUrlLike } from "./resolve-link.js";

/**
 * Names of members that hold a cursor, whatever the API. Best first.
 *
 * `nextCursor`: Slack, Crossref; `nextPageToken`: Google, Jira; `nextToken`: AWS, X; `nextMarker`: Azure Storage, OpenStack; `nextStart`:
 * Pipedrive, Bitbucket Server; `continuationToken`: Azure DevOps, S3; `bookmark`: CouchDB, Pinterest; `after`: HubSpot, Reddit.
 */
const cursorNames: readonly RegExp[] = [
  /(?:^|\.)next(?:page|start)?(?:cursor(?:mark)?|token|marker|key|bookmark|offset|start|continuation(?:token)?)$/,
  /(?:^|\.)(?:cursors?|pagination|paging)\.next$|(?:^|\.)(?:paginationtoken|continuation(?:token)?|aftercursor)$/,
  /(?:^|\.)(?:data|page|paging|pagination|meta)\.after$|^after$|^(?:meta\.|metadata\.)?continue$|^bookmark$/,
  /(?:^|\.)(?:pagination|paging|meta)\.cursor$|^cursor$|^nextpage$|^offset$/,
];

/** Facebook and Relay give these on the last page, too; what shows that there is more is a flag or a link. */
const alwaysThere = /(?:^|\.)(?:cursors\.after|pageinfo\.endcursor)$/;

/** Undefined when the body has no cursor at all; an empty one is the last page. */
export function findNextCursor(answered: AnsweredPage): WayFound | undefined {
  const changes = findParameters(answered) ?? findMember(answered) ?? findLastRow(answered);
  if (changes?.length === 0) return { candidates: [], isEnd: true };
  return changes && changeParameters(changes, "cursor", answered.sent);
}

/** An object whose members are parameters of the next request: MediaWiki's `continue`, HubSpot's `paging.next`, Asana's `next_page`. */
function findParameters({ envelope: { members } }: AnsweredPage): Change[] | undefined {
  for (const { name, value } of members.values()) {
    if (!/^(?:continue|next|nextpage)$/.test(name) || !isJsonObject(value)) continue;
    const texts = Object.entries(value).filter(([, each]) => typeof each === "string" && !isUrlLike(each));
    const hasLink = Object.keys(value).some((key) => /^(?:href|url|uri|link)$/i.test(key));
    if (texts.length === 0 || texts.length > 9 || (hasLink && texts.length > 1)) continue;
    const set = Object.fromEntries(texts.filter(([, text]) => !isEmpty(text)));
    return Object.keys(set).length === 0 ? [] : [{ set, isNamed: true }];
  }
  return undefined;
}

function findMember(answered: AnsweredPage): Change[] | undefined {
  const { envelope, sent, rowCount } = answered;
  const all = [...envelope.members.values()];
  const hasMore = envelope.more === true;
  const member =
    cursorNames
      .map((pattern) => all.find((each) => pattern.test(each.at) && isCursorHolder(each)))
      .find((found) => found !== undefined) ??
    (hasMore ? all.find(({ at }) => alwaysThere.test(at)) : undefined) ??
    all.find(({ at, value }) => at === "next" && isOpaque(value) && sent.findLike(cursorParameter)) ??
    all.find((each) => isOpaque(each.value) && answered.described.some(isAbout(each, false)));
  if (member === undefined) return undefined;
  // CouchDB gives a bookmark behind the last row, too.
  const isBehind = member.name === "bookmark" && envelope.rows !== undefined && rowCount === 0 && !hasMore;
  return isBehind || isEmpty(member.value) ? [] : listChanges(member, answered);
}

/** `next_page` and `offset` are numbers elsewhere; a URL is a link. */
function isCursorHolder({ name, value }: Member): boolean {
  if (isJsonObject(value) || Array.isArray(value) || typeof value === "boolean") return false;
  if (typeof value === "string" && isUrlLike(value)) return false;
  return !/^(?:nextpage|offset)$/.test(name) || isOpaque(value);
}

function isOpaque(value: JsonValue): boolean {
  return typeof value === "string" && !isUrlLike(value) && !/^\d*$/.test(value);
}

/** Also what some APIs send on the last page. A long number with a sign can be a cursor. */
function isEmpty(value: JsonValue): boolean {
  if (typeof value !== "string" && !isJsonNumber(value)) return true;
  return /^(?:\s*|0|-1|null|none)$/.test(String(value));
}

/** The parameters that a cursor may be sent as, best first: what the API names, then what is usual. */
function listChanges(member: Member, answered: AnsweredPage): Change[] {
  const { sent, described } = answered;
  const value = typeof member.value === "number" ? member.value : String(member.value);
  const usual = listUsualNames(member);
  const normal = usual.map(normalizeKey);
  const isCursorName = (name: string): boolean =>
    [member.name, ...normal].includes(normalizeKey(name)) || cursorParameter.test(normalizeKey(name));
  const named =
    sent.findLike(cursorParameter)?.name ??
    sent.find(normal)?.name ??
    described.find(isAbout(member, true))?.name ??
    [...described.map(({ name }) => name), ...listUrlNames(answered)].find(isCursorName);
  const names = [...new Set([...(named === undefined ? [] : [named]), ...usual])];
  return names.map((name) => ({ set: { [name]: value }, isNamed: name === named }));
}

/** Whether a parameter's description names the member: `meta.continuation`, or `continuation` written as code or as a word of its own. */
function isAbout({ key, path }: Member, isCursor: boolean): (parameter: DescribedParameter) => boolean {
  return ({ description = "" }) => {
    const text = description.slice(0, 2_000);
    const dotted = [...path, key].join(".");
    if (dotted.includes(".") && text.includes(dotted)) return true;
    const isPlainWord = /^[a-z]{1,6}$/.test(key);
    const mentions = text.split(/[^\w$@-]+/).includes(key);
    return mentions && (text.includes(`\`${key}\``) || (isCursor && !isPlainWord));
  };
}

/** `next_page_token` gives `page_token`, and its own name; the API takes one of them. */
function listUsualNames({ key, name }: Member): string[] {
  if (/(?:after|endcursor|aftercursor)$/.test(name)) return ["after", key];
  if (name === "next") return ["cursor", "next"];
  if (name === "nextpage") return ["page", "cursor"];
  const shortened = key.replace(/^_?next[_-]?/i, "").replace(/^page[_-]?(?=start|offset|cursor|marker)/i, "");
  const plain = (shortened[0] ?? "").toLowerCase() + shortened.slice(1);
  // A bare `token` or `key` would be a credential.
  return shortened === key || /^(?:token|key|)$/.test(plain) ? [key] : [plain, key];
}

/** APIs that continue after the last row when they say that there is more: Stripe, Lithic; `last_id` names it at OpenAI and Anthropic. */
function findLastRow({ envelope, sent, rowCount }: AnsweredPage): Change[] | undefined {
  const { members, more, rows } = envelope;
  if (more !== true || rows === undefined || rowCount === 0) return undefined;
  const isList = members.get("object")?.value === "list";
  const lastId = members.get("lastid")?.value;
  const isBackward = sent.find(["endingbefore"]) !== undefined;
  const row = isBackward ? rows.items[0] : rows.items.at(-1);
  const id = lastId ?? (isList && isJsonObject(row) ? row["id"] : undefined);
  if (typeof id !== "string" && !isJsonNumber(id)) return undefined;
  const own = sent.findLike(/^(?:startingafter|endingbefore|after|afterid)$/)?.name;
  const byId = isList ? ["after", "after_id"] : ["after_id", "after"];
  const usual = lastId === undefined ? [isBackward ? "ending_before" : "starting_after"] : byId;
  const names = own === undefined ? usual : [own];
  return names.map((name) => ({ set: { [name]: String(id) }, isNamed: own !== undefined }));
}
