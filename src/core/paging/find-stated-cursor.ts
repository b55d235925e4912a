/** Finds the member or the header of an answer that holds the cursor of the next page, and knows which cursors are the end. */

import { isJsonNumber, isJsonObject, type JsonValue, listKeys } from "../base/exact-number.js";
import { normalizeKey } from "../base/shape.js";
import type { Answered } from "./paging.js";
import { cursorParameter, cursorRows, otherCursor, signOfCursor } from "./paging-names.js";
import type { Member } from "./read-envelope.js";
import { isUrlLike } from "./read-links.js";

export interface StatedCursor extends Pick<Member, "key" | "name" | "value"> {
  /** Normalised keys from the root, such as `meta.continuation`; of a header its name. */
  readonly at: string;
  /** The names under which it is usually sent. */
  readonly send: readonly string[];
}

export function findStatedCursor(page: Answered): StatedCursor | undefined {
  return findMember(page) ?? findHeader(page) ?? findLastRow(page);
}

/** APIs that continue after the last row when they say that there is more: Stripe, Lithic; `last_id` names it at OpenAI and Anthropic. */
function findLastRow({ envelope, sent, rowCount }: Answered): StatedCursor | undefined {
  const { members, more, rows } = envelope;
  const isBackwards = sent.find(["endingbefore"]) !== undefined;
  if (more !== true || rowCount === 0 || isBackwards) return undefined;
  const isList = members.get("object")?.value === "list";
  const lastId = members.get("lastid")?.value;
  const row = rows?.items.at(-1);
  const value = lastId ?? (isList && isJsonObject(row) ? row["id"] : undefined);
  if (typeof value !== "string" && !isJsonNumber(value)) return undefined;
  const after = isList ? ["after", "after_id"] : ["after_id", "after"];
  const send = lastId === undefined ? ["starting_after"] : after;
  return { key: "last_id", at: "lastid", name: "lastid", value: String(value), send };
}

/** The member of the first row of names that fits the answer. */
function findMember({ envelope: { members, more }, sent }: Answered): StatedCursor | undefined {
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
  const plain = [first, second].map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  return [...plain.filter((name) => !/^(?:token|key|id|)$/.test(name)), "="];
}

/** A header that continues a list: `x-ms-continuationtoken`, `x-next-cursor`. */
function findHeader({ headers }: Answered): StatedCursor | undefined {
  for (const [key, value] of Object.entries(headers)) {
    const isNamed = /continuation|next-?(?:page-?)?(?:cursor|token|marker)/.test(key);
    if (!isNamed || typeof value !== "string") continue;
    const name = normalizeKey(key);
    const plain = name.replace(/^x(?:pagination)?/, "");
    const row = cursorRows.find(({ stated }) => stated === name || stated === plain);
    return { key: plain, at: name, name, value, send: row?.send ?? listPlainNames(plain) };
  }
  return undefined;
}

/** `next`, `next_page` and `offset` are numbers elsewhere; a URL is a link. */
function isCursorHolder({ name, value }: Member): boolean {
  if (
    !(signOfCursor.test(name) || name === "end") ||
    Array.isArray(value) ||
    typeof value === "boolean"
  )
    return false;
  if (isJsonObject(value)) return name === "lastevaluatedkey";
  if (typeof value === "string" && isUrlLike(value)) return false;
  return !/^(?:next|nextpage|offset|end)$/.test(name) || isOpaque(value);
}

function isOpaque(value: JsonValue): boolean {
  return (
    typeof value === "string" && !isUrlLike(value) && !/^\d*$|^[a-z][\w+.-]*:\/\//i.test(value)
  );
}

/** Whether a stated cursor is the end of the list. */
export function isEndCursor({ name, value }: StatedCursor, page: Answered): boolean {
  const { envelope, rowCount } = page;
  // CouchDB gives a bookmark behind the last row, too.
  const isBehind =
    name === "bookmark" && envelope.rows !== undefined && rowCount === 0 && envelope.more !== true;
  const isFirst = envelope.more === true && isFirstZero(value, page);
  return isBehind || (isEmptyCursor(value) && !isFirst);
}

/** Whether a cursor is a 0 behind a request without one: some APIs count from it, and some end with it. */
export function isFirstZero(value: JsonValue, { sent }: Answered): boolean {
  return /^\s*0\s*$/.test(String(value)) && sent.findLike(cursorParameter) === undefined;
}

/** Also what some APIs send on the last page. A long number with a sign can be a cursor. */
export function isEmptyCursor(value: JsonValue): boolean {
  if (isJsonObject(value)) return listKeys(value).length === 0;
  if (typeof value !== "string" && !isJsonNumber(value)) return true;
  return /^(?:\s*|0|-1|null|none)$/.test(String(value));
}
