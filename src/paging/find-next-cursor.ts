/** Finds a cursor or token for the next page in a body, and the parameter it goes into. */

import { ExactNumber, type JsonValue } from "../json/exact-number.js";
import { isObject, normalizeKey } from "../json/shape.js";
import { type CursorRule, cursorRules, sentCursorNames } from "./cursor-rules.js";
import { isUrlLike } from "./find-next-link.js";
import type { NextPage, PagePlace } from "./page-place.js";
import { findMember, lastNameOf, type PagingFacts, type PagingMember, toPlainJson } from "./paging-facts.js";

/** What some APIs send where there is no next page. */
const endTexts: ReadonlySet<string> = new Set([
  "0",
  "nil",
  "null",
  "none",
  "undefined",
  "false",
  "-1",
  "LTE=",
]);

export interface NextCursor {
  readonly next?: NextPage;
  /** A cursor's place is there and empty: the last page. */
  readonly isEnd: boolean;
}

/** Undefined members mean that the body has no cursor at all. A cursor equal to the sent one makes the same request, which the caller drops. */
export function findNextCursor(facts: PagingFacts, place: PagePlace): NextCursor {
  for (const rule of mayHoldCursor(facts) ? cursorRules : []) {
    const member = findByRule(facts, rule);
    // Only DynamoDB's cursor is an object; any other is a container that a rule of its own looks into.
    if (member === undefined || (isObject(member.value) && !rule.to.startsWith("Exclusive"))) continue;
    if (rule.needsMore && !hasMore(facts)) return { isEnd: true };
    const cursor = toCursor(member.value);
    if (cursor === undefined) return { isEnd: true };
    const name = nameParameter(rule, member, facts, place);
    const sent = place.find([normalizeKey(name)]);
    return { next: place.change({ [sent?.name ?? name]: cursor }), isEnd: false };
  }
  return findTokenInPage(facts, place) ?? { isEnd: false };
}

const cursorNames: ReadonlySet<string> = new Set(cursorRules.map(({ at }) => lastNameOf(at)));

/** Most answers have no member that any of the many rules is about. */
function mayHoldCursor({ names }: PagingFacts): boolean {
  for (const name of names) if (cursorNames.has(name)) return true;
  return false;
}

function findByRule(facts: PagingFacts, { at, whole }: CursorRule): PagingMember | undefined {
  return whole ? facts.members.get(at) : findMember(facts, [at]);
}

/** Facebook sends `cursors.after` on the last page too, but `next` only when there is one. */
function hasMore(facts: PagingFacts): boolean {
  return facts.more === true || facts.members.has("paging.next");
}

function toCursor(value: JsonValue): JsonValue | undefined {
  if (isObject(value)) return Object.keys(value).length > 0 ? toPlainJson(value) : undefined;
  if (typeof value === "number") return value > 0 ? value : undefined;
  if (typeof value !== "string" && !(value instanceof ExactNumber)) return undefined;
  const text = String(value);
  return text.trim() === "" || endTexts.has(text) ? undefined : text;
}

function nameParameter(rule: CursorRule, member: PagingMember, facts: PagingFacts, place: PagePlace): string {
  const sent = place.find(sentCursorNames);
  if (sent !== undefined) return sent.name;
  // Notion's lists say `object: "list"` and keep rows in `results`.
  const isNotion = facts.members.get("object")?.value === "list" && facts.members.has("results");
  if (rule.at === "nextcursor" && isNotion) return "start_cursor";
  if (
    rule.at === "pagination.cursor" &&
    [...facts.members.keys()].join() === "data,pagination,pagination.cursor"
  ) {
    return "after"; // Twitch: nothing but data and pagination.cursor
  }
  if (rule.at === "nextmarker" && /^N/.test(member.key)) return "Marker";
  return rule.to === "=" ? member.key : rule.to;
}

/** Tokens named after the page: `nextPageToken` (Google), `next_page_token` (Zoom), Stripe search's `next_page`, Airtable's `offset`. */
function findTokenInPage(facts: PagingFacts, place: PagePlace): NextCursor | undefined {
  const token = findMember(facts, ["nextpagetoken"]);
  const page =
    token ?? textMember(facts, "nextpage") ?? textMember(facts, "offset") ?? nextOfSent(facts, place);
  if (page === undefined) return undefined;
  const cursor = toCursor(page.value);
  if (cursor === undefined) return token === undefined ? undefined : { isEnd: true };
  const fallback = token === undefined ? nameText(page, place) : nameToken(token.key, facts);
  const sent = place.find(token === undefined ? [normalizeKey(fallback)] : ["pagetoken", "nextpagetoken"]);
  return { next: place.change({ [sent?.name ?? fallback]: cursor }), isEnd: false };
}

function nameToken(key: string, facts: PagingFacts): string {
  if (facts.members.has("htmlattributions")) return "pagetoken"; // Google Places
  return key === "nextPageToken" ? "pageToken" : key;
}

function nameText({ at }: PagingMember, place: PagePlace): string {
  if (at === "next") return place.find(sentCursorNames)?.name ?? "cursor";
  return at === "offset" ? "offset" : "page";
}

/** `next: "opaque"` doesn't say where it goes, unless a cursor was sent already. */
function nextOfSent(facts: PagingFacts, place: PagePlace): PagingMember | undefined {
  return place.find(sentCursorNames) === undefined ? undefined : textMember(facts, "next");
}

function textMember(facts: PagingFacts, key: string): PagingMember | undefined {
  const member = facts.members.get(key);
  if (typeof member?.value !== "string" || isUrlLike(member.value) || /^\d*$/.test(member.value))
    return undefined;
  return member;
}
