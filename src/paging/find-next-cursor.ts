/** Finds a cursor or token for the next page in a body, and the parameter it goes into. */

import { isJsonNumber, isJsonObject, type JsonObject, type JsonValue } from "../json/exact-number.js";
import { normalizeKey } from "../json/shape.js";
import { isUrlLike } from "./find-next-link.js";
import type { Parameters } from "./paged-request.js";
import { type Envelope, listMembers, type Member } from "./read-envelope.js";

interface CursorRule {
  /** The member's normalised path, or its end. */
  readonly at: RegExp;
  /** The parameter's name, `a.b` for one inside of a member of a POST body; `"="` is the name as the response spells it. */
  readonly to: string;
  /** Whether the cursor counts only when the response says that there is more, for such APIs send it always. */
  readonly needsMore?: boolean;
}

/** First match wins. In brackets: who is known to do it so. */
const cursorRules: readonly CursorRule[] = [
  { at: /(?:^|\.)pages\.next\.startingafter$/, to: "pagination.starting_after" }, // Intercom
  { at: /(?:^|\.)(?:info|pagination)\.nextpagetoken$/, to: "page_token" }, // Zoho, Calendly
  { at: /(?:^|\.)meta\.nexttoken$/, to: "pagination_token" }, // X (Twitter) 2
  { at: /(?:^|\.)nextcontinuationtoken$/, to: "continuation-token" }, // S3
  { at: /(?:^|\.)nextmarker$/, to: "marker" },
  { at: /(?:^|\.)(?:nexttoken|nextpagekey|continuationtoken|continuation|paginationtoken)$/, to: "=" }, // AWS JSON, Dynatrace, Azure
  { at: /(?:^|\.)(?:nextpagecursor|nextcursor|cursors?\.next)$/, to: "cursor" }, // Slack, Crossref, Twitter 1.1
  { at: /(?:^|\.)(?:paging\.cursors\.after|pageinfo\.endcursor)$/, to: "after", needsMore: true }, // Facebook, Relay
  {
    at: /(?:^|\.)(?:cursors?|data|paging|paging\.next|pagination)\.after$|aftercursor$|^after$/,
    to: "after",
  }, // HubSpot, Reddit
  { at: /(?:^|\.)metadata\.continue$/, to: "continue" }, // Kubernetes
  { at: /^bookmark$/, to: "bookmark" }, // CouchDB _find, Pinterest
  { at: /(?:^|\.)(?:nextoffset|nextpage\.offset)$/, to: "offset" }, // Asana
  { at: /(?:^|\.)(?:nextstart|nextpagestart)$/, to: "start" }, // Pipedrive, Bitbucket Server
  { at: /(?:^|\.)(?:pagination|paging|meta)\.cursor$|^cursor$/, to: "cursor" }, // Square
];

/** Parameters that are a cursor whatever they hold: when one was sent, the next cursor goes there again. */
const sentCursorNames: readonly string[] = [
  ..."cursor after startingafter startcursor pagetoken nextpagetoken paginationtoken nexttoken".split(" "),
  ..."continuationtoken continuation marker bookmark pagecursor pageafter".split(" "),
  ..."nextcursor nextpagekey aftercursor".split(" "),
];

/** What some APIs send where there is no next page. */
const endText = /^(?:\s*|0|nil|null|none|undefined|false|-1|LTE=)$/;

export interface Cursor {
  /** The parameter to set; absent when the cursor's place is there and empty, which is the last page. */
  readonly set?: Readonly<Record<string, JsonValue>>;
}

/** Undefined when the body has no cursor at all. A cursor equal to the sent one makes the same request, which the caller drops. */
export function findNextCursor(envelope: Envelope, sent: Parameters): Cursor | undefined {
  const all = [...envelope.members.values()];
  for (const rule of cursorRules) {
    // An object is a container that a rule of its own looks into.
    const member = all.find(({ at, value }) => rule.at.test(at) && !isJsonObject(value));
    if (member === undefined) continue;
    // Facebook sends its cursors on the last page too, but `next` only when there is one.
    if (rule.needsMore && envelope.more !== true && !envelope.members.has("paging.next")) return {};
    const value = readCursor(member.value);
    if (value === undefined) return {};
    const cursor = sent.find(sentCursorNames) ?? sent.find([normalizeKey(rule.to)]);
    // Notion's lists say `object: "list"` and keep rows in `results`.
    const { members } = envelope;
    const isNotion =
      member.at === "nextcursor" && members.get("object")?.value === "list" && members.has("results");
    const own = isNotion ? "start_cursor" : rule.to === "=" ? member.key : rule.to;
    return { set: { [cursor?.name ?? own]: value } };
  }
  return findPageToken(envelope, sent) ?? findLastRow(envelope, sent);
}

function readCursor(value: JsonValue): JsonValue | undefined {
  if (typeof value === "number") return value > 0 ? value : undefined;
  if (typeof value !== "string" && !isJsonNumber(value)) return undefined;
  return endText.test(String(value)) ? undefined : String(value);
}

/** Tokens named after the page: `nextPageToken` (Google, Jira), `next_page_token` (Zoom), Stripe search's `next_page`, Airtable's `offset`. */
function findPageToken(envelope: Envelope, sent: Parameters): Cursor | undefined {
  const token = listMembers(envelope, ["nextpagetoken"])[0];
  if (token !== undefined) {
    const value = readCursor(token.value);
    const name = sent.find(["pagetoken", "nextpagetoken"])?.name ?? nameToken(token.key, envelope, sent);
    return value === undefined ? {} : { set: { [name]: value } };
  }
  const cursor = sent.find(sentCursorNames)?.name;
  // `next: "opaque"` doesn't say where it goes, unless a cursor was sent already.
  const names: readonly string[] =
    cursor === undefined ? ["nextpage", "offset"] : ["nextpage", "offset", "next"];
  const member = names.map((name) => envelope.members.get(name)).find(isOpaque);
  const value = member === undefined ? undefined : readCursor(member.value);
  if (member === undefined || value === undefined) return undefined;
  const name = { nextpage: "page", offset: "offset" }[member.at] ?? cursor ?? "cursor";
  return { set: { [sent.find([name])?.name ?? name]: value } };
}

function nameToken(key: string, envelope: Envelope, sent: Parameters): string {
  // Jira takes the token under the name it gives it; what tells it from Google's APIs is `isLast`, and JQL.
  const isJira = listMembers(envelope, ["islast"]).length > 0 || sent.find(["jql"]) !== undefined;
  return key === "nextPageToken" && !isJira ? "pageToken" : key;
}

function isOpaque(member: Member | undefined): boolean {
  return typeof member?.value === "string" && !isUrlLike(member.value) && !/^\d*$/.test(member.value);
}

/** APIs that continue after the last row: Stripe, OpenAI, Anthropic, and Elasticsearch's `search_after`. */
function findLastRow(envelope: Envelope, sent: Parameters): Cursor | undefined {
  const { members, more } = envelope;
  const items = envelope.rows?.items ?? [];
  const last = items.at(-1);
  if (more !== true)
    return isJsonObject(last) ? findSearchAfter(last["sort"], items.length, sent) : undefined;
  const isList = members.get("object")?.value === "list";
  const lastId = members.get("lastid")?.value;
  if (lastId !== undefined) return setId(isList ? "after" : "after_id", lastId);
  if (!isList) return undefined;
  // Read backwards, a page's first row is where the next one ends.
  const isBackward = sent.find(["endingbefore"]) !== undefined;
  const row = isBackward ? items[0] : last;
  return isJsonObject(row) ? setId(isBackward ? "ending_before" : "starting_after", row["id"]) : undefined;
}

function setId(name: string, id: JsonValue | undefined): Cursor | undefined {
  return typeof id === "string" || isJsonNumber(id) ? { set: { [name]: String(id) } } : undefined;
}

/** A sorted search that filled its page and has no `from` continues after the `sort` values of its last hit. */
function findSearchAfter(
  sort: JsonValue | undefined,
  count: number,
  { body }: Parameters,
): Cursor | undefined {
  if (body?.["sort"] === undefined || body["from"] !== undefined || count !== body["size"]) return undefined;
  return Array.isArray(sort) && sort.length > 0 ? { set: { search_after: sort } } : undefined;
}

const maxQueryLength = 20_000;

/**
 * A GraphQL connection (Relay): `pageInfo { hasNextPage endCursor }`. Undefined unless the query takes a cursor variable and exactly one
 * connection has more: of several it can't be told whose it is.
 */
export function findGraphqlCursor(
  { members }: Envelope,
  { body }: Parameters,
): { readonly variables: JsonObject; readonly cursor: string } | undefined {
  const query = body?.["query"];
  if (typeof query !== "string") return undefined;
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const declared = query.slice(0, maxQueryLength).matchAll(/\$(\w{1,60})\s{0,20}:/g);
  const names = [...[...declared].map((match) => match[1] ?? ""), ...Object.keys(variables)];
  const name =
    names.find((item) => /^after$/i.test(item)) ??
    names.find((item) => /after|cursor/i.test(item) && !/before/i.test(item));
  const infos = [...members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  const open = infos.filter((info) => info["hasNextPage"] === true);
  const cursor = open.length === 1 ? open[0]?.["endCursor"] : undefined;
  if (name === undefined || typeof cursor !== "string" || cursor === "") return undefined;
  return { variables: { ...variables, [name]: cursor }, cursor };
}
