/** A list whose answers state a cursor, under a name that is told: by the answer, the request, a link or the API's document. */

import { isJsonObject, isMap, type JsonValue } from "../../base/exact-number.js";
import { normalizeKey } from "../../base/shape.js";
import {
  findStatedCursor,
  isEmptyCursor,
  isEndCursor,
  isFirstZero,
  type StatedCursor,
} from "../find-stated-cursor.js";
import { writeLike } from "../paged-request.js";
import { type AnsweredPage, changeParameters, type Found, lastPage, openPage } from "../paging.js";
import { cursorParameter } from "../paging-names.js";
import { isUrlLike } from "../read-links.js";
import { findDescribed, listTold } from "../told-names.js";

/** Parameters of the next request, by name. */
type ParametersToSet = Readonly<Record<string, JsonValue>>;

export function findCursor(page: AnsweredPage): Found | undefined {
  const stated = findStatedCursor(page);
  const place = stated && findCursorPlace(stated, page);
  const named = stated && listNamed(stated, place, page);
  const set = findParameters(page) ?? named ?? findLastSort(page);
  if (set === undefined) return undefined;
  const end = mayBeFirst(stated, page) ? openPage : lastPage;
  const isEnd = Object.keys(set).length === 0;
  const found = isEnd ? end : changeParameters([{ set }], "cursor", page.sent);
  // The cursor of the request, under the name that is told, puts the page behind the beginning of the list.
  const startsAt = place === undefined ? undefined : page.sent.findStart(undefined, place);
  return { ...found, evidence: { ...found.evidence, startsAt } };
}

/** Whether a cursor may be the first one of the list as well as its end. */
function mayBeFirst(stated: StatedCursor | undefined, page: AnsweredPage): boolean {
  if (stated === undefined || page.before !== undefined) return false;
  return isFirstZero(stated.value, page) && page.sent.find(listOwnNames(stated)) === undefined;
}

/** An object whose members are parameters of the next request: MediaWiki's `continue`, HubSpot's `paging.next`, Asana's `next_page`. */
function findParameters({ envelope: { members } }: AnsweredPage): ParametersToSet | undefined {
  for (const { name, value } of members.values()) {
    if (!/^(?:continue|next|nextpage)$/.test(name) || !isJsonObject(value) || isMap(value))
      continue;
    const texts = Object.entries(value).filter(
      ([, each]) => typeof each === "string" && !isUrlLike(each),
    );
    // The other texts of a link are no parameters: `{ href, rel, type }`.
    const hasLink = Object.keys(value).some((key) => /^(?:href|url|uri|link)$/i.test(key));
    if (texts.length === 0 || (hasLink && texts.length > 1)) continue;
    return Object.fromEntries(texts.filter(([, text]) => !isEmptyCursor(text)));
  }
  return undefined;
}

/** No parameter at all for a cursor that is the end. */
function listNamed(
  stated: StatedCursor,
  place: string | undefined,
  page: AnsweredPage,
): ParametersToSet | undefined {
  if (isEndCursor(stated, page)) return {};
  return place === undefined ? undefined : { [place]: toCursor(stated) };
}

/**
 * The parameter that goes with the stated cursor: of its own name, in the request or told by the API; else the one whose description names
 * it; else one that is a cursor's by its name.
 */
function findCursorPlace(stated: StatedCursor, page: AnsweredPage): string | undefined {
  const { sent } = page;
  const own = listOwnNames(stated);
  const told = listTold(page);
  return (
    sent.find(own)?.place ??
    told.find(({ folded }) => folded.some((each) => own.includes(each)))?.place ??
    findDescribed(stated, page) ??
    sent.findLike(cursorParameter)?.place ??
    told.find(({ folded }) => folded.some((each) => cursorParameter.test(each)))?.place
  );
}

function listOwnNames(stated: StatedCursor): string[] {
  return [stated.name, ...listUsualNames(stated).map(normalizeKey)];
}

/** The names under which a cursor is usually sent, as the answer writes its own names. */
export function listUsualNames({ key, send }: StatedCursor): string[] {
  return [...new Set(send.map((each) => (each === "=" ? key : writeLike(each, key))))];
}

export function toCursor({ value }: StatedCursor): JsonValue {
  return typeof value === "number" || isJsonObject(value) ? value : String(value);
}

/** Elasticsearch: a search that sorts continues behind the sort values of its last row. */
function findLastSort({
  envelope: { rows },
  sent,
  rowCount,
  before,
}: AnsweredPage): ParametersToSet | undefined {
  const { body = {} } = sent;
  const isSorted = ["sort", "search_after"].some((name) => Object.hasOwn(body, name));
  const row = isSorted && rows?.path.join(".") === "hits.hits" ? rows.items.at(-1) : undefined;
  const sort = isJsonObject(row) ? row["sort"] : undefined;
  const full = Math.max(before?.largest ?? 0, sent.findCount(["size"])?.count ?? 0);
  return Array.isArray(sort) && rowCount >= full ? { search_after: sort } : undefined;
}
