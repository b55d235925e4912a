/** Finds a cursor for the next page in a body, and the parameters that it may be sent as. */

import { isJsonNumber, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { clipText } from "../text.js";
import { isUrlLike } from "./find-next-link.js";
import type { Parameters } from "./paged-request.js";
import type { Envelope, Member } from "./read-envelope.js";

/** A parameter as the API's description has it. */
export interface DescribedParameter {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The parameter names that the API itself gives. */
export interface KnownNames {
  readonly sent: Parameters;
  readonly described: readonly DescribedParameter[];
  /** Query names of URLs in the answer, such as `self` and `first`. */
  listUrlNames(): readonly string[];
}

/** Parameters to set for the next page, and whether the API itself gave their names. */
export interface Change {
  readonly set: Readonly<Record<string, JsonValue>>;
  readonly isNamed: boolean;
}

export interface CursorFound {
  /** Best first; none where the cursor is empty, which is the last page. */
  readonly changes: readonly Change[];
  /** The member, as a person reads it. */
  readonly at: string;
  /** On the last page, the cursor that the request itself began at. */
  readonly startsAt?: string;
}

/**
 * Names of members that hold a cursor, whatever the API. Best first.
 *
 * `nextCursor`: Slack, Crossref; `nextPageToken`: Google, Jira; `nextToken`: AWS, X; `nextMarker`: Azure Storage, OpenStack; `nextStart`:
 * Pipedrive, Bitbucket Server; `continuationToken`: Azure DevOps, S3; `bookmark`: CouchDB, Pinterest; `after`: HubSpot, Reddit.
 */
const cursorNames: readonly RegExp[] = [
  /(?:^|\.)next(?:page|start)?(?:cursor|token|marker|key|bookmark|offset|start|continuation(?:token)?|cursormark|skiptoken)$/,
  /(?:^|\.)(?:cursors?|pagination|paging)\.next$|(?:^|\.)(?:paginationtoken|continuation(?:token)?|aftercursor)$/,
  /(?:^|\.)(?:cursors?|data|page|paging|pagination|meta)\.after$|^after$|^(?:meta\.|metadata\.)?continue$|^bookmark$/,
  /(?:^|\.)(?:pagination|paging|meta)\.cursor$|^cursor$|^nextpage$|^offset$/,
];

/** Facebook and Relay give these on the last page, too; what shows that there is more is a flag or a link. */
const alwaysThere = /(?:^|\.)(?:paging\.cursors\.after|pageinfo\.endcursor)$/;

/** Parameters that are a cursor whatever they hold: when one was sent, the next cursor is sent there again. */
const sentCursor =
  /^(?:next)?(?:page|start|skip)?(?:cursor|token|marker|bookmark|continuation(?:token)?)$|^(?:starting|page)?after$|^paginationtoken$|^cursormark$|^aftercursor$|^nextpagekey$/;

/** What some APIs send where there is no next page. */
const endText = /^(?:\s*|0|nil|null|none|undefined|false|-1|LTE=)$/;

/** Undefined when the body has no cursor at all. */
export function findNextCursor(envelope: Envelope, known: KnownNames): CursorFound | undefined {
  return findParameters(envelope) ?? findMember(envelope, known) ?? findLastRow(envelope, known.sent);
}

/** An object whose members are parameters of the next request: MediaWiki's `continue`, HubSpot's `paging.next`, Asana's `next_page`. */
function findParameters({ members }: Envelope): CursorFound | undefined {
  for (const { at, name, value } of members.values()) {
    if (!/^(?:continue|next|nextpage)$/.test(name) || !isJsonObject(value)) continue;
    const texts = Object.entries(value).filter(([, each]) => typeof each === "string" && !isUrlLike(each));
    const hasLink = Object.keys(value).some((key) => /^(?:href|url|uri|link)$/i.test(key));
    if (texts.length === 0 || texts.length > 9 || (hasLink && texts.length > 1)) continue;
    const set = Object.fromEntries(texts.filter(([, text]) => !endText.test(String(text))));
    return { at, changes: Object.keys(set).length === 0 ? [] : [{ set, isNamed: true }] };
  }
  return undefined;
}

function findMember(envelope: Envelope, known: KnownNames): CursorFound | undefined {
  const all = [...envelope.members.values()];
  const optional = all.find(({ at, value }) => alwaysThere.test(at) && !isJsonObject(value));
  const member =
    cursorNames
      .map((pattern) => all.find((each) => pattern.test(each.at) && isCursorHolder(each)))
      .find((found) => found !== undefined) ??
    optional ??
    all.find((each) => each.at === "next" && isOpaque(each.value) && hasSentCursor(known.sent)) ??
    findDescribed(all, known);
  if (member === undefined) return undefined;
  // CouchDB gives a bookmark behind the last row, too.
  const isBehind = member.name === "bookmark" && envelope.rows?.items.length === 0;
  const isOpen =
    envelope.more === true || (member !== optional ? !isBehind : envelope.members.has("paging.next"));
  // That the link beside such a cursor is absent proves nothing.
  if (!isOpen && member === optional) return undefined;
  const value = isOpen ? readCursor(member.value) : undefined;
  if (value === undefined) {
    const { name, value: start = "" } = known.sent.findLike(sentCursor) ?? {};
    const isStart = name !== undefined && !/^\d{4}-\d\d/.test(start);
    return { at: member.at, changes: [], ...(isStart ? { startsAt: `${name}=${clipText(start, 40)}` } : {}) };
  }
  const names = listNames(member, value, known);
  return { at: member.at, changes: names.map(([name, isNamed]) => ({ set: { [name]: value }, isNamed })) };
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

function hasSentCursor(sent: Parameters): boolean {
  return sent.findLike(sentCursor) !== undefined;
}

/** A member of another name that a parameter's description speaks of. */
function findDescribed(all: readonly Member[], { described }: KnownNames): Member | undefined {
  return all.find(
    (member) => isOpaque(member.value) && described.some((parameter) => isAbout(parameter, member, false)),
  );
}

function readCursor(value: JsonValue): JsonValue | undefined {
  if (typeof value === "number") return value > 0 ? value : undefined;
  if (typeof value !== "string" && !isJsonNumber(value)) return undefined;
  return endText.test(String(value)) ? undefined : String(value);
}

/** The parameters that a cursor may be sent as, best first: what the API names, then what is usual. */
function listNames(member: Member, value: JsonValue, known: KnownNames): [name: string, isNamed: boolean][] {
  const usual = listUsualNames(member);
  const { sent, described } = known;
  const normal = [member.name, ...usual.map(normalizeKey)];
  const named = [
    sent.findLike(sentCursor)?.name,
    sent.find(usual.map(normalizeKey))?.name,
    sent.findSimilar(String(value)),
    described.find((parameter) => isAbout(parameter, member, true))?.name,
    described.find(({ name }) => normal.includes(normalizeKey(name)))?.name,
    known
      .listUrlNames()
      .find((name) => normal.includes(normalizeKey(name)) || sentCursor.test(normalizeKey(name))),
    described.find(({ name }) => sentCursor.test(normalizeKey(name)))?.name,
  ].filter((name) => name !== undefined);
  const names = new Map<string, boolean>();
  for (const name of named.slice(0, 1)) names.set(name, true);
  for (const name of usual) if (!names.has(name)) names.set(name, false);
  return [...names];
}

/** Whether a parameter's description names the member: `meta.continuation`, or `continuation` written as code or as a word of its own. */
function isAbout(
  { description = "" }: DescribedParameter,
  { key, path }: Member,
  isCursor: boolean,
): boolean {
  const text = description.slice(0, 2_000);
  const dotted = [...path, key].join(".");
  if (dotted.includes(".") && text.includes(dotted)) return true;
  const isPlainWord = /^[a-z]{1,6}$/.test(key);
  const mentions = text.split(/[^\w$@-]+/).includes(key);
  return mentions && (text.includes(`\`${key}\``) || (isCursor && !isPlainWord));
}

/** `next_page_token` gives `page_token`, and its own name; the API takes one of them. */
function listUsualNames({ key, name, at }: Member): string[] {
  if (/(?:after|endcursor|aftercursor)$/.test(name)) return [...new Set(["after", key])];
  if (name === "next") return ["cursor", "next"];
  if (name === "nextpage") return ["page", "cursor"];
  const shortened = key.replace(/^_?next[_-]?/i, "").replace(/^page[_-]?(?=start|offset|cursor|marker)/i, "");
  if (shortened === key || shortened === "") return [key];
  const plain = (shortened[0] ?? "").toLowerCase() + shortened.slice(1);
  // A bare `token` or `key` would be a credential.
  const isBare = /^(?:token|key)$/.test(plain) || at.endsWith(".nextkey");
  return isBare ? [key] : [plain, key];
}

/** APIs that continue after the last row when they say that there is more: Stripe, Lithic; `last_id` names it at OpenAI and Anthropic. */
function findLastRow({ members, more, rows }: Envelope, sent: Parameters): CursorFound | undefined {
  if (more !== true || rows === undefined || rows.items.length === 0) return undefined;
  const isList = members.get("object")?.value === "list";
  const lastId = members.get("lastid")?.value;
  const isBackward = sent.find(["endingbefore"]) !== undefined;
  const row = isBackward ? rows.items[0] : rows.items.at(-1);
  const id = lastId ?? (isList && isJsonObject(row) ? row["id"] : undefined);
  if (typeof id !== "string" && !isJsonNumber(id)) return undefined;
  const own = sent.findLike(/^(?:startingafter|endingbefore|after|afterid)$/)?.name;
  const usual =
    lastId === undefined
      ? [isBackward ? "ending_before" : "starting_after"]
      : isList
        ? ["after", "after_id"]
        : ["after_id", "after"];
  const names = own === undefined ? usual : [own];
  return {
    at: lastId === undefined ? "id" : "last_id",
    changes: names.map((name) => ({ set: { [name]: String(id) }, isNamed: own !== undefined })),
  };
}
