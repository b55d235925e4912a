/** Finds a cursor for the next page in an answer, a GraphQL connection among them, and the parameters that it may be sent as. */

import {
  isJsonNumber,
  isJsonObject,
  isMap,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import { isBlank, normalizeKey, toText } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { isUrlLike, listUrlNames } from "./find-next-link.js";
import { type PagedRequest, writeLike } from "./paged-request.js";
import { type AnsweredPage, type Change, changeParameters, type WayFound } from "./paging.js";
import { cursorParameter, cursorRows, otherCursor } from "./paging-names.js";
import type { Member } from "./read-envelope.js";

/** A member with a cursor, and the names under which it is usually sent. */
interface StatedCursor extends Pick<Member, "key" | "name" | "value"> {
  readonly send: readonly string[];
}

/** Undefined when the answer has no cursor at all; an empty one is the last page. */
export function findNextCursor(answered: AnsweredPage): WayFound | undefined {
  const found = findParameters(answered) ?? findMember(answered);
  const changes = found ?? findLastSort(answered) ?? findLastRow(answered);
  if (changes?.length === 0) return { candidates: [], isEnd: true };
  return changes && changeParameters(changes, "cursor", answered.sent);
}

/** An object whose members are parameters of the next request: MediaWiki's `continue`, HubSpot's `paging.next`, Asana's `next_page`. */
function findParameters({ envelope: { members } }: AnsweredPage): Change[] | undefined {
  for (const { name, value } of members.values()) {
    if (!/^(?:continue|next|nextpage)$/.test(name) || !isJsonObject(value) || isMap(value))
      continue;
    const texts = Object.entries(value).filter(
      ([, each]) => typeof each === "string" && !isUrlLike(each),
    );
    const hasLink = Object.keys(value).some((key) => /^(?:href|url|uri|link)$/i.test(key));
    if (texts.length === 0 || (hasLink && texts.length > 1)) continue;
    const set = Object.fromEntries(texts.filter(([, text]) => !isEmpty(text)));
    return Object.keys(set).length === 0 ? [] : [{ set }];
  }
  return undefined;
}

function findMember(answered: AnsweredPage): Change[] | undefined {
  const stated = findCursor(answered) ?? findHeader(answered);
  if (stated === undefined) return undefined;
  const { envelope, rowCount } = answered;
  // CouchDB gives a bookmark behind the last row, too.
  const isBehind =
    stated.name === "bookmark" &&
    envelope.rows !== undefined &&
    rowCount === 0 &&
    envelope.more !== true;
  // A 0 is the first cursor where the request had none, as long as the answer says that there is more.
  const isFirst = isZero(stated.value) && answered.sent.findLike(cursorParameter) === undefined;
  if (isBehind || (isEmpty(stated.value) && !(isFirst && envelope.more === true))) return [];
  return listChanges(stated, answered);
}

/** The member of the first row of names that fits the answer. */
function findCursor({ envelope: { members, more }, sent }: AnsweredPage): StatedCursor | undefined {
  const all = [...members.values()].filter(isCursorHolder);
  if (all.length === 0) return undefined;
  const names = new Set([...members.values()].map(({ name }) => name));
  const isOpen = more === true || sent.findLike(cursorParameter) !== undefined;
  for (const { stated, beside, send } of cursorRows) {
    if (beside === "+more" && !isOpen) continue;
    if (beside !== undefined && !beside.startsWith("+") && !names.has(beside)) continue;
    // A plain word is the name of a next step.
    const isFitting = ({ value }: Member): boolean =>
      beside !== "+token" || !/^[A-Za-z]*$/.test(String(value));
    const found = all.find((member) => isAt(member.at, stated) && isFitting(member));
    if (found !== undefined) return { ...found, send };
  }
  const other = all.find(({ at }) => otherCursor.test(at));
  return other && { ...other, send: listPlainNames(other.key) };
}

/** `^next` is at the top, `meta.next` at any place. */
function isAt(at: string, stated: string): boolean {
  if (stated.startsWith("^")) return at === stated.slice(1);
  return at.endsWith(stated) && (at.length === stated.length || at.at(-stated.length - 1) === ".");
}

/** `next_page_key` may be sent as `page_key`, as `key` never: a bare `token` or `key` would be a credential. */
function listPlainNames(key: string): string[] {
  const first = key.replace(/^_?next[-_]?/i, "");
  const second = first.replace(/^page[-_]?/i, "");
  const isPlace = /^(?:start|offset|cursor|marker)$/i.test(second);
  const plain = (isPlace ? [second, first] : [first, second]).map(
    (name) => name.charAt(0).toLowerCase() + name.slice(1),
  );
  return [...plain.filter((name) => !/^(?:token|key|id|)$/.test(name)), "="];
}

/** A header that continues a list: `x-ms-continuationtoken`, `x-next-cursor`. */
function findHeader({ headers }: AnsweredPage): StatedCursor | undefined {
  for (const [key, value] of Object.entries(headers)) {
    if (
      !/continuation|next-?(?:page-?)?(?:cursor|token|marker)/.test(key) ||
      typeof value !== "string"
    )
      continue;
    const name = normalizeKey(key);
    const plain = name.replace(/^x(?:pagination)?/, "");
    const row = cursorRows.find(({ stated }) => stated === name || stated === plain);
    return { key: plain, name, value, send: row?.send ?? listPlainNames(plain) };
  }
  return undefined;
}

/** In the name of each member that may be a cursor: few answers have one, and the rows of names are not compared for the others. */
const sign = /next|cursor|token|after|continu|marker|bookmark|offset|evaluated|^end$/;

/** `next`, `next_page` and `offset` are numbers elsewhere; a URL is a link. */
function isCursorHolder({ name, value }: Member): boolean {
  if (!sign.test(name) || Array.isArray(value) || typeof value === "boolean") return false;
  if (isJsonObject(value)) return name === "lastevaluatedkey";
  if (typeof value === "string" && isUrlLike(value)) return false;
  return !/^(?:next|nextpage|offset|end)$/.test(name) || isOpaque(value);
}

function isOpaque(value: JsonValue): boolean {
  return (
    typeof value === "string" && !isUrlLike(value) && !/^\d*$|^[a-z][\w+.-]*:\/\//i.test(value)
  );
}

function isZero(value: JsonValue): boolean {
  return /^\s*0\s*$/.test(String(value));
}

/** Also what some APIs send on the last page. A long number with a sign can be a cursor. */
function isEmpty(value: JsonValue): boolean {
  if (isJsonObject(value)) return listKeys(value).length === 0;
  if (typeof value !== "string" && !isJsonNumber(value)) return true;
  return /^(?:\s*|0|-1|null|none)$/.test(String(value));
}

/** The parameters that a cursor may be sent as: the one that the API itself names, else those that are usual. */
function listChanges({ key, name, value, send }: StatedCursor, answered: AnsweredPage): Change[] {
  const { sent, described } = answered;
  const cursor = typeof value === "number" || isJsonObject(value) ? value : String(value);
  const usual = [...new Set(send.map((each) => (each === "=" ? key : writeLike(each, key))))];
  const normal = [name, ...usual.map(normalizeKey)];
  const isCursorName = (each: string): boolean =>
    normal.includes(normalizeKey(each)) || cursorParameter.test(normalizeKey(each));
  const named =
    sent.findLike(cursorParameter)?.name ??
    sent.find(normal)?.name ??
    [...described, ...listUrlNames(answered)].find(isCursorName);
  const names = named === undefined ? usual : [named];
  const guessOf = named === undefined ? name : undefined;
  return names.map((each) => ({ set: { [each]: cursor }, guessOf }));
}

/** Elasticsearch: a search that sorts continues behind the sort values of its last row. */
function findLastSort({
  envelope: { rows },
  sent,
  rowCount,
  before,
}: AnsweredPage): Change[] | undefined {
  const { body } = sent;
  const isSorted =
    body !== undefined && ["sort", "search_after"].some((name) => Object.hasOwn(body, name));
  const row = isSorted && rows?.path.join(".") === "hits.hits" ? rows.items.at(-1) : undefined;
  const sort = isJsonObject(row) ? row["sort"] : undefined;
  if (
    !Array.isArray(sort) ||
    rowCount < Math.max(before?.largest ?? 0, sent.findCount(["size"])?.count ?? 0)
  )
    return undefined;
  return [{ set: { search_after: sort } }];
}

/** APIs that continue after the last row when they say that there is more: Stripe, Lithic; `last_id` names it at OpenAI and Anthropic. */
function findLastRow({ envelope, sent, rowCount }: AnsweredPage): Change[] | undefined {
  const { members, more, rows } = envelope;
  if (more !== true || rowCount === 0 || sent.find(["endingbefore"]) !== undefined)
    return undefined;
  const isList = members.get("object")?.value === "list";
  const lastId = members.get("lastid")?.value;
  const row = rows?.items.at(-1);
  const id = lastId ?? (isList && isJsonObject(row) ? row["id"] : undefined);
  if (typeof id !== "string" && !isJsonNumber(id)) return undefined;
  const own = sent.findLike(/^(?:startingafter|after|afterid)$/)?.name;
  const byId = isList ? ["after", "after_id"] : ["after_id", "after"];
  const names = own === undefined ? (lastId === undefined ? ["starting_after"] : byId) : [own];
  return names.map((name) => ({
    set: { [name]: String(id) },
    guessOf: own === undefined ? "lastid" : undefined,
  }));
}

const maxQueryLength = 20_000;

/** A query language has braces; a search's `query` has words. */
export function isGraphql({ body }: PagedRequest): boolean {
  return isJsonObject(body) && typeof body["query"] === "string" && body["query"].includes("{");
}

const queryAgain =
  "`hasNextPage` is true: query one connection alone, select `endCursor` in its `pageInfo`, and pass `$after` (`after: $after`) in `variables`";
/** A mutation that is sent again does its work again. */
const queryApart =
  "`hasNextPage` is true: read the rest by a query. This request may change something, so it is not to be sent again for it";

/** The next page of a connection (Relay), or of a cursor that the query takes by a variable. Finds nothing where the answer has none. */
export function findGraphqlPage(answered: AnsweredPage): WayFound {
  const { envelope, sent } = answered;
  const { body } = sent;
  const query = String(body?.["query"] ?? "").slice(0, maxQueryLength);
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const infos = [...envelope.members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  const [, name, literal]: readonly (string | undefined)[] =
    /\b(?:after|cursor)\s{0,20}:\s{0,20}(?:\$(\w{1,60})|"([^"]{1,500})")/.exec(query) ?? [];
  const start = literal ?? (name === undefined ? undefined : variables[name]);
  const startsAt = isBlank(start) ? undefined : `after=${clipText(toText(start) ?? "{…}", 40)}`;
  const goOn = (cursor: string, variable: string): WayFound => {
    const set = { variables: { ...variables, [variable]: cursor } };
    return { startsAt, ...changeParameters([{ set }], "cursor", sent) };
  };
  const open = infos.filter((info) => info["hasNextPage"] === true);
  if (infos.length === 0 && name !== undefined) {
    const cursor = findCursor(answered);
    if (cursor === undefined) return { startsAt, candidates: [] };
    return isBlank(cursor.value)
      ? { startsAt, candidates: [], isEnd: true }
      : goOn(String(cursor.value), name);
  }
  if (open.length === 0) {
    const isEnd = infos.every(
      (info) => info["hasNextPage"] === false || info["endCursor"] === null,
    );
    return { startsAt, candidates: [], isEnd: infos.length > 0 && isEnd };
  }
  const cursor = open[0]?.["endCursor"];
  if (open.length > 1 || typeof cursor !== "string" || cursor === "" || name === undefined)
    return {
      candidates: [],
      unreachable: answered.isRead === true ? queryAgain : queryApart,
    };
  return goOn(cursor, name);
}
