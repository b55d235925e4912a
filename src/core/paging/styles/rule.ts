/** A list for which the record has a rule: it alone decides how its next page is requested, and where it ends. */

import { isJsonNumber, type JsonValue } from "../../base/exact-number.js";
import { isBlank, toText } from "../../base/shape.js";
import { clipText } from "../../base/text.js";
import type { NextKind } from "../judge-complete.js";
import { type AnsweredPage, type AppliedRule, changeParameters, type Found } from "../paging.js";
import { parseCount } from "../read-envelope.js";
import { isUrlLike } from "../read-links.js";
import { findLink, followLink } from "./link.js";

export function findByRule(page: AnsweredPage): Found | undefined {
  const { rule: applied } = page;
  if (applied === undefined) return undefined;
  if (applied === "none") return findUnpaged(page);
  const isCounted = applied.rule.page !== undefined || applied.rule.offset !== undefined;
  const found = isCounted ? findCounted(applied, page) : findStated(applied, page);
  return { ...found, evidence: { ...found.evidence, startsAt: findStart(applied, page) } };
}

/** The record says that the API does not page: what links to a next page is not followed. */
function findUnpaged(page: AnsweredPage): Found {
  const unreachable = findLink(page) === undefined ? undefined : linked;
  return { next: [], evidence: { unreachable } };
}

const linked = 'the API links to a next page, and `api.paging` of the record is "none"';

/** The parameter that the rule sets. */
function placeOf({ rule: { page, offset, send } }: AppliedRule): string {
  return page ?? offset ?? send ?? "";
}

/** No row comes before the number 0, whatever is counted. */
function findStart(applied: AppliedRule, page: AnsweredPage): string | undefined {
  const { rule } = applied;
  const place = placeOf(applied);
  const start = page.sent.read(place);
  const first = rule.page === undefined ? 0 : (rule.first ?? 1);
  if (isBlank(start) || (parseCount(start) ?? 1) <= first) return undefined;
  return `${place.replace(/^\w+:/, "")}=${clipText(toText(start) ?? "{…}", 40)}`;
}

function setPlace(
  applied: AppliedRule,
  { sent }: AnsweredPage,
  kind: NextKind,
  value: JsonValue,
): Found {
  const place = placeOf(applied);
  if (applied.rule.alone !== true && !sent.hasRoomFor(place))
    return { next: [], evidence: { unreachable: describeNoRoom(place) } };
  const set = { [place]: value };
  return changeParameters([{ set, isAlone: applied.rule.alone }], kind, sent);
}

function describeNoRoom(place: string): string {
  return `\`api.paging\` of the record sets \`${place}\`, and the body of this request has no such place`;
}

function findCounted(applied: AppliedRule, page: AnsweredPage): Found {
  if (page.envelope.more === false) return { next: [], evidence: { isEnd: true } };
  if (isLast(applied, page)) return { next: [], evidence: {} };
  const start = parseCount(page.sent.read(placeOf(applied)));
  const { first = 1 } = applied.rule;
  const value =
    applied.rule.page === undefined ? (start ?? 0) + page.rowCount : (start ?? first) + 1;
  return setPlace(applied, page, "number", value);
}

/** Whether the count of rows shows that this is the last page. A short page in the middle is one that the API filtered. */
function isLast(applied: AppliedRule, page: AnsweredPage): boolean {
  const { rowCount, before, total, numbers } = page;
  if (rowCount === 0) return true;
  if (total === undefined) return rowCount < (numbers.sentSize ?? 0);
  const skipped = before?.rows ?? countSkipped(applied, page);
  return skipped !== undefined && skipped + rowCount >= total;
}

/** How many rows come before this page, where that is known. */
function countSkipped(applied: AppliedRule, { sent, numbers }: AnsweredPage): number | undefined {
  const { page, first = 1 } = applied.rule;
  const start = parseCount(sent.read(placeOf(applied)));
  if (page === undefined) return start ?? 0;
  const index = Math.max(0, (start ?? first) - first);
  if (index === 0) return 0;
  return numbers.sentSize === undefined ? undefined : index * numbers.sentSize;
}

const noPlace =
  "`paging.next` of the record is not a URL or a path, and `paging.send` does not name where it is sent";

function findStated(applied: AppliedRule, page: AnsweredPage): Found {
  const { rule, next, hasNext = false } = applied;
  // A member that the answer lacks may be one that this API never has; `has_more && last_id` that finds false states the end.
  if (isBlank(next)) return { next: [], evidence: { isEnd: hasNext || next === false } };
  const value: JsonValue = isJsonNumber(next) ? String(next) : (next ?? "");
  if (rule.send !== undefined) return setPlace(applied, page, "cursor", value);
  if (typeof value !== "string" || !isUrlLike(value))
    return { next: [], evidence: { unreachable: noPlace } };
  const { way, unreachable } = followLink(value, page);
  return { next: way === undefined ? [] : [way], evidence: { unreachable } };
}
